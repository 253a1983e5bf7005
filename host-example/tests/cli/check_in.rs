use crate::home::{Home, text};

#[test]
fn a_small_text_is_printed_as_it_is_and_nothing_is_stored() {
    let home = Home::new();
    home.write("small.txt", "no line end, naïve");
    let ran = home.run("check-in small.txt");
    assert_eq!(ran.stderr, "claim-check: 18 characters, carried as they are\n");
    assert_eq!(ran.ok(), "no line end, naïve");
    assert_eq!(home.run("list --json").json()["claims"], serde_json::json!([]));
}

#[test]
fn exactly_the_threshold_is_small_and_one_more_is_not() {
    let home = Home::new();
    home.write("at.txt", "é".repeat(4096));
    home.write("over.txt", "é".repeat(4097));
    assert_eq!(home.run("check-in --json at.txt").json()["outcome"], "as_it_is");
    let over = home.run("check-in --json over.txt").json();
    assert_eq!((&over["outcome"], over["chars"].as_u64()), (&"checked_in".into(), Some(4097)));
}

#[test]
fn a_small_text_is_made_harmless() {
    let home = Home::new();
    let ran = home.with_stdin("check-in -", b"red \x1b[31malert\x1b[0m <|im_end|>");
    assert_eq!(ran.ok(), "red alert < |im_end|>");
    let json = home.with_stdin("check-in --json -", b"\x1b[31mred").json();
    assert_eq!((&json["outcome"], &json["carried"]), (&"neutralised".into(), &"red".into()));
}

#[test]
fn a_large_text_becomes_a_head_and_a_notice() {
    let home = Home::new();
    let content = text(200);
    home.write("large.txt", &content);
    let ran = home.run("check-in large.txt");
    let (head, notice) = ran.stdout.rsplit_once("\n\n").expect("a notice");
    assert!(content.starts_with(head), "{head}");
    let chars = content.chars().count();
    let shown = head.chars().count();
    assert!(
        notice.starts_with(&format!("[{chars} characters, {} not shown. Call fetch_result", chars - shown)),
        "{notice}"
    );
    assert!(
        ran.stderr.contains("checked in, and can be redeemed for at least 3600 seconds; `claim-check fetch claim:"),
        "{}",
        ran.stderr
    );
}

#[test]
fn json_has_everything_of_the_ticket() {
    let home = Home::new();
    let content = text(200);
    let json = home.with_stdin(
        "check-in - --json --tenant acme --run r1 --tool build --tail-chars 100 --ttl-seconds 60",
        content.as_bytes(),
    );
    let json = json.json();
    let keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut expected = vec![
        "outcome",
        "tenant",
        "run",
        "tool",
        "chars",
        "carried",
        "handle",
        "next_offset",
        "ttl_seconds",
        "head",
        "notice",
        "tail",
    ];
    expected.sort_unstable();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!((&json["tenant"], &json["run"], &json["tool"]), (&"acme".into(), &"r1".into(), &"build".into()));
    assert_eq!(json["ttl_seconds"], 60);
    let part = |key: &str| json[key].as_str().expect("a text").to_owned();
    assert_eq!(part("carried"), format!("{}\n\n{}\n\n{}", part("head"), part("notice"), part("tail")));
    assert_eq!(json["next_offset"].as_u64(), Some(part("head").chars().count() as u64));
}

/// The store keeps the later of the two instants, so the shorter life is a lower bound and no more.
#[test]
fn a_shorter_life_over_a_longer_one_is_promised_as_the_least() {
    let home = Home::new();
    home.write("large.txt", text(200));
    home.run("check-in large.txt --ttl-seconds 3600").ok();
    let ran = home.run("check-in large.txt --ttl-seconds 1");
    assert!(ran.stderr.contains("checked in, and can be redeemed for at least 1 second; "), "{}", ran.stderr);
    let left = home.run("list --json").json()["claims"][0]["expires_in_seconds"].as_u64();
    assert!(left > Some(3500), "{left:?}");
    let json = home.run("check-in large.txt --ttl-seconds 60 --json").json();
    assert_eq!(json["ttl_seconds"], 60);
}

#[test]
fn the_same_text_has_the_same_handle_in_a_run_and_another_one_elsewhere() {
    let home = Home::new();
    let content = text(100);
    let handle = home.check_in(&content, "");
    assert_eq!(home.check_in(&content, ""), handle);
    assert_ne!(home.check_in(&content, "--run other"), handle);
    assert_ne!(home.check_in(&content, "--tenant other"), handle);
    assert_eq!(home.run("list --json --all-runs").json()["claims"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_is_not_utf_8_is_refused_with_the_first_bad_byte() {
    let home = Home::new();
    home.write("latin1.txt", b"stra\xdfe");
    let message = home.run("check-in latin1.txt").refused(8);
    assert!(message.contains("latin1.txt is not UTF-8: byte 4 is 0xdf;"), "{message}");
    let message = home.with_stdin("check-in -", b"\xff\xfeh\0i\0").refused(8);
    assert!(message.contains("stdin is not UTF-8: byte 0 is 0xff; it looks like UTF-16"), "{message}");
    // Cut in the middle of a character.
    let message = home.with_stdin("check-in -", b"abc\xe2\x82").refused(8);
    assert!(message.contains("byte 3 is 0xe2"), "{message}");
}

#[test]
fn what_is_endless_is_too_large() {
    let home = Home::new();
    let message = home.run("check-in /dev/zero").refused(4);
    assert!(message.contains("/dev/zero is larger than 64 MiB"), "{message}");
}

#[test]
fn just_64_mib_are_taken() {
    let home = Home::new();
    home.write("largest.txt", "a line of text.\n".repeat((64 << 20) / 16));
    let json = home.run("check-in --json largest.txt").json();
    assert_eq!((&json["outcome"], json["chars"].as_u64()), (&"checked_in".into(), Some(64 << 20)));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let home = Home::new();
    let message = home.run("check-in nowhere.txt").refused(1);
    assert_eq!(message, "claim-check: nowhere.txt can't be read: No such file or directory (os error 2)\n");
    let message = home.run("check-in .").refused(1);
    assert!(message.contains(". can't be read: Is a directory"), "{message}");
}

/// What a shell's redirections leave in a file, of a text that has no line end.
fn redirected(home: &Home, redirections: &str, file: &str) -> String {
    home.write("small.txt", "no line end");
    let mut shell = std::process::Command::new("/bin/sh");
    let script = format!("\"$0\" check-in small.txt {redirections}");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_claim-check")]).current_dir(home.path(""));
    shell.env("HOME", home.path("")).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    assert!(shell.status().expect("a shell").success());
    std::fs::read_to_string(home.path(file)).expect("the file")
}

#[test]
fn a_message_stands_on_a_line_of_its_own_where_both_streams_are_one() {
    let home = Home::new();
    let expected = "no line end\nclaim-check: 11 characters, carried as they are\n";
    assert_eq!(redirected(&home, ">both.txt 2>&1", "both.txt"), expected);
    assert_eq!(redirected(&home, "2>&1 | cat >both.txt", "both.txt"), expected);
}

#[test]
fn a_message_in_a_file_of_its_own_begins_with_no_empty_line() {
    let home = Home::new();
    let expected = "claim-check: 11 characters, carried as they are\n";
    assert_eq!(redirected(&home, ">out.txt 2>err.txt", "err.txt"), expected);
    assert_eq!(redirected(&home, "2>err.txt | cat >out.txt", "err.txt"), expected);
    assert_eq!(std::fs::read_to_string(home.path("out.txt")).expect("the file"), "no line end");
}
