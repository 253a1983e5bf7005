//! Opening the road: which tools there are, what they return, and where their results may go.

#[cfg(feature = "schema")]
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

#[cfg(feature = "schema")]
use super::declared::DeclaredType;
use super::fitting::DeclaredTypes;
use super::{Results, Sink, Way};
use crate::caller::Caller;
use crate::claims::{CUT_CHARS, ClaimCheck};
use crate::engine::Engine;
use crate::errors::OpenResultsError;
use crate::events::Event;
use crate::outcome::ToolDefinition;
use crate::settings::Policy;

/// A road that is not open yet. An [`Agent`](crate::agent::Agent) opens it by itself; in a run loop of your own, give
/// [`open`](Self::open) the tools that your model is given.
#[derive(Clone)]
pub struct ResultsBuilder {
    way: Way,
    #[cfg(feature = "schema")]
    declared: Vec<(String, String)>,
    cut_chars: u32,
    sink: Option<Sink>,
}

impl fmt::Debug for ResultsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultsBuilder").field("cut_chars", &self.cut_chars).finish_non_exhaustive()
    }
}

impl ResultsBuilder {
    /// A road through `claims`. A result that can't be checked in is cut to 8000 characters.
    #[must_use]
    pub fn new(claims: ClaimCheck) -> Self {
        Self::by(Way::CheckIn(claims))
    }

    /// A road without a claim check: results are made harmless and cut to 8000 characters, nothing is stored, and there
    /// are no redeeming tools.
    #[must_use]
    pub fn without_claims(engine: &Engine) -> Self {
        Self::by(Way::Cut(Caller::without_store(engine)))
    }

    fn by(way: Way) -> Self {
        Self {
            way,
            #[cfg(feature = "schema")]
            declared: Vec::new(),
            cut_chars: CUT_CHARS,
            sink: None,
        }
    }

    /// The same road, where a result that is not checked in though it should be is cut to so many characters.
    #[must_use]
    pub fn cut_at(mut self, chars: u32) -> Self {
        self.cut_chars = chars;
        self
    }

    /// The same road, which also tells `sink` of every event. It is called in place, so it should be quick.
    #[must_use]
    pub fn on_event(mut self, sink: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// The same road, where the results of `tool` have to be JSON that is valid by `schema`, a JSON Schema as text (of
    /// draft 2020-12, unless its `$schema` names another).
    ///
    /// A result that is not is refused: neither stored nor carried. The model reads the place and what the schema asks
    /// for there, and never what was there instead. References to other documents are not fetched, and patterns with
    /// look-around are not taken, as they could run for long. `format` is an annotation, as the draft has it.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn returns(mut self, tool: impl Into<String>, schema: impl Into<String>) -> Self {
        self.declared.push((tool.into(), schema.into()));
        self
    }

    pub(crate) fn claims(&self) -> Option<&ClaimCheck> {
        match &self.way {
            Way::CheckIn(claims) => Some(claims),
            Way::Cut(_) => None,
        }
    }

    /// Opens the road for an agent whose model is given these tools, the redeeming ones among them.
    ///
    /// # Errors
    /// [`OpenResultsError`]: two tools of one name, or a foreign one with a redeeming tool's; results that could be
    /// checked in and never be read; a declared type that is none, or of no tool.
    pub fn open(self, tools: &[ToolDefinition]) -> Result<Results, OpenResultsError> {
        self.look_at_names(tools)?;
        self.look_for_dead_ends(tools)?;
        let declared = Arc::new(self.compile(tools)?);
        let Self { way, cut_chars, sink, .. } = self;
        Ok(Results { way, declared, cut_chars, sink })
    }

    fn look_at_names(&self, tools: &[ToolDefinition]) -> Result<(), OpenResultsError> {
        let ours = self.claims().map_or(&[][..], ClaimCheck::tool_definitions);
        for (nth, tool) in tools.iter().enumerate() {
            let twice = tools[..nth].iter().any(|earlier| earlier.name == tool.name);
            let foreign = ours.iter().any(|ours| ours.name == tool.name && !same(ours, tool));
            if twice || foreign {
                return Err(OpenResultsError::NameTaken(tool.name.clone()));
            }
        }
        Ok(())
    }

    fn look_for_dead_ends(&self, tools: &[ToolDefinition]) -> Result<(), OpenResultsError> {
        let Some(settings) = self.claims().map(ClaimCheck::settings) else { return Ok(()) };
        if tools.iter().any(|tool| tool.name == settings.fetch_tool) {
            return Ok(());
        }
        let checked_in = |policy: &Policy| policy.threshold_chars != Policy::NEVER;
        let named = settings.per_tool.iter().find(|entry| checked_in(&entry.policy)).map(|entry| entry.tool.clone());
        if !checked_in(&settings.policy) && named.is_none() {
            return Ok(());
        }
        let tool = if checked_in(&settings.policy) { None } else { named };
        Err(OpenResultsError::DeadEnds { fetch_tool: settings.fetch_tool.clone(), tool })
    }

    #[cfg(feature = "schema")]
    fn compile(&self, tools: &[ToolDefinition]) -> Result<DeclaredTypes, OpenResultsError> {
        let redeems = |tool: &str| self.claims().is_some_and(|claims| claims.settings().redeems(tool));
        let mut by_tool = HashMap::new();
        for (tool, schema) in &self.declared {
            let bad = |why: String| OpenResultsError::BadResultType { tool: tool.clone(), why };
            if redeems(tool) {
                return Err(bad("it redeems handles, and what it returns is text; remove it".into()));
            }
            if !tools.iter().any(|given| given.name == *tool) {
                return Err(bad("the model is given no tool of this name; remove it, or correct the name".into()));
            }
            let declared = DeclaredType::compile(schema).map_err(bad)?;
            if by_tool.insert(tool.clone(), Arc::new(declared)).is_some() {
                return Err(bad("the tool declares two; keep one".into()));
            }
        }
        Ok(DeclaredTypes::new(by_tool))
    }

    #[cfg(not(feature = "schema"))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "with the feature it can fail")]
    fn compile(&self, _: &[ToolDefinition]) -> Result<DeclaredTypes, OpenResultsError> {
        Ok(DeclaredTypes::default())
    }
}

/// Whether a definition is ours, perhaps with its schema written another way.
fn same(ours: &ToolDefinition, other: &ToolDefinition) -> bool {
    let schema = |tool: &ToolDefinition| serde_json::from_str::<Value>(&tool.input_schema).ok();
    ours.description == other.description && schema(ours) == schema(other)
}
