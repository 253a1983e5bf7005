//! Several calls in one turn.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use claim_check_host::agent::{Agent, Message, Provider, Said, Tool, ToolCall};
use claim_check_host::{MemoryStore, ResultsBuilder, Settings, ToolDefinition, async_trait};
use tokio::sync::Barrier;

use crate::{Events, claims, names, noting, scope};

/// Says one thing after the other.
struct Says(Vec<Vec<(&'static str, &'static str)>>);

#[async_trait]
impl Provider for Says {
    async fn next(&self, _: &[ToolDefinition], messages: &[Message]) -> Result<Said, Box<dyn Error + Send + Sync>> {
        let turn = messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count();
        let calls = self.0.get(turn).into_iter().flatten();
        let calls = calls.map(|(tool, arguments)| ToolCall { tool: (*tool).into(), arguments: (*arguments).into() });
        Ok(Said { text: "…".into(), calls: calls.collect() })
    }
}

async fn agent(says: Says, tools: Vec<Tool>) -> (Agent, Events) {
    let (results, events) =
        noting(ResultsBuilder::new(claims(Settings::default(), Arc::new(MemoryStore::new())).await));
    (Agent::new(Arc::new(says), results, tools).unwrap(), events)
}

/// What the model read, in order.
fn read(messages: &[Message]) -> Vec<(&str, &str)> {
    let results = messages.iter().filter_map(|message| match message {
        Message::ToolResult { call, carried } => Some((call.tool.as_str(), carried.as_str())),
        _ => None,
    });
    results.collect()
}

fn text(name: &'static str, chars: usize) -> Tool {
    Tool::new(name, "", "", move |_| async move { Ok(name.repeat(chars)) })
}

#[tokio::test]
async fn the_calls_of_a_turn_run_together_and_are_carried_in_order() {
    // Each waits for the other two, so that one after the other they would never end; the first ends last.
    let barrier = Arc::new(Barrier::new(3));
    let waits = |name: &'static str, millis| {
        let barrier = barrier.clone();
        Tool::new(name, "", "", move |_| {
            let barrier = barrier.clone();
            async move {
                barrier.wait().await;
                tokio::time::sleep(Duration::from_millis(millis)).await;
                Ok(name.into())
            }
        })
    };
    let tools = vec![waits("a", 60), waits("b", 30), waits("c", 0)];
    let says = Says(vec![vec![("a", "{}"), ("none", "{}"), ("b", "{}"), ("fetch_result", "{}"), ("c", "{}")]]);
    let (agent, events) = agent(says, tools).await;
    let run = tokio::time::timeout(Duration::from_secs(10), agent.run(&scope(), "?")).await.unwrap().unwrap();
    let read = read(&run.messages);
    let tools: Vec<_> = read.iter().map(|(tool, _)| *tool).collect();
    assert_eq!(tools, ["a", "none", "b", "fetch_result", "c"]);
    assert_eq!((read[0].1, read[2].1, read[4].1), ("a", "b", "c"));
    assert_eq!(read[1].1, "The tool failed: there is no tool of this name");
    assert_eq!(names(&events).iter().filter(|name| **name == "claim_refused").count(), 1);
}

#[tokio::test]
async fn a_tool_that_panics_fails_alone() {
    let panics = Tool::new("panics", "", "", |_| async { panic!("the test's panic, with a secret") });
    let says = Says(vec![vec![("panics", "{}"), ("a", "{}")]]);
    let (agent, _) = agent(says, vec![panics, text("a", 1)]).await;
    let run = agent.run(&scope(), "?").await.unwrap();
    assert_eq!(read(&run.messages), [("panics", "The tool failed: it panicked"), ("a", "a")]);
}

#[tokio::test]
async fn the_ledger_counts_every_result_of_a_turn() {
    let says = Says(vec![vec![("a", "{}"), ("fetch_result", "{}"), ("b", "{}")]]);
    let (agent, _) = agent(says, vec![text("a", 100), text("b", 9000)]).await;
    let run = agent.run(&scope(), "?").await.unwrap();
    let [first, second] = run.ledger.turns() else { panic!("{:?}", run.ledger) };
    let carried: usize = read(&run.messages).iter().map(|(_, carried)| carried.chars().count()).sum();
    // The model's one character, the calls' names and arguments, and what was carried of their results.
    assert_eq!(second.sent - first.sent, 1 + "a{}".len() + "fetch_result{}".len() + "b{}".len() + carried);
    // Without a claim check there would be no call of the fetch tool, and both results would be whole.
    assert_eq!(second.whole.unwrap() - first.whole.unwrap(), 1 + "a{}".len() + "b{}".len() + 100 + 9000);
}

#[tokio::test]
async fn a_turn_has_a_budget() {
    let says = || Says(vec![vec![("a", "{}"), ("b", "{}"), ("fetch_result", "{}")]]);
    let tools = || vec![text("a", 3000), text("b", 4000)];
    let (unbounded, events) = agent(says(), tools()).await;
    let run = unbounded.run(&scope(), "?").await.unwrap();
    assert_eq!(names(&events), ["claim_refused", "tool_result_carried", "tool_result_carried"]);
    // The redeeming tool's reply takes its part of it.
    let refusal = read(&run.messages)[2].1.chars().count();
    for (budget, expected) in [(7000 + refusal, "tool_result_carried"), (6999 + refusal, "tool_result_stored")] {
        let (agent, events) = agent(says(), tools()).await;
        agent.turn_budget(budget).run(&scope(), "?").await.unwrap();
        assert_eq!(names(&events)[1..], ["tool_result_carried", expected]);
    }
}

#[cfg(feature = "schema")]
#[tokio::test]
async fn a_tool_may_declare_what_it_returns() {
    let number = |content: &'static str| {
        Tool::new("count", "", "", move |_| async move { Ok(content.into()) }).returns(r#"{"type": "integer"}"#)
    };
    for (content, event) in [("42", "tool_result_carried"), ("\"secret\"", "tool_result_refused")] {
        let (agent, events) = agent(Says(vec![vec![("count", "{}")]]), vec![number(content)]).await;
        let run = agent.run(&scope(), "?").await.unwrap();
        assert!(!read(&run.messages)[0].1.contains("secret"));
        assert_eq!(names(&events), [event]);
    }
}
