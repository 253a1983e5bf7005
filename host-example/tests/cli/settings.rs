use crate::home::{Home, text};

#[test]
fn flags_make_a_policy() {
    let home = Home::new();
    let content = text(200);
    home.write("large.txt", &content);
    let json = home.run("check-in --json --threshold-chars 100 --head-chars 60 --tail-chars 20 large.txt").json();
    let chars = |key: &str| json[key].as_str().expect("a text").chars().count();
    assert!((1..=60).contains(&chars("head")) && (1..=20).contains(&chars("tail")), "{json}");
    assert_eq!(home.run("check-in --threshold-chars 4294967295 large.txt").ok(), content);
}

#[test]
fn refused_settings_are_named_with_their_values() {
    let home = Home::new();
    home.write("large.txt", text(200));
    let message = home.run("check-in --threshold-chars 100 large.txt").refused(2);
    assert!(message.contains("(threshold_chars is 100, head_chars 512, tail_chars 0)"), "{message}");
    let message = home.run("check-in --ttl-seconds 0 large.txt").refused(2);
    assert!(message.contains("ttl_seconds of the policy for all tools is 0"), "{message}");
    let message = home.run("check-in --ttl-seconds soon large.txt").refused(2);
    assert!(message.contains("invalid value 'soon' for '--ttl-seconds <SECONDS>'"), "{message}");
}

#[test]
fn the_file_has_a_policy_for_each_tool_and_flags_win() {
    let home = Home::new();
    home.write(
        ".config/claim-check/config.toml",
        "window_chars = 10\n[policy]\nttl_seconds = 60\n[tools.build]\ntail_chars = 50\n[tools.log]\nttl_seconds = 70\n",
    );
    home.write("large.txt", text(200));
    let of = |flags: &str| home.run(&format!("check-in --json {flags} large.txt")).json();
    let (build, log, other) = (of("--tool build"), of("--tool log"), of("--tool other"));
    assert_eq!(
        (&build["ttl_seconds"], &log["ttl_seconds"], &other["ttl_seconds"]),
        (&60.into(), &70.into(), &60.into())
    );
    assert_ne!(build["tail"], "");
    assert_eq!((&log["tail"], &other["tail"]), (&"".into(), &"".into()));
    assert_eq!(of("--tool log --ttl-seconds 80")["ttl_seconds"], 80);
    let handle = build["handle"].as_str().expect("a handle");
    assert_eq!(home.run(&format!("fetch {handle}")).ok(), "Line 0: di");
}

/// `--tool builld` had the policy of all tools, and nobody was told.
#[test]
fn a_tool_that_the_file_does_not_name_among_others_is_noted() {
    let home = Home::new();
    home.write("small.txt", "small");
    let of = |flags: &str| home.run(format!("check-in small.txt --config own.toml {flags}").trim_end()).stderr;
    let carried = "claim-check: 5 characters, carried as they are\n";
    home.write("own.toml", "[tools.build]\ntail_chars = 50\n[tools.\"log file\"]\nttl_seconds = 70\n");
    let noted = "claim-check: the settings file has no policy for tool \"builld\", so [policy] applies; \
                 [tools] has \"build\", \"log file\"\n";
    assert_eq!(of("--tool builld"), format!("{noted}{carried}"));
    // None where it is named, where no tool was, where the tool can have no policy, and where no tool has one.
    for flags in ["--tool build", "", "--tool fetch_result", "--tool find_in_result"] {
        assert_eq!(of(flags), carried, "{flags}");
    }
    assert_eq!(of("--tool builld --quiet") + &of("--tool builld --json"), "");
    home.write("own.toml", "[policy]\ntail_chars = 50\n");
    assert_eq!(of("--tool builld"), carried);
}

#[test]
fn a_file_that_is_wrong_is_named_with_its_line() {
    let home = Home::new();
    home.write("bad.toml", "[policy]\nthreshold_char = 5\n");
    home.write("large.txt", text(200));
    let message = home.run("check-in large.txt --config bad.toml").refused(2);
    assert!(
        message.contains("bad.toml are refused") && message.contains("unknown field `threshold_char`"),
        "{message}"
    );
    home.write("bad.toml", "[tools.build]\nhead_chars = 5000\n");
    let message = home.run("check-in large.txt --config bad.toml").refused(2);
    assert!(message.contains("the policy for tool \"build\"") && message.contains("head_chars 5000"), "{message}");
    home.write("bad.toml", "store = \"postgres://x\"\n");
    let message = home.run("check-in large.txt --config bad.toml").refused(2);
    assert!(message.contains("store = \"postgres://x\" is refused: a store is sqlite:PATH or memory:"), "{message}");
    let message = home.run("check-in large.txt --config nowhere.toml").refused(2);
    assert!(message.contains("the settings in nowhere.toml can't be read"), "{message}");
}

#[test]
fn a_store_in_the_file_starts_from_the_files_folder() {
    let home = Home::new();
    home.write("agents/settings.toml", "store = \"sqlite:claims.db\"\n");
    let handle = home.check_in(&text(200), "--config agents/settings.toml");
    assert!(home.path("agents/claims.db").exists());
    home.run(&format!("fetch {handle} --store sqlite:agents/claims.db")).ok();
    home.run(&format!("fetch {handle} --store sqlite:~/agents/claims.db")).ok();
    home.run(&format!("fetch {handle}")).refused(3);
}

/// As the man page says it.
#[test]
fn there_may_be_no_find_tool_but_always_a_fetch_tool() {
    let home = Home::new();
    home.write("small.txt", "small");
    home.write("own.toml", "find_tool = \"\"\n");
    home.run("check-in small.txt --config own.toml").ok();
    home.write("own.toml", "fetch_tool = \"\"\n");
    home.run("check-in small.txt --config own.toml").refused(2);
}

#[test]
fn a_redeeming_tools_result_is_carried_whatever_its_size() {
    let home = Home::new();
    let content = text(200);
    home.write("large.txt", &content);
    assert_eq!(home.run("check-in --tool fetch_result large.txt").ok(), content);
}

#[test]
fn a_scope_that_is_none_is_refused_with_the_reason() {
    let home = Home::new();
    home.write("large.txt", text(200));
    for (tenant, run) in [("", "r"), ("t", ""), ("t", &*"x".repeat(256)), ("a\nb", "r")] {
        let message = home.args(&["check-in", "large.txt", "--tenant", tenant, "--run", run]).refused(2);
        assert!(message.contains("use 1 to 255 bytes without control characters"), "{message}");
        let handle = format!("claim:{}", "0".repeat(32));
        home.args(&["fetch", &handle, "--tenant", tenant, "--run", run]).refused(2);
    }
}
