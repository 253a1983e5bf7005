//! Wassette: every exported function is a tool, and everything is denied until it is granted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::host::{Host, Read, Window};
use crate::programs::{Places, output};
use crate::replies;

const COMPONENT: &str = "claim_check_tools";

/// Wassette with the tools loaded, over a temporary home.
#[derive(Debug)]
pub struct Wassette {
    program: PathBuf,
    home: TempDir,
    run: String,
}

impl Wassette {
    /// Loads the component; grants nothing.
    ///
    /// # Errors
    /// There is no such program, or it does not load the component.
    pub fn new(places: &Places) -> Result<Self> {
        let program = places.program("wassette").context("wassette was not installed")?;
        let host = Self { program, home: TempDir::new()?, run: String::new() };
        for folder in ["documents", "claims", "components"] {
            fs::create_dir(host.path(folder))?;
        }
        host.wassette(&["component", "load", &format!("file://{}", places.component(COMPONENT).display())])?;
        Ok(host)
    }

    /// What it tells of its tools.
    ///
    /// # Errors
    /// It tells nothing.
    pub fn tools(&self) -> Result<Value> {
        let listed: Value = serde_json::from_str(&self.wassette(&["tool", "list"])?)?;
        Ok(listed["tools"].clone())
    }

    /// Grants the folder with the documents, the claims' folder, and the scope.
    ///
    /// # Errors
    /// It can't be granted.
    pub fn grant(&mut self) -> Result<()> {
        for (folder, access) in [("documents", "read"), ("claims", "read,write")] {
            let uri = format!("fs://{}", self.path(folder).display());
            self.wassette(&["permission", "grant", "storage", COMPONENT, &uri, "--access", access])?;
        }
        for name in ["CLAIM_CHECK_TENANT", "CLAIM_CHECK_RUN"] {
            self.wassette(&["permission", "grant", "environment-variable", COMPONENT, name])?;
        }
        self.set_run("run-1")
    }

    /// Before the grants every call is refused, and says what is missing.
    ///
    /// # Errors
    /// One is let through.
    pub fn is_denied(&self) -> Result<()> {
        let path = self.path("documents").join("secret.txt");
        fs::write(&path, "secret")?;
        let refused = self.invoke("claim-check-read", &json!({ "path": path }))?;
        let why = refused.as_ref().err().with_context(|| format!("read without a grant: {refused:?}"))?;
        ensure!(why.contains("CLAIM_CHECK_TENANT"), "refused for another reason: {why}");
        self.wassette(&["secret", "set", COMPONENT, "CLAIM_CHECK_TENANT=acme", "CLAIM_CHECK_RUN=run-1"])?;
        for name in ["CLAIM_CHECK_TENANT", "CLAIM_CHECK_RUN"] {
            self.wassette(&["permission", "grant", "environment-variable", COMPONENT, name])?;
        }
        let refused = self.invoke("claim-check-read", &json!({ "path": path }))?;
        ensure!(
            refused.as_ref().is_err_and(|why| why.contains("no folder that was granted")),
            "a folder was read without a grant: {refused:?}"
        );
        Ok(())
    }

    fn path(&self, folder: &str) -> PathBuf {
        self.home.path().join(folder)
    }

    fn wassette(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--component-dir").arg(self.path("components"));
        let home = |folder: &str| self.home.path().join(folder);
        output(
            command.env("XDG_CONFIG_HOME", home("config")).env("XDG_DATA_HOME", home("data")).env("HOME", home("home")),
        )
    }

    /// The run is said by the environment; a tool's caller can't choose it.
    fn set_run(&mut self, run: &str) -> Result<()> {
        if self.run != run {
            let run_is = format!("CLAIM_CHECK_RUN={run}");
            self.wassette(&["secret", "set", COMPONENT, "CLAIM_CHECK_TENANT=acme", &run_is])?;
            run.clone_into(&mut self.run);
        }
        Ok(())
    }

    fn invoke(&self, tool: &str, arguments: &Value) -> Result<Result<String, String>> {
        let printed = self.wassette(&["tool", "invoke", tool, "--args", &arguments.to_string()])?;
        let answer: Value = serde_json::from_str(&printed).with_context(|| format!("not JSON: {printed}"))?;
        match (answer["ok"].as_str(), answer["err"].as_str()) {
            (Some(text), None) => Ok(Ok(text.to_owned())),
            (None, Some(why)) => Ok(Err(why.to_owned())),
            _ => bail!("neither ok nor err: {answer}"),
        }
    }

    fn redeem(&self, tool: &str, arguments: &Value) -> Result<Read<String>> {
        match self.invoke(tool, arguments)? {
            Ok(text) => Ok(Read::There(text)),
            Err(why) if replies::is_gone(&why) => Ok(Read::Gone),
            Err(why) => bail!("{why}"),
        }
    }
}

impl Host for Wassette {
    fn name(&self) -> String {
        "Wassette 0.8.0, claim_check_tools".to_owned()
    }

    fn lacks(&self, case: &str) -> Option<&'static str> {
        match case {
            "forget" => Some("forgetting is not for a model to decide, so there is no such tool"),
            "expiry" => Some("the tools keep a file for an hour, and no argument changes that"),
            _ => None,
        }
    }

    fn check_in(&mut self, run: &str, content: &str, _keep: u32) -> Result<String> {
        self.set_run(run)?;
        let path = self.path("documents").join("document.txt");
        fs::write(&path, content)?;
        let made = self.invoke("claim-check-read", &json!({ "path": path }))?.map_err(anyhow::Error::msg)?;
        replies::handle(&made)
    }

    fn fetch(&mut self, run: &str, handle: &str, offset: u32) -> Result<Read<Window>> {
        self.set_run(run)?;
        match self.redeem("claim-check-fetch", &json!({ "handle": handle, "offset": offset }))? {
            Read::There(reply) => {
                let (text, note) = replies::split(&reply)?;
                replies::window(text, note)
            }
            Read::Gone => Ok(Read::Gone),
        }
    }

    fn find(&mut self, run: &str, handle: &str, text: &str) -> Result<Read<Vec<u32>>> {
        self.set_run(run)?;
        match self.redeem("claim-check-find", &json!({ "handle": handle, "text": text, "offset": 0 }))? {
            Read::There(reply) => Ok(replies::offsets(replies::split(&reply)?.0)),
            Read::Gone => Ok(Read::Gone),
        }
    }

    fn forget(&mut self, _run: &str) -> Result<u32> {
        bail!("there is no such tool")
    }

    /// Every call is a process of its own.
    fn restart(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Compares what a host tells of its tools with the golden file.
///
/// # Errors
/// They differ.
pub fn tools_are_golden(tools: &Value, golden: &Path) -> Result<()> {
    let told = format!("{tools:#}\n");
    if std::env::var_os("HOSTS_WRITE_GOLDEN").is_some() {
        return Ok(fs::write(golden, told)?);
    }
    let expected = fs::read_to_string(golden).with_context(|| format!("no golden file at {}", golden.display()))?;
    if told != expected {
        bail!(
            "the tools are not those of {}; if the change is meant, set HOSTS_WRITE_GOLDEN=1 and review the difference",
            golden.display()
        );
    }
    Ok(())
}
