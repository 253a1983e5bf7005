//! Tries the store suite on stores that each break one rule: `broken-stores`.
//!
//! A line per store says which rules it broke. Passed is a store that broke its rule and no other; the sound store at the
//! end has to break none.

use std::future::ready;
use std::process::ExitCode;
use std::sync::Arc;

use claim_check_host::store_suite::{self, Bench};
use claim_check_host::{ManualClock, MemoryStore, Store};
use claim_check_tests::broken_store::{BOUND, FLAWS, bench};

#[tokio::main]
async fn main() -> ExitCode {
    // Some of them panic, which is for the suite to report.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut passed, mut failed) = (0, 0);
    let mut judge = |name: String, broken: Vec<&str>, expected: Vec<&str>| {
        let verdict = if broken == expected { "as it should" } else { "FAILED" };
        println!("{name}: broke {broken:?}, {verdict}");
        if broken == expected { passed += 1 } else { failed += 1 }
    };
    for flaw in FLAWS {
        let report = store_suite::run(&bench(*flaw)).await;
        judge(format!("{flaw:?}"), report.broken(), vec![flaw.rule()]);
    }
    let clock = Arc::new(ManualClock::new());
    let sound: Arc<dyn Store> = Arc::new(MemoryStore::with_clock(clock.clone()).bounds(BOUND, 1 << 30));
    let report = store_suite::run(&Bench::new(move || ready(sound.clone())).clock(clock).tenant_bytes(BOUND)).await;
    judge("the sound store".into(), report.broken(), vec![]);
    println!("{passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
