//! The run loop: what the model reads, what is told, what was sent.

use std::error::Error;
use std::sync::Arc;

use claim_check_host::agent::{Agent, AgentError, Message, Provider, Said, Tool, ToolCall};
use claim_check_host::{
    Erasure, Event, MemoryStore, OpenResultsError, ResultsBuilder, Settings, ToolDefinition, async_trait,
};

use crate::{Events, claims, names, noting, scope};

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

async fn road() -> (ResultsBuilder, Events) {
    noting(ResultsBuilder::new(claims(Settings::default(), Arc::new(MemoryStore::new())).await))
}

fn log() -> Tool {
    Tool::new("read_log", "The log.", "{}", |_| async { Ok("All is well. ".repeat(10_000)) })
}

#[tokio::test]
async fn a_run_reads_what_it_needs_and_sends_less() {
    let (results, events) = road().await;
    let provider = Calls(vec![
        ("read_log", "{}"),
        ("find_in_result", r#"{"handle": "HANDLE", "text": "WELL. ALL", "offset": 100}"#),
        ("fetch_result", r#"{"handle": "HANDLE", "offset": 129990}"#),
    ]);
    let agent = Agent::new(Arc::new(provider), results, vec![log()]).unwrap();
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

    assert_eq!(agent.results().forget(Erasure::Run(scope())).await.unwrap(), 1);
    assert_eq!(names(&events).last(), Some(&"claims_forgotten"));
}

#[tokio::test]
async fn a_foreign_tool_can_not_take_a_redeeming_tools_name() {
    let (results, _) = road().await;
    let foreign = Tool::new("fetch_result", "Mine.", "{}", |_| async { Ok(String::new()) });
    let refused = Agent::new(Arc::new(Calls(Vec::new())), results, vec![foreign]).unwrap_err();
    assert!(matches!(refused, OpenResultsError::NameTaken(name) if name == "fetch_result"));
}

#[tokio::test]
async fn a_model_that_never_answers_is_stopped() {
    let (results, _) = road().await;
    let provider = Calls(vec![("no_such_tool", "{}"); 10]);
    let agent = Agent::new(Arc::new(provider), results, Vec::new()).unwrap().max_turns(3);
    assert!(matches!(agent.run(&scope(), "?").await.unwrap_err(), AgentError::TurnLimit(3)));
}
