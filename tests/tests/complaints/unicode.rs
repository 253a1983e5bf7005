//! H. Unicode.

use claim_check_guest::Settings;
use claim_check_tests::content::characters;

use crate::{both_ways, with_policy};

const FAMILY: &str = "👩‍👩‍👧‍👦";

/// 65, 66, 68: an emoji exactly on the cut is on one side of it, whole; and no half of anything is ever returned.
#[test]
fn c065_an_emoji_on_the_cut() {
    for cluster in ["👍", "👍🏽", FAMILY, "🇩🇪", "e\u{301}", "🏴\u{E0067}\u{E0062}\u{E007F}", "각", "क्षि"]
    {
        let length = cluster.chars().count();
        both_ways(&with_policy(100, 40, 20), |run| {
            // One character more before it each time, so that every place in the cluster is on the cut once.
            for before in (40 - length)..=41 {
                let content = format!("{}{cluster}{}", "x".repeat(before), "y".repeat(200));
                let ticket = run.ticket(&content);
                let expected =
                    if before + length <= 40 { content.chars().take(40).collect() } else { "x".repeat(before.min(40)) };
                assert_eq!(ticket.head, expected, "{before} before {cluster}");
                assert_eq!(run.read_on(&ticket.handle), content);

                let content =
                    format!("{}{cluster}{}", "x".repeat(200), "y".repeat(20 - length.min(20) + before - (40 - length)));
                let tail = run.ticket(&content).tail;
                assert!(content.ends_with(&tail));
                let torn = tail.starts_with(|c| c != 'y') && !tail.starts_with('x') && !tail.starts_with(cluster);
                assert!(!torn, "{tail:?} starts inside {cluster}");
            }
        });
    }
}

/// A line end of two characters exactly on the cut is not torn.
#[test]
fn c065_a_line_end_on_the_cut() {
    both_ways(&with_policy(100, 40, 20), |run| {
        for before in 37..=41 {
            let content = format!("{}\r\n{}", "x".repeat(before), "y".repeat(200));
            let ticket = run.ticket(&content);
            assert_eq!(ticket.head, "x".repeat(before.min(40)), "{before}");
            assert_eq!(run.read_on(&ticket.handle), content);
        }
        for after in 17..=21 {
            let content = format!("{}\r\n{}", "x".repeat(200), "y".repeat(after));
            assert!("y".repeat(after).ends_with(&run.ticket(&content).tail), "{after}");
        }
    });
}

/// A window may start and end anywhere; both halves of a cluster are there, and together they are it.
#[test]
fn c066_windows_through_the_middle_of_a_cluster() {
    both_ways(&Settings { window_chars: 3, ..with_policy(10, 5, 0) }, |run| {
        let content = format!("{FAMILY}\r\n").repeat(10);
        let handle = run.ticket(&content).handle;
        assert_eq!(run.fetch(&handle, 1).text, characters(&content, 1, 3));
        assert_eq!(run.read_on(&handle), content);
    });
}

/// A page ends after 16384 characters, whatever stands there.
#[test]
fn c066_clusters_across_the_end_of_a_page() {
    for cluster in [FAMILY, "\r\n", "e\u{301}"] {
        both_ways(&Settings::default(), |run| {
            for before in 16_384 - cluster.chars().count()..=16_385 {
                let content = format!("{}{cluster}{}", "é".repeat(before), "z".repeat(20_000));
                let handle = run.ticket(&content).handle;
                let window = run.subject.fetch(&run.shelf, &run.scope, &handle, 16_380, 20).unwrap();
                assert_eq!(window.text, characters(&content, 16_380, 20));
                let found = run.find(&handle, &format!("{cluster}z"));
                assert!(found.text.starts_with(&format!("{before}: ")), "{found:?}");
            }
        });
    }
}

/// 67: words of a tokenizer are only text to the counting, and harmless in the conversation.
#[test]
fn c067_control_words_of_tokenizers() {
    both_ways(&Settings::default(), |run| {
        let content = "<|endoftext|> and <|im_end|> ".repeat(400);
        let ticket = run.ticket(&content);
        assert!(ticket.head.starts_with("< |endoftext|> and < |im_end|> "), "{}", ticket.head);
    });
}

/// 69: the unit is the character, for every script alike.
#[test]
fn c069_characters_are_counted_not_bytes() {
    both_ways(&Settings::default(), |run| {
        for unit in ["a", "é", "文", "👍"] {
            let ticket = run.ticket(&unit.repeat(10_000));
            assert_eq!((ticket.chars, ticket.next_offset), (10_000, 512));
        }
    });
}
