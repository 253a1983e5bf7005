//! How the claim check behaves where it comes from, behaviour by behaviour.

use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{Erasure, Event, ManualClock, MemoryStore, Results, ResultsBuilder, Scope};

use crate::{Counting, ENGINE, names, noting, road, scope, tool};

/// The call that reads on, as a model copies it from a notice.
async fn read(results: &Results, scope: &Scope, carried: &str) -> String {
    let arguments = serde_json::json!({"handle": carried, "offset": 0}).to_string();
    results.redeem(scope, "fetch_result", &arguments).await.to_string()
}

#[tokio::test]
async fn exactly_at_the_threshold_untouched() {
    let store = Counting::new(100);
    let (results, _) = road(store.clone()).await;
    // Characters, not bytes.
    let at = "ä".repeat(4096);
    assert_eq!(results.carry(&scope(), "a", at.clone()).await.as_str(), at);
    assert_eq!(store.puts(), 0);
    let over = results.carry(&scope(), "a", at + "ä").await;
    assert!(over.as_str().contains("[4097 characters, "), "{over}");
    assert_eq!(store.puts(), 1);
}

#[tokio::test]
async fn a_small_result_is_left_alone() {
    let store = Counting::new(100);
    let (results, events) = road(store.clone()).await;
    for small in ["", " ", "{\"ok\": true}\r\n", "👨‍👩‍👧‍👦 سلام"] {
        assert_eq!(results.carry(&scope(), "a", small.into()).await.as_str(), small);
    }
    assert_eq!((names(&events), store.puts()), (vec!["tool_result_carried"; 4], 0));
}

#[tokio::test]
async fn the_same_content_twice_is_stored_once() {
    let (results, _) = road(Arc::new(MemoryStore::new())).await;
    let log = "All is well. ".repeat(1000);
    let first = results.carry(&scope(), "a", log.clone()).await;
    // Another tool's, too.
    assert_eq!(results.carry(&scope(), "b", log).await, first);
    assert_eq!(results.forget(Erasure::Run(scope())).await.unwrap(), 1);
}

#[tokio::test]
async fn expired_is_gone_and_not_stale() {
    let clock = Arc::new(ManualClock::new());
    let (results, _) = road(Arc::new(MemoryStore::with_clock(clock.clone()))).await;
    let carried = results.carry(&scope(), "a", "All is well. ".repeat(1000)).await;
    clock.advance(Duration::from_secs(3600) - Duration::from_nanos(1));
    assert!(read(&results, &scope(), carried.as_str()).await.starts_with("All is well. "));
    clock.advance(Duration::from_nanos(1));
    let gone = read(&results, &scope(), carried.as_str()).await;
    assert!(!gone.contains("All is well"), "{gone}");
    assert_eq!(results.forget(Erasure::Run(scope())).await.unwrap(), 0);
}

#[tokio::test]
async fn erasure_is_narrowed_to_one_run() {
    let (results, _) = road(Arc::new(MemoryStore::new())).await;
    let (other, log) = (Scope::new("acme", "other"), "All is well. ".repeat(1000));
    let (mine, others) = (results.carry(&scope(), "a", log.clone()).await, results.carry(&other, "a", log).await);
    assert_eq!(results.forget(Erasure::Run(scope())).await.unwrap(), 1);
    assert!(!read(&results, &scope(), mine.as_str()).await.contains("All is well"));
    assert!(read(&results, &other, others.as_str()).await.starts_with("All is well. "));
}

#[tokio::test]
async fn an_invented_handle_is_refused() {
    let (results, events) = road(Arc::new(MemoryStore::new())).await;
    let carried = results.carry(&scope(), "a", "All is well. ".repeat(1000)).await;
    let refused = read(&results, &scope(), &format!("claim:{}", "0".repeat(32))).await;
    // As another run's is: nobody learns which handles there are.
    assert_eq!(read(&results, &Scope::new("acme", "other"), carried.as_str()).await, refused);
    assert_eq!(names(&events), ["tool_result_stored", "claim_refused", "claim_refused"]);
}

#[tokio::test]
async fn a_run_without_a_claim_check_behaves_as_before() {
    let (results, events) = noting(ResultsBuilder::without_claims(&ENGINE));
    let results = results.open(&[tool("a")]).unwrap();
    let at = "x".repeat(8000);
    assert_eq!(results.carry(&scope(), "a", at.clone()).await.as_str(), at);
    let cut = results.carry(&scope(), "a", at + "x").await;
    assert!(cut.as_str().chars().count() <= 8000 && !cut.as_str().contains("claim:"), "{cut}");
    assert!(cut.as_str().contains("[8001 characters, cut after "), "{cut}");
    assert_eq!(results.carry(&scope(), "a", "\u{1b}[1mred".into()).await.as_str(), "red");
    assert!(results.claims().is_none() && !results.redeems("fetch_result"));
    let refused = results.redeem(&scope(), "fetch_result", "{}").await;
    assert_eq!(refused.as_str(), "There is no tool of this name. Go on without it.");
    assert_eq!(results.forget(Erasure::Run(scope())).await.unwrap(), 0);
    let expected =
        ["tool_result_carried", "tool_result_cut", "tool_result_carried", "claim_refused", "claims_forgotten"];
    assert_eq!(names(&events), expected);
    assert!(matches!(&events.lock().unwrap()[0], Event::ToolResultCarried { not_stored: None, .. }));
    assert!(matches!(&events.lock().unwrap()[1], Event::ToolResultCut { why, .. } if why == "there is no claim check"));
}

#[tokio::test]
async fn a_stored_result_is_not_also_reported_as_cut() {
    let (results, events) = road(Arc::new(MemoryStore::new())).await;
    let carried = results.carry(&scope(), "a", "All is well. ".repeat(1000)).await;
    assert!(!carried.as_str().contains("cut after") && !carried.as_str().contains("not kept"), "{carried}");
    assert_eq!(names(&events), ["tool_result_stored"]);
}
