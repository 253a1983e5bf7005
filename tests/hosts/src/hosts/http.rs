//! The agent at the edge, over HTTP: under `wasmtime serve`, and under wasmCloud's `wash`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;
use ureq::http::StatusCode;

use crate::cases::NEEDLE;
use crate::host::{Host, Read, Window};
use crate::programs::{Places, Running, free_port};
use crate::replies;

/// How the agent is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// By `wasmtime serve`, composed with the filesystem adapter.
    Wasmtime,
    /// By `wash`, composed with the key-value adapter, in one file.
    Wash,
    /// By `wash`, which plugs the agent and the composed claim check together itself.
    WashInParts,
}

/// An agent that is served.
#[derive(Debug)]
pub struct Http {
    served: Served,
    places: Places,
    program: PathBuf,
    /// What is kept, which another instance may share.
    data: Arc<TempDir>,
    /// What `wash` calls a project.
    folder: TempDir,
    port: u16,
    running: Option<Running>,
}

impl Http {
    /// Starts the host, and waits until the agent answers.
    ///
    /// # Errors
    /// There is no such program, or it does not serve.
    pub fn new(places: &Places, served: Served) -> Result<Self> {
        let name = if served == Served::Wasmtime { "wasmtime" } else { "wash" };
        let program = places.program(name).with_context(|| format!("{name} was not installed"))?;
        let (data, folder) = (Arc::new(TempDir::new()?), TempDir::new()?);
        let mut host = Self { served, places: places.clone(), program, data, folder, port: 0, running: None };
        host.restart()?;
        Ok(host)
    }

    /// Another process over what this one keeps.
    ///
    /// # Errors
    /// It does not serve.
    pub fn beside(&self) -> Result<Self> {
        let (data, folder) = (Arc::clone(&self.data), TempDir::new()?);
        let (places, program) = (self.places.clone(), self.program.clone());
        let mut host = Self { served: self.served, places, program, data, folder, port: 0, running: None };
        host.restart()?;
        Ok(host)
    }

    /// Where it keeps what it keeps.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.data.path().to_owned()
    }

    /// Kills the process, with whatever it is doing.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Whoever asks it.
    #[must_use]
    pub fn caller(&self) -> Caller {
        Caller(self.port)
    }

    fn command(&self) -> Result<Command> {
        let (folder, mut command) = (self.folder.path(), Command::new(&self.program));
        if self.served == Served::Wasmtime {
            command.args(["serve", "-S", "cli", "--addr", &format!("127.0.0.1:{}", self.port), "--dir"]);
            command.arg(format!("{}::/claims", self.data.path().display()));
            command.arg(self.places.component("edge_agent_filesystem"));
            return Ok(command);
        }
        // `wash` takes only what lies in the project's folder.
        let (agent, more) = match self.served {
            Served::WashInParts => (
                "edge_agent",
                "  components:\n    - name: claim-check\n      file: claim_check_keyvalue_draft.wasm\n".to_owned(),
            ),
            _ => ("edge_agent_keyvalue_draft", String::new()),
        };
        for component in [agent, "claim_check_keyvalue_draft"] {
            fs::copy(self.places.component(component), folder.join(component).with_extension("wasm"))?;
        }
        fs::create_dir_all(folder.join(".wash"))?;
        let config = format!(
            "build:\n  command: \"true\"\n  component_path: {agent}.wasm\ndev:\n  address: 127.0.0.1:{}\n  \
             wasi_keyvalue_path: {}\n{more}",
            self.port,
            self.data.path().display(),
        );
        fs::write(folder.join(".wash/config.yaml"), config)?;
        command.args(["--non-interactive", "dev"]).current_dir(folder);
        Ok(command)
    }

    /// What was read; the texts of the answer.
    fn redeem(&self, run: &str, path: &str) -> Result<Read<(String, String)>> {
        let (status, answer) = self.caller().send("GET", Some(run), path, "")?;
        match (status.as_u16(), answer["error"].as_str()) {
            (200, None) => {
                let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
                Ok(Read::There((text("text"), text("note"))))
            }
            (404, Some(why)) if replies::is_gone(why) => Ok(Read::Gone),
            _ => bail!("{status}: {answer}"),
        }
    }
}

/// A client of an agent that listens on this port.
#[derive(Debug, Clone, Copy)]
pub struct Caller(u16);

impl Caller {
    /// One request; the status, and the answer.
    pub(crate) fn send(self, method: &str, run: Option<&str>, path: &str, body: &str) -> Result<(StatusCode, Value)> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .timeout_global(Some(Duration::from_secs(60)))
            .build()
            .into();
        let mut request =
            ureq::http::Request::builder().method(method).uri(format!("http://127.0.0.1:{}{path}", self.0));
        if let Some(run) = run {
            request = request.header("x-run", run);
        }
        let mut response = agent.run(request.body(body.to_owned())?)?;
        let text = response.body_mut().read_to_string()?;
        Ok((response.status(), serde_json::from_str(&text).unwrap_or(Value::Null)))
    }

    /// Asks about the document, which must not enter the conversation whole; the handle under which it is kept.
    ///
    /// # Errors
    /// There is no answer, or another one.
    pub fn ask(self, run: &str, content: &str, keep: u32) -> Result<String> {
        let (status, answer) =
            self.send("POST", Some(run), &format!("/ask?about=notice+period&keep={keep}"), content)?;
        ensure!(status == StatusCode::OK, "{status}: {answer}");
        ensure!(answer["answer"].as_str() == Some(&format!("In short, {NEEDLE}.")), "another answer: {answer}");
        let chars = |name: &str| answer[name].as_u64().unwrap_or_default();
        ensure!(chars("document_chars") == content.chars().count() as u64, "another document: {answer}");
        ensure!(chars("conversation_chars") * 2 < chars("document_chars"), "too much was carried: {answer}");
        Ok(answer["handle"].as_str().context("not checked in")?.to_owned())
    }
}

impl Host for Http {
    fn name(&self) -> String {
        match self.served {
            Served::Wasmtime => "wasmtime serve 48.0.2, edge_agent_filesystem",
            Served::Wash => "wash 2.10.3, edge_agent_keyvalue_draft",
            Served::WashInParts => "wash 2.10.3, edge_agent + claim_check_keyvalue_draft",
        }
        .to_owned()
    }

    fn check_in(&mut self, run: &str, content: &str, keep: u32) -> Result<String> {
        self.caller().ask(run, content, keep)
    }

    fn fetch(&mut self, run: &str, handle: &str, offset: u32) -> Result<Read<Window>> {
        match self.redeem(run, &format!("/read?handle={handle}&offset={offset}"))? {
            Read::There((text, note)) => replies::window(&text, &note),
            Read::Gone => Ok(Read::Gone),
        }
    }

    fn find(&mut self, run: &str, handle: &str, text: &str) -> Result<Read<Vec<u32>>> {
        match self.redeem(run, &format!("/find?handle={handle}&text={}", text.replace(' ', "+")))? {
            Read::There((text, _)) => Ok(replies::offsets(&text)),
            Read::Gone => Ok(Read::Gone),
        }
    }

    fn forget(&mut self, run: &str) -> Result<u32> {
        let (status, answer) = self.caller().send("DELETE", Some(run), "/run", "")?;
        let forgotten = answer["forgotten"].as_u64().with_context(|| format!("{status}: {answer}"))?;
        Ok(forgotten.try_into()?)
    }

    fn restart(&mut self) -> Result<()> {
        self.running = None;
        self.port = free_port()?;
        let log = self.folder.path().join("log");
        self.running = Some(Running::start(&mut self.command()?, &log)?);
        let begin = Instant::now();
        // The agent says 401 to who has no run; until it is there, the host says something else, or nothing.
        while !self.caller().send("GET", None, "/", "").is_ok_and(|(status, _)| status == StatusCode::UNAUTHORIZED) {
            if begin.elapsed() > Duration::from_secs(60) {
                bail!("not served within a minute:\n{}", fs::read_to_string(&log)?);
            }
            sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}
