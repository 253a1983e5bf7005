//! Both stores keep every rule.
#![cfg(all(feature = "sqlite", feature = "store-suite"))]

use std::fs;
use std::future::ready;
use std::path::Path;
use std::sync::Arc;

use claim_check_host::store_suite::{self, Bench, RULES};
use claim_check_host::{Claim, Erasure, ManualClock, MemoryStore, Scope, SqliteStore, Store, StoreError, async_trait};

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

/// Seconds pass, and the tenant must be full before the first of its claims expires.
#[tokio::test]
async fn what_expired_makes_room_in_real_time() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().bounds(BOUND, 1 << 30));
    let bench = Bench::new(move || ready(store.clone())).tenant_bytes(BOUND);
    assert_eq!(store_suite::expired_makes_room(&bench).await, Ok(()));
}

/// A newcomer's store, which slices past the end of what it holds, and quotes what it was asked for when it panics.
struct Panicking {
    inner: MemoryStore,
    says_what_it_holds: bool,
}

#[async_trait]
impl Store for Panicking {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        self.inner.put(scope, handle, claim, ttl_seconds).await
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        let whole = self.inner.fetch(scope, handle, 0, u32::MAX).await?;
        if first_page as usize >= whole.pages.len() {
            match self.says_what_it_holds {
                true => panic!("no page {first_page} in {:?}", whole.pages),
                false => panic!("first_page is past the end"),
            }
        }
        Ok(whole.part(first_page, page_count))
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        match self.inner.forget(what).await {
            Ok(0) => panic!("nothing to forget"),
            forgotten => forgotten,
        }
    }
}

#[tokio::test]
async fn a_panic_breaks_its_rule_and_says_no_content() {
    for (says_what_it_holds, reason) in [
        (true, "the panic's own message may hold content; the panic hook has it"),
        (false, "first_page is past the end"),
    ] {
        let clock = Arc::new(ManualClock::new());
        let inner = MemoryStore::with_clock(clock.clone()).bounds(BOUND, 1 << 30);
        let panicking = Arc::new(Panicking { inner, says_what_it_holds });
        let store: Arc<dyn Store> = panicking.clone();
        let report = store_suite::run(&Bench::new(move || ready(store.clone())).clock(clock).tenant_bytes(BOUND)).await;
        assert_eq!(report.broken(), ["pages_past_the_end_are_none", "forget_of_nothing_counts_none"], "{report}");
        let broken = format!("BROKEN  pages_past_the_end_are_none: panicked: {reason}\n");
        assert!(report.to_string().contains(&broken), "{report}");
        assert!(
            report.to_string().contains("forget_of_nothing_counts_none: panicked: nothing to forget\n"),
            "{report}"
        );
        // The tenants of every rule were forgotten, those of the broken ones, too.
        assert_eq!(panicking.inner.held_bytes(), 0);
    }
}

/// A store that can't be opened breaks every rule, and ends none of the tests that come after it.
#[tokio::test]
async fn a_store_that_panics_when_opened_breaks_every_rule() {
    let open = || async { panic!("no store here") };
    let report = store_suite::run(&Bench::new(open).clock(Arc::new(ManualClock::new())).tenant_bytes(BOUND)).await;
    assert_eq!(report.broken().len(), RULES.len(), "{report}");
}
