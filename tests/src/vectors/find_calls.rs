//! How the arguments that models write for the find tool are understood.

use claim_check_guest::Settings;
use serde::Deserialize;
use serde_json::Value;

use super::tool_calls::{asked, refused, with_handle};
use super::{Tally, each, given, nullable, same, some_scope};
use crate::reference::find;
use crate::shelf::Shelf;
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
    text: Option<String>,
    #[serde(deserialize_with = "nullable")]
    offset: Option<i32>,
}

const TOOL: &str = "find_in_result";

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &Case| {
        if let Some(code) = &case.refused {
            same(
                "handle, text and offset",
                &(None, None, None),
                &(case.handle.clone(), case.text.clone(), case.offset),
            )?;
            return refused(subject, TOOL, &case.arguments, code);
        }
        let (handle, offset) = (given("handle", case.handle.as_ref())?, given("offset", case.offset)?);
        let text = given("text", case.text.as_ref())?;
        asked(subject, TOOL, &case.arguments, handle)?;

        // What is searched for, and from where, shows in what is found: all of the text, less at either end, and all
        // of it again.
        let content = haystack(text, offset);
        let (shelf, scope) = (Shelf::new(), some_scope());
        let real = shelf.place(&scope, &content);
        let arguments = with_handle(&case.arguments, handle, &real)?;
        let reply = subject.answer(&shelf, &Settings::default(), &scope, TOOL, &arguments);
        let reply = reply.map_err(|refusal| format!("expected a reply, got {refusal:?}"))?;
        let from = usize::try_from(offset).map_err(|error| error.to_string())?;
        let expected: Vec<String> =
            find(&content, text, from).into_iter().take(20).map(|at| format!("{at}: ")).collect();
        let missing = expected.iter().find(|start| !format!("\n{}", reply.text).contains(&format!("\n{start}")));
        same("a match that is not listed", &None, &missing)?;
        let count = match expected.len() {
            0 => format!("[no match from {offset} on"),
            1 => format!("[1 match from {offset} on"),
            count => format!("[{count} matches from {offset} on"),
        };
        same(&format!("note {:?} starts with {count:?}", reply.note), &true, &reply.note.starts_with(&count))
    })
}

/// The text before the offset and behind it, where the offset is not beyond what a test can keep.
fn haystack(text: &str, offset: i32) -> String {
    let less_at_end: String = text.chars().take(text.chars().count() - 1).collect();
    let less_at_start: String = text.chars().skip(1).collect();
    let filler = usize::try_from(offset).unwrap_or_default().min(200_000);
    let around = format!("{less_at_end}\u{1}{less_at_start}\u{1}{text}\u{1}");
    format!("{around}{}{around}{around}", "\u{1}".repeat(filler))
}
