//! Contents as the vectors spell them.

use serde::Deserialize;

/// A text, or a run-length spelled one: `[[text, times], …]`, all parts one after another.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// The text itself.
    Plain(String),
    /// Parts, each so many times.
    Runs(Vec<(String, usize)>),
}

impl Content {
    /// The text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Runs(runs) => runs.iter().map(|(text, times)| text.repeat(*times)).collect(),
        }
    }
}

/// The SHA-256 of a text, in lower-case hexadecimal digits.
#[must_use]
pub fn sha256(text: &str) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The characters `from..from + count` of a text, found the slow way.
#[must_use]
pub fn characters(text: &str, from: usize, count: usize) -> String {
    text.chars().skip(from).take(count).collect()
}
