//! What is carried where the store is down.

use std::sync::Arc;

use claim_check_host::Event;

use crate::{Down, names, road, scope};

#[tokio::test]
async fn what_can_not_be_stored_is_cut_and_said_so() {
    let (results, events) = road(Arc::new(Down)).await;
    let carried = results.carry(&scope(), "read_log", "\u{1b}[1mAll is well. ".repeat(10_000)).await;
    assert!(carried.as_str().starts_with("All is well. "));
    assert!(carried.as_str().contains("[130000 characters, cut after "), "{carried}");
    assert!(carried.as_str().chars().count() <= 8000 && !carried.as_str().contains("claim:"));
    let carried = results.carry(&scope(), "read_log", "All is well. ".repeat(500)).await;
    assert_eq!(carried.as_str().len(), 6500);
    assert_eq!(names(&events), ["tool_result_cut", "tool_result_carried"]);
    let events = events.lock().unwrap();
    let Event::ToolResultCarried { not_stored: Some(why), .. } = &events[1] else { panic!("{:?}", events[1]) };
    assert!(why.contains("unavailable"), "{why}");
}

#[tokio::test]
async fn a_refusal_tells_the_operator_why_and_the_model_what_to_do() {
    let (results, events) = road(Arc::new(Down)).await;
    let handle = format!("claim:{}", "0".repeat(32));
    let arguments = format!(r#"{{"handle": "{handle}"}}"#);
    let carried = results.redeem(&scope(), "fetch_result", &arguments).await;
    assert!(!carried.as_str().contains("secret") && !carried.as_str().contains("acme"), "{carried}");
    let carried = results.redeem(&scope(), "fetch_result", r#"{"handle": "my secret"}"#).await;
    assert!(!carried.as_str().contains("secret"), "{carried}");
    let events = events.lock().unwrap();
    let Event::ClaimRefused { code: "store_unavailable", why: Some(why), handle: Some(asked), .. } = &events[0] else {
        panic!("{:?}", events[0])
    };
    assert!(why.contains("is down") && *asked == handle);
    let Event::ClaimRefused { code: "claim_unavailable", why: Some(why), handle: None, .. } = &events[1] else {
        panic!("{:?}", events[1])
    };
    assert!(why.contains("Malformed") && !why.contains("secret"));
}
