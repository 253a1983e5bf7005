//! Turn markers of chat templates, and notices like ours: what a tool returns must not look like the structure around
//! it. Each loses its form by one space after its first character.

use crate::boundary::Rewrite;

/// The text with every marker broken; none where there is none. Every place is tested against the text as it came, so
/// markers may overlap.
pub(crate) fn defuse(text: &str) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    for at in memchr::memchr3_iter(b'<', b'[', b']', text.as_bytes()) {
        let Some(rest) = text.get(at..) else { continue };
        if is_marker(rest) {
            rewrite.replace(at + 1..at + 1, " ");
        }
    }
    rewrite.finish()
}

/// Told by the first bytes in almost every case: pages and JSON are full of brackets that begin nothing.
fn is_marker(text: &str) -> bool {
    match text.as_bytes() {
        [b'<', b'|', ..] | [b'<', b'/', b'|', ..] => is_piped(text),
        [b'<', 0xEF, ..] | [b'<', b'/', 0xEF, ..] => is_wide(text),
        [b'<', b'<', ..] | [b'<', b'/', b'e' | b'E' | b's' | b'S' | b't' | b'T', ..] => is_tag(text),
        [b'<', b'e' | b'E' | b's' | b'S' | b't' | b'T', ..] => is_tag(text) || is_name_piped(text),
        [b'<', second, ..] if second.is_ascii_alphanumeric() || *second == b'_' => is_name_piped(text),
        [b'[', b'|', ..] => Scan(text).then("[|").and_then(Scan::name).and_then(|s| s.then("|]")).is_some(),
        [b'[', b'e' | b'E', b'~', b'[', ..] => true,
        [b'[', b'0'..=b'9', ..] => is_count_notice(text),
        [b'[', b'/' | b'i' | b'I' | b's' | b'S' | b't' | b'T' | b'a' | b'A', ..] => is_bracketed(text),
        [b'[', b'c' | b'C' | b'o' | b'O' | b'n' | b'N', ..] => is_word_notice(text),
        [b']', b'~', b'!', b'b' | b'B', b'[' | b']', ..] | [b']', b'~', b'b' | b'B', b'[' | b']', ..] => true,
        _ => false,
    }
}

/// `<|…|>`, `</|…|>`, and `<|name>`.
fn is_piped(text: &str) -> bool {
    let Some(inside) = Scan(text).then("<|").or_else(|| Scan(text).then("</|")) else { return false };
    let whole = inside.maybe("/").long_name().and_then(|s| s.then("|>"));
    // Where the optional `/` is not the mark of an end, it belongs to the name.
    let slashed = || inside.long_name().and_then(|s| s.then("|>"));
    let open = || Scan(text).then("<|").and_then(Scan::name).and_then(|s| s.then(">"));
    whole.or_else(slashed).or_else(open).is_some()
}

/// `<name|>`.
fn is_name_piped(text: &str) -> bool {
    Scan(text).then("<").and_then(Scan::name).and_then(|s| s.then("|>")).is_some()
}

/// `<｜…>` and `</｜…>`, with the full-width bar.
fn is_wide(text: &str) -> bool {
    let Some(inside) = Scan(text).then("<｜").or_else(|| Scan(text).then("</｜")) else { return false };
    let length = inside.0.chars().take(81).take_while(|c| !matches!(c, '<' | '>' | '\n')).count();
    (1..=80).contains(&length) && inside.0.chars().nth(length) == Some('>')
}

/// `<start_of_turn>` and its kin, and `<<SYS>>`.
fn is_tag(text: &str) -> bool {
    let Some(inside) = Scan(text).then("<") else { return false };
    if let Some(system) = inside.then("<") {
        return system.maybe("/").then("SYS>>").is_some();
    }
    let name = inside.maybe("/");
    let plain = ["start_of_turn>", "end_of_turn>"];
    let plural = ["tool_call", "tool_response", "tool_result"];
    plain.iter().any(|tag| name.then(tag).is_some())
        || plural.iter().filter_map(|tag| name.then(tag)).any(|s| s.maybe("s").then(">").is_some())
}

/// `[INST]` and its kin.
fn is_bracketed(text: &str) -> bool {
    let Some(name) = Scan(text).then("[").map(|s| s.maybe("/")) else { return false };
    let names = ["INST]", "SYSTEM_PROMPT]", "TOOL_RESULTS]", "TOOL_CALLS]", "AVAILABLE_TOOLS]", "TOOL_CONTENT]"];
    names.iter().any(|tag| name.then(tag).is_some())
}

/// Our notices that begin with a number.
fn is_count_notice(text: &str) -> bool {
    let Some(counted) = Scan(text).then("[").and_then(Scan::number).and_then(Scan::space) else { return false };
    let characters = counted.then("characters,").and_then(Scan::space);
    let not_shown = characters.and_then(Scan::number).and_then(|s| s.words(&["not", "shown."]));
    let cut_after = || characters?.then("cut")?.words_then_space(&["after"])?.number_and_stop();
    let matches =
        || counted.then("match").map(|s| s.maybe("es"))?.words_then_space(&["from"])?.number()?.words(&["on"]);
    not_shown.or_else(cut_after).or_else(matches).is_some()
}

/// Our notices that begin with a word.
fn is_word_notice(text: &str) -> bool {
    let range = || {
        let from = Scan(text).then("[characters").and_then(Scan::space)?.number()?;
        let of = from.words_then_space(&["to"])?.number()?.words_then_space(&["of"])?;
        // The last number may be longer than a number can be: nothing has to follow it.
        (of.number_length() > 0).then_some(of)
    };
    let past = || Scan(text).then("[offset").and_then(Scan::space)?.number()?.words(&["is", "past", "the", "end"]);
    let none = || Scan(text).then("[no")?.words_then_space(&["match", "from"])?.number()?.words(&["on"]);
    range().or_else(past).or_else(none).is_some()
}

/// What is left of a text while a pattern is matched against its beginning, ASCII letters in any case.
#[derive(Clone, Copy)]
struct Scan<'a>(&'a str);

impl<'a> Scan<'a> {
    fn then(self, literal: &str) -> Option<Self> {
        let (start, rest) = self.0.split_at_checked(literal.len())?;
        start.eq_ignore_ascii_case(literal).then_some(Self(rest))
    }

    fn maybe(self, literal: &str) -> Self {
        self.then(literal).unwrap_or(self)
    }

    /// 1 to 32 of `a-z 0-9 _`, all there are.
    fn name(self) -> Option<Self> {
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = self.0.bytes().take(33).take_while(part).count();
        if (1..=32).contains(&length) { self.0.get(length..).map(Self) } else { None }
    }

    /// 1 to 64 of `a-z 0-9 _ . / - ▁`, all there are.
    fn long_name(self) -> Option<Self> {
        let part = |c: &char| c.is_ascii_alphanumeric() || "_./-▁".contains(*c);
        self.run(64, part)
    }

    /// A digit and up to 25 more of `0-9 , . _`, all there are.
    fn number(self) -> Option<Self> {
        let length = self.number_length();
        if (1..=26).contains(&length) { self.0.get(length..).map(Self) } else { None }
    }

    /// A number that a full stop follows; the stop may look like a part of the number.
    fn number_and_stop(self) -> Option<Self> {
        let length = self.number_length();
        let stop = self.0.bytes().take(length).skip(1).position(|byte| byte == b'.')?;
        self.0.get(stop + 2..).map(Self)
    }

    /// How many characters from here on could be a number, up to 27.
    fn number_length(self) -> usize {
        if !self.0.starts_with(|c: char| c.is_ascii_digit()) {
            return 0;
        }
        self.0.bytes().take(27).take_while(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.' | b'_')).count()
    }

    /// 1 to 8 characters of white space, all there are.
    fn space(self) -> Option<Self> {
        self.run(8, |c| c.is_whitespace())
    }

    /// 1 to `most` characters of a kind, all there are.
    fn run(self, most: usize, kind: impl Fn(&char) -> bool) -> Option<Self> {
        let (mut length, mut bytes) = (0, 0);
        for c in self.0.chars().take(most + 1).take_while(kind) {
            length += 1;
            bytes += c.len_utf8();
        }
        if (1..=most).contains(&length) { self.0.get(bytes..).map(Self) } else { None }
    }

    /// White space before each of these words.
    fn words(self, words: &[&str]) -> Option<Self> {
        words.iter().try_fold(self, |scan, word| scan.space()?.then(word))
    }

    fn words_then_space(self, words: &[&str]) -> Option<Self> {
        self.words(words)?.space()
    }
}
