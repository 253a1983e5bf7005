//! C. What the preview keeps.

use crate::{both_ways, one_line_json, with_policy};
use claim_check_guest::{Policy, Settings, ToolPolicy};
use claim_check_tests::subject::Outcome;

fn log_with_verdict() -> String {
    let mut log = String::new();
    while log.len() < 92_104 - 20 {
        log.push_str("   Compiling something v1.0.0\n");
    }
    log.truncate(92_104 - 20);
    log.push_str("\nerror: build failed");
    log
}

/// 22, 26: a failed build is not read as a success: its last line stays, where its tool's policy asks for a tail.
#[test]
fn c022_the_verdict_in_the_last_line_stays() {
    let build = ToolPolicy { tool: "build".to_owned(), policy: Policy { tail_chars: 256, ..Policy::default() } };
    both_ways(&Settings { per_tool: vec![build], ..Settings::default() }, |run| {
        let log = log_with_verdict();
        assert_eq!(log.chars().count(), 92_104);
        let Outcome::CheckedIn(ticket) = run.check_in("build", &log) else { panic!("not checked in") };
        assert!(ticket.tail.ends_with("error: build failed") && ticket.rendered.ends_with("error: build failed"));
        let shown = ticket.head.chars().count() + ticket.tail.chars().count();
        assert!(ticket.notice.starts_with(&format!("[92104 characters, {} not shown. ", 92_104 - shown)));
        assert_eq!(run.check_in("other", &log), Outcome::CheckedIn(run.ticket(&log)), "no tail for the others");
        assert_eq!(run.ticket(&log).tail, "");
    });
}

/// 23, 25: what lies in the middle is found.
#[test]
fn c023_an_error_in_the_middle_is_found() {
    both_ways(&Settings::default(), |run| {
        let log = log_with_verdict().replacen("   Compiling something v1.0.0\n", "warning: fine\n", 1);
        let middle = log.len() / 2;
        let log = format!("{}\nERROR[E0425]: cannot find value\n{}", &log[..middle], &log[middle..]);
        let found = run.find(&run.ticket(&log).handle, "error[");
        assert_eq!(found.text, format!("{}: ERROR[E0425]: cannot find value", middle + 1));
    });
}

/// 27, 28: white space at the end changes neither head nor tail.
#[test]
fn c028_a_trailing_newline_changes_nothing() {
    both_ways(&with_policy(1000, 200, 100), |run| {
        for line in
            ["x".repeat(5000), "word ".repeat(1000).trim_end().to_owned(), "a, b. ".repeat(900).trim_end().to_owned()]
        {
            let plain = run.ticket(&line);
            for end in ["\n", "\r\n", "\n\n\n", " "] {
                let ticket = run.ticket(&format!("{line}{end}"));
                assert_eq!((&ticket.head, &ticket.tail), (&plain.head, &plain.tail), "{end:?}");
                assert!(!ticket.head.is_empty() && !ticket.tail.is_empty());
            }
        }
    });
}

/// 29: a boundary costs at most half the budget.
#[test]
fn c029_an_early_line_end_does_not_waste_the_budget() {
    both_ways(&Settings::default(), |run| {
        let ticket = run.ticket(&format!("short.\n\n{}", "word ".repeat(3000)));
        assert!(ticket.head.chars().count() >= 256, "{}", ticket.head);
    });
}

/// First line longer than the head, one without any place to cut, and a line of a megabyte.
#[test]
fn c011_a_first_line_longer_than_the_head() {
    both_ways(&Settings::default(), |run| {
        let words = run.ticket(&format!("{}\nrest", "word ".repeat(2000)));
        assert!(words.head.ends_with("word") && words.head.chars().count() >= 256);
        let unbroken = run.ticket(&format!("{}\nrest", "x".repeat(1_000_000)));
        assert_eq!(unbroken.head, "x".repeat(512));
        let json = run.ticket(&one_line_json());
        assert!(one_line_json().starts_with(&json.head) && json.head.chars().count() >= 256);
    });
}

/// 80: an empty result and one of white space only are as much as they are; a stub is smaller than what it replaces.
#[test]
fn c080_empty_and_blank_results() {
    both_ways(&Settings::default(), |run| {
        for content in ["", " ", "\n\n", "\u{3000}"] {
            assert_eq!(run.check_in("tool", content), Outcome::AsItIs);
        }
        let blank = "\n".repeat(5000);
        let ticket = run.ticket(&blank);
        assert_eq!((ticket.head.as_str(), ticket.tail.as_str(), ticket.next_offset), ("", "", 0));
        assert_eq!(ticket.rendered, ticket.notice, "no blank line for a head that is not there");
        assert!(ticket.notice.starts_with("[5000 characters, 5000 not shown. "));
        assert_eq!(run.read_on(&ticket.handle), blank);
    });
}
