//! [`ClaimCheck`]: the typed API over a fresh instance of the component per call.

mod check_in;

use std::fmt;
use std::sync::Arc;

use crate::caller::Caller;
use crate::engine::{Engine, Export, Limits};
use crate::errors::{AnswerError, CallError, FetchError, FindError, ForgetError, OpenError};
use crate::outcome::{Finding, Reply, ToolDefinition, Window};
use crate::settings::{Settings, SettingsError};
use crate::store::{Erasure, Scope, Store};
use crate::wire;

pub(crate) use check_in::{CUT_CHARS, CheckedIn};

/// Checks oversized tool results in, and redeems their handles.
///
/// Cheap to clone, and shared by any number of tasks: every call has an instance of the component of its own, so a
/// call that fails fails alone. Needs a tokio runtime with its time driver. Dropping a call's future stops the call.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use claim_check_host::{ClaimCheck, Erasure, MemoryStore, Outcome, Scope, Settings};
/// use std::sync::Arc;
///
/// let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
/// let scope = Scope::new("acme", "5e0f64a2-run");
///
/// let log = "All is well. ".repeat(1000);
/// let Outcome::CheckedIn(ticket) = claims.check_in(&scope, "read_log", &log).await? else { unreachable!() };
/// assert!(ticket.rendered.starts_with("All is well.") && ticket.rendered.chars().count() < 700);
///
/// let window = claims.fetch(&scope, &ticket.handle, ticket.next_offset, 4096).await?;
/// assert_eq!(window.text, log[ticket.next_offset as usize..][..4096]);
///
/// assert_eq!(claims.forget(&Erasure::Run(scope)).await?, 1);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ClaimCheck(Arc<Inner>);

struct Inner {
    caller: Caller,
    settings: Settings,
    tools: Vec<ToolDefinition>,
}

impl ClaimCheck {
    /// The largest content that is checked in: 64 MiB of UTF-8.
    pub const MAX_CONTENT_BYTES: usize = 64 << 20;

    /// A claim check over `store`, with an engine of its own and the default [`Limits`]. Compiles the component; to
    /// open several, make one [`Engine`] and use [`open_in`](Self::open_in).
    ///
    /// # Errors
    /// [`OpenError::InvalidSettings`], or [`OpenError::Failed`] where the engine can't be made.
    pub async fn open(settings: Settings, store: Arc<dyn Store>) -> Result<Self, OpenError> {
        let made = tokio::task::spawn_blocking(|| Engine::new(&Limits::default())).await;
        let engine = made.map_err(|cause| CallError::Engine(wasmtime::Error::new(cause)))??;
        Self::open_in(&engine, settings, store).await
    }

    /// A claim check over `store` that shares the engine, and so its pool and limits, with others.
    ///
    /// # Errors
    /// [`OpenError::InvalidSettings`], or [`OpenError::Failed`] where the component can't be called.
    pub async fn open_in(engine: &Engine, settings: Settings, store: Arc<dyn Store>) -> Result<Self, OpenError> {
        let caller = Caller::new(engine, store);
        validate(&caller, &settings).await?;
        let (tools,) = caller.call(Export::ToolDefinitions, (&settings,)).await?;
        let tools: Result<Vec<ToolDefinition>, SettingsError> = tools;
        let tools = tools.map_err(OpenError::InvalidSettings)?;
        Ok(Self(Arc::new(Inner { caller, settings, tools })))
    }

    /// The settings it was opened with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The redeeming tools' definitions for the model: the fetch tool, and the find tool where the settings name one.
    #[must_use]
    pub fn tool_definitions(&self) -> &[ToolDefinition] {
        &self.0.tools
    }

    /// Whether these settings make sense; any settings, not only those it was opened with.
    ///
    /// # Errors
    /// [`OpenError::InvalidSettings`], or [`OpenError::Failed`] where the call failed.
    pub async fn validate(&self, settings: &Settings) -> Result<(), OpenError> {
        validate(&self.0.caller, settings).await
    }

    /// The characters from `offset` on, at most `max_chars`; 0 means 4096. Windows laid end to end are the content,
    /// byte for byte.
    ///
    /// # Errors
    /// See [`FetchError`].
    pub async fn fetch(&self, scope: &Scope, handle: &str, offset: i32, max_chars: u32) -> Result<Window, FetchError> {
        let params = (scope, handle, offset, max_chars);
        let (window,): (Result<Window, wire::Fetch>,) = self.0.caller.call(Export::Fetch, params).await?;
        Ok(window?)
    }

    /// Where `needle`, of 1 to 256 characters, stands in the content from `offset` on: literally, ignoring case, in
    /// order, without overlap. `max_matches` 0 means 20, and 100 is the most.
    ///
    /// # Errors
    /// See [`FindError`].
    pub async fn find(
        &self,
        scope: &Scope,
        handle: &str,
        needle: &str,
        offset: i32,
        max_matches: u32,
    ) -> Result<Finding, FindError> {
        let params = (scope, handle, needle, offset, max_matches);
        let (finding,): (Result<Finding, wire::Find>,) = self.0.caller.call(Export::Find, params).await?;
        Ok(finding?)
    }

    /// One call of a redeeming tool with the JSON arguments that the model wrote. Give what it returns to the model as
    /// it is: never checked in, never neutralised.
    ///
    /// # Errors
    /// [`AnswerError::Refused`] with a message for the model, or [`AnswerError::Failed`].
    pub async fn answer(&self, scope: &Scope, tool: &str, arguments_json: &str) -> Result<Reply, AnswerError> {
        self.answer_noting(scope, tool, arguments_json).await.0
    }

    /// The answer, and the handle that the store was asked for.
    pub(crate) async fn answer_noting(
        &self,
        scope: &Scope,
        tool: &str,
        arguments_json: &str,
    ) -> (Result<Reply, AnswerError>, Option<String>) {
        let (store, asked) = self.0.caller.store.noting();
        let params = (&self.0.settings, scope, tool, arguments_json);
        let called = self.0.caller.engine.call(&store, Export::Answer, params).await;
        let reply = called.map_err(AnswerError::from).and_then(|(reply,): (Result<Reply, wire::Refused>,)| Ok(reply?));
        (reply, asked.get().cloned())
    }

    /// Drops every claim of the tenant or the run, for good, and says how many were live, as far as the store can
    /// tell. Stop a run before forgetting it: what is put after a forget is a new claim.
    ///
    /// # Errors
    /// See [`ForgetError`]; part of what was to be erased may be left.
    pub async fn forget(&self, what: &Erasure) -> Result<u32, ForgetError> {
        let (forgotten,): (Result<u32, wire::Forget>,) = self.0.caller.call(Export::Forget, (what,)).await?;
        Ok(forgotten?)
    }

    /// The text with turn markers, terminal escapes, invisible and bidirectional controls and forged notices made
    /// harmless; `None` where it is clean already. `check_in` does this by itself.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn neutralise(&self, text: &str) -> Result<Option<String>, CallError> {
        self.0.caller.neutralise(text).await
    }

    /// What a run carries for a result that was not checked in: the head of the text and a line that says that the
    /// rest was not kept, together at most `max_chars` characters (or that line alone, where it does not fit);
    /// `None` where the text fits. It does not neutralise: do that before.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn truncate(&self, text: &str, max_chars: u32) -> Result<Option<String>, CallError> {
        self.0.caller.truncate(text, max_chars).await
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.0.caller
    }
}

impl fmt::Debug for ClaimCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimCheck").field("settings", self.settings()).finish_non_exhaustive()
    }
}

async fn validate(caller: &Caller, settings: &Settings) -> Result<(), OpenError> {
    let (valid,): (Result<(), SettingsError>,) = caller.call(Export::Validate, (settings,)).await?;
    valid.map_err(OpenError::InvalidSettings)
}
