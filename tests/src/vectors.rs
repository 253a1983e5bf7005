//! The runner for any folder of conformance vectors.
//!
//! A file holds one kind of rule, an array of cases. What the runner does not know (a file, a field) and what it can't
//! run is a failure, so that nothing in a folder is passed over in silence.

mod boundary;
mod check_ins;
mod claims;
mod extracts;
mod find_calls;
mod finds;
mod scopes;
mod settings;
mod tool_calls;
mod tool_results;
mod windows;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use anyhow::{Context, bail};
use claim_check_guest::Scope;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::subject::Subject;

/// What came of one file.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many cases passed.
    pub passed: usize,
    /// What was expected and what came, of every case that failed.
    pub failures: Vec<String>,
}

impl Tally {
    fn note(&mut self, case: impl FnOnce() -> String, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(why) => self.failures.push(format!("{}: {why}", case())),
        }
    }
}

/// What came of a kind of rule.
#[derive(Debug)]
pub enum Outcome {
    /// It ran.
    Ran(Tally),
    /// The folder has no such file.
    Absent,
    /// The component does not offer the function alone.
    NativeOnly,
}

struct Kind {
    file: &'static str,
    run: fn(&dyn Subject, &[Value]) -> Tally,
    native_only: bool,
}

const fn kind(file: &'static str, run: fn(&dyn Subject, &[Value]) -> Tally) -> Kind {
    Kind { file, run, native_only: false }
}

const KINDS: [Kind; 15] = [
    kind("policies.json", settings::policies),
    kind("settings.json", settings::settings),
    kind("scopes.json", scopes::run),
    Kind { native_only: true, ..kind("heads.json", extracts::heads) },
    Kind { native_only: true, ..kind("tails.json", extracts::tails) },
    kind("check_ins.json", check_ins::run),
    kind("claims.json", claims::run),
    kind("truncations.json", extracts::truncations),
    kind("windows.json", windows::run),
    kind("finds.json", finds::run),
    kind("neutralise.json", boundary::run),
    kind("tool_calls.json", tool_calls::run),
    kind("find_calls.json", find_calls::run),
    kind("tool_results.json", tool_results::windows),
    kind("find_results.json", tool_results::findings),
];

/// Runs a folder, and hands what came of every kind to `report` as it is done.
///
/// # Errors
/// The folder or a file can't be read, or is none that the runner knows.
pub fn run(folder: &Path, subject: &dyn Subject, mut report: impl FnMut(&str, &Outcome)) -> anyhow::Result<()> {
    let mut unknown = BTreeSet::new();
    let mut known = BTreeSet::new();
    for entry in folder.read_dir().with_context(|| format!("reading {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if KINDS.iter().any(|kind| kind.file == name) {
            known.insert(name);
        } else if name != "README.md" {
            unknown.insert(name);
        }
    }
    if !unknown.is_empty() {
        bail!("no kind of vectors that this runner knows: {}", unknown.into_iter().collect::<Vec<_>>().join(", "));
    }
    if known.is_empty() {
        bail!("no vectors in {}", folder.display());
    }
    for kind in &KINDS {
        if !known.contains(kind.file) {
            report(kind.file, &Outcome::Absent);
        } else if kind.native_only && subject.extracts().is_none() {
            report(kind.file, &Outcome::NativeOnly);
        } else {
            let path = folder.join(kind.file);
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            let cases: Vec<Value> =
                serde_json::from_str(&text).with_context(|| format!("parsing {}", path.display()))?;
            report(kind.file, &Outcome::Ran((kind.run)(subject, &cases)));
        }
    }
    Ok(())
}

/// Runs cases one by one.
fn each<C: DeserializeOwned>(cases: &[Value], run: impl Fn(&C) -> Result<(), String>) -> Tally {
    let mut tally = Tally::default();
    for (number, value) in cases.iter().enumerate() {
        let result = C::deserialize(value).map_err(|error| error.to_string()).and_then(|case| run(&case));
        tally.note(|| format!("case {number} {}", short(&value.to_string(), 160)), result);
    }
    tally
}

/// The scope of the cases that name none.
fn some_scope() -> Scope {
    Scope::new("acme", "run_1")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopeCase {
    tenant: String,
    run: String,
}

impl ScopeCase {
    fn scope(&self) -> Scope {
        Scope::new(&self.tenant, &self.run)
    }
}

fn same<T: PartialEq + Debug>(what: &str, expected: &T, got: &T) -> Result<(), String> {
    if expected == got { Ok(()) } else { Err(differ(what, &format!("{expected:?}"), &format!("{got:?}"))) }
}

/// Both sides, from a little before the place where they part.
fn differ(what: &str, expected: &str, got: &str) -> String {
    let agree = expected.chars().zip(got.chars()).take_while(|(a, b)| a == b).count();
    let from = agree.saturating_sub(40);
    let side = |text: &str| {
        let rest: String = text.chars().skip(from).collect();
        if from > 0 { format!("…{}", short(&rest, 160)) } else { short(&rest, 160) }
    };
    format!("{what} expected {} got {}", side(expected), side(got))
}

fn short(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most).collect();
    format!("{start}… ({count} characters)")
}

/// A field that a case of this shape has to have.
fn given<T>(what: &str, field: Option<T>) -> Result<T, String> {
    field.ok_or_else(|| format!("the case has no '{what}'"))
}

/// A field that may be null, but has to be there: what is left out is a case that this runner does not understand.
fn nullable<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}
