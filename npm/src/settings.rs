//! The settings of one claim check, held here for as long as JavaScript holds it.

use claim_check_guest as guest;
use guest::{Policy, ToolPolicy};
use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::fault::Fault;
use crate::record;

/// What settings are that nobody told otherwise. For the build alone, which gives them to the component's wrapper: the
/// contract has no defaults.
#[wasm_bindgen]
#[must_use]
pub fn defaults() -> JsValue {
    record::settings(guest::Settings::default())
}

/// The defaults, until they are told otherwise.
#[wasm_bindgen]
#[derive(Default)]
pub struct Settings(pub(crate) guest::Settings);

#[wasm_bindgen]
impl Settings {
    /// The defaults.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the tool that returns windows.
    #[wasm_bindgen(js_name = setFetchTool)]
    pub fn set_fetch_tool(&mut self, name: String) {
        self.0.fetch_tool = name;
    }

    /// Names the tool that searches; none where there is none.
    #[wasm_bindgen(js_name = setFindTool)]
    pub fn set_find_tool(&mut self, name: Option<String>) {
        self.0.find_tool = name;
    }

    /// How many characters one call of the fetch tool returns at most.
    #[wasm_bindgen(js_name = setWindowChars)]
    pub fn set_window_chars(&mut self, chars: u32) {
        self.0.window_chars = chars;
    }

    /// Whether results are neutralised.
    #[wasm_bindgen(js_name = setNeutralise)]
    pub fn set_neutralise(&mut self, neutralise: bool) {
        self.0.neutralise = neutralise;
    }

    /// Sets the policy of a tool, or that of all the others; what is not said is the default.
    #[wasm_bindgen(js_name = setPolicy)]
    pub fn set_policy(
        &mut self,
        tool: Option<String>,
        threshold_chars: Option<u32>,
        head_chars: Option<u32>,
        tail_chars: Option<u32>,
        ttl_seconds: Option<u32>,
    ) {
        let default = Policy::default();
        let policy = Policy {
            threshold_chars: threshold_chars.unwrap_or(default.threshold_chars),
            head_chars: head_chars.unwrap_or(default.head_chars),
            tail_chars: tail_chars.unwrap_or(default.tail_chars),
            ttl_seconds: ttl_seconds.unwrap_or(default.ttl_seconds),
        };
        match tool {
            Some(tool) => self.0.per_tool.push(ToolPolicy { tool, policy }),
            None => self.0.policy = policy,
        }
    }

    /// Throws what makes no sense in them.
    pub fn validate(&self) -> Result<(), JsValue> {
        Ok(self.0.validate().map_err(Fault::from)?)
    }

    /// The redeeming tools' definitions, each with its schema as JSON text.
    pub fn definitions(&self) -> Result<Array, JsValue> {
        let definitions = guest::definitions(&self.0).map_err(Fault::from)?;
        Ok(definitions.into_iter().map(record::tool_definition).collect())
    }
}
