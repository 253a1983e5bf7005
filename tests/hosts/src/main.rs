//! Tries every case on every host: run by scripts/hosts.sh, which gets the hosts.

use std::process::ExitCode;

use anyhow::{Context, Result};
use claim_check_hosts::cases::{CASES, document};
use claim_check_hosts::host::Host;
use claim_check_hosts::hosts::{Cli, Http, Python, Served, Wassette, python, wassette};
use claim_check_hosts::programs::Places;
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
    #[cfg(feature = "embedded")]
    embedded::rows(&places, &mut rows)?;
    Ok(table::print(&rows))
}

/// wasmtime in this process.
#[cfg(feature = "embedded")]
mod embedded {
    use std::future::ready;
    use std::sync::Arc;

    use anyhow::{Result, bail};
    use claim_check_host::store_suite::{self, Bench};
    use claim_check_host::{ManualClock, Store};
    use claim_check_hosts::embedded::adapter::Adapter;
    use claim_check_hosts::embedded::bucket::{self, Platform};
    use claim_check_hosts::embedded::claims::Embedded;
    use claim_check_hosts::embedded::folder::Wasi;
    use claim_check_hosts::programs::Places;
    use claim_check_hosts::table::Row;
    use tempfile::TempDir;

    pub(super) fn rows(places: &Places, rows: &mut Vec<Row>) -> Result<()> {
        rows.push(super::cases("wasmtime in process", true, || Ok(Box::new(Embedded::filesystem(places)?))));
        rows.push(super::cases("wasmtime in process", true, || Ok(Box::new(Embedded::keyvalue(places)?))));
        rows.push(super::checks("the store suite", true, &[
            ("keyvalue, draft", &|| {
                let (clock, path) = (Arc::new(ManualClock::new()), places.component("store_keyvalue_draft"));
                let platform = Platform::new("default", clock.clone());
                suite(Adapter::new(&path, bucket::link_draft, move || platform.clone()).map_err(trap)?, clock)
            }),
            // As wasmtime's own provider has it: only the bucket without a name.
            ("keyvalue, draft2", &|| {
                let (clock, path) = (Arc::new(ManualClock::new()), places.component("store_keyvalue_draft2"));
                let platform = Platform::new("", clock.clone());
                suite(Adapter::new(&path, bucket::link_draft2, move || platform.clone()).map_err(trap)?, clock)
            }),
            ("filesystem", &|| {
                let (clock, path) = (Arc::new(ManualClock::new()), places.component("store_filesystem"));
                let (folder, told) = (TempDir::new()?, clock.clone());
                let over = folder.path().to_owned();
                let make = move || Wasi::over(&over, Some(told.clone())).expect("the temporary folder is there");
                suite(Adapter::new(&path, Wasi::link, make).map_err(trap)?, clock)
            }),
        ]));
        Ok(())
    }

    fn trap(error: wasmtime::Error) -> anyhow::Error {
        anyhow::anyhow!("{error:?}")
    }

    /// Every rule; the rules of bounds are skipped, and the report says so.
    fn suite(store: impl Store + 'static, clock: Arc<ManualClock>) -> Result<()> {
        let store: Arc<dyn Store> = Arc::new(store);
        let bench = Bench::new(move || ready(store.clone())).clock(clock);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build()?;
        let report = runtime.block_on(store_suite::run(&bench));
        println!("{report}");
        if !report.broken().is_empty() {
            bail!("broken: {}", report.broken().join(", "));
        }
        Ok(())
    }
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
