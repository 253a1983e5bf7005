//! A run loop that shows where the claim check belongs in one: the redeeming tools are among the agent's tools, and
//! every other tool's result crosses [`Results`].

mod calls;
mod ledger;
mod tool;

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;

use crate::errors::OpenResultsError;
use crate::outcome::ToolDefinition;
use crate::results::{Carried, Results, ResultsBuilder};
use crate::store::Scope;

pub use ledger::{Ledger, Turn};
pub use tool::Tool;

/// How many times the model is asked in one run, unless it is told otherwise.
const MAX_TURNS: usize = 32;

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// What the run is to find out.
    User(String),
    /// What the model said.
    Assistant(Said),
    /// What a tool call came to.
    ToolResult {
        /// The call.
        call: ToolCall,
        /// What the model reads of its result.
        carried: Carried,
    },
}

/// What the model says when it is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Its words; the answer where it calls no tool.
    pub text: String,
    /// The tools that it calls.
    pub calls: Vec<ToolCall>,
}

/// One call of a tool by the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool's name.
    pub tool: String,
    /// Its arguments, JSON as the model wrote it.
    pub arguments: String,
}

/// The model: a client of a real one, or a script.
#[async_trait]
pub trait Provider: Send + Sync {
    /// What the model says next, given its tools and everything said so far.
    ///
    /// # Errors
    /// Whatever kept it from answering; the run ends with it.
    async fn next(&self, tools: &[ToolDefinition], messages: &[Message]) -> Result<Said, Box<dyn Error + Send + Sync>>;
}

/// Why a run did not come to an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The model gave nothing.
    #[error("the model gave no answer")]
    Provider(#[source] Box<dyn Error + Send + Sync>),
    /// The model was still calling tools.
    #[error("no answer after {0} turns; raise the limit, or look at what the model keeps asking for")]
    TurnLimit(usize),
}

/// How a run went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The model's last words.
    pub answer: String,
    /// The whole conversation.
    pub messages: Vec<Message>,
    /// What was sent in each turn, and what would have been without a claim check.
    pub ledger: Ledger,
}

/// An agent: a model, its tools, and the road that their results take.
#[derive(Clone)]
pub struct Agent {
    provider: Arc<dyn Provider>,
    results: Results,
    tools: Vec<Tool>,
    definitions: Vec<ToolDefinition>,
    max_turns: usize,
    turn_budget: Option<usize>,
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent").field("tools", &self.tools).finish_non_exhaustive()
    }
}

impl Agent {
    /// An agent with these tools; the redeeming tools come on top.
    ///
    /// # Errors
    /// See [`ResultsBuilder::open`].
    pub fn new(
        provider: Arc<dyn Provider>,
        results: ResultsBuilder,
        tools: Vec<Tool>,
    ) -> Result<Self, OpenResultsError> {
        let mut definitions = results.claims().map_or_else(Vec::new, |claims| claims.tool_definitions().to_vec());
        definitions.extend(tools.iter().map(|tool| tool.definition().clone()));
        #[cfg(feature = "schema")]
        let results = tools.iter().fold(results, |results, tool| match tool.declared() {
            Some(schema) => results.returns(tool.definition().name.clone(), schema),
            None => results,
        });
        let results = results.open(&definitions)?;
        Ok(Self { provider, results, tools, definitions, max_turns: MAX_TURNS, turn_budget: None })
    }

    /// The same agent, whose model is asked at most so many times in a run. By default 32.
    #[must_use]
    pub fn max_turns(mut self, turns: usize) -> Self {
        self.max_turns = turns;
        self
    }

    /// The same agent, where the results of one turn should take so many characters together. By default there is no
    /// budget. See [`Results::carry_many`].
    #[must_use]
    pub fn turn_budget(mut self, chars: usize) -> Self {
        self.turn_budget = Some(chars);
        self
    }

    /// The road of its results.
    #[must_use]
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Asks the model until it answers, and runs the tools that it calls: the calls of one turn at the same time, with
    /// their results in the order of the calls. Dropping the future stops the tools that are running.
    ///
    /// # Errors
    /// [`AgentError::Provider`] or [`AgentError::TurnLimit`]. A tool that fails ends no run: the model reads why.
    pub async fn run(&self, scope: &Scope, question: impl Into<String>) -> Result<Run, AgentError> {
        let question = question.into();
        let redeems = |tool: &str| self.results.redeems(tool);
        let mut ledger = Ledger::new(&self.definitions, redeems, &question);
        let mut messages = vec![Message::User(question)];
        for _ in 0..self.max_turns {
            ledger.turn();
            let said = self.provider.next(&self.definitions, &messages).await.map_err(AgentError::Provider)?;
            if said.calls.is_empty() {
                let answer = said.text.clone();
                messages.push(Message::Assistant(said));
                return Ok(Run { answer, messages, ledger });
            }
            messages.push(Message::Assistant(said.clone()));
            ledger.said(&said, redeems);
            let carried = self.call(scope, &said.calls, &mut ledger).await;
            let results = said.calls.into_iter().zip(carried);
            messages.extend(results.map(|(call, carried)| Message::ToolResult { call, carried }));
        }
        Err(AgentError::TurnLimit(self.max_turns))
    }
}
