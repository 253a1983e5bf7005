//! What the program says, word for word: a changed message is a reviewed diff. `UPDATE_GOLDEN=1` writes them again.

use std::env;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::home::{Home, text};

#[track_caller]
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(&path, text).expect("the golden file");
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == golden, "{} differs; UPDATE_GOLDEN=1 writes it again. It says now:\n{text}", path.display());
}

#[test]
fn help() {
    let home = Home::new();
    let mut all = String::new();
    for command in ["", "check-in ", "fetch ", "find ", "list ", "stats ", "forget ", "demo ", "completions ", "man "] {
        all += &format!("$ claim-check {command}--help\n{}\n", home.run(&format!("{command}--help")).ok());
    }
    golden("help.txt", &all);
}

#[test]
fn errors() {
    let home = Home::new();
    home.write("large.txt", text(200));
    home.write("latin1.txt", b"stra\xdfe");
    home.write("bad.toml", "[policy]\nthreshold_char = 5\n");
    home.write("small.toml", "tenant_bytes = 5000\n");
    let zeros = "0".repeat(32);
    let mut all = String::new();
    for line in [
        "",
        "chek-in large.txt",
        "check-in",
        "check-in nowhere.txt",
        "check-in latin1.txt",
        "check-in /dev/zero",
        "check-in large.txt --store memory:",
        "check-in large.txt --store claims.db",
        "check-in large.txt --store sqlite:.",
        "check-in large.txt --store sqlite::memory:",
        "check-in large.txt --threshold-chars 100",
        "check-in large.txt --config bad.toml",
        "check-in large.txt --run r1 --config small.toml",
        "check-in large.txt --tenant= --run r1",
        "fetch nonsense --run r1",
        &format!("fetch claim:{zeros} --run r1"),
        &format!("fetch claim:{zeros} --run r1 --json"),
        &format!("fetch claim:{zeros} --offset -1"),
        &format!("fetch claim:{zeros} --all --chars 5"),
        &format!("fetch claim:{zeros} --all --json"),
        &format!("fetch claim:{zeros} --output large.txt"),
        &format!("fetch claim:{zeros} --output nowhere/large.txt"),
        &format!("fetch claim:{zeros} --store sqlite:nowhere.db"),
        &format!("find claim:{zeros}"),
        &format!("find claim:{zeros} x --run r1"),
        "list --run r1",
        "forget",
        "forget --tenant acme",
        "man nothing",
        "completions csh",
    ] {
        let ran = home.args(&line.split_terminator(' ').collect::<Vec<_>>());
        let stderr = ran.stderr.replace(home.path("").to_str().expect("UTF-8"), "HOME/");
        let stderr = stderr.replace(home.path("").to_str().expect("UTF-8").trim_end_matches('/'), "HOME");
        all += &format!("$ claim-check {line}\n{}{stderr}[exit {}]\n\n", ran.stdout, ran.code);
    }
    golden("errors.txt", &all);
}

#[test]
fn an_error_in_json_has_code_exit_and_message() {
    let home = Home::new();
    let ran = home.run(&format!("fetch claim:{} --json", "0".repeat(32)));
    let json: Value = serde_json::from_str(&ran.stderr).expect("JSON");
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert_eq!((&json["error"]["code"], &json["error"]["exit"]), (&"claim_unavailable".into(), &3.into()));
    assert!(json["error"]["message"].as_str().expect("a text").starts_with("nothing is held under this handle"));
}

#[test]
fn quiet_leaves_only_errors() {
    let home = Home::new();
    home.write("large.txt", text(200));
    assert_eq!(home.run("check-in large.txt -q").stderr, "");
    assert_ne!(home.run("check-in nowhere.txt -q").stderr, "");
}

#[test]
fn version() {
    assert_eq!(Home::new().run("--version").ok(), concat!("claim-check ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn completions_and_manual_pages() {
    let home = Home::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(home.run(&format!("completions {shell}")).ok().contains("check-in"), "{shell}");
    }
    let page = home.run("man").ok();
    for part in [".TH claim-check 1", "Exit codes", "Settings file", "claim-check-fetch(1)"] {
        assert!(page.contains(part) || page.contains(&part.replace('-', "\\-")), "{part} is not in {page}");
    }
    assert!(home.run("man fetch").ok().contains(".TH claim-check-fetch 1"));
}
