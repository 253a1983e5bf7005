//! A head is a prefix, a tail a suffix, the counts add up, and a cut never exceeds its budget.

use claim_check_guest::extract::{head, tail};
use claim_check_guest::{Policy, Scope, Settings, truncate};
use claim_check_tests::shelf::Shelf;
use claim_check_tests::subject::{Native, Outcome, Subject};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use crate::texts::{suspect, text};

fn count(text: &str) -> usize {
    text.chars().count()
}

/// Whether a cut at this byte tears no cluster of the content.
fn is_boundary(content: &str, at: usize) -> bool {
    at == content.len() || content.grapheme_indices(true).any(|(start, _)| start == at)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_head_is_a_prefix_within_its_budget(text in text(40), chars in 0u32..80) {
        let head = head(&text, chars);
        prop_assert!(text.starts_with(head));
        prop_assert!(count(head) <= chars as usize);
        prop_assert_eq!(head, head.trim_end());
        // Trimming may stop inside a cluster (a white space can carry marks), so where nothing was trimmed:
        let untrimmed = text[head.len()..].chars().next().is_none_or(|next| !next.is_whitespace());
        let first = text.graphemes(true).next().map_or(0, count);
        if untrimmed && first <= chars as usize {
            prop_assert!(is_boundary(&text, head.len()), "{:?} is torn from {:?}", head, text);
        }
    }

    #[test]
    fn a_tail_is_a_suffix_within_its_budget_and_never_overlaps(text in text(40), chars in 0u32..80, after in 0u32..80) {
        let trimmed = text.trim_end();
        let tail = tail(&text, chars, after);
        prop_assert!(trimmed.ends_with(tail));
        prop_assert!(count(tail) <= chars as usize);
        prop_assert!(tail.is_empty() || count(trimmed) - count(tail) >= after as usize);
    }

    #[test]
    fn shown_and_not_shown_are_the_total(text in text(60), head_chars in 0u32..40, tail_chars in 0u32..40, more in 1u32..20) {
        let threshold_chars = head_chars + tail_chars + more;
        let policy = Policy { threshold_chars, head_chars, tail_chars, ttl_seconds: 1 };
        let settings = Settings { policy, neutralise: false, ..Settings::default() };
        let (shelf, scope) = (Shelf::new(), Scope::new("t", "r"));
        let outcome = Native.check_in(&shelf, &settings, &scope, "tool", &text).unwrap();
        let total = count(&text);
        if total <= threshold_chars as usize {
            prop_assert_eq!(outcome, Outcome::AsItIs);
            prop_assert_eq!(shelf.take_calls(), vec![]);
            return Ok(());
        }
        let Outcome::CheckedIn(ticket) = outcome else { panic!("over the threshold, but {outcome:?}") };
        prop_assert!(text.starts_with(&ticket.head));
        prop_assert!(text.trim_end().ends_with(&ticket.tail));
        let numbers: Vec<usize> = ticket.notice.split(|c: char| !c.is_ascii_digit()).filter_map(|run| run.parse().ok()).take(2).collect();
        prop_assert_eq!(numbers, vec![total, total - count(&ticket.head) - count(&ticket.tail)]);
        prop_assert_eq!(ticket.chars as usize, total);
        prop_assert_eq!(ticket.next_offset as usize, count(&ticket.head));
        // Reading on from where the notice says gives the rest, to the last character.
        let rest = Native.fetch(&shelf, &scope, &ticket.handle, ticket.next_offset, 1_000_000).unwrap();
        prop_assert_eq!(ticket.head + &rest.text, text);
    }

    #[test]
    fn what_is_carried_crosses_the_boundary_once(text in suspect(60)) {
        let (shelf, scope, settings) = (Shelf::new(), Scope::new("t", "r"), Settings::default());
        let policy = Policy { threshold_chars: 40, head_chars: 16, tail_chars: 8, ttl_seconds: 1 };
        let settings = Settings { policy, ..settings };
        match Native.check_in(&shelf, &settings, &scope, "tool", &text).unwrap() {
            Outcome::AsItIs => prop_assert_eq!(claim_check_guest::neutralise(&text), None),
            Outcome::Neutralised(carried) => prop_assert_eq!(claim_check_guest::neutralise(&text), Some(carried)),
            Outcome::CheckedIn(ticket) => {
                let neutral = claim_check_guest::neutralise(&text).unwrap_or(text);
                let window = Native.fetch(&shelf, &scope, &ticket.handle, 0, 1_000_000).unwrap();
                prop_assert_eq!(&window.text, &neutral);
                // What the redeeming tool returns comes back through check-in as it is.
                let again = Native.check_in(&shelf, &settings, &scope, "fetch_result", &window.text).unwrap();
                prop_assert_eq!(again, Outcome::AsItIs);
                prop_assert_eq!(claim_check_guest::neutralise(&neutral), None);
            }
        }
    }

    #[test]
    fn a_cut_text_keeps_its_budget(text in text(120), max_chars in 0u32..300) {
        let total = count(&text);
        match truncate(&text, max_chars) {
            None => prop_assert!(total <= max_chars as usize),
            Some(cut) => {
                prop_assert!(total > max_chars as usize);
                let (head, line) = cut.rsplit_once("\n\n").unwrap_or(("", &cut));
                prop_assert!(text.starts_with(head));
                prop_assert_eq!(line, format!("[{total} characters, cut after {}. The rest was not kept.]", count(head)));
                prop_assert!(count(&cut) <= max_chars as usize || head.is_empty(), "{} characters for {}", count(&cut), max_chars);
            }
        }
    }
}

/// Work that grows with the square of the budget would take minutes here.
#[test]
fn long_runs_of_closers_and_joined_characters_are_passed_in_one_go() {
    for piece in [")", ".)", "\u{301}", "👩\u{200D}", "🇩", ". \u{301}", "\r", "]}", "日。」", " "] {
        let text = piece.repeat(400_000 / piece.len());
        let (start, end) = (head(&text, 200_000), tail(&text, 200_000, 0));
        assert!(text.starts_with(start) && text.trim_end().ends_with(end), "{piece:?}");
        assert!(truncate(&text, 20_000).is_some_and(|cut| cut.chars().count() <= 20_000), "{piece:?}");
    }
}
