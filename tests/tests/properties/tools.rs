//! Whatever a model writes is understood in one way or refused in one of four, and nothing that it wrote is repeated.

use claim_check_guest::{Refusal, RefusalCode, Scope, Settings};
use claim_check_tests::shelf::Shelf;
use claim_check_tests::subject::{Native, Subject};
use proptest::prelude::*;
use proptest::sample::select;

use crate::texts::text;

const SECRET: &str = "Zq7secret";

/// Something like JSON: mostly well-formed, with the fields that matter and others.
fn arguments() -> impl Strategy<Value = String> {
    let handle = prop_oneof![
        "claim:[0-9a-f]{32}",
        "[0-9A-Fa-f]{30,34}",
        "`claim:[0-9a-f]{32}` [a-z ]{0,9}",
        Just(SECRET.to_owned()),
        text(3)
    ];
    let offset = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| format!("{n:e}")),
        "\" ?[+-]?[0-9]{0,22} ?\"",
        Just("null".to_owned()),
        Just("[]".to_owned()),
        Just("1e999".to_owned()),
        Just(format!("\"{SECRET}\""))
    ];
    (handle, offset, text(4), select(&["handle", "offset", "text", SECRET][..]), any::<bool>()).prop_map(
        |(handle, offset, text, key, whole)| {
            let string = |text: &str| serde_json::Value::from(text).to_string();
            let json = format!(
                "{{\"handle\":{},\"offset\":{offset},\"text\":{},\"{key}\":{}}}",
                string(&handle),
                string(&text),
                string(&handle)
            );
            if whole { json } else { json.chars().take(json.len() / 2).collect() }
        },
    )
}

fn ask(tool: &str, arguments: &str) -> Result<usize, Refusal> {
    let shelf = Shelf::new();
    let answer = Native.answer(&shelf, &Settings::default(), &Scope::new("tenant-x", "run-x"), tool, arguments);
    match answer {
        Ok(reply) => panic!("an empty store, but {reply:?}"),
        Err(refusal) if shelf.take_calls().is_empty() => Err(refusal),
        Err(refusal) => {
            assert_eq!(refusal.code, RefusalCode::ClaimUnavailable);
            Ok(refusal.message.len())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_as_arguments_is_refused_or_understood(arguments in prop_oneof![".{0,60}", arguments()], tool in "(fetch_result|find_in_result|[a-z]{3})") {
        let refused = ask(&tool, &arguments);
        if let Err(refusal) = refused {
            prop_assert!(!refusal.message.contains(SECRET) && !refusal.message.contains("tenant-x") && !refusal.message.contains("run-x"));
            prop_assert!(refusal.code != RefusalCode::StoreUnavailable);
        }
    }

    #[test]
    fn a_handle_is_found_in_whatever_stands_around_it(
        digits in "[0-9a-f]{32}", before in "[^a-zA-Z0-9]{0,9}", after in "[^a-zA-Z0-9]{0,9}", prefix in "(claim:|CLAIM:|handle='|)", upper in any::<bool>()
    ) {
        let spelled = if upper { digits.to_uppercase() } else { digits };
        let handle = format!("{before}{prefix}{spelled}{after}");
        let asked = ask("fetch_result", &serde_json::json!({"handle": handle}).to_string());
        prop_assert!(asked.is_ok());
    }

    #[test]
    fn an_offset_means_the_same_however_it_is_spelled(offset in 0i32..100_000) {
        let (shelf, scope, settings) = (Shelf::new(), Scope::new("t", "r"), Settings::default());
        let handle = shelf.place(&scope, &"0123456789".repeat(9_000));
        let note = |offset: &str| {
            let arguments = format!("{{\"handle\":\"{handle}\",\"offset\":{offset}}}");
            Native.answer(&shelf, &settings, &scope, "fetch_result", &arguments).unwrap().note
        };
        let expected = note(&offset.to_string());
        let spelled = [format!("{offset}.0"), format!("\"{offset}\""), format!("\" +{offset}\\n\""), format!("{offset}0e-1"), format!("\"000{offset}\"")];
        for spelled in spelled {
            prop_assert_eq!(&note(&spelled), &expected, "{}", spelled);
        }
    }
}

/// A parser that recurses without a bound would overflow the stack of a component.
#[test]
fn deep_nesting_is_no_trap() {
    for depth in [50, 100, 127, 128, 129, 1000, 1_000_000] {
        let arguments = format!("{{\"handle\":\"x\",\"deep\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        let refusal = ask("fetch_result", &arguments).unwrap_err();
        let expected = if depth <= 100 { RefusalCode::ClaimUnavailable } else { refusal.code };
        assert_eq!(refusal.code, expected, "{depth}");
        assert!(matches!(refusal.code, RefusalCode::ClaimUnavailable | RefusalCode::InvalidArguments), "{depth}");
    }
}
