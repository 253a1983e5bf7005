//! Results of tools that declare a type.

use claim_check_host::{Event, MemoryStore, OpenResultsError, Results, ResultsBuilder, Settings, Store};
use std::sync::Arc;

use crate::{Counting, Events, claims, names, noting, scope, with_redeeming};

const PRICES: &str = r##"{
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/item"}}, "note": {"maxLength": 10}},
    "required": ["items"],
    "additionalProperties": false,
    "$defs": {"item": {
        "type": "object",
        "properties": {"price": {"type": "number", "minimum": 0}, "in/out": {"enum": ["in", "out"]}},
        "required": ["price"],
        "additionalProperties": {"type": "integer"}
    }}
}"##;

async fn prices(store: Arc<dyn Store>) -> (Results, Events) {
    let claims = claims(Settings::default(), store).await;
    let tools = with_redeeming(&claims, &["prices"]);
    let (results, events) = noting(ResultsBuilder::new(claims).returns("prices", PRICES));
    (results.open(&tools).unwrap(), events)
}

#[tokio::test]
async fn what_does_not_fit_is_neither_stored_nor_carried() {
    let store = Counting::new(100);
    let (results, events) = prices(store.clone()).await;
    let large = format!(r#"{{"items": [{{"price": "{}"}}]}}"#, "secret 4711 ".repeat(10_000));
    for (content, why) in [
        ("secret 4711", "line 1, column 1: not JSON"),
        ("{\n\"items\": [secret", "line 2, column 11: not JSON"),
        (&large, r#"/items/0/price: the schema's "type": "number" is not met"#),
        (r#"{"items": [{"price": -4711}]}"#, r#"/items/0/price: the schema's "minimum": 0 is not met"#),
        (
            r#"{"items": [{"price": 1, "in/out": "secret"}]}"#,
            r#"/items/0/in~1out: the schema's "enum": ["in","out"] is not met"#,
        ),
        // Names that the schema does not know are content, and so are those that look like an index.
        (r#"{"items": [{"price": 1, "secret": ""}]}"#, r#"/items/0/*: the schema's "type": "integer" is not met"#),
        (r#"{"items": [{"price": 1, "4711": ""}]}"#, r#"/items/0/*: the schema's "type": "integer" is not met"#),
        (r#"{"items": [], "secret": 1}"#, r#"at its root: the schema's "additionalProperties": false is not met"#),
        (r#"{"items": [], "note": "secret 4711"}"#, r#"/note: the schema's "maxLength": 10 is not met"#),
        (r#"{"note": "secret"}"#, r#"at its root: the required property "items" is missing"#),
        // Of two, the validator would see the last, and the model would read both.
        (r#"{"items": "secret", "items": []}"#, "line 1, column 27: an object names a property twice"),
    ] {
        let carried = results.carry(&scope(), "prices", content.to_owned()).await;
        assert!(carried.as_str().contains(&format!("({why})")), "{carried}\n{why}");
        assert!(!carried.as_str().contains("secret") && !carried.as_str().contains("4711"), "{carried}");
        match events.lock().unwrap().pop().unwrap() {
            Event::ToolResultRefused { tool, chars, why: told, .. } => {
                assert_eq!((tool.as_str(), chars, told.as_str()), ("prices", content.chars().count(), why));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(store.puts(), 0);
}

#[tokio::test]
async fn what_fits_takes_the_road() {
    let store = Counting::new(100);
    let (results, events) = prices(store.clone()).await;
    let small = r#"{"items": [{"price": 1.5, "in/out": "in", "pieces": 2}]}"#;
    assert_eq!(results.carry(&scope(), "prices", small.to_owned()).await.as_str(), small);
    let items = vec![r#"{"price": 1}"#; 20_000].join(",");
    let carried = results.carry(&scope(), "prices", format!(r#"{{"items": [{items}]}}"#)).await;
    assert!(carried.as_str().contains("Call fetch_result with handle='claim:"), "{carried}");
    // A failure is text, and so is what tools return that declare nothing.
    let failed = results.carry_failure(&scope(), "prices", "no connection").await;
    assert_eq!(failed.as_str(), "The tool failed: no connection");
    assert_eq!(results.carry(&scope(), "other", "text".into()).await.as_str(), "text");
    assert_eq!(
        names(&events),
        ["tool_result_carried", "tool_result_stored", "tool_result_carried", "tool_result_carried"]
    );
    assert_eq!(store.puts(), 1);
}

#[tokio::test]
async fn a_type_that_can_not_be_held_to_is_refused_on_opening() {
    let claims = claims(Settings::default(), Arc::new(MemoryStore::new())).await;
    let tools = with_redeeming(&claims, &["prices"]);
    for (tool, schema, expected) in [
        ("prices", "{", "it is not JSON: "),
        ("prices", r#"{"properties": {"a": {"type": "strin"}}}"#, "at /properties/a/type: "),
        ("prices", r#"{"$ref": "https://example.com/price.json"}"#, "https://example.com/price.json"),
        ("prices", r#"{"$ref": "file:///etc/hostname"}"#, "file:///etc/hostname"),
        ("prices", r##"{"$ref": "#/$defs/none"}"##, "none"),
        ("prices", r#"{"pattern": "(?=a)b"}"#, "(?=a)b"),
        ("price", "{}", "the model is given no tool of this name"),
        ("fetch_result", "{}", "it redeems handles"),
    ] {
        let opened = ResultsBuilder::new(claims.clone()).returns(tool, schema).open(&tools);
        let Err(OpenResultsError::BadResultType { tool: named, why }) = opened else { panic!("{schema}") };
        assert_eq!(named, tool);
        assert!(why.contains(expected), "{why}");
    }
    let twice = ResultsBuilder::new(claims).returns("prices", "{}").returns("prices", "true").open(&tools);
    let expected = r#"the result type that is declared for tool "prices" is refused: the tool declares two; keep one"#;
    assert_eq!(twice.unwrap_err().to_string(), expected);
}
