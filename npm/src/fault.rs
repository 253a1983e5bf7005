//! What is refused, as TypeScript makes an error or a refusal of it.

use claim_check_guest::{Absence, CheckInError, FetchError, FindError, InvalidScope, Refusal, SettingsError};
use wasm_bindgen::JsValue;

use crate::record::record;

/// Thrown: an object with a `code`, a `message`, and what else there is to say.
pub(crate) struct Fault(JsValue);

impl Fault {
    fn new(code: &str, message: &impl ToString) -> Self {
        Self(record([("code", code.into()), ("message", message.to_string().into())]))
    }
}

impl From<Fault> for JsValue {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

impl From<SettingsError> for Fault {
    fn from(error: SettingsError) -> Self {
        let message = error.to_string();
        let (problem, tool) = match error {
            SettingsError::ZeroThreshold(tool) => ("zero-threshold", tool),
            SettingsError::ExtractNotBelowThreshold(tool) => ("extract-not-below-threshold", tool),
            SettingsError::ZeroTtl(tool) => ("zero-ttl", tool),
            SettingsError::ZeroWindow => ("zero-window", None),
            SettingsError::DuplicateTool(tool) => ("duplicate-tool", Some(tool)),
            SettingsError::PolicyForRedeemingTool(tool) => ("policy-for-redeeming-tool", Some(tool)),
            SettingsError::BadToolName(name) => ("bad-tool-name", Some(name)),
        };
        Self(record([
            ("code", "invalid-settings".into()),
            ("message", message.into()),
            ("problem", problem.into()),
            ("tool", tool.into()),
        ]))
    }
}

impl From<InvalidScope> for Fault {
    fn from(invalid: InvalidScope) -> Self {
        Self::new("invalid-scope", &invalid)
    }
}

impl From<CheckInError> for Fault {
    fn from(error: CheckInError) -> Self {
        match error {
            CheckInError::InvalidSettings(error) => error.into(),
            CheckInError::InvalidScope(why) => InvalidScope(why).into(),
            CheckInError::TooLarge => Self::new("too-large", &error),
        }
    }
}

impl From<FetchError> for Fault {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::ClaimUnavailable(absence) => {
                let word = match absence {
                    Absence::Malformed => "malformed",
                    Absence::Missing => "missing",
                    Absence::Damaged => "damaged",
                };
                Self(record([
                    ("code", "claim-unavailable".into()),
                    ("message", error.to_string().into()),
                    ("absence", word.into()),
                ]))
            }
            FetchError::InvalidOffset(_) => Self::new("invalid-offset", &error),
            FetchError::InvalidScope(why) => InvalidScope(why).into(),
            // TypeScript has the store's own error, with its stack and its cause, and throws that.
            FetchError::Store(_) => Self::new("store", &error),
        }
    }
}

impl From<FindError> for Fault {
    fn from(error: FindError) -> Self {
        match error {
            FindError::InvalidNeedle => Self::new("invalid-needle", &error),
            FindError::Fetch(error) => error.into(),
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message, cause } = refusal;
        let cause = cause.map(|cause| JsValue::from(Self::from(cause)));
        Self(record([("code", code.as_str().into()), ("message", message.into()), ("cause", cause.into())]))
    }
}
