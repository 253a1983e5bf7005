use std::io::Read;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::home::{Home, text};

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
