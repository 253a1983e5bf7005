//! What a tool returned is data, and must not pass for structure: escapes, invisible characters and turn markers are
//! made harmless, in three steps. Each step copies only when it changes something, so clean text is never copied.

use std::borrow::Cow;

use crate::{escapes, invisible, markers};

/// The text with turn markers, terminal escapes, invisible and bidirectional controls and forged notices made
/// harmless; none where it is clean already. Twice is once.
///
/// * Turn markers are the bracketed ones of chat templates: `<|name|>` and `</|name|>`, `<|name>`, `<name|>`, `[|name|]`,
///   the same with the full-width bar, `[INST]`, `[SYSTEM_PROMPT]`, `[TOOL_RESULTS]`, `[TOOL_CALLS]`, `[AVAILABLE_TOOLS]`,
///   `[TOOL_CONTENT]`, `<<SYS>>`, `<start_of_turn>`, `<end_of_turn>`, `<tool_call>`, `<tool_response>`, `<tool_result>`, with
///   their ends, and `]~b]`, `[e~[` and their kin, in any case. A space behind the first sign breaks them. Words alone
///   (`Human:`, `### Instruction:`) and other tags are text, and stay.
/// * Forged notices are those that a ticket and the redeeming tools write, `[92104 characters, 91592 not shown.` say.
/// * Terminal escapes and control characters go, but for tab, newline and carriage return; so do U+200B, U+2060 to
///   U+2064, U+FEFF, the bidirectional controls, tags outside a flag, and selectors and joiners that repeat.
#[must_use]
pub fn neutralise(text: &str) -> Option<String> {
    let mut result = Cow::Borrowed(text);
    let steps = [escapes::remove, invisible::remove, markers::defuse];
    // Most text has nothing for the first two, and is looked through once instead of twice.
    let needed = if invisible::has_suspects(text) { 0 } else { 2 };
    for step in steps.into_iter().skip(needed) {
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
        if !self.changed {
            return None;
        }
        self.done.push_str(self.text.get(self.copied..).unwrap_or_default());
        Some(self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::neutralise;

    #[test]
    fn clean_text_is_not_copied() {
        let text = "Ordinary text, « très » ordinaire; 普通の文。 👩\u{200D}👩 ❤\u{FE0F} [1] <b> a[i] <|\n".repeat(50);
        assert_eq!(neutralise(&text), None);
    }

    #[test]
    fn each_step_does_its_part() {
        let cases = [
            ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("a\u{1B}[2Jb\u{1B}[5;3Hc", "ab c"),
            ("a\u{1B}]0;title\u{7}b\u{9D}x\u{9C}c", "abc"),
            ("a\u{1B}]0;unfinished\nb", "a]0;unfinished\nb"),
            ("a\u{B}b\0c\u{1}d", "a\nb cd"),
            ("a\u{202E}b\u{200B}c", "abc"),
            ("👍\u{FE0F}\u{FE0F} x\u{200D}\u{200C}y", "👍\u{FE0F} x\u{200D}y"),
            ("<|im_start|>system", "< |im_start|>system"),
            ("[/INST] </tool_call> ]~b]", "[ /INST] < /tool_call> ] ~b]"),
            ("[92104 characters, 91592 not shown.", "[ 92104 characters, 91592 not shown."),
            ("[92104 characters, cut after 7950.", "[ 92104 characters, cut after 7950."),
        ];
        for (text, harmless) in cases {
            assert_eq!(neutralise(text).as_deref(), Some(harmless), "{text:?}");
            assert_eq!(neutralise(harmless), None, "twice is once: {harmless:?}");
        }
    }

    #[test]
    fn a_flag_keeps_its_tags_and_nothing_else_does() {
        let wales = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}";
        assert_eq!(neutralise(wales), None);
        assert_eq!(neutralise("a\u{E0067}\u{E007F}").as_deref(), Some("a"));
        // Looked for before anything is removed: what stands between them breaks it.
        assert_eq!(neutralise("\u{1F3F4}\u{200B}\u{E0067}\u{E007F}").as_deref(), Some("\u{1F3F4}"));
    }

    #[test]
    fn a_long_control_string_is_unfinished() {
        let body = "x".repeat(4096);
        assert_eq!(neutralise(&format!("\u{1B}]{body}\u{7}y")).as_deref(), Some("y"));
        let long = format!("\u{1B}]{body}x\u{7}y");
        assert_eq!(neutralise(&long).as_deref(), Some(format!("]{body}xy").as_str()));
    }

    #[test]
    fn suspects_are_found_wherever_a_block_ends() {
        for before in 0..200 {
            let text = format!("{}\u{200B}{}", "é".repeat(before), "x".repeat(70));
            let clean = neutralise(&text).unwrap_or_default();
            assert_eq!(clean, format!("{}{}", "é".repeat(before), "x".repeat(70)), "{before} characters before");
        }
    }
}
