//! Settings as the vectors spell them, and which of them are refused.

use std::collections::BTreeMap;

use claim_check_guest::{Policy, Settings, SettingsError, ToolPolicy};
use serde::Deserialize;
use serde_json::Value;

use super::{Tally, each, nullable, same};
use crate::subject::Subject;

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpelledPolicy {
    threshold_chars: u32,
    head_chars: u32,
    #[serde(default)]
    tail_chars: u32,
    ttl_seconds: u32,
}

impl From<SpelledPolicy> for Policy {
    fn from(spelled: SpelledPolicy) -> Self {
        let SpelledPolicy { threshold_chars, head_chars, tail_chars, ttl_seconds } = spelled;
        Self { threshold_chars, head_chars, tail_chars, ttl_seconds }
    }
}

/// A map where no tool can be named twice, a list of pairs where one is.
#[derive(Deserialize)]
#[serde(untagged)]
enum SpelledPolicies {
    Map(BTreeMap<String, SpelledPolicy>),
    List(Vec<(String, SpelledPolicy)>),
}

/// Settings over the defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spelled {
    policy: Option<SpelledPolicy>,
    per_tool: Option<SpelledPolicies>,
    fetch_tool: Option<String>,
    /// Absent is the default, null is no such tool.
    #[serde(default, deserialize_with = "present")]
    find_tool: Option<Option<String>>,
    window_chars: Option<u32>,
    neutralise: Option<bool>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl Spelled {
    pub(super) fn settings(&self) -> Settings {
        let defaults = Settings::default();
        let entry =
            |(tool, policy): (&String, &SpelledPolicy)| ToolPolicy { tool: tool.clone(), policy: (*policy).into() };
        Settings {
            policy: self.policy.map_or(defaults.policy, Policy::from),
            per_tool: match &self.per_tool {
                None => Vec::new(),
                Some(SpelledPolicies::Map(map)) => map.iter().map(entry).collect(),
                Some(SpelledPolicies::List(list)) => list.iter().map(|(tool, policy)| entry((tool, policy))).collect(),
            },
            fetch_tool: self.fetch_tool.clone().unwrap_or(defaults.fetch_tool),
            find_tool: self.find_tool.clone().unwrap_or(defaults.find_tool),
            window_chars: self.window_chars.unwrap_or(defaults.window_chars),
            neutralise: self.neutralise.unwrap_or(defaults.neutralise),
        }
    }
}

fn name_and_text(error: SettingsError) -> (&'static str, Option<String>) {
    match error {
        SettingsError::ZeroThreshold(tool) => ("zero-threshold", tool),
        SettingsError::ExtractNotBelowThreshold(tool) => ("extract-not-below-threshold", tool),
        SettingsError::ZeroTtl(tool) => ("zero-ttl", tool),
        SettingsError::ZeroWindow => ("zero-window", None),
        SettingsError::DuplicateTool(tool) => ("duplicate-tool", Some(tool)),
        SettingsError::PolicyForRedeemingTool(tool) => ("policy-for-redeeming-tool", Some(tool)),
        SettingsError::BadToolName(name) => ("bad-tool-name", Some(name)),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsCase {
    settings: Spelled,
    #[serde(deserialize_with = "nullable")]
    error: Option<(String, Option<String>)>,
}

pub(super) fn settings(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &SettingsCase| {
        let refused = subject.validate(&case.settings.settings()).err().map(name_and_text);
        same("error", &case.error, &refused.map(|(name, text)| (name.to_owned(), text)))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyCase {
    policy: SpelledPolicy,
    #[serde(deserialize_with = "nullable")]
    error: Option<String>,
}

pub(super) fn policies(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &PolicyCase| {
        let policy = case.policy.into();
        let refused = subject.validate(&Settings { policy, ..Settings::default() }).err();
        let word = |error| match name_and_text(error) {
            ("zero-threshold", None) => "threshold".to_owned(),
            ("extract-not-below-threshold", None) => "head".to_owned(),
            ("zero-ttl", None) => "ttl".to_owned(),
            other => format!("{other:?}"),
        };
        same("error", &case.error, &refused.map(word))?;
        // For one tool it is refused alike, and by that tool's name.
        let per_tool = vec![ToolPolicy { tool: "t".to_owned(), policy }];
        let refused = subject.validate(&Settings { per_tool, ..Settings::default() }).err().map(name_and_text);
        same("tool named", &case.error.as_ref().map(|_| Some("t".to_owned())), &refused.map(|(_, tool)| tool))
    })
}
