//! The road of a result in a run: carried, stored or cut, told of, and counted.

use std::error::Error;
use std::sync::{Arc, LazyLock, Mutex};

use claim_check_host::agent::{Agent, AgentError, Message, Provider, Said, Tool, ToolCall};
use claim_check_host::{
    Claim, ClaimCheck, Engine, Erasure, Event, Limits, MemoryStore, Results, Scope, Settings, Store, StoreError,
    ToolDefinition, async_trait,
};

/// Calls one tool after the other, then says what it read last.
struct Calls(Vec<(&'static str, &'static str)>);

#[async_trait]
impl Provider for Calls {
    async fn next(&self, _: &[ToolDefinition], messages: &[Message]) -> Result<Said, Box<dyn Error + Send + Sync>> {
        let results: Vec<_> = messages
            .iter()
            .filter_map(|message| match message {
                Message::ToolResult { carried, .. } => Some(carried.as_str()),
                _ => None,
            })
            .collect();
        Ok(match self.0.get(results.len()) {
            Some((tool, arguments)) => {
                let ticket = results.iter().find_map(|result| result.split_once("handle='"));
                let handle = ticket.and_then(|(_, rest)| rest.split_once('\'')).map_or("", |(handle, _)| handle);
                let arguments = arguments.replace("HANDLE", handle);
                Said { text: String::new(), calls: vec![ToolCall { tool: (*tool).into(), arguments }] }
            }
            None => Said { text: results.last().copied().unwrap_or("").into(), calls: Vec::new() },
        })
    }
}

/// A store that is down.
struct Down;

#[async_trait]
impl Store for Down {
    async fn put(&self, _: &Scope, _: &str, _: Claim, _: u32) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("postgres://admin:secret@db is down".into()))
    }

    async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(StoreError::Unavailable("postgres://admin:secret@db is down".into()))
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Ok(0)
    }
}

fn scope() -> Scope {
    Scope::new("acme", "run")
}

async fn road(store: Arc<dyn Store>) -> (Results, Arc<Mutex<Vec<Event>>>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let told = events.clone();
    // Compiling is what takes its time here, so the tests share what it gives.
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(&Limits::default()).unwrap());
    let claims = ClaimCheck::open_in(&ENGINE, Settings::default(), store).await.unwrap();
    (Results::new(claims).on_event(move |event| told.lock().unwrap().push(event.clone())), events)
}

fn names(events: &Mutex<Vec<Event>>) -> Vec<&'static str> {
    events.lock().unwrap().iter().map(Event::name).collect()
}

fn log() -> Tool {
    Tool::new("read_log", "The log.", "{}", |_| async { Ok("All is well. ".repeat(10_000)) })
}

#[tokio::test]
async fn a_run_reads_what_it_needs_and_sends_less() {
    let (results, events) = road(Arc::new(MemoryStore::new())).await;
    let provider = Calls(vec![
        ("read_log", "{}"),
        ("find_in_result", r#"{"handle": "HANDLE", "text": "WELL. ALL", "offset": 100}"#),
        ("fetch_result", r#"{"handle": "HANDLE", "offset": 129990}"#),
    ]);
    let agent = Agent::new(Arc::new(provider), results.clone(), vec![log()]).unwrap();
    let run = agent.run(&scope(), "How is it?").await.unwrap();
    assert_eq!(run.answer, " is well. \n\n[characters 129990 to 130000 of 130000. This is the end.]");
    assert_eq!(names(&events), ["tool_result_stored", "claim_found", "claim_fetched"]);
    {
        let events = events.lock().unwrap();
        let Event::ToolResultStored { handle: stored, chars: 130_000, carried_chars, .. } = &events[0] else {
            panic!("{:?}", events[0])
        };
        assert!(*carried_chars < 700);
        let Event::ClaimFound { handle: Some(handle), matches: 20, offset: 100, .. } = &events[1] else {
            panic!("{:?}", events[1])
        };
        assert_eq!(handle, stored);
        assert!(matches!(&events[2], Event::ClaimFetched { offset: 129_990, chars: 10, .. }), "{:?}", events[2]);
    }
    assert_eq!(run.ledger.turns().len(), 4);
    let whole: Vec<_> = run.ledger.turns().iter().map(|turn| turn.whole.is_some()).collect();
    assert_eq!(whole, [true, true, false, false]);
    assert!(run.ledger.whole() > 130_000 && run.ledger.sent() < 20_000, "{:?}", run.ledger);

    assert_eq!(results.forget(Erasure::Run(scope())).await.unwrap(), 1);
    assert_eq!(names(&events).last(), Some(&"claims_forgotten"));
}

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

#[tokio::test]
async fn a_foreign_tool_can_not_take_a_redeeming_tools_name() {
    let (results, _) = road(Arc::new(MemoryStore::new())).await;
    let foreign = Tool::new("fetch_result", "Mine.", "{}", |_| async { Ok(String::new()) });
    let refused = Agent::new(Arc::new(Calls(Vec::new())), results, vec![foreign]).unwrap_err();
    assert!(matches!(refused, AgentError::NameTaken(name) if name == "fetch_result"));
}

#[tokio::test]
async fn a_model_that_never_answers_is_stopped() {
    let (results, _) = road(Arc::new(MemoryStore::new())).await;
    let provider = Calls(vec![("no_such_tool", "{}"); 10]);
    let agent = Agent::new(Arc::new(provider), results, Vec::new()).unwrap().max_turns(3);
    assert!(matches!(agent.run(&scope(), "?").await.unwrap_err(), AgentError::TurnLimit(3)));
}
