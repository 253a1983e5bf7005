//! Python's wasmtime package: the core over a store in Python.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::host::{Host, Read, Window};
use crate::programs::Places;

/// A Python process that answers a call with a line.
#[derive(Debug)]
pub struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Python {
    /// # Errors
    /// There is no Python with the package.
    pub fn new(places: &Places) -> Result<Self> {
        let program = places.program("python").context("there is no Python environment")?;
        let mut child = Command::new(program)
            .arg(places.sources.join("python/driver.py"))
            .arg(places.component("claim_check"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Self { child, input, output })
    }

    /// The answer to one call, as it came.
    ///
    /// # Errors
    /// The process has ended.
    pub fn call(&mut self, call: &Value) -> Result<Value> {
        writeln!(self.input, "{call}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        serde_json::from_str(&line).with_context(|| format!("Python answered {line:?}"))
    }

    fn answer(&mut self, call: &Value) -> Result<Value> {
        let answer = self.call(call)?;
        match answer.get("raised") {
            Some(raised) => bail!("Python raised {raised}"),
            None => Ok(answer),
        }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Host for Python {
    fn name(&self) -> String {
        "Python, wasmtime 50.0.1, claim_check".to_owned()
    }

    fn check_in(&mut self, run: &str, content: &str, keep: u32) -> Result<String> {
        let answer = self.answer(&json!({ "call": "check_in", "run": run, "content": content, "keep": keep }))?;
        Ok(answer["handle"].as_str().with_context(|| format!("not checked in: {answer}"))?.to_owned())
    }

    fn fetch(&mut self, run: &str, handle: &str, offset: u32) -> Result<Read<Window>> {
        let answer = self.answer(&json!({ "call": "fetch", "run": run, "handle": handle, "offset": offset }))?;
        if answer["gone"] == true {
            return Ok(Read::Gone);
        }
        let text = answer["text"].as_str().with_context(|| format!("not a window: {answer}"))?.to_owned();
        Ok(Read::There(Window { text, next: answer["next"].as_u64().map(u32::try_from).transpose()? }))
    }

    fn find(&mut self, run: &str, handle: &str, text: &str) -> Result<Read<Vec<u32>>> {
        let answer = self.answer(&json!({ "call": "find", "run": run, "handle": handle, "text": text }))?;
        if answer["gone"] == true {
            return Ok(Read::Gone);
        }
        Ok(Read::There(serde_json::from_value(answer["offsets"].clone())?))
    }

    fn forget(&mut self, run: &str) -> Result<u32> {
        Ok(serde_json::from_value(self.answer(&json!({ "call": "forget", "run": run }))?["forgotten"].clone())?)
    }

    /// A new instance over the same store: the store is the host's.
    fn restart(&mut self) -> Result<()> {
        self.answer(&json!({ "call": "restart" })).map(|_| ())
    }
}

/// What a store in Python that raises, or that says it failed, comes to: an error that the caller sees.
///
/// # Errors
/// It was swallowed.
pub fn errors_are_not_swallowed(places: &Places, document: &str) -> Result<()> {
    let mut python = Python::new(places)?;
    let check_in = json!({ "call": "check_in", "run": "run", "content": document, "keep": 60 });
    for (how, expected) in [
        ("full", json!({ "refused": "store", "why": "full" })),
        ("unavailable", json!({ "refused": "store", "why": "unavailable" })),
        ("raises", json!({ "raised": "RuntimeError: the database has gone away" })),
    ] {
        python.call(&json!({ "call": "break_store", "how": how }))?;
        let answer = python.call(&check_in)?;
        if answer != expected {
            bail!("a store that {how} comes to {answer}");
        }
    }
    Ok(())
}

/// The fastest of some check-ins, in milliseconds.
///
/// # Errors
/// The process has ended.
pub fn check_in_ms(places: &Places, document: &str, times: u32) -> Result<f64> {
    let mut python = Python::new(places)?;
    let answer = python.answer(&json!({ "call": "bench", "content": document, "times": times }))?;
    answer["ms"].as_f64().with_context(|| format!("no figure: {answer}"))
}

/// The example in the README is the file that is tested.
///
/// # Errors
/// It is another one.
pub fn example_is_the_readmes(places: &Places, readme: &Path) -> Result<()> {
    let example = std::fs::read_to_string(places.sources.join("python/claim_check.py"))?;
    let readme = std::fs::read_to_string(readme)?;
    if !readme.contains(&example) {
        bail!("guest/adapters/README.md shows another text than tests/hosts/python/claim_check.py");
    }
    Ok(())
}
