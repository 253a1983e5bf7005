use crate::home::{Home, text};

#[test]
fn nothing_is_erased_by_a_default() {
    let home = Home::new();
    let handle = home.check_in(&text(200), "");
    let message = home.run("forget").refused(2);
    assert!(message.contains("whose claims? Name the tenant"), "{message}");
    let message = home.run("forget --tenant local").refused(2);
    assert!(message.contains("which run?") && message.contains("--all-runs"), "{message}");
    let message = home.run("forget --run r1").refused(2);
    assert!(message.contains("whose claims?"), "{message}");
    let message = home.run("forget --all-runs").refused(2);
    assert!(message.contains("whose claims?"), "{message}");
    let message = home.run("forget --tenant local --run r1 --all-runs").refused(2);
    assert!(message.contains("cannot be used with"), "{message}");
    home.run(&format!("fetch {handle}")).ok();
}

/// `forget --help` must not promise a tenant of its own, and the flags count wherever they stand.
#[test]
fn help_names_no_default_and_flags_may_stand_before_the_command() {
    let home = Home::new();
    let help = home.run("forget --help").ok();
    assert!(!help.contains("[default: local]") && !help.contains("an id of your own"), "{help}");
    home.check_in(&text(200), "--tenant acme --run r1");
    home.check_in(&text(200), "--tenant acme --run r2");
    let json = home.run("--tenant acme --run r1 forget --json").json();
    assert_eq!(json, serde_json::json!({"tenant": "acme", "run": "r1", "forgotten": 1}));
    let json = home.run("--tenant acme forget --all-runs --json").json();
    assert_eq!(json, serde_json::json!({"tenant": "acme", "run": null, "forgotten": 1}));
    let message = home.run("--tenant acme --run r1 forget --all-runs").refused(2);
    assert!(message.contains("--run and --all-runs cannot be used together"), "{message}");
    let json = home.run("--tenant acme forget --tenant other --all-runs --json").json();
    assert_eq!(json["tenant"], "other", "what stands nearer to the command counts");
}

#[test]
fn one_run_is_erased_and_no_other() {
    let home = Home::new();
    let content = text(200);
    let first = home.check_in(&content, "--tenant acme --run r1");
    let second = home.check_in(&content, "--tenant acme --run r2");
    let other = home.check_in(&content, "--tenant other --run r1");
    let ran = home.run("forget --tenant acme --run r1");
    assert_eq!(ran.stderr, "claim-check: forgot 1 claim of tenant \"acme\", run \"r1\"\n");
    assert_eq!(ran.ok(), "");
    home.run(&format!("fetch {first} --tenant acme --run r1")).refused(3);
    home.run(&format!("fetch {second} --tenant acme --run r2")).ok();
    home.run(&format!("fetch {other} --tenant other --run r1")).ok();
}

#[test]
fn a_tenant_is_erased_with_every_run() {
    let home = Home::new();
    let content = text(200);
    home.check_in(&content, "--tenant acme --run r1");
    home.check_in(&content, "--tenant acme --run r2");
    let other = home.check_in(&content, "--tenant other --run r1");
    let json = home.run("forget --tenant acme --all-runs --json").json();
    assert_eq!(json, serde_json::json!({"tenant": "acme", "run": null, "forgotten": 2}));
    assert_eq!(home.run("forget --tenant acme --all-runs --json").json()["forgotten"], 0);
    home.run(&format!("fetch {other} --tenant other --run r1")).ok();
}

#[test]
fn a_store_that_is_not_there_is_not_taken_for_an_empty_one() {
    let home = Home::new();
    let message = home.run("forget --tenant acme --all-runs --store sqlite:typo.db").refused(2);
    assert!(message.contains("there is no store at typo.db"), "{message}");
    assert!(!home.path("typo.db").exists());
}

#[test]
fn nothing_of_the_text_is_left_in_the_files() {
    let home = Home::new();
    home.check_in(&text(2000), "--run r1");
    let holds = || {
        let files = std::fs::read_dir(home.data()).expect("the folder");
        let mut contents = files.map(|file| std::fs::read(file.expect("a file").path()).expect("its content"));
        contents.any(|content| content.windows(13).any(|part| part == "die Straße f".as_bytes()))
    };
    assert!(holds());
    home.run("forget --tenant local --run r1").ok();
    assert!(!holds());
}
