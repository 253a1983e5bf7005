//! Which characters a window has. Every read is a case.

use claim_check_guest::FetchError;
use serde::Deserialize;
use serde_json::Value;

use super::{Tally, given, same, short, some_scope};
use crate::content::{Content, sha256};
use crate::shelf::Shelf;
use crate::subject::Subject;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    content: Content,
    chars: Option<u32>,
    reads: Vec<Value>,
}

/// An error, or what the window is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    offset: i32,
    max_chars: u32,
    error: Option<String>,
    chars: Option<usize>,
    #[serde(default)]
    next_offset: Option<i32>,
    text_sha256: Option<String>,
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
        let chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let (shelf, scope) = (Shelf::new(), some_scope());
        let handle = shelf.place(&scope, &text);
        for (place, value) in document.reads.iter().enumerate() {
            let result = Read::deserialize(value).map_err(|error| error.to_string()).and_then(|read| {
                same("characters of the document", &document.chars.unwrap_or(chars), &chars)?;
                let window = subject.fetch(&shelf, &scope, &handle, read.offset, read.max_chars);
                if let Some(expected) = &read.error {
                    if read.chars.is_some() || read.next_offset.is_some() || read.text_sha256.is_some() {
                        return Err("the case has an error and a window".to_owned());
                    }
                    return same(
                        "error",
                        &Err(expected.as_str()),
                        &window.map(|_| "a window").map_err(|error| name(&error)),
                    );
                }
                let window = window.map_err(|error| format!("expected a window, got {error:?}"))?;
                same("characters", &given("chars", read.chars)?, &window.text.chars().count())?;
                same("next_offset", &read.next_offset, &window.next_offset)?;
                same("text_sha256", &given("text_sha256", read.text_sha256)?, &sha256(&window.text))?;
                same("offset and total", &(read.offset, chars), &(window.offset, window.chars))
            });
            tally.note(|| format!("document {number} read {place} {}", short(&value.to_string(), 160)), result);
        }
    }
    tally
}

/// The name that the contract gives an error.
pub(super) fn name(error: &FetchError) -> &'static str {
    match error {
        FetchError::ClaimUnavailable(_) => "claim-unavailable",
        FetchError::InvalidOffset(_) => "invalid-offset",
        FetchError::InvalidScope(_) => "invalid-scope",
        FetchError::Store(_) => "store",
    }
}
