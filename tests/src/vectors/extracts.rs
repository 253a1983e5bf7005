//! Where a head ends, where a tail starts, and the cut of a run that keeps no claims.

use serde::Deserialize;
use serde_json::Value;

use super::{Tally, each, nullable, same};
use crate::content::Content;
use crate::subject::Subject;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadCase {
    content: Content,
    head_chars: u32,
    head: String,
}

pub(super) fn heads(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &HeadCase| {
        let extracts = subject.extracts().ok_or("the subject has no head")?;
        same("head", &case.head.as_str(), &(extracts.head)(&case.content.text(), case.head_chars))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TailCase {
    content: Content,
    tail_chars: u32,
    #[serde(default)]
    after: u32,
    tail: String,
}

pub(super) fn tails(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &TailCase| {
        let extracts = subject.extracts().ok_or("the subject has no tail")?;
        same("tail", &case.tail.as_str(), &(extracts.tail)(&case.content.text(), case.tail_chars, case.after))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TruncationCase {
    content: Content,
    max_chars: u32,
    #[serde(deserialize_with = "nullable")]
    result: Option<String>,
}

pub(super) fn truncations(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &TruncationCase| {
        same("result", &case.result, &subject.truncate(&case.content.text(), case.max_chars))
    })
}
