//! The texts that the properties are tried on: what tools return, and what breaks a cut.

use proptest::prelude::*;
use proptest::sample::select;

/// Pieces that a cut can tear, join or mistake for something else.
const PIECES: [&str; 44] = [
    "a",
    "word",
    "Sentence one. ",
    "e.g. ",
    "3.14",
    "/usr/lib,",
    "f(x, y)",
    "x\u{301}",
    "é",
    "ß",
    "ΣΑΣ",
    "σας",
    "ſ",
    "İ",
    "日本語。",
    "文、",
    "「引用。」",
    "🇩🇪",
    "🇩",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "🏴\u{E0067}\u{E0062}\u{E007F}",
    "क्षि",
    "각",
    "\u{200D}",
    "\u{FE0F}",
    "\r\n",
    "\n",
    "\r",
    "\n\n",
    " ",
    "  ",
    "\t",
    "\u{3000}",
    "\u{A0}",
    "\u{2028}",
    ".\"",
    "?)",
    ".”\n",
    "…",
    ", ",
    ";",
    "]",
    "> ",
];

/// Pieces that the result boundary looks at.
const SUSPECTS: [&str; 62] = [
    "\x1B",
    "\x1B[",
    "\x1B[2J",
    "\x1B[3;4H",
    "\x1B]0;t\x07",
    "\x1B]8;;\x1B\\",
    "\x1BP",
    "\x1B\\",
    "\u{9B}31m",
    "\u{9D}x\u{9C}",
    "\u{90}",
    "\x1B(B",
    "\x1B#8",
    "\x1B=",
    "\x1Bc",
    "\x07",
    "\u{B}",
    "\u{85}",
    "\0",
    "\u{1F}",
    "\u{7F}",
    "\u{202E}",
    "\u{2066}",
    "\u{2060}",
    "\u{200B}",
    "\u{FEFF}",
    "\u{FFF9}",
    "\u{E0041}",
    "\u{E007F}",
    "🏴",
    "\u{FE0F}",
    "\u{E0100}",
    "\u{200C}",
    "\u{200D}",
    "<|im_start|>",
    "<|",
    "|>",
    "</|",
    "<",
    ">",
    "/",
    "▁",
    "<｜",
    "｜>",
    "<｜User｜>",
    "[INST]",
    "[/inst]",
    "<<SYS>>",
    "<end_of_turn>",
    "<tool_calls>",
    "]~b]",
    "]~!b[",
    "[e~[",
    "[|",
    "|]",
    "[12 characters, 3 not shown.",
    "[1,000 characters, cut after 9.",
    "[characters 0 to 9 of 9",
    "[offset 9 is past the end",
    "[2 matches from 0 on",
    "[no match from 1 on",
    "characters",
];

/// Any of these pieces, and any character at all.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![6 => select(&PIECES[..]).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)]
}

/// A text of up to so many pieces.
pub(crate) fn text(pieces: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..=pieces).prop_map(|pieces| pieces.concat())
}

/// A text with what the boundary looks at.
pub(crate) fn suspect(pieces: usize) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        5 => select(&SUSPECTS[..]).prop_map(str::to_owned),
        1 => select(&PIECES[..]).prop_map(str::to_owned),
        2 => "[ -~]",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..=pieces).prop_map(|pieces| pieces.concat())
}

/// A text of several pages: a small one, over and over, with something else before it.
pub(crate) fn pages() -> impl Strategy<Value = String> {
    (text(8), text(20), 0usize..60_000).prop_map(|(before, period, chars)| {
        let period = if period.is_empty() { "x".to_owned() } else { period };
        before.chars().chain(period.chars().cycle().take(chars)).collect()
    })
}

/// A valid scope.
pub(crate) fn scope() -> impl Strategy<Value = claim_check_guest::Scope> {
    let part = || "[a-zé/.\\-日]{1,12}";
    (part(), part()).prop_map(|(tenant, run)| claim_check_guest::Scope::new(tenant, run))
}
