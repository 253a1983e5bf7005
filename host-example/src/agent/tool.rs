//! A tool of an agent.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::outcome::ToolDefinition;

pub(super) type Running = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

/// A tool of an agent: what the model is told of it, and an async function from its arguments, JSON as the model wrote
/// it, to its result or a reason that the model may read.
#[derive(Clone)]
pub struct Tool {
    definition: ToolDefinition,
    #[cfg(feature = "schema")]
    returns: Option<String>,
    run: Arc<dyn Fn(String) -> Running + Send + Sync>,
}

impl Tool {
    /// A tool. `input_schema` is a JSON Schema object, as text.
    pub fn new<F, R>(name: &str, description: &str, input_schema: &str, run: F) -> Self
    where
        F: Fn(String) -> R + Send + Sync + 'static,
        R: Future<Output = Result<String, String>> + Send + 'static,
    {
        Self {
            definition: ToolDefinition {
                name: name.into(),
                description: description.into(),
                input_schema: input_schema.into(),
            },
            #[cfg(feature = "schema")]
            returns: None,
            run: Arc::new(move |arguments| Box::pin(run(arguments))),
        }
    }

    /// What the model is told of it.
    #[must_use]
    pub fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The same tool, whose results have to be JSON that is valid by `schema`, a JSON Schema as text. See
    /// [`ResultsBuilder::returns`](crate::ResultsBuilder::returns).
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn returns(mut self, schema: impl Into<String>) -> Self {
        self.returns = Some(schema.into());
        self
    }

    #[cfg(feature = "schema")]
    pub(super) fn declared(&self) -> Option<&str> {
        self.returns.as_deref()
    }

    pub(super) fn call(&self, arguments: String) -> Running {
        (self.run)(arguments)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tool").field(&self.definition.name).finish()
    }
}
