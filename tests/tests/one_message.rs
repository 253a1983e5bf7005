//! To the model a handle that can't be redeemed is just that: malformed, unknown, expired, foreign and damaged handles
//! get one and the same text, and the last four after the same work.

use std::sync::Arc;
use std::time::{Duration, Instant};

use claim_check_host::{
    Absence, AnswerError, Claim, ClaimCheck, Clock, Engine, Erasure, FetchError, Limits, ManualClock, MemoryStore,
    Outcome, Refusal, RefusalCode, Scope, Settings, Store, StoreError, async_trait,
};
use std::sync::Mutex;

/// Counts the calls of a store, and damages what one handle gives.
struct Watched {
    store: MemoryStore,
    calls: Mutex<Vec<(u32, u32)>>,
    damaged: Mutex<Option<String>>,
}

#[async_trait]
impl Store for Watched {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        self.store.put(scope, handle, claim, ttl_seconds).await
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        self.calls.lock().unwrap().push((first_page, page_count));
        let mut claim = self.store.fetch(scope, handle, first_page, page_count).await?;
        if self.damaged.lock().unwrap().as_deref() == Some(handle) {
            claim.pages = claim.pages.iter().map(|page| page.replace('a', "b").into()).collect();
        }
        Ok(claim)
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        self.store.forget(what).await
    }
}

struct Stage {
    claims: ClaimCheck,
    store: Arc<Watched>,
    clock: Arc<ManualClock>,
    mine: Scope,
}

async fn stage() -> Stage {
    let clock = Arc::new(ManualClock::new());
    let store = MemoryStore::with_clock(Arc::clone(&clock) as Arc<dyn Clock>);
    let store = Arc::new(Watched { store, calls: Mutex::default(), damaged: Mutex::default() });
    let engine = Engine::new(&Limits::default()).unwrap();
    let claims = ClaimCheck::open_in(&engine, Settings::default(), Arc::clone(&store) as Arc<dyn Store>).await.unwrap();
    Stage { claims, store, clock, mine: Scope::new("acme", "run-1") }
}

impl Stage {
    async fn checked_in(&self, scope: &Scope, content: &str) -> String {
        match self.claims.check_in(scope, "tool", content).await.unwrap() {
            Outcome::CheckedIn(ticket) => ticket.handle,
            other => panic!("not checked in: {other:?}"),
        }
    }

    /// Every handle that can't be redeemed, with the reason that only the operator learns. A forgotten claim and one
    /// that never was are both missing.
    async fn unredeemable(&self) -> Vec<(&'static str, String, Absence)> {
        let expired = self.checked_in(&self.mine, &"expired a ".repeat(900)).await;
        self.clock.advance(Duration::from_secs(3600));
        let (other_run, other_tenant) = (Scope::new("acme", "run-2"), Scope::new("umbrella", "run-1"));
        let forgotten = self.checked_in(&self.mine, &"forgotten a ".repeat(900)).await;
        self.claims.forget(&Erasure::Run(self.mine.clone())).await.unwrap();
        let damaged = self.checked_in(&self.mine, &"damaged a ".repeat(900)).await;
        *self.store.damaged.lock().unwrap() = Some(damaged.clone());
        vec![
            ("malformed", "claim:123".to_owned(), Absence::Malformed),
            ("two handles", format!("claim:{} claim:{}", "0".repeat(32), "1".repeat(32)), Absence::Malformed),
            ("unknown", format!("claim:{}", "0123456789abcdef".repeat(2)), Absence::Missing),
            ("expired", expired, Absence::Missing),
            ("forgotten", forgotten, Absence::Missing),
            ("another run's", self.checked_in(&other_run, &"foreign a ".repeat(900)).await, Absence::Missing),
            ("another tenant's", self.checked_in(&other_tenant, &"foreign a ".repeat(900)).await, Absence::Missing),
            ("damaged", damaged, Absence::Damaged),
        ]
    }

    async fn refusal(&self, tool: &str, handle: &str) -> Refusal {
        let arguments = serde_json::json!({"handle": handle, "text": "a", "offset": 700}).to_string();
        match self.claims.answer(&self.mine, tool, &arguments).await {
            Err(AnswerError::Refused(refusal)) => refusal,
            other => panic!("{handle}: not refused: {other:?}"),
        }
    }
}

#[tokio::test]
async fn one_text_and_the_same_calls_of_the_store() {
    let stage = stage().await;
    for tool in ["fetch_result", "find_in_result"] {
        let mut texts = Vec::new();
        for (why, handle, absence) in stage.unredeemable().await {
            stage.store.calls.lock().unwrap().clear();
            let refusal = stage.refusal(tool, &handle).await;
            assert_eq!(refusal.code, RefusalCode::ClaimUnavailable, "{why}");
            assert!(
                matches!(refusal.cause, Some(FetchError::ClaimUnavailable(cause)) if cause == absence),
                "{why}: {refusal:?}"
            );
            let calls = std::mem::take(&mut *stage.store.calls.lock().unwrap());
            // One call, for the same pages; none where there is no handle to ask for.
            let pages = if tool == "fetch_result" { 1 } else { 64 };
            let expected = if absence == Absence::Malformed { vec![] } else { vec![(0, pages)] };
            assert_eq!(calls, expected, "{tool}, {why}");
            for secret in [handle.as_str(), "acme", "run-1", "run-2", "umbrella"] {
                assert!(!refusal.message.contains(secret), "{why}: {} tells {secret}", refusal.message);
            }
            texts.push(refusal.message);
        }
        assert_eq!(texts.len(), 8);
        texts.dedup();
        assert_eq!(texts.len(), 1, "one and the same: {texts:?}");
        assert!(texts[0].contains("run the original tool again"), "{}", texts[0]);
    }
}

/// What the clock could tell of a store that is asked in any case. The margin is wide: it is there to notice another
/// kind of work (a compilation, a second call, a page hashed many times over), not a cache miss.
#[tokio::test]
async fn about_the_same_time() {
    const ROUNDS: usize = 41;
    let stage = stage().await;
    let handles: Vec<_> =
        stage.unredeemable().await.into_iter().filter(|(_, _, absence)| *absence != Absence::Malformed).collect();
    let mut times = vec![Vec::new(); handles.len()];
    for _ in 0..ROUNDS {
        for ((_, handle, _), times) in handles.iter().zip(&mut times) {
            let start = Instant::now();
            stage.refusal("fetch_result", handle).await;
            times.push(start.elapsed());
        }
    }
    let medians: Vec<Duration> = times
        .iter_mut()
        .map(|times| {
            times.sort();
            times[ROUNDS / 2]
        })
        .collect();
    let (least, most) = (medians.iter().min().unwrap(), medians.iter().max().unwrap());
    let named: Vec<_> = handles.iter().map(|(why, ..)| *why).zip(&medians).collect();
    assert!(*most <= *least * 10 + Duration::from_millis(5), "{named:?}");
}

#[tokio::test]
async fn only_a_store_that_is_down_is_worth_trying_again() {
    struct Down;
    #[async_trait]
    impl Store for Down {
        async fn put(&self, _: &Scope, _: &str, _: Claim, _: u32) -> Result<(), StoreError> {
            Err(StoreError::Unavailable("postgres://user:secret@10.0.0.1".into()))
        }
        async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
            Err(StoreError::Unavailable("postgres://user:secret@10.0.0.1".into()))
        }
        async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
            Err(StoreError::Unavailable("postgres://user:secret@10.0.0.1".into()))
        }
    }
    let claims = ClaimCheck::open(Settings::default(), Arc::new(Down)).await.unwrap();
    let arguments = format!(r#"{{"handle":"claim:{}"}}"#, "0".repeat(32));
    let refused = claims.answer(&Scope::new("acme", "run-1"), "fetch_result", &arguments).await;
    let Err(AnswerError::Refused(refusal)) = refused else { panic!("not refused: {refused:?}") };
    assert_eq!(refusal.code, RefusalCode::StoreUnavailable);
    assert!(!refusal.message.contains("secret"), "a store's own text never reaches the model: {}", refusal.message);
    assert!(matches!(refusal.cause, Some(FetchError::Store(StoreError::Unavailable(_)))));
}
