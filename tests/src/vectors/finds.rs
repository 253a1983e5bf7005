//! Where a needle is found. Every query is a case.

use claim_check_guest::FindError;
use serde::Deserialize;
use serde_json::Value;

use super::windows::name;
use super::{Tally, given, same, short, some_scope};
use crate::content::{Content, characters};
use crate::shelf::Shelf;
use crate::subject::Subject;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    content: Content,
    chars: Option<usize>,
    queries: Vec<Value>,
}

/// An error, or what is found.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    needle: String,
    offset: i32,
    max_matches: u32,
    error: Option<String>,
    offsets: Option<Vec<i32>>,
    #[serde(default)]
    next_offset: Option<i32>,
    #[serde(default)]
    first: Option<First>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct First {
    offset: i32,
    snippet: String,
    snippet_offset: i32,
}

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    let mut tally = Tally::default();
    for (number, value) in cases.iter().enumerate() {
        let document = match Document::deserialize(value) {
            Ok(document) => document,
            Err(error) => {
                tally.note(|| format!("document {number}"), Err(error.to_string()));
                continue;
            }
        };
        let text = document.content.text();
        let chars = text.chars().count();
        let (shelf, scope) = (Shelf::new(), some_scope());
        let handle = shelf.place(&scope, &text);
        for (place, value) in document.queries.iter().enumerate() {
            let result = Query::deserialize(value).map_err(|error| error.to_string()).and_then(|query| {
                same("characters of the document", &document.chars.unwrap_or(chars), &chars)?;
                let finding = subject.find(&shelf, &scope, &handle, &query.needle, query.offset, query.max_matches);
                if let Some(expected) = &query.error {
                    if query.offsets.is_some() || query.next_offset.is_some() || query.first.is_some() {
                        return Err("the case has an error and a finding".to_owned());
                    }
                    let word = |error| match error {
                        FindError::InvalidNeedle => "invalid-needle",
                        FindError::Fetch(error) => name(&error),
                    };
                    return same("error", &Err(expected.as_str()), &finding.map(|_| "a finding").map_err(word));
                }
                let finding = finding.map_err(|error| format!("expected a finding, got {error:?}"))?;
                let offsets: Vec<i32> = finding.matches.iter().map(|found| found.offset).collect();
                same("offsets", &given("offsets", query.offsets)?, &offsets)?;
                same("next_offset", &query.next_offset, &finding.next_offset)?;
                let first = finding.matches.first().map(|found| First {
                    offset: found.offset,
                    snippet: found.snippet.clone(),
                    snippet_offset: found.snippet_offset,
                });
                same("first", &query.first, &first)?;
                // The vectors give the first snippet alone; every other one is checked to be word for word.
                finding.matches.iter().try_for_each(|found| {
                    let start = usize::try_from(found.snippet_offset).map_err(|error| error.to_string())?;
                    same("snippet", &characters(&text, start, found.snippet.chars().count()), &found.snippet)
                })
            });
            tally.note(|| format!("document {number} query {place} {}", short(&value.to_string(), 160)), result);
        }
    }
    tally
}
