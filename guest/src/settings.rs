//! Policies and settings, and which of them are refused.

use std::fmt;

/// When a result is checked in, how much of it stays in the conversation, and how long the rest can be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// A result of more characters is checked in; `u32::MAX` means never.
    pub threshold_chars: u32,
    /// At most so many characters of the beginning stay.
    pub head_chars: u32,
    /// At most so many characters of the end stay as well.
    pub tail_chars: u32,
    /// For how many seconds the claim can be redeemed.
    pub ttl_seconds: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { threshold_chars: 4096, head_chars: 512, tail_chars: 0, ttl_seconds: 3600 }
    }
}

impl Policy {
    fn validate(&self, tool: Option<&str>) -> Result<(), SettingsError> {
        let tool = || tool.map(str::to_owned);
        if self.threshold_chars == 0 {
            return Err(SettingsError::ZeroThreshold(tool()));
        }
        let extract = self.head_chars.checked_add(self.tail_chars);
        if extract.is_none_or(|chars| chars >= self.threshold_chars) {
            return Err(SettingsError::ExtractNotBelowThreshold(tool()));
        }
        if self.ttl_seconds == 0 {
            return Err(SettingsError::ZeroTtl(tool()));
        }
        Ok(())
    }
}

/// A policy for one tool, in place of the policy for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolPolicy {
    /// The tool's name.
    pub tool: String,
    /// Applies whole: nothing is inherited.
    pub policy: Policy,
}

/// The settings of a claim check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Applies to every tool that `per_tool` does not name.
    pub policy: Policy,
    /// Policies of single tools; a tool may be named once.
    pub per_tool: Vec<ToolPolicy>,
    /// The tool that returns windows: 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fetch_tool: String,
    /// The tool that searches; none where the host offers no search.
    pub find_tool: Option<String>,
    /// How many characters one call of the fetch tool returns at most.
    pub window_chars: u32,
    /// False only where the host's own boundary has neutralised every result already.
    pub neutralise: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            per_tool: Vec::new(),
            fetch_tool: "fetch_result".to_owned(),
            find_tool: Some("find_in_result".to_owned()),
            window_chars: 4096,
            neutralise: true,
        }
    }
}

impl Settings {
    /// Refuses settings under which a claim check could save nothing, or not work at all.
    ///
    /// # Errors
    /// The first of: the redeeming tools' names, the policy, the window, the policies of single tools in order.
    pub fn validate(&self) -> Result<(), SettingsError> {
        for name in [Some(&self.fetch_tool), self.find_tool.as_ref()].into_iter().flatten() {
            if !is_tool_name(name) {
                return Err(SettingsError::BadToolName(name.clone()));
            }
        }
        if self.find_tool.as_ref() == Some(&self.fetch_tool) {
            return Err(SettingsError::BadToolName(self.fetch_tool.clone()));
        }
        self.policy.validate(None)?;
        if self.window_chars == 0 {
            return Err(SettingsError::ZeroWindow);
        }
        let mut named = std::collections::HashSet::new();
        for ToolPolicy { tool, policy } in &self.per_tool {
            if self.redeems(tool) {
                return Err(SettingsError::PolicyForRedeemingTool(tool.clone()));
            }
            if !named.insert(tool) {
                return Err(SettingsError::DuplicateTool(tool.clone()));
            }
            policy.validate(Some(tool))?;
        }
        Ok(())
    }

    /// Whether a tool redeems handles, so that its own results are never checked in.
    #[must_use]
    pub fn redeems(&self, tool: &str) -> bool {
        tool == self.fetch_tool || self.find_tool.as_deref() == Some(tool)
    }

    /// The policy that applies to a tool.
    #[must_use]
    pub fn policy_for(&self, tool: &str) -> Policy {
        self.per_tool.iter().find(|entry| entry.tool == tool).map_or(self.policy, |entry| entry.policy)
    }
}

fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Why settings are refused. An optional text names the tool whose policy it is; none for the policy of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// A threshold of 0 would check in everything.
    ZeroThreshold(Option<String>),
    /// Head and tail together must be smaller than the threshold.
    ExtractNotBelowThreshold(Option<String>),
    /// A claim that lives for 0 seconds can never be redeemed.
    ZeroTtl(Option<String>),
    /// Windows of 0 characters read nothing.
    ZeroWindow,
    /// This tool has two policies.
    DuplicateTool(String),
    /// A redeeming tool can have no policy.
    PolicyForRedeemingTool(String),
    /// A redeeming tool's name is not 1 to 64 of `A-Z a-z 0-9 _ -`, or both have this one.
    BadToolName(String),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |tool: &Option<String>| {
            tool.as_ref().map_or_else(|| "the policy".to_owned(), |tool| format!("the policy of tool '{tool}'"))
        };
        match self {
            Self::ZeroThreshold(tool) => {
                write!(
                    f,
                    "{}: threshold-chars is 0, which would check in every result; set at least 1, or 4294967295 for never",
                    of(tool)
                )
            }
            Self::ExtractNotBelowThreshold(tool) => write!(
                f,
                "{}: head-chars and tail-chars together are not below threshold-chars, so what stays would be as large as what it replaces; lower them or raise the threshold",
                of(tool)
            ),
            Self::ZeroTtl(tool) => {
                write!(f, "{}: ttl-seconds is 0, so no handle could ever be redeemed; set at least 1", of(tool))
            }
            Self::ZeroWindow => write!(f, "window-chars is 0, so the fetch tool could return nothing; set at least 1"),
            Self::DuplicateTool(tool) => write!(f, "tool '{tool}' has two policies; keep one"),
            Self::PolicyForRedeemingTool(tool) => {
                write!(f, "tool '{tool}' redeems handles, so its results are never checked in; remove its policy")
            }
            Self::BadToolName(name) => {
                write!(
                    f,
                    "'{name}' can't name a redeeming tool: use 1 to 64 of A-Z a-z 0-9 _ - and a different name for each of the two"
                )
            }
        }
    }
}

impl std::error::Error for SettingsError {}
