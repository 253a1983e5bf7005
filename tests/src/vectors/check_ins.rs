//! What the conversation carries for a result, and what the store was given.

use claim_check_guest::Ticket;
use serde::Deserialize;
use serde_json::Value;

use super::settings::Spelled;
use super::{ScopeCase, Tally, each, given, nullable, same};
use crate::content::Content;
use crate::shelf::{Kept, Shelf, StoreCall};
use crate::subject::{Outcome, Subject};

const PAGE_CHARS: usize = 16384;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    settings: Spelled,
    scope: ScopeCase,
    tool: String,
    content: Content,
    chars: Option<usize>,
    outcome: String,
    #[serde(deserialize_with = "nullable")]
    text: Option<String>,
    #[serde(deserialize_with = "nullable")]
    ticket: Option<SpelledTicket>,
    #[serde(deserialize_with = "nullable")]
    manifest: Option<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct SpelledTicket {
    handle: String,
    chars: u32,
    head: String,
    notice: String,
    tail: String,
    rendered: String,
    next_offset: i32,
    ttl_seconds: u32,
}

impl From<Ticket> for SpelledTicket {
    fn from(ticket: Ticket) -> Self {
        let Ticket { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds } = ticket;
        Self { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds }
    }
}

pub(super) fn run(subject: &dyn Subject, cases: &[Value]) -> Tally {
    each(cases, |case: &Case| {
        let (shelf, settings, scope, content) =
            (Shelf::new(), case.settings.settings(), case.scope.scope(), case.content.text());
        let chars = content.chars().count();
        same("characters of the content", &case.chars.unwrap_or(chars), &chars)?;

        let outcome = subject.check_in(&shelf, &settings, &scope, &case.tool, &content);
        let calls = shelf.take_calls();
        let (name, text, ticket) = match outcome {
            Ok(Outcome::AsItIs) => ("as-it-is", None, None),
            Ok(Outcome::Neutralised(text)) => ("neutralised", Some(text), None),
            Ok(Outcome::CheckedIn(ticket)) => ("checked-in", None, Some(SpelledTicket::from(ticket))),
            Err(refused) => return Err(format!("expected {}, got {refused:?}", case.outcome)),
        };
        same("outcome", &case.outcome.as_str(), &name)?;
        same("text", &case.text, &text)?;
        let Some(ticket) = ticket else {
            same("ticket and manifest", &(None, None), &(case.ticket.clone(), case.manifest.clone()))?;
            return same("calls of the store", &Vec::new(), &calls);
        };
        let expected = given("ticket", case.ticket.as_ref())?;
        for (field, expected, got) in [
            ("handle", &expected.handle, &ticket.handle),
            ("head", &expected.head, &ticket.head),
            ("notice", &expected.notice, &ticket.notice),
            ("tail", &expected.tail, &ticket.tail),
            ("rendered", &expected.rendered, &ticket.rendered),
        ] {
            same(field, expected, got)?;
        }
        same("ticket", expected, &ticket)?;

        let [StoreCall::Put { scope: to, handle, claim, ttl_seconds }] = calls.as_slice() else {
            return Err(format!("expected one put, got {calls:?}"));
        };
        same("put to", &(&scope, &ticket.handle, &ticket.ttl_seconds), &(to, handle, ttl_seconds))?;
        same("manifest", &given("manifest", case.manifest.as_deref())?, &&*claim.manifest)?;
        let kept = if settings.neutralise { subject.neutralise(&content).unwrap_or(content) } else { content };
        check_pages(claim, &kept)
    })
}

/// The pages are the content, and the manifest is theirs, worked out here.
fn check_pages(claim: &Kept, content: &str) -> Result<(), String> {
    same("pages laid end to end", &content.to_owned(), &claim.pages.concat())?;
    let lengths: Vec<usize> = claim.pages.iter().map(|page| page.chars().count()).collect();
    let chars = content.chars().count();
    let full = (0..chars).step_by(PAGE_CHARS).map(|start| (chars - start).min(PAGE_CHARS)).collect();
    same("characters of the pages", &full, &lengths)?;
    let digest = |text: &str| blake3::hash(text.as_bytes()).to_hex().as_str()[..32].to_owned() + "\n";
    let lines: String = claim.pages.iter().map(|page| digest(page)).collect();
    let header =
        format!("claim/1\nchars {chars}\nbytes {}\npage-chars {PAGE_CHARS}\nroot {}", content.len(), digest(&lines));
    same("manifest of the pages", &(header + &lines), &claim.manifest.to_string())
}
