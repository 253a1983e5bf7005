//! What a store hands back, and whether it is taken.

use std::sync::Arc;

use claim_check_guest::{Absence, FetchError};
use serde::Deserialize;
use serde_json::Value;

use super::{ScopeCase, Tally, each, same};
use crate::content::{Content, characters};
use crate::shelf::{Kept, Shelf, StoreCall};
use crate::subject::Subject;

const PAGE_CHARS: usize = 16384;
const WINDOW_CHARS: usize = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[expect(dead_code, reason = "for the reader of a failure")]
    why: String,
    scope: ScopeCase,
    handle: String,
    manifest: String,
    first_page: u32,
    pages: Vec<Content>,
    offset: i32,
    verdict: String,
}

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &Case| {
        let shelf = Shelf::new();
        let pages: Vec<Arc<str>> = case.pages.iter().map(|page| page.text().into()).collect();
        let text = pages.concat();
        let answer = Kept { manifest: case.manifest.as_str().into(), pages };
        shelf.lie(move |_, _, _| Ok(answer.clone()));

        let read = subject.fetch(&shelf, &case.scope.scope(), &case.handle, case.offset, 4096);
        match case.verdict.as_str() {
            "ok" => {
                let window = read.map_err(|error| format!("expected the window, got {error:?}"))?;
                let offset = usize::try_from(case.offset).map_err(|error| error.to_string())?;
                let in_pages = offset - case.first_page as usize * PAGE_CHARS;
                same("text", &characters(&text, in_pages, WINDOW_CHARS), &window.text)?;
                same("offset", &case.offset, &window.offset)?;
            }
            "damaged" => same("read", &Err(FetchError::ClaimUnavailable(Absence::Damaged)), &read)?,
            other => return Err(format!("no verdict that this runner knows: {other}")),
        }
        let calls = shelf.take_calls();
        match calls.as_slice() {
            [StoreCall::Fetch { scope, handle, first, .. }] => {
                same("asked for", &(&case.scope.scope(), &case.handle, &case.first_page), &(scope, handle, first))
            }
            other => Err(format!("expected one fetch, got {other:?}")),
        }
    })
}
