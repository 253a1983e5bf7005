use claim_check_guest::claim::is_handle;
use claim_check_guest::{Call, Reading, RefusalCode, Scope, Settings};
use serde_json::Value;

use crate::input::Input;

/// Arguments are understood in one way or refused in one of three, and a refusal repeats nothing of them.
pub fn tool_arguments(data: &[u8]) {
    let arguments = Input(data).text();
    let (settings, scope) = (Settings::default(), Scope::new("tenant", "run"));
    let parsed: Option<Value> = serde_json::from_str(&arguments).ok();
    let handle = parsed.as_ref().and_then(|parsed| parsed.as_object()?.get("handle")?.as_str());
    for tool in ["fetch_result", "find_in_result"] {
        match Call::parse(&settings, &scope, tool, &arguments) {
            Ok(call) => {
                let handle = handle.expect("a call without a handle").to_ascii_lowercase();
                let digits = call.handle().strip_prefix("claim:").expect("a handle");
                assert!(is_handle(call.handle()) && handle.contains(digits));
                assert!(call.range().count >= 1 && call.range().first <= i32::MAX as u32 / 16384);
            }
            Err(refusal) => {
                match refusal.code {
                    RefusalCode::InvalidArguments => assert_eq!(refusal.cause, None),
                    RefusalCode::InvalidOffset | RefusalCode::ClaimUnavailable => {
                        assert!(refusal.cause.is_some() && handle.is_some());
                    }
                    RefusalCode::StoreUnavailable => panic!("no store was asked"),
                }
                let again =
                    Call::parse(&settings, &Scope::new("another", "one"), tool, "{\"handle\":\"x\",\"text\":\"x\"}");
                if refusal.code == RefusalCode::ClaimUnavailable {
                    assert_eq!(
                        again.map(|_| ()).map_err(|other| other.message),
                        Err(refusal.message),
                        "one and the same text"
                    );
                }
            }
        }
    }
    // An object with a plain handle and nothing else that matters is never refused.
    if let Some(Value::Object(mut object)) = parsed {
        object.retain(|key, _| !matches!(key.as_str(), "offset" | "text"));
        object.insert("handle".to_owned(), Value::from("claim:0123456789abcdef0123456789abcdef"));
        object.insert("text".to_owned(), Value::from("x"));
        let arguments = Value::Object(object).to_string();
        for tool in ["fetch_result", "find_in_result"] {
            assert!(Call::parse(&settings, &scope, tool, &arguments).is_ok(), "{arguments}");
        }
    }
}
