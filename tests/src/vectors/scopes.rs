//! Which scopes any call refuses.

use claim_check_guest::{Erasure, FetchError, FindError, RefusalCode, Scope, Settings};
use serde::Deserialize;
use serde_json::Value;

use super::{Tally, each, same};
use crate::shelf::Shelf;
use crate::subject::{Refused, Subject};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    tenant: String,
    run: String,
    valid: bool,
}

const HANDLE: &str = "claim:0123456789abcdef0123456789abcdef";

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &Case| {
        let scope = Scope::new(&case.tenant, &case.run);
        let (shelf, settings) = (Shelf::new(), Settings::default());
        let refusals = [
            ("check-in", refused(subject.check_in(&shelf, &settings, &scope, "search", "small").err())?),
            (
                "check-in, large",
                refused(subject.check_in(&shelf, &settings, &scope, "search", &"x".repeat(5000)).err())?,
            ),
            ("fetch", unreadable(subject.fetch(&shelf, &scope, HANDLE, 0, 0).err())?),
            ("find", unsearchable(subject.find(&shelf, &scope, HANDLE, "x", 0, 0).err())?),
            ("answer", unanswered(subject, &shelf, &scope)?),
            ("forget", refused(subject.forget(&shelf, &Erasure::Run(scope.clone())).err())?),
        ];
        for (call, refusal) in &refusals {
            same(&format!("{call} valid"), &case.valid, &refusal.is_none())?;
            let part = [&case.tenant, &case.run].into_iter().max_by_key(|part| part.len());
            if let (Some(why), Some(part)) = (refusal, part.filter(|part| part.len() > 8)) {
                same(&format!("{call} repeats the scope"), &false, &why.contains(part.as_str()))?;
            }
        }
        same("calls of the store", &if case.valid { 5 } else { 0 }, &shelf.take_calls().len())
    })
}

fn refused(error: Option<Refused>) -> Result<Option<String>, String> {
    match error {
        None => Ok(None),
        Some(Refused::Scope(why)) => Ok(Some(why)),
        Some(other) => Err(format!("refused for another reason: {other:?}")),
    }
}

fn unreadable(error: Option<FetchError>) -> Result<Option<String>, String> {
    match error {
        Some(FetchError::InvalidScope(why)) => Ok(Some(why)),
        Some(FetchError::ClaimUnavailable(_)) => Ok(None),
        other => Err(format!("neither refused nor empty: {other:?}")),
    }
}

fn unsearchable(error: Option<FindError>) -> Result<Option<String>, String> {
    match error {
        Some(FindError::Fetch(error)) => unreadable(Some(error)),
        other => Err(format!("neither refused nor empty: {other:?}")),
    }
}

fn unanswered(subject: &dyn Subject, shelf: &std::sync::Arc<Shelf>, scope: &Scope) -> Result<Option<String>, String> {
    let arguments = format!("{{\"handle\":\"{HANDLE}\"}}");
    match subject.answer(shelf, &Settings::default(), scope, "fetch_result", &arguments) {
        Err(refusal) if refusal.code == RefusalCode::ClaimUnavailable => unreadable(refusal.cause),
        other => Err(format!("neither refused nor empty: {other:?}")),
    }
}
