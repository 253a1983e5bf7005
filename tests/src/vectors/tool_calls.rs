//! How the arguments that models write for the fetch tool are understood.

use claim_check_guest::{Absence, FetchError, RefusalCode, Settings};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Tally, each, given, nullable, same, some_scope};
use crate::shelf::{Shelf, StoreCall};
use crate::subject::Subject;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    arguments: String,
    #[serde(deserialize_with = "nullable")]
    refused: Option<String>,
    #[serde(deserialize_with = "nullable")]
    handle: Option<String>,
    #[serde(deserialize_with = "nullable")]
    offset: Option<i32>,
}

const TOOL: &str = "fetch_result";
const CHARS: i32 = 40_000;

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &Case| {
        if let Some(code) = &case.refused {
            same("handle and offset", &(None, None), &(case.handle.clone(), case.offset))?;
            return refused(subject, TOOL, &case.arguments, code);
        }
        let (handle, offset) = (given("handle", case.handle.as_ref())?, given("offset", case.offset)?);
        let first = asked(subject, TOOL, &case.arguments, handle)?;
        same("first page asked for", &(u32::try_from(offset).map_err(|error| error.to_string())? / 16384), &first)?;

        // The exact offset shows in what is answered, so the call is made again with the handle of a real content.
        let (shelf, scope) = (Shelf::new(), some_scope());
        let real = shelf.place(&scope, &"0123456789".repeat(4000));
        let arguments = with_handle(&case.arguments, handle, &real)?;
        let reply = subject.answer(&shelf, &Settings::default(), &scope, TOOL, &arguments);
        let note = reply.map_err(|refusal| format!("expected a reply, got {refusal:?}"))?.note;
        let start = if offset >= CHARS {
            format!("[offset {offset} is past the end")
        } else {
            format!("[characters {offset} to ")
        };
        same(&format!("note {note:?} starts with {start:?}"), &true, &note.starts_with(&start))
    })
}

/// The call is refused with this code, and no store is asked.
pub(super) fn refused(subject: &dyn Subject, tool: &str, arguments: &str, code: &str) -> Result<(), String> {
    let shelf = Shelf::new();
    match subject.answer(&shelf, &Settings::default(), &some_scope(), tool, arguments) {
        Ok(reply) => return Err(format!("expected {code}, got {reply:?}")),
        Err(refusal) => {
            same("code", &code, &refusal.code.as_str())?;
            let malformed = refusal.code == RefusalCode::ClaimUnavailable;
            let is_malformed = refusal.cause == Some(FetchError::ClaimUnavailable(Absence::Malformed));
            same("malformed", &malformed, &is_malformed)?;
        }
    }
    same("calls of the store", &Vec::new(), &shelf.take_calls())
}

/// The call asks an empty store for this handle, once; the first page that it asks for.
pub(super) fn asked(subject: &dyn Subject, tool: &str, arguments: &str, expected: &str) -> Result<u32, String> {
    let (shelf, asking) = (Shelf::new(), some_scope());
    let refusal = match subject.answer(&shelf, &Settings::default(), &asking, tool, arguments) {
        Ok(reply) => return Err(format!("an empty store, but a reply: {reply:?}")),
        Err(refusal) => refusal,
    };
    let calls = shelf.take_calls();
    let [StoreCall::Fetch { scope, handle, first, .. }] = calls.as_slice() else {
        return Err(format!("expected one fetch, got {calls:?} and {refusal:?}"));
    };
    same("handle asked for", &(&asking, expected), &(scope, handle.as_str()))?;
    same("cause", &Some(FetchError::ClaimUnavailable(Absence::Missing)), &refusal.cause)?;
    Ok(*first)
}

/// The arguments, with another handle where this one stands.
pub(super) fn with_handle(arguments: &str, from: &str, to: &str) -> Result<String, String> {
    let digits = |handle: &str| handle.strip_prefix("claim:").map(str::to_owned).ok_or("no handle");
    let (from, to) = (digits(from)?, digits(to)?);
    let replaced = arguments.replace(&from, &to).replace(&from.to_uppercase(), &to.to_uppercase());
    if replaced != arguments {
        return Ok(replaced);
    }
    // Spelled with escapes or in mixed case: written anew, which keeps the offset's value.
    let mut parsed: Map<String, Value> = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
    parsed.insert("handle".to_owned(), Value::String(format!("claim:{to}")));
    Ok(Value::Object(parsed).to_string())
}
