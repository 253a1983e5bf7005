//! What the redeeming tools answer from a stored content.

use claim_check_guest::{Reply, Settings};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ScopeCase, Tally, each, same};
use crate::content::{Content, sha256};
use crate::shelf::Shelf;
use crate::subject::Subject;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowCase {
    scope: ScopeCase,
    content: Content,
    handle: String,
    offset: i32,
    note: String,
    text_sha256: String,
}

pub(super) fn windows(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &WindowCase| {
        let arguments = json!({"handle": case.handle, "offset": case.offset});
        let reply = ask(subject, &case.scope, &case.content, &case.handle, "fetch_result", &arguments)?;
        same("note", &case.note, &reply.note)?;
        same("text_sha256", &case.text_sha256, &sha256(&reply.text))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingCase {
    scope: ScopeCase,
    content: Content,
    handle: String,
    needle: String,
    offset: i32,
    text: String,
    note: String,
}

pub(super) fn findings(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &FindingCase| {
        let arguments = json!({"handle": case.handle, "text": case.needle, "offset": case.offset});
        let reply = ask(subject, &case.scope, &case.content, &case.handle, "find_in_result", &arguments)?;
        same("text", &case.text, &reply.text)?;
        same("note", &case.note, &reply.note)
    })
}

fn ask(
    subject: &dyn Subject,
    scope: &ScopeCase,
    content: &Content,
    handle: &str,
    tool: &str,
    arguments: &Value,
) -> Result<Reply, String> {
    let (shelf, scope) = (Shelf::new(), scope.scope());
    same("handle of the content", &handle, &shelf.place(&scope, &content.text()).as_str())?;
    let reply = subject.answer(&shelf, &Settings::default(), &scope, tool, &arguments.to_string());
    reply.map_err(|refusal| format!("expected a reply, got {refusal:?}"))
}
