//! The settings of a claim check, and why they may be refused.

use wasmtime::component::{ComponentType, Lift, Lower};

/// When a result is checked in, how much of it stays in the conversation, and how long the rest can be fetched.
///
/// A character is a Unicode scalar value, here and everywhere.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lower)]
#[component(record)]
pub struct Policy {
    /// A result of more characters is checked in; [`Policy::NEVER`] (4294967295) means never. At least 1; by default 4096.
    #[component(name = "threshold-chars")]
    pub threshold_chars: u32,
    /// At most so many characters of the beginning stay. Head and tail together must be smaller than the
    /// threshold. By default 512.
    #[component(name = "head-chars")]
    pub head_chars: u32,
    /// At most so many characters of the end stay as well: 0 (the default) for most tools, a few hundred for
    /// builds, tests and logs.
    #[component(name = "tail-chars")]
    pub tail_chars: u32,
    /// For how many seconds the claim can be redeemed. At least 1; by default 3600.
    #[component(name = "ttl-seconds")]
    pub ttl_seconds: u32,
}

impl Policy {
    /// The threshold of tools whose results are never checked in.
    pub const NEVER: u32 = u32::MAX;
}

impl Default for Policy {
    fn default() -> Self {
        Self { threshold_chars: 4096, head_chars: 512, tail_chars: 0, ttl_seconds: 3600 }
    }
}

/// A policy for one tool, in place of the policy for all.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lower)]
#[component(record)]
pub struct ToolPolicy {
    /// The name under which the tool's results are passed to [`check_in`](crate::ClaimCheck::check_in).
    pub tool: String,
    /// Applies whole: nothing of the policy for all the others is inherited.
    pub policy: Policy,
}

/// The settings of a claim check. [`ClaimCheck::open`](crate::ClaimCheck::open) refuses those that make no sense.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lower)]
#[component(record)]
pub struct Settings {
    /// Applies to every tool that `per_tool` does not name.
    pub policy: Policy,
    /// Policies of single tools; a tool may be named once.
    #[component(name = "per-tool")]
    pub per_tool: Vec<ToolPolicy>,
    /// The tool that returns windows, `fetch_result` by default: 1 to 64 of `A-Z a-z 0-9 _ -`. The results of
    /// a redeeming tool are never checked in.
    #[component(name = "fetch-tool")]
    pub fetch_tool: String,
    /// The tool that searches, `find_in_result` by default; `None` where the host offers no search. The same
    /// alphabet, and another name than `fetch_tool`.
    #[component(name = "find-tool")]
    pub find_tool: Option<String>,
    /// How many characters one call of the fetch tool returns at most. At least 1; by default 4096.
    #[component(name = "window-chars")]
    pub window_chars: u32,
    /// False only where the host's own boundary has neutralised every result already. By default true.
    pub neutralise: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            per_tool: Vec::new(),
            fetch_tool: "fetch_result".into(),
            find_tool: Some("find_in_result".into()),
            window_chars: 4096,
            neutralise: true,
        }
    }
}

impl Settings {
    /// Whether `tool` is one of the two that redeem handles. Its results are carried as they are.
    #[must_use]
    pub fn redeems(&self, tool: &str) -> bool {
        self.fetch_tool == tool || self.find_tool.as_deref() == Some(tool)
    }

    /// The policy that applies to the results of `tool`.
    #[must_use]
    pub fn policy_for(&self, tool: &str) -> &Policy {
        self.per_tool.iter().find(|entry| entry.tool == tool).map_or(&self.policy, |entry| &entry.policy)
    }
}

/// Settings under which a claim check could save nothing, or not work at all.
///
/// An optional text names the tool whose policy it is; `None` for the policy of all the others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, ComponentType, Lift)]
#[component(variant)]
pub enum SettingsError {
    /// A threshold of 0 would check in everything, the empty result too.
    #[error("threshold_chars of {} is 0, which would check in even an empty result; use at least 1", whose(.0))]
    #[component(name = "zero-threshold")]
    ZeroThreshold(Option<String>),
    /// Head and tail together must be smaller than the threshold, or the substitution would be as large as
    /// what it replaced.
    #[error("head_chars and tail_chars of {} together are not below its threshold_chars, so nothing would be saved; \
             raise the threshold or shorten the extracts", whose(.0))]
    #[component(name = "extract-not-below-threshold")]
    ExtractNotBelowThreshold(Option<String>),
    /// A claim that lives for 0 seconds can never be redeemed.
    #[error("ttl_seconds of {} is 0, so no claim could be redeemed; use at least 1", whose(.0))]
    #[component(name = "zero-ttl")]
    ZeroTtl(Option<String>),
    /// Windows of 0 characters read nothing.
    #[error("window_chars is 0, so the fetch tool could read nothing; use at least 1")]
    #[component(name = "zero-window")]
    ZeroWindow,
    /// This tool has two policies.
    #[error("per_tool names {0:?} twice; keep one of the two policies")]
    #[component(name = "duplicate-tool")]
    DuplicateTool(String),
    /// A redeeming tool can have no policy: its results are never checked in.
    #[error("per_tool names {0:?}, which redeems handles and is never checked in; remove that policy")]
    #[component(name = "policy-for-redeeming-tool")]
    PolicyForRedeemingTool(String),
    /// A redeeming tool's name is not 1 to 64 of `A-Z a-z 0-9 _ -`, or both have this one.
    #[error("{0:?} can't name a redeeming tool: use 1 to 64 of A-Z a-z 0-9 _ -, and two different names")]
    #[component(name = "bad-tool-name")]
    BadToolName(String),
}

fn whose(tool: &Option<String>) -> String {
    match tool {
        Some(tool) => format!("the policy for tool {tool:?}"),
        None => "the policy for all tools".into(),
    }
}
