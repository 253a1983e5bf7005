//! Calls of the redeeming tools.

use std::time::{Duration, Instant};

use super::{Carried, Results, reason};
use crate::errors::AnswerError;
use crate::events::Event;
use crate::outcome::Reply;
use crate::store::Scope;

/// What the model reads where a redeeming tool's call itself failed. Says nothing of why.
const CALL_FAILED: &str =
    "This call failed on the host's side. Try it once more; if it fails again, go on without the rest of that result.";

/// What the model reads on a road without a claim check, where no tool redeems handles.
const NO_SUCH_TOOL: &str = "There is no tool of this name. Go on without it.";

impl Results {
    /// What enters the conversation for a call of a redeeming tool: a window, matches, or a refusal that the model
    /// can act on.
    pub async fn redeem(&self, scope: &Scope, tool: &str, arguments_json: &str) -> Carried {
        let started = Instant::now();
        let (answer, handle) = match self.claims() {
            Some(claims) => {
                let (answer, handle) = claims.answer_noting(scope, tool, arguments_json).await;
                (Some(answer), handle)
            }
            None => (None, None),
        };
        let duration = started.elapsed();
        let (scope, tool) = (scope.clone(), tool.to_owned());
        let (code, why, message) = match answer {
            Some(Ok(reply)) => {
                self.tell(&self.redeemed(scope, tool, handle, &reply, duration));
                return Carried::new(reply.to_string());
            }
            Some(Err(AnswerError::Refused(refusal))) => {
                (refusal.code.as_str(), refusal.cause.as_ref().map(|cause| reason(cause)), refusal.message)
            }
            Some(Err(AnswerError::Failed(error))) => ("failed", Some(reason(&error)), CALL_FAILED.to_owned()),
            None => ("failed", Some("there is no claim check".to_owned()), NO_SUCH_TOOL.to_owned()),
        };
        self.tell(&Event::ClaimRefused { scope, tool, handle, code, why, duration });
        Carried::new(message)
    }

    /// Offset and count are read from the note that the model gets. What the model asked for is the component's to
    /// understand, and the contract hands back no more of it than the note; the wording is ours, and tests hold both
    /// to it.
    fn redeemed(&self, scope: Scope, tool: String, handle: Option<String>, reply: &Reply, duration: Duration) -> Event {
        let number = |nth| numbers(&reply.note).nth(nth).unwrap_or(0);
        if self.claims().is_some_and(|claims| claims.settings().fetch_tool == tool) {
            let chars = reply.text.chars().count();
            return Event::ClaimFetched { scope, tool, handle, offset: number(0), chars, duration };
        }
        // `[3 matches from 0 on …`, `[no match from 0 on …`
        let (matches, offset) = match reply.text.is_empty() {
            true => (0, number(0)),
            false => (number(0), number(1)),
        };
        Event::ClaimFound { scope, tool, handle, offset, matches, duration }
    }
}

/// The whole numbers in one of our own notes, in order.
fn numbers(note: &str) -> impl Iterator<Item = usize> {
    note.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}
