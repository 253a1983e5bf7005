//! What happened to a tool's result, as values and through `tracing`. Sizes, handles, tools and scopes; never content.

use std::time::Duration;

use crate::store::{Erasure, Scope};

/// What happened to one tool result, or on one call of a redeeming tool.
///
/// Sizes are in characters. A handle lets someone who knows the scope test a guess of the content, so logs of events
/// should not outlive the claims.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A result entered the conversation whole.
    ToolResultCarried {
        /// Whose run it is.
        scope: Scope,
        /// The tool whose result it is.
        tool: String,
        /// The size of the result.
        chars: usize,
        /// Whether something in it had to be made harmless.
        neutralised: bool,
        /// Where it was large enough to be checked in: why it was not.
        not_stored: Option<String>,
        /// How long deciding took.
        duration: Duration,
    },
    /// A result went to the store, and a ticket entered the conversation.
    ToolResultStored {
        /// Whose run it is.
        scope: Scope,
        /// The tool whose result it is.
        tool: String,
        /// The claim's handle.
        handle: String,
        /// The size of the result.
        chars: usize,
        /// The size of what entered the conversation.
        carried_chars: usize,
        /// It is below its tool's threshold, and was stored because the turn's results exceeded their budget.
        for_budget: bool,
        /// How long the check-in took, the store included.
        duration: Duration,
    },
    /// A result was cut, and the rest was not kept.
    ToolResultCut {
        /// Whose run it is.
        scope: Scope,
        /// The tool whose result it is.
        tool: String,
        /// The size of the result.
        chars: usize,
        /// The size of what entered the conversation.
        carried_chars: usize,
        /// Why it was not checked in.
        why: String,
        /// How long it took, the failed check-in included.
        duration: Duration,
    },
    /// A result is not of the type that its tool declares. It was neither stored nor carried.
    ToolResultRefused {
        /// Whose run it is.
        scope: Scope,
        /// The tool whose result it is.
        tool: String,
        /// The size of the result.
        chars: usize,
        /// The place, and what the schema asks for there: what the model was told.
        why: String,
        /// How long it took.
        duration: Duration,
    },
    /// The model read a window.
    ClaimFetched {
        /// Whose run it is.
        scope: Scope,
        /// The redeeming tool.
        tool: String,
        /// The claim's handle.
        handle: Option<String>,
        /// Where the window starts.
        offset: usize,
        /// The size of the window.
        chars: usize,
        /// How long it took, the store included.
        duration: Duration,
    },
    /// The model searched.
    ClaimFound {
        /// Whose run it is.
        scope: Scope,
        /// The redeeming tool.
        tool: String,
        /// The claim's handle.
        handle: Option<String>,
        /// From where it searched.
        offset: usize,
        /// How many matches it was told of.
        matches: usize,
        /// How long it took, the store included.
        duration: Duration,
    },
    /// A redeeming tool gave nothing.
    ClaimRefused {
        /// Whose run it is.
        scope: Scope,
        /// The redeeming tool.
        tool: String,
        /// The handle, where the store was asked for one.
        handle: Option<String>,
        /// What the model was told: a refusal's code, or `failed` where the call itself did.
        code: &'static str,
        /// The real reason, for the operator alone.
        why: Option<String>,
        /// How long it took.
        duration: Duration,
    },
    /// A tenant or a run was forgotten.
    ClaimsForgotten {
        /// What was erased.
        what: Erasure,
        /// How many live claims it held, as far as the store can tell.
        live: u32,
        /// How long it took.
        duration: Duration,
    },
}

impl Event {
    /// The event's name in logs, `tool_result_stored` say.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::ToolResultCarried { .. } => "tool_result_carried",
            Self::ToolResultStored { .. } => "tool_result_stored",
            Self::ToolResultCut { .. } => "tool_result_cut",
            Self::ToolResultRefused { .. } => "tool_result_refused",
            Self::ClaimFetched { .. } => "claim_fetched",
            Self::ClaimFound { .. } => "claim_found",
            Self::ClaimRefused { .. } => "claim_refused",
            Self::ClaimsForgotten { .. } => "claims_forgotten",
        }
    }

    pub(crate) fn trace(&self) {
        let event = self.name();
        match self {
            Self::ToolResultCarried { scope, tool, chars, neutralised, not_stored, duration } => {
                let not_stored = not_stored.as_deref();
                tracing::info!(target: "claim_check", event, %scope, tool, chars, neutralised, not_stored, ?duration);
            }
            Self::ToolResultStored { scope, tool, handle, chars, carried_chars, for_budget, duration } => {
                tracing::info!(
                    target: "claim_check", event, %scope, tool, handle, chars, carried_chars, for_budget, ?duration
                );
            }
            Self::ToolResultCut { scope, tool, chars, carried_chars, why, duration } => {
                tracing::warn!(target: "claim_check", event, %scope, tool, chars, carried_chars, why, ?duration);
            }
            Self::ToolResultRefused { scope, tool, chars, why, duration } => {
                tracing::warn!(target: "claim_check", event, %scope, tool, chars, why, ?duration);
            }
            Self::ClaimFetched { scope, tool, handle, offset, chars, duration } => {
                let handle = handle.as_deref();
                tracing::info!(target: "claim_check", event, %scope, tool, handle, offset, chars, ?duration);
            }
            Self::ClaimFound { scope, tool, handle, offset, matches, duration } => {
                let handle = handle.as_deref();
                tracing::info!(target: "claim_check", event, %scope, tool, handle, offset, matches, ?duration);
            }
            Self::ClaimRefused { scope, tool, handle, code, why, duration } => {
                let (handle, why) = (handle.as_deref(), why.as_deref());
                tracing::warn!(target: "claim_check", event, %scope, tool, handle, code, why, ?duration);
            }
            Self::ClaimsForgotten { what, live, duration } => {
                let (tenant, run) = match what {
                    Erasure::Tenant(tenant) => (tenant, None),
                    Erasure::Run(scope) => (&scope.tenant, Some(scope.run.as_str())),
                };
                tracing::info!(target: "claim_check", event, tenant, run, live, ?duration);
            }
        }
    }
}
