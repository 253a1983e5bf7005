//! The result boundary's three steps, as SPEC.md states them, one regular expression per pattern.

use std::sync::LazyLock;

use regex::Regex;

fn patterns<const N: usize>(patterns: [&str; N]) -> Vec<Regex> {
    patterns.iter().map(|pattern| Regex::new(&format!("^(?:{pattern})")).expect("a pattern of this file")).collect()
}

/// The text made harmless, or none where it is clean.
///
/// # Panics
/// Never: the patterns are constants.
#[must_use]
pub fn neutralise(text: &str) -> Option<String> {
    let result = break_markers(&remove_invisible(&remove_escapes(text)));
    (result != text).then_some(result)
}

fn remove_escapes(text: &str) -> String {
    static MOVING: LazyLock<Vec<Regex>> = LazyLock::new(|| patterns([r"(?:\x1B\[|\x{9B})[0-?]*[ -/]*[A-Hdf]"]));
    static OTHER: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        patterns([
            r"(?:\x1B\[|\x{9B})[0-?]*[ -/]*[@-~]",
            r"(?:\x1B[\]PX^_]|[\x{9D}\x{90}\x{98}\x{9E}\x{9F}])[^\n\r\x1B\x07\x{9C}]{0,4096}(?:\x07|\x1B\\|\x{9C})",
            r"\x1B[()*+\-./#%][0-~]",
            r"\x1B[@-OQ-WYZ\\78=>c]",
        ])
    });
    let introduces = |c| matches!(c, '\x1B' | '\u{9B}' | '\u{9D}' | '\u{90}' | '\u{98}' | '\u{9E}' | '\u{9F}');
    let mut result = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length =
            |patterns: &[Regex]| patterns.iter().find_map(|pattern| pattern.find(rest)).map(|found| found.end());
        rest = if !introduces(c) {
            result.push(c);
            &rest[c.len_utf8()..]
        } else if let Some(end) = length(&MOVING) {
            result.push(' ');
            &rest[end..]
        } else if let Some(end) = length(&OTHER) {
            &rest[end..]
        } else {
            &rest[c.len_utf8()..]
        };
    }
    result
}

fn remove_invisible(text: &str) -> String {
    static FLAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\x{1F3F4}[\x{E0020}-\x{E007E}]{1,10}\x{E007F}").expect("a pattern of this file"));
    let flags: Vec<_> = FLAG.find_iter(text).map(|flag| flag.range()).collect();
    let is_selector = |c| matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}');
    let is_joiner = |c| matches!(c, '\u{200C}' | '\u{200D}');
    let mut result = String::new();
    for (at, c) in text.char_indices() {
        let last = result.chars().next_back();
        match c {
            '\u{B}' | '\u{C}' | '\u{85}' => result.push('\n'),
            '\0' | '\u{1C}'..='\u{1F}' => result.push(' '),
            '\t' | '\n' | '\r' => result.push(c),
            _ if c.is_control() => {}
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{206F}' | '\u{2060}'..='\u{2064}' => {}
            '\u{200B}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' => {}
            '\u{E0000}'..='\u{E007F}' if !flags.iter().any(|flag| flag.contains(&at)) => {}
            _ if is_selector(c) && last.is_some_and(is_selector) => {}
            _ if is_joiner(c) && last.is_some_and(is_joiner) => {}
            _ => result.push(c),
        }
    }
    result
}

fn break_markers(text: &str) -> String {
    static MARKERS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        let notice = |words: &str| words.replace('N', "[0-9][0-9,._]{0,25}").replace(' ', r"\s{1,8}");
        let notices = [
            r"\[N characters, N not shown\.",
            r"\[N characters, cut after N\.",
            r"\[characters N to N of N",
            r"\[offset N is past the end",
            r"\[N match(?:es)? from N on",
            r"\[no match from N on",
        ];
        let mut markers = patterns([
            r"</?\|/?[a-z0-9_./▁-]{1,64}\|>",
            r"<\|[a-z0-9_]{1,32}>",
            r"<[a-z0-9_]{1,32}\|>",
            r"\[\|[a-z0-9_]{1,32}\|\]",
            r"</?｜[^<>\n]{1,80}>",
            r"\[/?(?:inst|system_prompt|tool_results|tool_calls|available_tools|tool_content)\]",
            r"<</?sys>>",
            r"</?(?:start_of_turn|end_of_turn|tool_calls?|tool_responses?|tool_results?)>",
            r"\]~!?b[\[\]]",
            r"\[e~\[",
        ]);
        markers.extend(patterns(notices.map(notice).each_ref().map(String::as_str)));
        markers
    });
    // The patterns are in lower case; lowering ASCII moves no byte.
    let lower = text.to_ascii_lowercase();
    let mut result = String::new();
    for (at, c) in text.char_indices() {
        result.push(c);
        if matches!(c, '<' | '[' | ']') && MARKERS.iter().any(|marker| marker.is_match(&lower[at..])) {
            result.push(' ');
        }
    }
    result
}
