//! Runs a folder of conformance vectors: `vectors DIR --through native|component`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use claim_check_tests::subject::{Component, Native, Subject};
use claim_check_tests::vectors::{self, Outcome};

const USAGE: &str = "usage: vectors DIR --through native|component";
/// How many mismatches of a file are shown.
const SHOWN: usize = 5;

fn main() -> anyhow::Result<ExitCode> {
    let (folder, through) = arguments()?;
    let subject = subject(&through)?;
    let (mut passed, mut failed) = (0, 0);
    let ran = vectors::run(&folder, subject.as_ref(), |file, outcome| match outcome {
        Outcome::Absent => println!("{file}: not in this folder"),
        Outcome::NativeOnly => println!("{file}: native only, not run through the {through}"),
        Outcome::Ran(tally) => {
            println!("{file}: {} passed, {} failed", tally.passed, tally.failures.len());
            tally.failures.iter().take(SHOWN).for_each(|failure| println!("  {failure}"));
            if tally.failures.len() > SHOWN {
                println!("  … and {} more", tally.failures.len() - SHOWN);
            }
            passed += tally.passed;
            failed += tally.failures.len();
        }
    });
    if let Err(error) = ran {
        println!("{error:#}");
        failed += 1;
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn arguments() -> anyhow::Result<(PathBuf, String)> {
    let (mut folder, mut through) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--through" => through = Some(arguments.next().context(USAGE)?),
            flag if flag.starts_with('-') => bail!("no option {flag}; {USAGE}"),
            _ if folder.is_none() => folder = Some(PathBuf::from(argument)),
            other => bail!("one folder is enough, what is {other}? {USAGE}"),
        }
    }
    Ok((folder.context(USAGE)?, through.context(USAGE)?))
}

fn subject(through: &str) -> anyhow::Result<Box<dyn Subject>> {
    match through {
        "native" => Ok(Box::new(Native)),
        "component" => Ok(Box::new(Component::new()?)),
        other => bail!("through what? native or component, not {other}"),
    }
}
