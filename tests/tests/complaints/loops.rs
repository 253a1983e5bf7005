//! A. Offload loops, and B. paging.

use claim_check_tests::content::characters;
use claim_check_tests::subject::Outcome;

use crate::{both_ways, one_line_json, with_policy};
use claim_check_guest::{FetchError, Settings, WindowReading};

/// 1, 4, 5, 6, 7, 10: whatever the redeeming tools return, with and without its note, is carried as it is, even where
/// window and threshold are set so that it is larger than the threshold. No store is called.
#[test]
fn c001_what_the_redeeming_tools_return_is_never_checked_in_again() {
    for settings in [Settings::default(), Settings { window_chars: 100_000, ..with_policy(100, 50, 20) }] {
        both_ways(&settings, |run| {
            let handle = run.ticket(&one_line_json()).handle;
            let replies = [("fetch_result", run.fetch(&handle, 0)), ("find_in_result", run.find(&handle, "item"))];
            let _ = run.shelf.take_calls();
            for (tool, reply) in replies {
                let joined = format!("{}\n\n{}", reply.text, reply.note);
                assert_eq!(run.check_in(tool, &joined), Outcome::AsItIs, "{tool}");
                assert_eq!(run.check_in(tool, &reply.text), Outcome::AsItIs, "{tool}");
            }
            assert_eq!(run.shelf.take_calls(), vec![]);
        });
    }
}

/// 2: a window is raw text, never decorated with line numbers.
#[test]
fn c002_a_window_is_word_for_word() {
    both_ways(&Settings::default(), |run| {
        let content = "first\nsecond\n".repeat(1000);
        let handle = run.ticket(&content).handle;
        assert_eq!(run.fetch(&handle, 6).text, characters(&content, 6, 4096));
    });
}

/// 3: no handle without a real cut; the threshold itself is still carried, one more is not.
#[test]
fn c003_at_the_threshold_and_one_to_either_side() {
    both_ways(&Settings::default(), |run| {
        for unit in ["x", "é", "文", "👍"] {
            for chars in [0, 1, 4095, 4096] {
                assert_eq!(run.check_in("tool", &unit.repeat(chars)), Outcome::AsItIs);
            }
            assert_eq!(run.shelf.take_calls(), vec![]);
            let ticket = run.ticket(&unit.repeat(4097));
            assert_eq!((ticket.chars, run.shelf.take_calls().len()), (4097, 1));
        }
    });
}

/// 9: the same result is decided on in the same way every time, byte for byte, also in a run that is resumed; and what
/// stays in the conversation is small enough to stay there.
#[test]
fn c009_the_same_result_gives_the_same_ticket() {
    both_ways(&Settings::default(), |run| {
        let first = run.ticket(&one_line_json());
        assert_eq!(run.ticket(&one_line_json()), first);
        assert_eq!(run.read_on(&first.handle), one_line_json());
    });
}

/// 11, 12, 14, 15: one line of 200 kB is read in windows of bounded size, from any place.
#[test]
fn c011_a_single_line_of_json_is_read_from_any_place() {
    both_ways(&Settings::default(), |run| {
        let content = one_line_json();
        assert!(content.len() > 200_000 && !content.contains('\n'), "{}", content.len());
        let ticket = run.ticket(&content);
        for offset in [0, 1, 100_000, 16_383, i32::try_from(content.len()).unwrap() - 1] {
            let reply = run.fetch(&ticket.handle, offset);
            assert_eq!(reply.text, characters(&content, offset as usize, 4096));
        }
        assert_eq!(run.read_on(&ticket.handle), content);
    });
}

/// 13: nothing is reformatted: large integers, duplicate keys, spacing and escapes stay.
#[test]
fn c013_nothing_is_reformatted() {
    both_ways(&Settings::default(), |run| {
        let odd = r#"{"id":12345678901234567890123, "id" : 1.10,  "s":"\u00e9\/"}"#;
        let content = format!("[{}]", [odd; 200].join(", "));
        assert_eq!(run.read_on(&run.ticket(&content).handle), content);
    });
}

/// 16: windows of any size laid end to end are the content, also where a line ends in two characters.
#[test]
fn c016_windows_concatenate() {
    for window_chars in [1, 7, 4096, 16_384, 50_000] {
        both_ways(&Settings { window_chars, ..with_policy(64, 10, 0) }, |run| {
            let content = "a line\r\n\r\nanother é文👍\n".repeat(if window_chars < 10 { 8 } else { 3000 });
            assert_eq!(run.read_on(&run.ticket(&content).handle), content);
        });
    }
}

/// 17: few lines are no reason to show all of them.
#[test]
fn c017_few_long_lines_are_large() {
    both_ways(&Settings::default(), |run| {
        let content = ["x".repeat(3000), "y".repeat(3000)].join("\n");
        assert!(run.ticket(&content).rendered.chars().count() < 800);
    });
}

/// 20: no size, a place past the end, and a negative one have answers.
#[test]
fn c020_zero_past_the_end_and_negative() {
    both_ways(&Settings::default(), |run| {
        let handle = run.ticket(&one_line_json()).handle;
        let total = one_line_json().len();
        let window = |offset, max| run.subject.fetch(&run.shelf, &run.scope, &handle, offset, max);
        assert_eq!(window(0, 0).unwrap().text.len(), 4096);
        let past = window(i32::MAX, u32::MAX).unwrap();
        assert_eq!((past.text.as_str(), past.next_offset, past.chars as usize), ("", None, total));
        assert_eq!(window(0, u32::MAX).unwrap().text.len(), total);
        let _ = run.shelf.take_calls();
        assert_eq!(window(-1, 0), Err(FetchError::InvalidOffset(-1)));
        assert_eq!(run.shelf.take_calls(), vec![]);
    });
    assert!(WindowReading::new(&claim_check_guest::Scope::new("t", "r"), "x", i32::MIN, 0).is_err());
}

/// 18, 21: what a search says is where fetch reads, blank lines and all.
#[test]
fn c021_the_offset_of_a_match_is_one_to_read_from() {
    both_ways(&Settings::default(), |run| {
        let content = format!("{}\n\n\r\n\nNeedle in é文\n\n{}", "é\n\n".repeat(5000), "z\n".repeat(5000));
        let handle = run.ticket(&content).handle;
        let found = run.find(&handle, "needle IN É");
        let offset = found.text.split_once(": ").unwrap().0.parse().unwrap();
        assert!(run.fetch(&handle, offset).text.starts_with("Needle in é文\n\nz\n"), "{found:?}");
    });
}
