//! A run loop that shows where the claim check belongs in one: the redeeming tools are among the agent's tools, and
//! every other tool's result crosses [`Results`].

mod ledger;
mod tool;

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;

use crate::outcome::ToolDefinition;
use crate::results::{Carried, Results};
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
    /// A tool has the name of another one, or of a redeeming tool.
    #[error("the tool name {0:?} is taken; give the tool another one, or the redeeming tools in the settings")]
    NameTaken(String),
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
    /// [`AgentError::NameTaken`]: a foreign tool under a redeeming tool's name could answer in its place.
    pub fn new(provider: Arc<dyn Provider>, results: Results, tools: Vec<Tool>) -> Result<Self, AgentError> {
        let mut definitions = results.claims().tool_definitions().to_vec();
        for tool in &tools {
            if definitions.iter().any(|taken| taken.name == tool.definition().name) {
                return Err(AgentError::NameTaken(tool.definition().name.clone()));
            }
            definitions.push(tool.definition().clone());
        }
        Ok(Self { provider, results, tools, definitions, max_turns: MAX_TURNS })
    }

    /// The same agent, whose model is asked at most so many times in a run. By default 32.
    #[must_use]
    pub fn max_turns(mut self, turns: usize) -> Self {
        self.max_turns = turns;
        self
    }

    /// Asks the model until it answers, and runs the tools that it calls.
    ///
    /// # Errors
    /// [`AgentError::Provider`] or [`AgentError::TurnLimit`]. A tool that fails ends no run: the model reads why.
    pub async fn run(&self, scope: &Scope, question: impl Into<String>) -> Result<Run, AgentError> {
        let question = question.into();
        let settings = self.results.claims().settings();
        let mut ledger = Ledger::new(&self.definitions, |tool| settings.redeems(tool), &question);
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
            ledger.said(&said, |tool| settings.redeems(tool));
            for call in said.calls {
                let carried = self.call(scope, &call, &mut ledger).await;
                messages.push(Message::ToolResult { call, carried });
            }
        }
        Err(AgentError::TurnLimit(self.max_turns))
    }

    async fn call(&self, scope: &Scope, call: &ToolCall, ledger: &mut Ledger) -> Carried {
        if self.results.claims().settings().redeems(&call.tool) {
            let carried = self.results.redeem(scope, &call.tool, &call.arguments).await;
            ledger.carried(carried.as_str(), 0);
            return carried;
        }
        let result = match self.tools.iter().find(|tool| tool.definition().name == call.tool) {
            Some(tool) => tool.call(call.arguments.clone()).await,
            None => Err("there is no tool of this name".into()),
        };
        let content = result.unwrap_or_else(|error| format!("The tool failed: {error}"));
        let chars = content.chars().count();
        let carried = self.results.carry(scope, &call.tool, content).await;
        ledger.carried(carried.as_str(), chars);
        carried
    }
}
