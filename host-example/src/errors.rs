//! Why a call gave nothing. The cases are outcomes that a caller acts on; no text here repeats content.

use std::time::Duration;

use crate::outcome::{Absence, RefusalCode};
use crate::settings::SettingsError;
use crate::store::StoreError;

/// The call itself failed, so nothing is known about its outcome. No other call is affected: this one's instance is
/// gone, and no other call needs it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The component computed for longer than [`Limits::deadline`](crate::Limits::deadline).
    #[error(
        "the component computed for longer than the deadline of {0:?}; raise Limits::deadline, or look for what starves this machine"
    )]
    Deadline(Duration),
    /// The text is longer than a call of the component takes. Nothing was copied.
    #[error(
        "a text of {bytes} bytes was passed, and a call takes at most {max}; pass less, or raise Limits::memory_bytes"
    )]
    TextTooLong {
        /// The size of the text.
        bytes: usize,
        /// The largest that is taken.
        max: usize,
    },
    /// The component trapped: a memory limit that is too small for the content, or a bug of ours. The cause names
    /// functions of the component, never content.
    #[error("the component trapped; if no limit was lowered, please report this with the cause")]
    Trapped(#[source] wasmtime::Error),
    /// wasmtime refused the limits or the component.
    #[error("the engine could not be made; check Limits against this machine")]
    Engine(#[source] wasmtime::Error),
}

/// Why a claim check was not opened, or settings were not accepted.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The settings would save nothing, or not work at all.
    #[error("the settings are refused: {0}")]
    InvalidSettings(#[source] SettingsError),
    /// The call itself failed.
    #[error("the claim check could not be opened")]
    Failed(#[from] CallError),
}

/// Why the road of an agent's results was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenResultsError {
    /// Two tools have this name, or a foreign one has a redeeming tool's and could answer in its place.
    #[error(
        "the tool name {0:?} is taken; give the tool another one, or the redeeming tools in the settings, and pass the \
         redeeming tools as ClaimCheck::tool_definitions gives them"
    )]
    NameTaken(String),
    /// Results could be checked in that the model has no tool to read.
    #[error(
        "results of {} can be checked in, and the model has no tool {fetch_tool:?} to read them; add what \
         ClaimCheck::tool_definitions gives to its tools, or set threshold_chars to 4294967295 (never)",
        whose(.tool)
    )]
    DeadEnds {
        /// The tool that is missing.
        fetch_tool: String,
        /// Whose results; `None` where it is those of every tool that has no policy of its own.
        tool: Option<String>,
    },
    /// What is declared for a tool's results is no JSON Schema, or not for that tool. Only with the feature `schema`.
    #[error("the result type that is declared for tool {tool:?} is refused: {why}")]
    BadResultType {
        /// The tool.
        tool: String,
        /// What is wrong with it.
        why: String,
    },
}

fn whose(tool: &Option<String>) -> String {
    tool.as_ref().map_or_else(|| "any tool".into(), |tool| format!("tool {tool:?}"))
}

/// Why a result was not checked in. Nothing has entered the store, as far as the store can tell.
#[derive(Debug, thiserror::Error)]
pub enum CheckInError {
    /// The settings would save nothing, or not work at all. An opened claim check never answers it.
    #[error("the settings are refused: {0}")]
    InvalidSettings(#[source] SettingsError),
    /// The tenant or the run is empty, longer than 255 bytes, or holds a control character. The text says which.
    #[error("the scope is refused: {0}")]
    InvalidScope(String),
    /// More than 64 MiB. Carry what [`truncate`](crate::ClaimCheck::truncate) gives.
    #[error("the result is larger than 64 MiB of UTF-8; carry what truncate gives")]
    TooLarge,
    /// The store refused or failed. Carry what [`truncate`](crate::ClaimCheck::truncate) gives.
    #[error("the result was not stored; carry what truncate gives")]
    Store(#[source] StoreError),
    /// The call itself failed. Carry what [`truncate`](crate::ClaimCheck::truncate) gives.
    #[error("the result was not checked in; carry what truncate gives")]
    Failed(#[from] CallError),
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There is nothing to read under this handle, in this scope.
    #[error("there is nothing to read under this handle in this scope ({0:?})")]
    ClaimUnavailable(Absence),
    /// The offset is negative. The store was not asked.
    #[error("the offset {0} is negative; characters count from 0")]
    InvalidOffset(i32),
    /// The tenant or the run is empty, longer than 255 bytes, or holds a control character. The text says which.
    #[error("the scope is refused: {0}")]
    InvalidScope(String),
    /// The store failed; never [`StoreError::NotFound`], which is [`Absence::Missing`].
    #[error("the store could not be read")]
    Store(#[source] StoreError),
    /// The call itself failed.
    #[error("the window could not be read")]
    Failed(#[from] CallError),
}

/// Why there was no search.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The needle is empty, or longer than 256 characters.
    #[error("the text to look for is empty or longer than 256 characters")]
    InvalidNeedle,
    /// The claim can't be read. Never [`FetchError::Failed`].
    #[error(transparent)]
    Fetch(FetchError),
    /// The call itself failed.
    #[error("the search failed")]
    Failed(#[from] CallError),
}

/// Why nothing was forgotten.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    /// The tenant or the run is empty, longer than 255 bytes, or holds a control character. The text says which.
    #[error("the scope is refused: {0}")]
    InvalidScope(String),
    /// The store failed; part of what was to be erased may be left.
    #[error("the store failed, and part of what was to be erased may be left; try again")]
    Store(#[source] StoreError),
    /// The call itself failed; part of what was to be erased may be left.
    #[error("the call failed, and part of what was to be erased may be left; try again")]
    Failed(#[from] CallError),
}

/// A redeeming tool's refusal, which the model can read and the host can switch on.
#[derive(Debug)]
pub struct Refusal {
    /// What the host switches on.
    pub code: RefusalCode,
    /// For the model: names no tenant and no run, repeats nothing that was sent, and says what to do next.
    pub message: String,
    /// For the operator's log alone. Never [`FetchError::Failed`].
    pub cause: Option<FetchError>,
}

/// Why a redeeming tool gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The model gets the refusal's message as the tool's result.
    #[error("the redeeming tool refused: {}", .0.code.as_str())]
    Refused(Refusal),
    /// The call itself failed.
    #[error("the redeeming tool's call failed")]
    Failed(#[from] CallError),
}
