//! Every text that a model or an operator reads, against the golden files: a changed message is a reviewed diff.
//! `UPDATE_GOLDEN=1` writes them anew.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use claim_check_guest::{Policy, Scope, Settings, SettingsError, StoreError, ToolPolicy, definitions};
use claim_check_host as host;
use claim_check_tests::shelf::Shelf;
use claim_check_tests::subject::{Component, Native, OnShelf, Outcome, Subject};

static COMPONENT: LazyLock<Component> = LazyLock::new(|| Component::new().unwrap());

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == text,
        "{} differs; read the new text below, and if it is meant, UPDATE_GOLDEN=1\n\n{text}",
        path.display()
    );
}

fn settings(fetch_tool: &str, find_tool: Option<&str>, ttl_seconds: u32, per_tool: Vec<ToolPolicy>) -> Settings {
    let policy = Policy { ttl_seconds, ..Policy::default() };
    Settings {
        policy,
        per_tool,
        fetch_tool: fetch_tool.to_owned(),
        find_tool: find_tool.map(str::to_owned),
        window_chars: 2000,
        ..Settings::default()
    }
}

#[test]
fn tool_definitions() {
    let short = ToolPolicy { tool: "search".to_owned(), policy: Policy { ttl_seconds: 90, ..Policy::default() } };
    let cases = [
        ("the defaults", Settings::default()),
        ("other names, two days", settings("read_more", Some("look_for"), 172_800, vec![])),
        ("no search, 90 seconds for one tool", settings("fetch_result", None, 3600, vec![short])),
    ];
    let mut text = String::new();
    for (what, settings) in cases {
        writeln!(text, "== {what}\n").unwrap();
        for definition in definitions(&settings).unwrap() {
            let schema: serde_json::Value = serde_json::from_str(&definition.input_schema).unwrap();
            writeln!(text, "{}\n\n{}\n\n{schema:#}\n", definition.name, definition.description).unwrap();
        }
    }
    golden("tool_definitions.txt", &text);
}

/// What the component says is what the pure functions say.
#[tokio::test]
async fn the_component_defines_the_tools_alike() {
    let store = Arc::new(OnShelf(Shelf::new()));
    let claims = host::ClaimCheck::open(host::Settings::default(), store).await.unwrap();
    let pure = definitions(&Settings::default()).unwrap();
    let both = claims.tool_definitions().iter().zip(&pure);
    assert_eq!(claims.tool_definitions().len(), pure.len());
    for (component, pure) in both {
        let component = (&component.name, &component.description, &component.input_schema);
        assert_eq!(component, (&pure.name, &pure.description, &pure.input_schema));
    }
}

#[test]
fn refusals() {
    let (scope, handle) = (Scope::new("acme", "run-1"), format!("claim:{}", "0".repeat(32)));
    let with = |rest: &str| format!("{{\"handle\":\"{handle}\"{rest}}}");
    let down = StoreError::Unavailable("the operator reads this".to_owned());
    let full = StoreError::Failed("the operator reads this".to_owned());
    let cases = [
        ("no such claim", "fetch_result", with(""), None),
        ("no handle in it", "fetch_result", "{\"handle\":\"that one\"}".to_owned(), None),
        ("a negative offset", "fetch_result", with(",\"offset\":-1"), None),
        ("no JSON", "fetch_result", "handle=claim:1".to_owned(), None),
        ("no text to find", "find_in_result", with(""), None),
        ("another tool", "read_file", with(""), None),
        ("the store is down", "fetch_result", with(""), Some(down)),
        ("the store failed", "fetch_result", with(""), Some(full)),
    ];
    let mut text = String::new();
    for (what, tool, arguments, error) in cases {
        let shelf = Shelf::new();
        if let Some(error) = error {
            shelf.refuse(error);
        }
        let refusal = COMPONENT.answer(&shelf, &Settings::default(), &scope, tool, &arguments).unwrap_err();
        assert_eq!(refusal, Native.answer(&shelf, &Settings::default(), &scope, tool, &arguments).unwrap_err());
        writeln!(text, "== {what}: {}\n\n{}\n", refusal.code.as_str(), refusal.message).unwrap();
    }
    golden("refusals.txt", &text);
}

#[test]
fn settings_errors() {
    let tool = || Some("search".to_owned());
    let errors = [
        SettingsError::ZeroThreshold(None),
        SettingsError::ZeroThreshold(tool()),
        SettingsError::ExtractNotBelowThreshold(None),
        SettingsError::ExtractNotBelowThreshold(tool()),
        SettingsError::ZeroTtl(None),
        SettingsError::ZeroTtl(tool()),
        SettingsError::ZeroWindow,
        SettingsError::DuplicateTool("search".to_owned()),
        SettingsError::PolicyForRedeemingTool("fetch_result".to_owned()),
        SettingsError::BadToolName("fetch result".to_owned()),
    ];
    let text: String = errors.iter().map(|error| format!("{error}\n")).collect();
    golden("settings_errors.txt", &text);
}

#[test]
fn settings_errors_of_the_host() {
    use host::SettingsError as Error;
    let tool = || Some("search".to_owned());
    let errors = [
        Error::ZeroThreshold(None),
        Error::ZeroThreshold(tool()),
        Error::ExtractNotBelowThreshold(None),
        Error::ExtractNotBelowThreshold(tool()),
        Error::ZeroTtl(None),
        Error::ZeroTtl(tool()),
        Error::ZeroWindow,
        Error::DuplicateTool("search".to_owned()),
        Error::PolicyForRedeemingTool("fetch_result".to_owned()),
        Error::BadToolName("fetch result".to_owned()),
    ];
    let text: String = errors.iter().map(|error| format!("{error}\n")).collect();
    golden("settings_errors_of_the_host.txt", &text);
}

#[test]
fn refused_scopes() {
    let wrong = [("", "run"), ("tenant", ""), ("a\nb", "run"), ("tenant", "\u{7F}")];
    let long = "x".repeat(256);
    let mut text = String::new();
    for (tenant, run) in wrong.into_iter().chain([(long.as_str(), "run"), ("tenant", long.as_str())]) {
        writeln!(text, "{}", Scope::new(tenant, run).validate().unwrap_err()).unwrap();
    }
    golden("refused_scopes.txt", &text);
}

/// Tickets, windows and searches, as the model reads them.
#[test]
fn what_the_model_reads() {
    let (shelf, scope) = (Shelf::new(), Scope::new("acme", "run-1"));
    let log: String =
        (1..=400).map(|n| format!("line {n}: {}\n", if n == 250 { "error: no such file" } else { "ok" })).collect();
    let tailed = Policy { threshold_chars: 2000, head_chars: 100, tail_chars: 60, ttl_seconds: 3600 };
    let headed = Policy { tail_chars: 0, ..tailed };
    let mut text = String::new();
    for (what, policy) in [("a head", headed), ("a head and a tail", tailed)] {
        let settings = Settings { policy, window_chars: 200, ..Settings::default() };
        let outcome = COMPONENT.check_in(&shelf, &settings, &scope, "build", &log).unwrap();
        let Outcome::CheckedIn(ticket) = outcome else { panic!("not checked in: {outcome:?}") };
        writeln!(text, "== {what}\n\n{}\n", ticket.rendered).unwrap();
        let calls = [
            ("fetch_result", serde_json::json!({"handle": ticket.handle, "offset": ticket.next_offset})),
            ("fetch_result", serde_json::json!({"handle": ticket.handle, "offset": ticket.chars - 30})),
            ("fetch_result", serde_json::json!({"handle": ticket.handle, "offset": ticket.chars})),
            ("find_in_result", serde_json::json!({"handle": ticket.handle, "text": "ERROR"})),
            ("find_in_result", serde_json::json!({"handle": ticket.handle, "text": "line 1"})),
            ("find_in_result", serde_json::json!({"handle": ticket.handle, "text": "warning"})),
        ];
        for (tool, arguments) in calls {
            let reply = COMPONENT.answer(&shelf, &settings, &scope, tool, &arguments.to_string()).unwrap();
            writeln!(text, "-- {tool} {arguments}\n\n{}\n\n{}\n", reply.text, reply.note).unwrap();
        }
    }
    let cut = COMPONENT.truncate(&log, 200).unwrap();
    writeln!(text, "== cut, without a claim check\n\n{cut}").unwrap();
    golden("what_the_model_reads.txt", &text);
}
