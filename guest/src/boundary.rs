//! What a tool returned is data, and must not pass for structure: escapes, invisible characters and turn markers are
//! made harmless, in three steps. Each step copies only when it changes something, so clean text is never copied.

use std::borrow::Cow;

use crate::{escapes, invisible, markers};

/// The text with turn markers, terminal escapes, invisible and bidirectional controls and forged notices made
/// harmless; none where it is clean already. Twice is once.
#[must_use]
pub fn neutralise(text: &str) -> Option<String> {
    let mut result = Cow::Borrowed(text);
    for step in [escapes::remove, invisible::remove, markers::defuse] {
        if let Some(changed) = step(&result) {
            result = Cow::Owned(changed);
        }
    }
    match result {
        Cow::Borrowed(_) => None,
        Cow::Owned(changed) => Some(changed),
    }
}

/// A text that is copied only from its first change on.
pub(crate) struct Rewrite<'a> {
    text: &'a str,
    done: String,
    /// Up to which byte the text has been copied or left out.
    copied: usize,
    changed: bool,
}

impl<'a> Rewrite<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, done: String::new(), copied: 0, changed: false }
    }

    /// Puts `with` in place of the bytes of a range; ranges come in order.
    pub(crate) fn replace(&mut self, range: std::ops::Range<usize>, with: &str) {
        if !self.changed {
            self.changed = true;
            self.done.reserve(self.text.len());
        }
        self.done.push_str(self.text.get(self.copied..range.start).unwrap_or_default());
        self.done.push_str(with);
        self.copied = range.end;
    }

    /// The last character that was kept before a place.
    pub(crate) fn last_kept(&self, at: usize) -> Option<char> {
        let kept = self.text.get(self.copied..at).unwrap_or_default();
        kept.chars().next_back().or_else(|| self.done.chars().next_back())
    }

    pub(crate) fn finish(mut self) -> Option<String> {
        self.done.push_str(self.text.get(self.copied..).unwrap_or_default());
        self.changed.then_some(self.done)
    }
}
