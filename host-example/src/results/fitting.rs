//! From a result as its tool returned it to one that fits the type which the tool declares.

#[cfg(feature = "schema")]
use std::collections::HashMap;
#[cfg(feature = "schema")]
use std::sync::Arc;

#[cfg(feature = "schema")]
use super::declared::DeclaredType;

/// A result as its tool returned it. Only [`Results`](crate::Results) takes it on.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolResult {
    tool: String,
    text: String,
    failed: bool,
}

/// Names the tool, and never the content.
impl std::fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolResult").field("tool", &self.tool).field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl ToolResult {
    /// What `tool` returned. It is held to the type that the tool declares, if it declares one.
    #[must_use]
    pub fn new(tool: impl Into<String>, content: String) -> Self {
        Self { tool: tool.into(), text: content, failed: false }
    }

    /// That `tool` failed, and why. The reason is text, whatever the tool declares; otherwise it is a tool's output
    /// like any other.
    #[must_use]
    pub fn failed(tool: impl Into<String>, reason: &str) -> Self {
        Self { tool: tool.into(), text: format!("The tool failed: {reason}"), failed: true }
    }

    /// Its size, in characters.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.text.chars().count()
    }
}

/// A result that fits the type which its tool declares, or whose tool declares none. Nothing else is checked in, and
/// only [`DeclaredTypes::hold`] makes it.
pub(super) struct Fitting {
    tool: String,
    content: String,
}

/// A result that does not fit.
pub(super) struct Refused {
    pub(super) tool: String,
    pub(super) chars: usize,
    /// The place and what the schema asks for there; never what was there instead.
    pub(super) why: String,
}

impl Fitting {
    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    pub(super) fn content(&self) -> &str {
        &self.content
    }

    pub(super) fn into_parts(self) -> (String, String) {
        (self.tool, self.content)
    }
}

/// The types that tools declare.
#[derive(Default)]
pub(super) struct DeclaredTypes {
    #[cfg(feature = "schema")]
    by_tool: HashMap<String, Arc<DeclaredType>>,
}

impl DeclaredTypes {
    #[cfg(feature = "schema")]
    pub(super) fn new(by_tool: HashMap<String, Arc<DeclaredType>>) -> Self {
        Self { by_tool }
    }

    pub(super) async fn hold(&self, result: ToolResult) -> Result<Fitting, Refused> {
        let ToolResult { tool, text, failed } = result;
        #[cfg(feature = "schema")]
        if let (Some(declared), false) = (self.by_tool.get(&tool), failed) {
            let declared = declared.clone();
            return match declared.hold(text).await {
                Ok(content) => Ok(Fitting { tool, content }),
                Err((text, why)) => Err(Refused { tool, chars: text.chars().count(), why }),
            };
        }
        #[cfg(not(feature = "schema"))]
        let _ = failed;
        Ok(Fitting { tool, content: text })
    }
}
