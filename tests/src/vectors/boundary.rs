//! What is made harmless, and what is left alone.

use serde::Deserialize;
use serde_json::Value;

use super::{Tally, each, nullable, same};
use crate::content::Content;
use crate::subject::Subject;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    text: Content,
    #[serde(deserialize_with = "nullable")]
    result: Option<String>,
}

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &Case| {
        let result = subject.neutralise(&case.text.text());
        same("result", &case.result, &result)?;
        let again = result.and_then(|result| subject.neutralise(&result));
        same("result of the result", &None, &again)
    })
}
