//! The runner of the vectors is worth what it notices: every expected value, changed, must fail its case.

use std::fs;
use std::path::{Path, PathBuf};

use claim_check_tests::subject::Native;
use claim_check_tests::vectors::{self, Outcome};
use serde_json::{Value, json};

fn vectors_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn temporary_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Passed and failed, of a folder with this one file.
fn run(name: &str, file: &str, cases: &[Value]) -> (usize, usize) {
    let folder = temporary_folder(name);
    fs::write(folder.join(file), serde_json::to_string(cases).unwrap()).unwrap();
    let mut counts = (0, 0);
    vectors::run(&folder, &Native, |_, outcome| {
        if let Outcome::Ran(tally) = outcome {
            counts = (tally.passed, tally.failures.len());
        }
    })
    .unwrap();
    counts
}

fn cases(file: &str) -> Vec<Value> {
    serde_json::from_str(&fs::read_to_string(vectors_folder().join(file)).unwrap()).unwrap()
}

/// Another value of the same kind, so that it is the comparison that notices it and not the parser.
fn other(value: &Value) -> Value {
    match value {
        Value::Null => json!("something"),
        Value::Bool(is) => json!(!is),
        Value::Number(number) => json!(number.as_i64().unwrap() + 1),
        Value::String(text) if text == "ok" => json!("damaged"),
        Value::String(text) if text == "damaged" => json!("ok"),
        Value::String(text) => json!(format!("{text}~")),
        Value::Array(items) => json!(items[1..]),
        Value::Object(_) => Value::Null,
    }
}

fn every_change_is_noticed(file: &str, pointers: &[&str]) {
    for pointer in pointers {
        // Only cases that have the field, and an array only where there is something to leave out.
        let mut changed = cases(file);
        changed.retain_mut(|case| match case.pointer_mut(pointer) {
            None => false,
            Some(Value::Array(items)) if items.is_empty() => false,
            Some(value) => {
                *value = other(value);
                true
            }
        });
        assert!(!changed.is_empty(), "no case of {file} has {pointer}");
        let name = format!("{file}{}", pointer.replace('/', "-"));
        assert_eq!(run(&name, file, &changed), (0, changed.len()), "{file}: changed {pointer}");
    }
}

#[test]
fn settings_policies_and_scopes() {
    every_change_is_noticed("policies.json", &["/error"]);
    every_change_is_noticed("settings.json", &["/error", "/error/1"]);
    every_change_is_noticed("scopes.json", &["/valid"]);
}

#[test]
fn extracts_and_the_boundary() {
    every_change_is_noticed("heads.json", &["/head"]);
    every_change_is_noticed("tails.json", &["/tail"]);
    every_change_is_noticed("truncations.json", &["/result"]);
    every_change_is_noticed("neutralise.json", &["/result"]);
}

#[test]
fn check_ins() {
    let ticket = ["handle", "chars", "head", "notice", "tail", "rendered", "next_offset", "ttl_seconds"];
    let ticket: Vec<String> = ticket.iter().map(|field| format!("/ticket/{field}")).collect();
    let mut pointers: Vec<&str> = ticket.iter().map(String::as_str).collect();
    pointers.extend(["/ticket", "/manifest", "/outcome", "/text", "/chars"]);
    every_change_is_noticed("check_ins.json", &pointers);
}

#[test]
fn claims() {
    every_change_is_noticed("claims.json", &["/verdict"]);
}

#[test]
fn the_arguments_and_answers_of_the_tools() {
    every_change_is_noticed("tool_calls.json", &["/refused", "/handle", "/offset"]);
    every_change_is_noticed("find_calls.json", &["/refused", "/handle", "/offset", "/text"]);
    every_change_is_noticed("tool_results.json", &["/note", "/text_sha256", "/handle"]);
    every_change_is_noticed("find_results.json", &["/note", "/text", "/handle"]);
}

/// Documents whose every read or query has one field changed: as many failures as changes.
fn every_change_of_an_item_is_noticed(file: &str, items: &str, fields: &[&str]) {
    for field in fields {
        let mut changed = cases(file);
        let mut changes = 0;
        for document in &mut changed {
            document[items].as_array_mut().unwrap().retain_mut(|item| match item.pointer_mut(field) {
                None => false,
                Some(Value::Array(items)) if items.is_empty() => false,
                Some(value) => {
                    *value = if value.is_null() && *field == "/next_offset" { json!(1) } else { other(value) };
                    changes += 1;
                    true
                }
            });
        }
        let name = format!("{file}{}", field.replace('/', "-"));
        assert_eq!(run(&name, file, &changed), (0, changes), "{file}: changed {field}");
    }
}

#[test]
fn windows_and_finds() {
    every_change_of_an_item_is_noticed("windows.json", "reads", &["/error", "/chars", "/next_offset", "/text_sha256"]);
    let fields =
        ["/error", "/offsets", "/next_offset", "/first", "/first/offset", "/first/snippet", "/first/snippet_offset"];
    every_change_of_an_item_is_noticed("finds.json", "queries", &fields);
}

#[test]
fn what_it_does_not_know_is_a_failure() {
    for entry in vectors_folder().read_dir().unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if file == "README.md" {
            continue;
        }
        let mut first = cases(&file)[..1].to_vec();
        first[0]["surprise"] = json!(1);
        let (_, failed) = run(&format!("unknown-field-{file}"), &file, &first);
        assert_eq!(failed, 1, "{file}");
    }
    let folder = temporary_folder("unknown-file");
    fs::write(folder.join("surprises.json"), "[]").unwrap();
    let error = vectors::run(&folder, &Native, |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("surprises.json"), "{error}");
}
