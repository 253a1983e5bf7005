//! The result boundary does what the slow reference does, once and for all.

use claim_check_guest::neutralise;
use claim_check_tests::reference;
use proptest::prelude::*;

use crate::texts::{suspect, text};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn it_is_what_the_reference_says(text in suspect(14)) {
        prop_assert_eq!(neutralise(&text), reference::neutralise(&text));
    }

    #[test]
    fn twice_is_once(text in suspect(14)) {
        if let Some(neutral) = neutralise(&text) {
            prop_assert_ne!(&neutral, &text, "changed, but the same");
            prop_assert_eq!(neutralise(&neutral), None);
        }
    }

    #[test]
    fn ordinary_text_is_left_alone(text in text(30)) {
        prop_assert_eq!(neutralise(&text), reference::neutralise(&text));
    }

    #[test]
    fn ascii_prose_is_clean(text in "[a-zA-Z0-9 .,;:!?(){}'\"\n\r\t-]{0,200}") {
        prop_assert_eq!(neutralise(&text), None);
    }

    /// Anywhere in a longer text, and near its end: what is looked at in blocks must not fall between two.
    #[test]
    fn it_does_not_matter_where_something_stands(before in 0usize..200, suspect in suspect(2), after in 0usize..70) {
        let text = format!("{}{suspect}{}", "é".repeat(before), "z".repeat(after));
        prop_assert_eq!(neutralise(&text), reference::neutralise(&text));
    }
}

/// Work that grows with the square of the text would take minutes here.
#[test]
fn repeated_beginnings_of_everything_are_passed_in_one_go() {
    let pieces = [
        "\x1B]",
        "\x1B[",
        "\u{9D}",
        "<|",
        "<｜",
        "[1",
        "[characters 1 to ",
        "[",
        "<",
        "\x1B]x",
        "<|a",
        "\u{FE0F}",
        "🏴\u{E0041}",
        "[1 ",
        "]~",
    ];
    for piece in pieces {
        let text = piece.repeat(400_000 / piece.len());
        let neutral = neutralise(&text).unwrap_or(text);
        assert_eq!(neutralise(&neutral), None, "{piece:?}");
    }
}
