//! Calls of a claim check over the real component, and what limits them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use claim_check_host::{
    Absence, AnswerError, CallError, CheckInError, Claim, ClaimCheck, Engine, Erasure, FetchError, FindError,
    ForgetError, Limits, ManualClock, MemoryStore, OpenError, Outcome, Policy, RefusalCode, Scope, Settings,
    SettingsError, Store, StoreError, Ticket, ToolPolicy, async_trait,
};

/// A store whose every put does the same, and which holds nothing.
struct Puts<F>(F);

#[async_trait]
impl<F, R> Store for Puts<F>
where
    F: Fn(Claim) -> R + Send + Sync,
    R: Future<Output = Result<(), StoreError>> + Send,
{
    async fn put(&self, _: &Scope, _: &str, claim: Claim, _: u32) -> Result<(), StoreError> {
        (self.0)(claim).await
    }

    async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(StoreError::NotFound)
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Ok(0)
    }
}

fn scope() -> Scope {
    Scope::new("acme", "6f9b0c1e-run")
}

async fn open(limits: Limits, store: impl Store + 'static) -> ClaimCheck {
    // Compiling is what takes its time here, so the tests of the default limits share what it gives.
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(&Limits::default()).unwrap());
    let engine = match limits == Limits::default() {
        true => ENGINE.clone(),
        false => Engine::new(&limits).unwrap(),
    };
    ClaimCheck::open_in(&engine, Settings::default(), Arc::new(store)).await.unwrap()
}

fn ticket(outcome: Outcome) -> Ticket {
    match outcome {
        Outcome::CheckedIn(ticket) => ticket,
        other => panic!("not checked in: {other:?}"),
    }
}

/// A text of so many characters, of which no two lines are the same.
fn text(chars: usize) -> String {
    let mut text = String::new();
    let (mut written, mut line) = (0, 0);
    while written < chars {
        let next = format!("Zeile {line}: größer, 大きい.\n");
        text.extend(next.chars().take(chars - written));
        (written, line) = (written + next.chars().count(), line + 1);
    }
    text
}

#[tokio::test]
async fn a_megabyte_comes_back_window_by_window() {
    let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await.unwrap();
    let content = text(1_000_000);
    let ticket = ticket(claims.check_in(&scope(), "read_file", &content).await.unwrap());
    assert_eq!(ticket.chars, 1_000_000);
    assert!(content.starts_with(&ticket.head));

    let (mut read, mut next, mut windows) = (String::new(), Some(0), 0);
    while let Some(offset) = next {
        let window = claims.fetch(&scope(), &ticket.handle, offset, 10_007).await.unwrap();
        (read, next, windows) = (read + &window.text, window.next_offset, windows + 1);
    }
    assert!(read == content);
    assert_eq!(windows, 100);

    let finding = claims.find(&scope(), &ticket.handle, "ZEILE 4711:", 0, 0).await.unwrap();
    let [found] = &finding.matches[..] else { panic!("{finding:?}") };
    let window = claims.fetch(&scope(), &ticket.handle, found.offset, 11).await.unwrap();
    assert_eq!(window.text, "Zeile 4711:");
}

#[tokio::test]
async fn small_results_are_carried_without_the_store() {
    let store = Puts(|_| async { panic!("the store was asked") });
    let claims = open(Limits::default(), store).await;
    let threshold = "x".repeat(4096);
    assert_eq!(claims.check_in(&scope(), "t", &threshold).await.unwrap(), Outcome::AsItIs);
    let dirty = claims.check_in(&scope(), "t", "red \u{1b}[31mtext").await.unwrap();
    assert_eq!(dirty, Outcome::Neutralised("red text".into()));
    assert_eq!(claims.neutralise("red \u{1b}[31mtext").await.unwrap().as_deref(), Some("red text"));
    assert_eq!(claims.truncate(&threshold, 4096).await.unwrap(), None);
    let cut = claims.truncate(&threshold, 1000).await.unwrap().unwrap();
    assert!(cut.ends_with(" The rest was not kept.]") && cut.chars().count() <= 1000);
}

#[tokio::test]
async fn settings_are_refused_on_opening() {
    let engine = Engine::new(&Limits::default()).unwrap();
    let refused = async |settings: Settings| match ClaimCheck::open_in(&engine, settings, Arc::new(MemoryStore::new()))
        .await
        .unwrap_err()
    {
        OpenError::InvalidSettings(error) => error,
        other => panic!("{other}"),
    };
    let policy = Policy { threshold_chars: 0, ..Policy::default() };
    assert_eq!(refused(Settings { policy, ..Settings::default() }).await, SettingsError::ZeroThreshold(None));
    let per_tool = vec![ToolPolicy { tool: "fetch_result".into(), policy: Policy::default() }];
    let expected = SettingsError::PolicyForRedeemingTool("fetch_result".into());
    assert_eq!(refused(Settings { per_tool, ..Settings::default() }).await, expected);
    let settings = Settings { find_tool: Some("no spaces".into()), ..Settings::default() };
    assert_eq!(refused(settings).await, SettingsError::BadToolName("no spaces".into()));

    let claims = ClaimCheck::open_in(&engine, Settings::default(), Arc::new(MemoryStore::new())).await.unwrap();
    assert_eq!(claims.tool_definitions().len(), 2);
    let settings = Settings { window_chars: 0, ..Settings::default() };
    let error = claims.validate(&settings).await.unwrap_err();
    assert!(matches!(error, OpenError::InvalidSettings(SettingsError::ZeroWindow)));
}

#[tokio::test]
async fn scopes_are_refused_without_the_store() {
    let claims = open(Limits::default(), Puts(|_| async { panic!("the store was asked") })).await;
    let nobody = Scope::new("", "run");
    let content = text(5000);
    let error = claims.check_in(&nobody, "t", &content).await.unwrap_err();
    assert!(matches!(error, CheckInError::InvalidScope(_)), "{error}");
    let handle = format!("claim:{}", "0".repeat(32));
    let error = claims.fetch(&nobody, &handle, 0, 0).await.unwrap_err();
    assert!(matches!(error, FetchError::InvalidScope(_)), "{error}");
    let error = claims.find(&nobody, &handle, "x", 0, 0).await.unwrap_err();
    assert!(matches!(error, FindError::Fetch(FetchError::InvalidScope(_))), "{error}");
    let error = claims.forget(&Erasure::Run(nobody)).await.unwrap_err();
    assert!(matches!(error, ForgetError::InvalidScope(_)), "{error}");
}

#[tokio::test]
async fn size_is_looked_at_before_anything_is_copied() {
    let puts = Arc::new(AtomicUsize::new(0));
    let counted = puts.clone();
    let store = Puts(move |claim: Claim| {
        assert_eq!(claim.pages.len(), 4096);
        counted.fetch_add(1, Ordering::Relaxed);
        async { Ok(()) }
    });
    let claims = open(Limits::default(), store).await;
    let largest = "x".repeat(ClaimCheck::MAX_CONTENT_BYTES);
    let ticket = ticket(claims.check_in(&scope(), "t", &largest).await.unwrap());
    assert_eq!(ticket.chars, 67_108_864);

    let larger = largest + "x";
    let error = claims.check_in(&scope(), "t", &larger).await.unwrap_err();
    assert!(matches!(error, CheckInError::TooLarge), "{error}");
    assert_eq!(claims.check_in(&scope(), "fetch_result", &larger).await.unwrap(), Outcome::AsItIs);
    let error = claims.check_in(&Scope::new("acme", "\n"), "fetch_result", &larger).await.unwrap_err();
    assert!(matches!(error, CheckInError::InvalidScope(_)), "{error}");
    let cut = claims.truncate(&larger, 8000).await.unwrap().unwrap();
    assert!(cut.contains("[67108865 characters, cut after "), "{}", cut.len());
    let error = claims.truncate(&"x".repeat(200 << 20), 8000).await.unwrap_err();
    assert!(matches!(error, CallError::TextTooLong { .. }), "{error}");
    assert_eq!(puts.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn sixty_four_dirty_mebibytes_fit_into_the_memory() {
    let claims = open(Limits::default(), Puts(|_| async { Ok(()) })).await;
    // Three characters of each of these become four: the text grows as it is neutralised.
    let mut dirty = "[/INST]<|im_end|>x\u{200b}".repeat(ClaimCheck::MAX_CONTENT_BYTES / 21);
    dirty += "\u{1b}[0m";
    ticket(claims.check_in(&scope(), "t", &dirty).await.unwrap());
}

#[tokio::test]
async fn forgotten_and_expired_claims_are_gone() {
    let clock = Arc::new(ManualClock::new());
    let claims = open(Limits::default(), MemoryStore::with_clock(clock.clone())).await;
    let content = text(10_000);
    let handle = ticket(claims.check_in(&scope(), "t", &content).await.unwrap()).handle;
    clock.advance(Duration::from_nanos(3_599_999_999_999));
    claims.fetch(&scope(), &handle, 0, 0).await.unwrap();
    clock.advance(Duration::from_nanos(1));
    let gone = |error| matches!(error, FetchError::ClaimUnavailable(Absence::Missing));
    assert!(gone(claims.fetch(&scope(), &handle, 0, 0).await.unwrap_err()));

    let other = Scope::new("acme", "other-run");
    for scope in [&scope(), &other] {
        let again = ticket(claims.check_in(scope, "t", &content).await.unwrap());
        claims.fetch(scope, &again.handle, 0, 0).await.unwrap();
    }
    assert_eq!(claims.forget(&Erasure::Run(scope())).await.unwrap(), 1);
    assert!(gone(claims.fetch(&scope(), &handle, 0, 0).await.unwrap_err()));
    assert_eq!(claims.forget(&Erasure::Tenant("acme".into())).await.unwrap(), 1);
    assert_eq!(claims.forget(&Erasure::Tenant("acme".into())).await.unwrap(), 0);
}

#[tokio::test]
async fn a_stores_errors_are_outcomes() {
    for failure in [
        StoreError::Unavailable("down".into()),
        StoreError::Full("no more".into()),
        StoreError::Failed("denied".into()),
    ] {
        let fails = failure.clone();
        let claims = open(Limits::default(), Puts(move |_| std::future::ready(Err(fails.clone())))).await;
        match claims.check_in(&scope(), "t", &text(5000)).await.unwrap_err() {
            CheckInError::Store(error) => assert_eq!(error, failure),
            other => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn a_store_that_panics_fails_only_its_call() {
    let store = Puts(|claim: Claim| async move {
        assert!(claim.pages.len() < 2, "the test's panic");
        Ok(())
    });
    let claims = open(Limits::default(), store).await;
    let error = claims.check_in(&scope(), "t", &text(20_000)).await.unwrap_err();
    assert!(matches!(error, CheckInError::Store(StoreError::Failed(_))), "{error}");
    ticket(claims.check_in(&scope(), "t", &text(10_000)).await.unwrap());
}

#[tokio::test]
async fn a_store_that_hangs_is_unavailable() {
    let limits = Limits { store_timeout: Duration::from_millis(50), ..Limits::default() };
    let claims = open(limits, Puts(|_| std::future::pending())).await;
    let error = claims.check_in(&scope(), "t", &text(5000)).await.unwrap_err();
    assert!(matches!(error, CheckInError::Store(StoreError::Unavailable(_))), "{error}");
}

#[tokio::test]
async fn waiting_for_the_store_is_not_computing() {
    let limits = Limits { deadline: Duration::from_millis(40), ..Limits::default() };
    let store = Puts(|_| async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(())
    });
    ticket(open(limits, store).await.check_in(&scope(), "t", &text(5000)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trap_and_a_deadline_fail_only_their_calls() {
    let limits = Limits { memory_bytes: 8 << 20, ..Limits::default() };
    let claims = open(limits, MemoryStore::new()).await;
    let (small, large) = (text(5000), text(8_000_000));
    let calls: Vec<_> = (0..20)
        .map(|n| {
            let (claims, content) = (claims.clone(), if n % 4 == 0 { large.clone() } else { small.clone() });
            tokio::spawn(async move { claims.check_in(&scope(), "t", &content).await })
        })
        .collect();
    for (n, call) in calls.into_iter().enumerate() {
        match call.await.unwrap() {
            Err(CheckInError::Failed(CallError::Trapped(_))) => assert_eq!(n % 4, 0),
            Ok(Outcome::CheckedIn(_)) => assert_ne!(n % 4, 0),
            other => panic!("{n}: {other:?}"),
        }
    }

    let limits = Limits { deadline: Duration::from_nanos(1), ..Limits::default() };
    let claims = open(limits, MemoryStore::new()).await;
    let started = Instant::now();
    let endless = "<|im_start|>".repeat(5_000_000);
    let error = claims.check_in(&scope(), "t", &endless).await.unwrap_err();
    assert!(matches!(error, CheckInError::Failed(CallError::Deadline(_))), "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    ticket(claims.check_in(&scope(), "t", &small).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_beyond_the_pool_wait_for_their_turn() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (in_store, seen) = (now.clone(), most.clone());
    let store = Puts(move |_| {
        let (now, most) = (in_store.clone(), seen.clone());
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        }
    });
    let claims = open(Limits { pool_size: 8, ..Limits::default() }, store).await;
    let calls: Vec<_> = (0..16)
        .map(|n| {
            let claims = claims.clone();
            tokio::spawn(
                async move { claims.check_in(&Scope::new("acme", format!("run-{n}")), "t", &text(9000)).await },
            )
        })
        .collect();
    for call in calls {
        ticket(call.await.unwrap().unwrap());
    }
    assert_eq!(most.load(Ordering::SeqCst), 8);
}

#[tokio::test]
async fn a_dropped_call_gives_its_place_back() {
    let claims = open(Limits { pool_size: 1, ..Limits::default() }, Puts(|_| std::future::pending())).await;
    for _ in 0..3 {
        let call = claims.check_in(&scope(), "t", "").await;
        call.unwrap();
        let content = text(5000);
        let scope = scope();
        let hung = claims.check_in(&scope, "t", &content);
        tokio::time::timeout(Duration::from_millis(20), hung).await.unwrap_err();
    }
}

#[tokio::test]
async fn the_model_is_answered() {
    let claims = open(Limits::default(), MemoryStore::new()).await;
    let content = text(10_000);
    let handle = ticket(claims.check_in(&scope(), "t", &content).await.unwrap()).handle;
    let arguments = format!(r#"{{"handle": "{handle}", "offset": "9000"}}"#);
    let reply = claims.answer(&scope(), "fetch_result", &arguments).await.unwrap();
    assert_eq!(reply.text, content.chars().skip(9000).collect::<String>());
    assert_eq!(reply.note, "[characters 9000 to 10000 of 10000. This is the end.]");
    assert_eq!(reply.to_string(), format!("{}\n\n{}", reply.text, reply.note));

    let foreign = Scope::new("other", "run");
    match claims.answer(&foreign, "fetch_result", &arguments).await.unwrap_err() {
        AnswerError::Refused(refusal) => {
            assert_eq!(refusal.code, RefusalCode::ClaimUnavailable);
            assert!(matches!(refusal.cause, Some(FetchError::ClaimUnavailable(Absence::Missing))));
        }
        AnswerError::Failed(error) => panic!("{error}"),
    }
}

#[test]
fn limits_that_can_not_work_are_refused() {
    for limits in [
        Limits { pool_size: 0, ..Limits::default() },
        Limits { deadline: Duration::ZERO, ..Limits::default() },
        Limits { store_timeout: Duration::ZERO, ..Limits::default() },
    ] {
        assert!(matches!(Engine::new(&limits), Err(CallError::Engine(_))));
    }
}
