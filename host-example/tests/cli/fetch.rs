use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::home::{Home, mode, text};

#[test]
fn what_one_process_checks_in_another_one_fetches() {
    let home = Home::new();
    let content = text(1000);
    let handle = home.check_in(&content, "");
    let ran = home.run(&format!("fetch {handle} --offset 100 --chars 50"));
    let expected: String = content.chars().skip(100).take(50).collect();
    let chars = content.chars().count();
    assert_eq!(ran.stderr, format!("claim-check: characters 100 to 150 of {chars}; --offset 150 reads on\n"));
    assert_eq!(ran.ok(), expected);
}

#[test]
fn windows_laid_end_to_end_are_the_text() {
    let home = Home::new();
    let content = text(300);
    let handle = home.check_in(&content, "");
    let (mut read, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let json = home.run(&format!("fetch {handle} --json --offset {from}")).json();
        assert_eq!(json["offset"].as_u64(), Some(from));
        read += json["text"].as_str().expect("a text");
        offset = json["next_offset"].as_u64();
    }
    assert_eq!(read, content);
}

#[test]
fn a_handle_may_be_pasted_as_it_comes() {
    let home = Home::new();
    let content = text(200);
    home.write("large.txt", &content);
    let printed = home.run("check-in large.txt").ok();
    let notice = printed.rsplit_once("\n\n").expect("a notice").1.to_owned();
    let handle = home.check_in(&content, "");
    let first: String = content.chars().take(4096).collect();
    let bare = handle.trim_start_matches("claim:").to_owned();
    for pasted in [
        handle.clone(),
        bare.clone(),
        handle.to_uppercase(),
        format!("'{handle}'"),
        format!("\"{handle}\","),
        format!(" <{bare}> "),
        notice,
        printed,
    ] {
        let ran = home.args(&["fetch", &pasted]);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, first.as_str()), "{pasted:?}: {}", ran.stderr);
    }
}

#[test]
fn what_is_no_handle_is_said_to_be_none() {
    let home = Home::new();
    for pasted in ["nonsense", "claim:123", "claim:0123456789abcdef0123456789abcdef0", ""] {
        let message = home.args(&["fetch", pasted]).refused(3);
        assert!(message.starts_with(&format!("claim-check: {pasted:?} holds no handle, or several: ")), "{message}");
    }
    let two = format!("claim:{} claim:{}", "0".repeat(32), "1".repeat(32));
    let message = home.args(&["fetch", &two]).refused(3);
    assert!(message.contains("…\" holds no handle, or several"), "{message}");
}

#[test]
fn another_run_another_tenant_and_an_invented_handle_get_nothing() {
    let home = Home::new();
    let handle = home.check_in(&text(200), "--tenant acme --run r1");
    home.run(&format!("fetch {handle} --tenant acme --run r1")).ok();
    for scope in ["--tenant acme --run r2", "--tenant other --run r1", "--tenant ACME --run r1", "--run r1"] {
        let message = home.run(&format!("fetch {handle} {scope}")).refused(3);
        assert!(message.contains("nothing is held under this handle for tenant"), "{message}");
    }
    let invented = format!("claim:{}", "0".repeat(32));
    home.run(&format!("fetch {invented} --tenant acme --run r1")).refused(3);
}

#[test]
fn an_expired_claim_is_gone() {
    let home = Home::new();
    let handle = home.check_in(&text(200), "--ttl-seconds 1");
    thread::sleep(Duration::from_millis(1100));
    home.run(&format!("fetch {handle}")).refused(3);
    assert_eq!(home.run("list").stdout, "");
}

#[test]
fn past_the_end_is_nothing_and_negative_is_refused() {
    let home = Home::new();
    let content = text(200);
    let handle = home.check_in(&content, "");
    let chars = content.chars().count();
    let ran = home.run(&format!("fetch {handle} --offset 99999"));
    assert_eq!(ran.stderr, format!("claim-check: offset 99999 is past the end: {chars} characters in all\n"));
    assert_eq!(ran.ok(), "");
    let message = home.run(&format!("fetch {handle} --offset -1")).refused(2);
    assert!(message.contains("invalid value '-1' for '--offset <N>'"), "{message}");
}

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

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let home = Home::new();
    let handle = home.check_in(&text(50_000), "");
    let mut command = home.command();
    command.args(["fetch", &handle, "--all"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut first = [0; 10];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("some of it");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    assert_eq!(&first, b"Line 0: di");
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
