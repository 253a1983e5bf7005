//! A claim in a file: all of it under the name that was asked for, or nothing.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::home::{Home, mode, text};

#[test]
fn all_is_the_input_byte_for_byte() {
    let home = Home::new();
    // Several strides.
    let content = text(50_000);
    assert!(content.chars().count() > 2 * 64 * 16384);
    let handle = home.check_in(&content, "");
    let (chars, bytes) = (content.chars().count(), content.len());
    let ran = home.run(&format!("fetch {handle} --all"));
    assert_eq!(ran.stderr, format!("claim-check: all of {chars} characters\n"));
    assert!(ran.ok() == content);

    let ran = home.run(&format!("fetch {handle} --all --output whole.txt"));
    assert_eq!(ran.stderr, format!("claim-check: {chars} characters ({bytes} bytes) written to whole.txt\n"));
    assert_eq!(ran.ok(), "");
    assert!(fs::read_to_string(home.path("whole.txt")).expect("the file") == content);
    assert_eq!(mode(&home.path("whole.txt")), 0o600);
}

#[test]
fn json_with_all_tells_of_the_file() {
    let home = Home::new();
    let content = text(1000);
    let handle = home.check_in(&content, "--run r1");
    let json = home.run(&format!("fetch {handle} --run r1 --all --output whole.txt --json")).json();
    let chars = content.chars().count();
    let expected = serde_json::json!({
        "handle": handle, "tenant": "local", "run": "r1", "offset": 0, "next_offset": null, "chars": chars,
        "output": "whole.txt", "written_chars": chars, "written_bytes": content.len(),
    });
    assert_eq!(json, expected);
    let message = home.run(&format!("fetch {handle} --run r1 --all --json")).refused(2);
    assert!(message.contains("--json with --all needs --output FILE"), "{message}");
}

#[test]
fn a_file_that_is_there_is_only_replaced_when_told_so() {
    let home = Home::new();
    let content = text(200);
    let handle = home.check_in(&content, "");
    home.write("mine.txt", "mine");
    let message = home.run(&format!("fetch {handle} --all --output mine.txt")).refused(2);
    assert_eq!(message, "claim-check: mine.txt is there already; name another file, or replace it with --force\n");
    assert_eq!(fs::read_to_string(home.path("mine.txt")).expect("the file"), "mine");
    // It is named as it was written, there or not.
    let words = |name: &str| {
        let (chars, bytes) = (content.chars().count(), content.len());
        format!("claim-check: {chars} characters ({bytes} bytes) written to {name}\n")
    };
    for name in ["mine.txt", "new.txt"] {
        let ran = home.run(&format!("fetch {handle} --all --output {name} --force"));
        assert_eq!(ran.stderr, words(name));
        assert_eq!(fs::read_to_string(home.path(name)).expect("the file"), content);
    }
    // A device or a folder would be replaced by a rename.
    for other in ["/dev/null", "."] {
        let message = home.run(&format!("fetch {handle} --all --output {other} --force")).refused(2);
        assert!(message.contains("is not a file"), "{message}");
    }
}

/// No word of the temporary file, which nobody has named.
#[test]
fn what_is_no_folder_is_named() {
    let home = Home::new();
    let handle = format!("claim:{}", "0".repeat(32));
    let message = home.run(&format!("fetch {handle} --output nowhere/mine.txt")).refused(1);
    let expected = "nowhere/mine.txt can't be written: there is no folder nowhere; make it, or name another\n";
    assert_eq!(message, format!("claim-check: {expected}"));
    home.write("file", "");
    let message = home.run(&format!("fetch {handle} --output file/mine.txt")).refused(1);
    assert_eq!(message, "claim-check: file/mine.txt can't be written: not a directory\n");
}

/// A link stays one, and what it leads to is replaced.
#[cfg(unix)]
#[test]
fn a_link_is_replaced_where_it_leads_to() {
    let home = Home::new();
    let content = text(200);
    let handle = home.check_in(&content, "");
    home.write("deep/mine.txt", "mine");
    std::os::unix::fs::symlink("deep/mine.txt", home.path("link.txt")).expect("a link");
    let ran = home.run(&format!("fetch {handle} --all --output link.txt --force"));
    assert!(ran.stderr.ends_with("written to link.txt\n"), "{}", ran.stderr);
    assert!(fs::symlink_metadata(home.path("link.txt")).expect("the link").is_symlink());
    assert_eq!(fs::read_to_string(home.path("deep/mine.txt")).expect("the file"), content);
}

#[test]
fn what_can_not_be_fetched_leaves_no_file() {
    let home = Home::new();
    home.run(&format!("fetch claim:{} --all --output new.txt", "0".repeat(32))).refused(3);
    let left: Vec<_> =
        fs::read_dir(home.path("")).expect("the home").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, [".local"]);
}

/// What a fetch into a file leaves, once its file has so many bytes and the process has got the signal.
#[track_caller]
fn signalled(home: &Home, mut command: Command, signal: &str, at_least: u64) -> (Option<i32>, String, Option<u64>) {
    let files = || fs::read_dir(home.path("out")).expect("the folder").map(|entry| entry.expect("an entry"));
    let size = || files().next().and_then(|entry| entry.metadata().ok()).map(|metadata| metadata.len());
    let child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
    let started = Instant::now();
    while size().is_none_or(|bytes| bytes < at_least) {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is written");
        thread::sleep(Duration::from_millis(1));
    }
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(killed.success(), "it had ended before");
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), size())
}

#[test]
fn a_fetch_that_is_asked_to_end_leaves_no_file() {
    let home = Home::new();
    let handle = home.check_in(&text(500_000), "");
    fs::create_dir(home.path("out")).expect("a folder");
    let mut signals = vec![("-INT", 130, "interrupted"), ("-TERM", 143, "terminated"), ("-HUP", 129, "hung up")];
    // Under `nohup` the tests ignore it, and so does every process that they start.
    signals.retain(|(signal, ..)| *signal != "-HUP" || !hang_up_is_ignored());
    for (signal, code, word) in signals {
        // As soon as there is a file, and when something has been written to it.
        for at_least in [0, 1] {
            let mut command = home.command();
            command.args(["fetch", &handle, "--all", "--output", "out/whole.txt"]);
            let (ended, stderr, left) = signalled(&home, command, signal, at_least);
            assert_eq!((ended, left), (Some(code), None), "{signal}: {stderr}");
            assert!(stderr.ends_with(&format!("claim-check: {word}; no file was written\n")), "{signal}: {stderr}");
        }
    }
    let mut command = home.command();
    command.args(["fetch", &handle, "--all", "--output", "out/whole.txt", "--json"]);
    let (_, stderr, _) = signalled(&home, command, "-TERM", 1);
    let error: serde_json::Value = serde_json::from_str(&stderr).expect("JSON");
    assert_eq!((&error["error"]["code"], &error["error"]["exit"]), (&"terminated".into(), &143.into()));
}

fn hang_up_is_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    mask.trim().ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f'])
}

/// As `nohup` starts it.
#[cfg(target_os = "linux")]
#[test]
fn a_fetch_that_was_told_to_outlive_the_terminal_does() {
    let home = Home::new();
    let content = text(200_000);
    let handle = home.check_in(&content, "");
    fs::create_dir(home.path("out")).expect("a folder");
    let program = home.command();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" fetch \"$1\" --all --output out/whole.txt"]);
    command.arg(program.get_program()).arg(&handle).current_dir(home.path("")).env_clear();
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let (ended, stderr, left) = signalled(&home, command, "-HUP", 0);
    assert_eq!((ended, left), (Some(0), Some(content.len() as u64)), "{stderr}");
}
