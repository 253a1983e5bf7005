//! Tries every case on every host: run by scripts/hosts.sh, which gets the hosts.

#[cfg(feature = "embedded")]
mod in_process;

use std::process::ExitCode;

use anyhow::{Context, Result};
use claim_check_hosts::cases::{CASES, document};
use claim_check_hosts::host::Host;
use claim_check_hosts::hosts::{Cli, Http, Python, Served, Wassette, python, wassette};
use claim_check_hosts::kills;
use claim_check_hosts::programs::Places;
use claim_check_hosts::published::{self, PLATFORMS};
use claim_check_hosts::table::{self, Outcome, Row};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("hosts: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let places = Places::from_environment()?;
    let mut rows = vec![];
    rows.push(cases("wasmtime run", places.program("wasmtime").is_some(), || Ok(Box::new(Cli::new(&places)?))));
    for (name, program, served) in [
        ("wasmtime serve", "wasmtime", Served::Wasmtime),
        ("wash, one file", "wash", Served::Wash),
        ("wash, in parts", "wash", Served::WashInParts),
    ] {
        rows.push(cases(name, places.program(program).is_some(), || Ok(Box::new(Http::new(&places, served)?))));
    }
    let found = places.program("wassette").is_some();
    rows.push(cases("Wassette", found, || {
        let mut host = Wassette::new(&places)?;
        host.grant()?;
        Ok(Box::new(host))
    }));
    rows.push(checks(
        "Wassette",
        found,
        &[
            ("denied before the grant", &|| Wassette::new(&places)?.is_denied()),
            ("tools, as they are told", &|| {
                wassette::tools_are_golden(
                    &Wassette::new(&places)?.tools()?,
                    &places.sources.join("golden/wassette_tools.json"),
                )
            }),
        ],
    ));
    let found = places.program("python").is_some();
    rows.push(cases("Python", found, || Ok(Box::new(Python::new(&places)?))));
    rows.push(checks(
        "Python",
        found,
        &[
            ("no error is swallowed", &|| python::errors_are_not_swallowed(&places, &document("errors", 20_000))),
            ("the README's example", &|| {
                python::example_is_the_readmes(&places, &places.sources.join("../../guest/adapters/README.md"))
            }),
        ],
    ));
    for platform in PLATFORMS {
        let found = published::found(&places, platform);
        rows.push(checks("published WIT", found, &[(platform.source, &|| published::check(&places, platform))]));
    }
    let rounds = std::env::var("HOSTS_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    for (name, program, served) in
        [("wasmtime serve, a folder", "wasmtime", Served::Wasmtime), ("wash, a bucket in files", "wash", Served::Wash)]
    {
        let killed = || {
            let tally = kills::rounds(&places, served, rounds)?;
            println!("{name}: two instances killed {rounds} times: {tally:?}, nothing else left by a forget");
            Ok(())
        };
        rows.push(checks(name, places.program(program).is_some(), &[("killed at random", &killed)]));
    }
    #[cfg(feature = "embedded")]
    in_process::rows(&places, &mut rows)?;
    Ok(table::print(&rows))
}

/// Every case on one host.
fn cases(name: &str, found: bool, start: impl FnOnce() -> Result<Box<dyn Host>>) -> Row {
    if !found {
        return skipped(name, CASES.iter().map(|(case, _)| *case));
    }
    let mut host = match start() {
        Ok(host) => host,
        Err(error) => {
            let failed = vec![("start".to_owned(), Outcome::Failed(format!("{error:#}")))];
            return Row { host: name.to_owned(), outcomes: failed };
        }
    };
    let mut outcomes = vec![];
    for (case, try_it) in CASES {
        let outcome = match host.lacks(case) {
            Some(why) => Outcome::Skipped(why.to_owned()),
            None => outcome(try_it(host.as_mut())),
        };
        outcomes.push(((*case).to_owned(), outcome));
    }
    eprintln!("hosts: tried {}", host.name());
    Row { host: host.name(), outcomes }
}

/// What only one host shows.
fn checks(name: &str, found: bool, checks: &[(&str, &dyn Fn() -> Result<()>)]) -> Row {
    if !found {
        return skipped(name, checks.iter().map(|(check, _)| *check));
    }
    let outcomes = checks.iter().map(|(check, try_it)| ((*check).to_owned(), outcome(try_it())));
    Row { host: name.to_owned(), outcomes: outcomes.collect() }
}

fn skipped<'a>(name: &str, cases: impl Iterator<Item = &'a str>) -> Row {
    let why = Outcome::Skipped("the host could not be had; scripts/hosts.sh says why".to_owned());
    Row { host: name.to_owned(), outcomes: cases.map(|case| (case.to_owned(), why.clone())).collect() }
}

fn outcome(tried: Result<()>) -> Outcome {
    match tried.context("") {
        Ok(()) => Outcome::Passed,
        Err(error) => Outcome::Failed(format!("{:#}", error.root_cause())),
    }
}
