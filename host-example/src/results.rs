//! The road of a tool's result into the conversation: checked in or cut, and told of in an event.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::claims::ClaimCheck;
use crate::errors::{AnswerError, CheckInError, ForgetError};
use crate::events::Event;
use crate::outcome::{Outcome, Reply};
use crate::store::{Erasure, Scope};

/// What a result that could not be checked in may take, in characters, unless it is told otherwise.
const CUT_CHARS: u32 = 8000;

/// What the model reads where a redeeming tool's call itself failed. Says nothing of why.
const CALL_FAILED: &str =
    "This call failed on the host's side. Try it once more; if it fails again, go on without the rest of that result.";

/// Text that has crossed the result boundary. Only [`Results`] makes it, so a conversation of these holds no tool's
/// output that did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried(String);

impl Carried {
    /// What the model reads.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Sink = Arc<dyn Fn(&Event) + Send + Sync>;

/// The road of every tool result of an agent: what is small enough is carried, what is not is checked in, and what
/// can't be checked in is cut, with a line that says so. It never fails and never carries an unbounded result.
///
/// Every step is told of in an [`Event`], to `tracing` (target `claim_check`) and to the sink.
#[derive(Clone)]
pub struct Results {
    claims: ClaimCheck,
    cut_chars: u32,
    sink: Option<Sink>,
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("cut_chars", &self.cut_chars).finish_non_exhaustive()
    }
}

impl Results {
    /// The road through `claims`. A result that can't be checked in is cut to 8000 characters.
    #[must_use]
    pub fn new(claims: ClaimCheck) -> Self {
        Self { claims, cut_chars: CUT_CHARS, sink: None }
    }

    /// The same road, where a result that can't be checked in is cut to so many characters.
    #[must_use]
    pub fn cut_at(mut self, chars: u32) -> Self {
        self.cut_chars = chars;
        self
    }

    /// The same road, which also tells `sink` of every event. It is called in place, so it should be quick.
    #[must_use]
    pub fn on_event(mut self, sink: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// The claim check that the road goes through.
    #[must_use]
    pub fn claims(&self) -> &ClaimCheck {
        &self.claims
    }

    /// What enters the conversation for a result of `tool`. Redeeming tools' replies come from
    /// [`redeem`](Self::redeem).
    pub async fn carry(&self, scope: &Scope, tool: &str, content: String) -> Carried {
        let started = Instant::now();
        let chars = content.chars().count();
        let (scope, tool) = (scope.clone(), tool.to_owned());
        match self.claims.check_in(&scope, &tool, &content).await {
            Ok(Outcome::AsItIs) => {
                let duration = started.elapsed();
                self.tell(&Event::ToolResultCarried {
                    scope,
                    tool,
                    chars,
                    neutralised: false,
                    not_stored: None,
                    duration,
                });
                Carried(content)
            }
            Ok(Outcome::Neutralised(clean)) => {
                let duration = started.elapsed();
                self.tell(&Event::ToolResultCarried {
                    scope,
                    tool,
                    chars,
                    neutralised: true,
                    not_stored: None,
                    duration,
                });
                Carried(clean)
            }
            Ok(Outcome::CheckedIn(ticket)) => {
                let carried_chars = ticket.rendered.chars().count();
                let duration = started.elapsed();
                let handle = ticket.handle;
                self.tell(&Event::ToolResultStored { scope, tool, handle, chars, carried_chars, duration });
                Carried(ticket.rendered)
            }
            Err(error) => self.cut(scope, tool, content, chars, &error, started).await,
        }
    }

    async fn cut(
        &self,
        scope: Scope,
        tool: String,
        content: String,
        chars: usize,
        error: &CheckInError,
        started: Instant,
    ) -> Carried {
        let why = reason(error);
        let neutralise = self.claims.settings().neutralise;
        let clean = if neutralise { self.claims.neutralise(&content).await } else { Ok(None) };
        let (neutralised, cut) = match clean {
            Ok(clean) => {
                let (neutralised, clean) = (clean.is_some(), clean.unwrap_or(content));
                let cut = self.claims.truncate(&clean, self.cut_chars).await;
                (neutralised, cut.map(|cut| cut.ok_or(clean)))
            }
            Err(failed) => (false, Err(failed)),
        };
        let duration = started.elapsed();
        let carried = match cut {
            Ok(Err(whole)) => {
                let not_stored = Some(why);
                self.tell(&Event::ToolResultCarried { scope, tool, chars, neutralised, not_stored, duration });
                return Carried(whole);
            }
            Ok(Ok(cut)) => cut,
            // What a text becomes of which nothing fits. Nothing less safe is left once the component can't be asked.
            Err(_) => format!("[{chars} characters, cut after 0. The rest was not kept.]"),
        };
        let carried_chars = carried.chars().count();
        self.tell(&Event::ToolResultCut { scope, tool, chars, carried_chars, why, duration });
        Carried(carried)
    }

    /// What enters the conversation for a call of a redeeming tool: a window, matches, or a refusal that the model
    /// can act on.
    pub async fn redeem(&self, scope: &Scope, tool: &str, arguments_json: &str) -> Carried {
        let started = Instant::now();
        let (answer, handle) = self.claims.answer_noting(scope, tool, arguments_json).await;
        let duration = started.elapsed();
        let (scope, tool) = (scope.clone(), tool.to_owned());
        let (code, why, message) = match answer {
            Ok(reply) => {
                self.tell(&self.redeemed(scope, tool, handle, &reply, duration));
                return Carried(reply.to_string());
            }
            Err(AnswerError::Refused(refusal)) => {
                (refusal.code.as_str(), refusal.cause.as_ref().map(|cause| reason(cause)), refusal.message)
            }
            Err(AnswerError::Failed(error)) => ("failed", Some(reason(&error)), CALL_FAILED.to_owned()),
        };
        self.tell(&Event::ClaimRefused { scope, tool, handle, code, why, duration });
        Carried(message)
    }

    fn redeemed(
        &self,
        scope: Scope,
        tool: String,
        handle: Option<String>,
        reply: &Reply,
        duration: std::time::Duration,
    ) -> Event {
        let offset = |nth| numbers(&reply.note).nth(nth).unwrap_or(0);
        if tool == self.claims.settings().fetch_tool {
            let chars = reply.text.chars().count();
            return Event::ClaimFetched { scope, tool, handle, offset: offset(0), chars, duration };
        }
        // `[3 matches from 0 on …`, `[no match from 0 on …`
        let (matches, offset) = match reply.text.is_empty() {
            true => (0, offset(0)),
            false => (offset(0), offset(1)),
        };
        Event::ClaimFound { scope, tool, handle, offset, matches, duration }
    }

    /// Drops every claim of the tenant or the run, and says how many were live. Stop a run before forgetting it.
    ///
    /// # Errors
    /// See [`ForgetError`].
    pub async fn forget(&self, what: Erasure) -> Result<u32, ForgetError> {
        let started = Instant::now();
        let live = self.claims.forget(&what).await?;
        self.tell(&Event::ClaimsForgotten { what, live, duration: started.elapsed() });
        Ok(live)
    }

    fn tell(&self, event: &Event) {
        event.trace();
        if let Some(sink) = &self.sink {
            sink(event);
        }
    }
}

/// The whole numbers in one of our own notes, in order.
fn numbers(note: &str) -> impl Iterator<Item = usize> {
    note.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

/// An error and its causes in one line, without a trap's backtrace.
fn reason(error: &dyn Error) -> String {
    let mut reason = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        reason += ": ";
        reason += &error.to_string();
        cause = error.source();
    }
    reason
}
