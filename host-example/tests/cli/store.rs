use std::fs;

use crate::home::{Home, mode, text};

#[cfg(unix)]
#[test]
fn what_is_kept_is_the_users_alone() {
    let home = Home::new();
    let mut command = home.command();
    home.write("large.txt", text(200));
    let output = command.env("XDG_CACHE_HOME", home.path("cache")).args(["check-in", "large.txt"]).output();
    assert!(output.expect("the program starts").status.success());
    assert_eq!(mode(&home.data()), 0o700);
    assert_eq!(mode(&home.data().join("run")), 0o600);
    assert_eq!(mode(&home.data().join("claims.db")), 0o600);
    // It holds code that will be run.
    assert_eq!(mode(&home.path("cache/claim-check")), 0o700);
}

#[test]
fn the_users_run_is_made_once() {
    let home = Home::new();
    home.check_in(&text(200), "");
    let run = fs::read_to_string(home.data().join("run")).expect("the run");
    assert_eq!((run.len(), run.trim().len()), (33, 32));
    home.check_in(&text(300), "");
    assert_eq!(fs::read_to_string(home.data().join("run")).expect("the run"), run);
    let listed = home.run("list --json").json();
    assert_eq!((&listed["run"], listed["claims"].as_array().map(Vec::len)), (&run.trim().into(), Some(2)));
    fs::write(home.data().join("run"), "").expect("the run");
    let message = home.run("list").refused(1);
    assert!(message.contains("the file is empty; delete it to get a new id"), "{message}");
}

#[test]
fn list_has_sizes_and_never_content() {
    let home = Home::new();
    let content = text(200);
    let first = home.check_in(&content, "--tenant acme --run r1 --ttl-seconds 100");
    home.check_in(&content, "--tenant acme --run r2");
    home.check_in(&content, "--tenant other --run r1");
    let json = home.run("list --tenant acme --run r1 --json").json();
    let claim = &json["claims"][0];
    assert_eq!((&claim["handle"], &claim["run"]), (&first.clone().into(), &"r1".into()));
    assert_eq!(claim["chars"].as_u64(), Some(content.chars().count() as u64));
    assert!(claim["bytes"].as_u64() > Some(content.len() as u64));
    assert!((90..=100).contains(&claim["expires_in_seconds"].as_u64().expect("seconds")));
    assert_eq!(home.run("list --tenant acme --all-runs --json").json()["claims"].as_array().map(Vec::len), Some(2));
    let ran = home.run("list --tenant acme --run r1");
    assert_eq!(ran.stderr, "claim-check: 1 claim of tenant \"acme\", run \"r1\"\n");
    let table = ran.ok();
    assert!(table.starts_with("HANDLE ") && table.contains(&first) && !table.contains("Straße"), "{table}");
}

#[test]
fn stats_count_the_tenant_and_all() {
    let home = Home::new();
    let content = text(200);
    home.check_in(&content, "--tenant acme");
    home.check_in(&content, "--tenant other");
    let json = home.run("stats --tenant acme --json").json();
    assert_eq!(
        (&json["tenant"], &json["of_tenant"]["live"], &json["of_all"]["live"]),
        (&"acme".into(), &1.into(), &2.into())
    );
    assert_eq!((&json["of_all"]["tenants"], &json["of_tenant"]["bound_bytes"]), (&2.into(), &(1 << 30).into()));
    assert!(home.run("stats").ok().contains("all tenants"));
}

#[test]
fn a_full_store_is_said_to_be_full() {
    let home = Home::new();
    home.write("small.toml", "tenant_bytes = 200000\n");
    home.write("large.txt", text(1000));
    home.run("check-in large.txt --config small.toml").ok();
    home.write("large.txt", text(1001));
    home.run("check-in large.txt --config small.toml").ok();
    home.write("large.txt", text(1002));
    let message = home.run("check-in large.txt --config small.toml").refused(7);
    assert!(message.contains("may hold 200000 bytes") && message.contains("forget runs that have ended"), "{message}");
}

/// To forget would not help a text that exceeds the bound alone.
#[test]
fn a_text_that_exceeds_the_bound_alone_is_told_so() {
    let home = Home::new();
    home.write("small.toml", "tenant_bytes = 20000\n");
    home.write("large.txt", text(1000));
    let message = home.run("check-in large.txt --config small.toml").refused(7);
    assert!(message.contains("bytes, and a tenant may hold 20000; raise the bound, or split the text"), "{message}");
    assert!(!message.contains("forget"), "{message}");
    home.write("small.toml", "total_bytes = 20000\n");
    let message = home.run("check-in large.txt --config small.toml").refused(7);
    assert!(message.contains("bytes, and the store may hold 20000; raise the bound, or split the text"), "{message}");
}

#[test]
fn a_store_that_others_keep_locked_may_be_tried_again() {
    let home = Home::new();
    home.write("hasty.toml", "patience_seconds = 1\n");
    home.write("large.txt", text(200));
    home.run("check-in large.txt").ok();
    let other = rusqlite::Connection::open(home.data().join("claims.db")).expect("the store");
    other.execute_batch("BEGIN IMMEDIATE").expect("its lock");
    home.write("large.txt", text(300));
    let message = home.run("check-in large.txt --config hasty.toml").refused(5);
    assert!(message.contains("locked; try again"), "{message}");
    other.execute_batch("ROLLBACK").expect("its lock");
    home.run("check-in large.txt --config hasty.toml").ok();
}

#[test]
fn a_damaged_claim_is_no_claim() {
    let home = Home::new();
    let handle = home.check_in(&text(200), "");
    let file = rusqlite::Connection::open(home.data().join("claims.db")).expect("the store");
    file.execute("UPDATE part SET text = replace(text, 'Line', 'Fine') WHERE number = 1", []).expect("the damage");
    drop(file);
    let message = home.run(&format!("fetch {handle}")).refused(3);
    assert!(message.contains("is not what was checked in"), "{message}");
    assert!(home.check_in(&text(200), "") == handle);
    home.run(&format!("fetch {handle}")).ok();
}

#[test]
fn the_demo_runs_without_a_file_and_with_one() {
    let home = Home::new();
    let shown = home.run("demo").ok();
    assert!(shown.contains("laid end to end, are the file, byte for byte"), "{shown}");
    home.write("large.txt", text(2000));
    let shown = home.run("demo large.txt --store memory:").ok();
    assert!(shown.contains("% saved") && shown.contains("are the file, byte for byte"), "{shown}");
    home.run("demo --store sqlite:x.db").refused(2);
    home.run("demo --json").refused(2);
    home.write("latin1.txt", b"stra\xdfe");
    home.run("demo latin1.txt").refused(8);
}

/// What the program reserves is not the user's to choose, so no limit of the library's is spoken of.
#[cfg(target_os = "linux")]
#[test]
fn a_machine_that_refuses_the_address_space_is_told_what_to_change() {
    let home = Home::new();
    home.write("large.txt", text(200));
    let program = home.command();
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", "ulimit -v 4000000; exec \"$0\" check-in large.txt"]).arg(program.get_program());
    shell.current_dir(home.path("")).envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = shell.output().expect("a shell");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("raise the limit (`ulimit -v`, or the container's)"), "{message}");
    assert!(!message.contains("Limits"), "{message}");
}
