//! What the conversation carries.

use std::fmt;

/// Text that has crossed the result boundary. Only [`Results`](crate::Results) makes it, so a conversation of these
/// holds no tool's output that did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried(String);

impl Carried {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    /// What the model reads.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn chars(&self) -> usize {
        self.0.chars().count()
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
