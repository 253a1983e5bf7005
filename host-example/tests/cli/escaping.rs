//! Names and content may hold anything, and never act on the terminal from within a message.

use std::fs;

use crate::home::{Home, text};

/// Red, a line that looks like the program's own, and a line end of Unicode's.
const NAME: &str = "a\u{1b}[31m\nclaim-check: done\u{2028}b.txt";
const SHOWN: &str = r"a\u{1b}[31m\nclaim-check: done\u{2028}b.txt";

#[test]
fn a_name_in_a_message_stays_in_its_line() {
    let home = Home::new();
    let expected = format!("claim-check: {SHOWN} can't be read: No such file or directory (os error 2)\n");
    assert_eq!(home.args(&["check-in", NAME]).refused(1), expected);
    home.write(NAME, b"\xff");
    let expected = format!("claim-check: {SHOWN} is not UTF-8: byte 0 is 0xff; ");
    assert!(home.args(&["check-in", NAME]).refused(8).starts_with(&expected));
    let handle = home.check_in(&text(200), "");
    let expected = format!("claim-check: {SHOWN} is there already; name another file, or replace it with --force\n");
    assert_eq!(home.args(&["fetch", &handle, "--output", NAME]).refused(2), expected);
    let ran = home.args(&["fetch", &handle, "--output", NAME, "--force"]);
    assert!(ran.stderr.ends_with(&format!(" bytes) written to {SHOWN}\n")), "{}", ran.stderr);
    let store = format!("sqlite:{NAME}");
    let expected = format!(
        "{SHOWN} is not a claim store, or its first page is damaged; choose another file, or move this one away\n"
    );
    home.write("small.txt", "small");
    let message = home.args(&["check-in", "small.txt", "--store", &store]).refused(1);
    assert!(message.ends_with(&expected) && message.lines().count() == 1, "{message}");
    fs::remove_file(home.path(NAME)).expect("the file");
    home.args(&["check-in", "small.txt", "--store", &store]).ok();
    let table = home.args(&["stats", "--store", &store]).ok();
    assert!(table.lines().next().is_some_and(|line| line.contains(SHOWN)), "{table}");
}

/// What is wrong with the settings is shown in the file's own line, which may hold anything, too.
#[test]
fn a_line_of_the_settings_is_shown_and_does_nothing() {
    let home = Home::new();
    home.write(NAME, "store = \u{1b}[31m\n");
    home.write("small.txt", "small");
    let message = home.args(&["check-in", "small.txt", "--config", NAME]).refused(2);
    assert!(message.starts_with(&format!("claim-check: the settings in {SHOWN} are refused: ")), "{message}");
    assert!(message.contains(r"1 | store = \u{1b}[31m") && !message.contains('\u{1b}'), "{message}");
    home.write(NAME, "store = \"x\"\n");
    let message = home.args(&["check-in", "small.txt", "--config", NAME]).refused(2);
    assert!(message.starts_with(&format!("claim-check: {SHOWN}: store = \"x\" is refused: ")), "{message}");
}
