//! Both stores keep every rule.
#![cfg(all(feature = "sqlite", feature = "store-suite"))]

use std::fs;
use std::future::ready;
use std::path::Path;
use std::sync::Arc;

use claim_check_host::store_suite::{self, Bench, RULES};
use claim_check_host::{ManualClock, MemoryStore, SqliteStore, Store};

const BOUND: usize = 80 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_keeps_every_rule() {
    let clock = Arc::new(ManualClock::new());
    let store: Arc<dyn Store> = Arc::new(MemoryStore::with_clock(clock.clone()).bounds(BOUND, 1 << 30));
    let bench = Bench::new(move || ready(store.clone())).clock(clock).tenant_bytes(BOUND);
    let report = store_suite::run(&bench).await;
    assert!(report.broken().is_empty(), "{report}");
    assert_eq!(report.verdicts.len(), RULES.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_every_rule() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("store-suite-sqlite");
    let _ = fs::remove_dir_all(&folder);
    let clock = Arc::new(ManualClock::new());
    let (path, time) = (folder.join("claims.db"), clock.clone());
    let open = move || {
        let options = SqliteStore::options().clock(time.clone()).bounds(BOUND as u64, 1 << 30);
        ready(Arc::new(options.open(&path).unwrap()) as Arc<dyn Store>)
    };
    let report = store_suite::run(&Bench::new(open).clock(clock).tenant_bytes(BOUND)).await;
    assert!(report.broken().is_empty(), "{report}");
    assert_eq!(report.verdicts.len(), RULES.len());
    fs::remove_dir_all(&folder).unwrap();
}

/// Time can't be told, and no bound is known: fewer things are tried, and real seconds pass.
#[tokio::test]
async fn a_store_without_clock_and_bound_can_be_tried() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let report = store_suite::run(&Bench::new(move || ready(store.clone()))).await;
    assert!(report.broken().is_empty(), "{report}");
    assert!(report.to_string().contains("skipped full_is_refused_as_full: the store declares no bound\n"));
}
