//! wasmtime in this process: the cases, the store suite, and Python's time against Rust's.

use std::future::ready;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use claim_check_host::store_suite::{self, Bench};
use claim_check_host::{ClaimCheck, ManualClock, MemoryStore, Scope, Settings, Store};
use claim_check_hosts::cases::document;
use claim_check_hosts::embedded::adapter::Adapter;
use claim_check_hosts::embedded::bucket::{self, Platform};
use claim_check_hosts::embedded::claims::Embedded;
use claim_check_hosts::embedded::folder::Wasi;
use claim_check_hosts::hosts::python;
use claim_check_hosts::programs::Places;
use claim_check_hosts::table::Row;
use tempfile::TempDir;

pub(crate) fn rows(places: &Places, rows: &mut Vec<Row>) -> Result<()> {
    rows.push(crate::cases("wasmtime in process", true, || Ok(Box::new(Embedded::filesystem(places)?))));
    rows.push(crate::cases("wasmtime in process", true, || Ok(Box::new(Embedded::keyvalue(places)?))));
    let found = places.program("python").is_some();
    rows.push(crate::checks("Python", found, &[("1 MB, against Rust", &|| python_is_fast_enough(places))]));
    rows.push(crate::checks(
        "the store suite",
        true,
        &[
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
        ],
    ));
    Ok(())
}

/// One megabyte in Python, and in the Rust host of the same run.
fn python_is_fast_enough(places: &Places) -> Result<()> {
    const TIMES: u32 = 10;
    let document = document("bench", 1_000_000);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build()?;
    let rust = runtime.block_on(async {
        let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
        let mut fastest = f64::MAX;
        for number in 0..TIMES {
            let begin = Instant::now();
            claims.check_in(&Scope::new("acme", format!("bench {number}")), "tool", &document).await?;
            fastest = fastest.min(begin.elapsed().as_secs_f64() * 1000.0);
        }
        anyhow::Ok(fastest)
    })?;
    let python = python::check_in_ms(places, &document, TIMES)?;
    let ratio = python / rust;
    println!(
        "1000000 characters checked in: Rust {rust:.1} ms, Python {python:.1} ms, {ratio:.1} times (this build of the Rust host is not optimised)"
    );
    if ratio > 20.0 {
        bail!("Python takes {ratio:.1} times as long as Rust, and 20 are allowed");
    }
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
