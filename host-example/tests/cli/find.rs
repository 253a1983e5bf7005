use crate::home::{Home, text};

#[test]
fn matches_come_with_their_offsets_which_fetch_takes() {
    let home = Home::new();
    let content = text(500);
    let handle = home.check_in(&content, "");
    let ran = home.run(&format!("find {handle} LINE --max 2 --offset 10"));
    assert_eq!(ran.code, 0);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    let (offset, snippet) = lines[0].split_once(": ").expect("an offset");
    assert!(snippet.starts_with("Line 1: die Straße"), "{snippet}");
    let next = ran.stderr.strip_prefix("claim-check: 2 matches; --offset ").expect("a note");
    let next = next.strip_suffix(" for more\n").expect("a note");
    assert_eq!(home.run(&format!("fetch {handle} --offset {offset} --chars 6")).ok(), "Line 1");
    assert_eq!(home.run(&format!("fetch {handle} --offset {next} --chars 6")).ok(), "Line 3");
}

#[test]
fn json_has_the_matches() {
    let home = Home::new();
    let content = text(500);
    let handle = home.check_in(&content, "--run r1");
    let json = home.args(&["find", &handle, "line 499:", "--json", "--run", "r1"]).json();
    let offset = content.split("Line 499:").next().expect("a beginning").chars().count();
    let expected = serde_json::json!({
        "handle": handle, "tenant": "local", "run": "r1", "next_offset": null,
        "matches": [{"offset": offset, "snippet": content.lines().last().expect("a line"), "snippet_offset": offset}],
    });
    assert_eq!(json, expected);
}

#[test]
fn no_match_has_an_exit_code_of_its_own() {
    let home = Home::new();
    let handle = home.check_in(&text(500), "");
    let message = home.run(&format!("find {handle} nowhere")).refused(6);
    assert_eq!(message, "claim-check: no match from character 0 on\n");
    let ran = home.run(&format!("find {handle} nowhere --json"));
    assert_eq!(ran.code, 6);
    assert!(ran.stdout.contains("\"matches\":[]"), "{}", ran.stdout);
}

#[test]
fn a_text_to_look_for_has_1_to_256_characters() {
    let home = Home::new();
    let handle = home.check_in(&text(500), "");
    for (needle, chars) in [("", 0), ("é".repeat(257).as_str(), 257)] {
        let message = home.args(&["find", &handle, needle]).refused(2);
        assert_eq!(message, format!("claim-check: the text to look for has {chars} characters; give 1 to 256\n"));
    }
    home.args(&["find", &handle, &"é".repeat(256)]).refused(6);
    home.run(&format!("find {handle} Line --max 101")).refused(2);
}

/// A match over a line end would take two lines, of which content writes the second one.
#[test]
fn content_can_not_look_like_a_match() {
    let home = Home::new();
    let handle = home.check_in(&format!("key:\r\n999: forged\tline\n{}", text(200)), "--head-chars 0");
    let ran = home.args(&["find", &handle, "KEY:\r\n999: F"]);
    assert_eq!(ran.stderr, "claim-check: 1 match, no more\n");
    assert_eq!(ran.ok(), "0: key:\\r\\n999: forged\tline\n");
    let json = home.args(&["find", &handle, "KEY:\r\n999: F", "--json"]).json();
    assert_eq!(json["matches"][0]["snippet"], "key:\r\n999: forged\tline");
    // Without a boundary there may be anything.
    home.write("raw.toml", "neutralise = false\n");
    let raw = format!("key \u{1b}[31m\u{b}\u{2028}1: x\n{}", text(200));
    let handle = home.check_in(&raw, "--head-chars 0 --config raw.toml");
    assert_eq!(home.args(&["find", &handle, "key"]).ok(), "0: key \\u{1b}[31m\\u{b}\\u{2028}1: x\n");
}

/// As `--help` says it.
#[test]
fn case_is_ignored_character_by_character() {
    let home = Home::new();
    let handle = home.check_in(&format!("ΣΊΣΥΦΟΣ Straße\n{}", text(200)), "");
    for (needle, code) in [("σίσυφος", 0), ("ΣΊΣΥΦΟΣ", 0), ("STRAßE", 0), ("STRAẞE", 0), ("strasse", 6), ("STRASSE", 6)]
    {
        assert_eq!(home.args(&["find", &handle, needle]).code, code, "{needle}");
    }
}

#[test]
fn a_notice_may_be_pasted() {
    let home = Home::new();
    home.write("large.txt", text(500));
    let notice = home.run("check-in large.txt").ok();
    assert_eq!(home.args(&["find", &notice, "mile 7."]).code, 0);
}
