//! The road of a tool's result into the conversation: held to its declared type, checked in or cut, and told of in an
//! event.

mod builder;
mod carried;
mod cut;
#[cfg(feature = "schema")]
mod declared;
#[cfg(feature = "schema")]
mod distinct;
mod fitting;
mod redeem;
mod turn;

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::caller::Caller;
use crate::claims::ClaimCheck;
use crate::errors::ForgetError;
use crate::events::Event;
use crate::store::Erasure;

pub use builder::ResultsBuilder;
pub use carried::Carried;
use fitting::DeclaredTypes;
pub use fitting::ToolResult;

type Sink = Arc<dyn Fn(&Event) + Send + Sync>;

/// The road of every tool result of an agent. What does not fit the type that its tool declares is refused; what is
/// small enough is carried, what is not is checked in, and what can't be checked in is cut, with a line that says so.
/// It never fails and never carries an unbounded result.
///
/// The only way to have one is [`ResultsBuilder::open`], which looks at the tools that the model is given, and the only
/// way to have text for the conversation is to take it through one: no step can be left out. Every step is told of in
/// an [`Event`], to `tracing` (target `claim_check`) and to the sink.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use claim_check_host::{ClaimCheck, MemoryStore, ResultsBuilder, Scope, Settings, ToolDefinition};
/// use std::sync::Arc;
///
/// let read_log = ToolDefinition {
///     name: "read_log".into(),
///     description: "The log.".into(),
///     input_schema: r#"{"type": "object"}"#.into(),
/// };
/// let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
/// let mut tools = vec![read_log]; // what the model is given
/// tools.extend(claims.tool_definitions().to_vec());
///
/// let results = ResultsBuilder::new(claims).on_event(|event| println!("{}", event.name())).open(&tools)?;
/// let scope = Scope::new("acme", "5e0f64a2-run");
/// let carried = results.carry(&scope, "read_log", "All is well. ".repeat(1000)).await;
/// assert!(carried.as_str().contains("[13000 characters, "));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Results {
    way: Way,
    declared: Arc<DeclaredTypes>,
    cut_chars: u32,
    sink: Option<Sink>,
}

/// Where results that are too large to carry go.
#[derive(Clone)]
enum Way {
    CheckIn(ClaimCheck),
    Cut(Caller),
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("cut_chars", &self.cut_chars).finish_non_exhaustive()
    }
}

impl Results {
    /// The claim check that the road goes through; `None` on a road without one.
    #[must_use]
    pub fn claims(&self) -> Option<&ClaimCheck> {
        match &self.way {
            Way::CheckIn(claims) => Some(claims),
            Way::Cut(_) => None,
        }
    }

    /// Whether `tool` is one that redeems handles, so that its calls are for [`redeem`](Self::redeem).
    #[must_use]
    pub fn redeems(&self, tool: &str) -> bool {
        self.claims().is_some_and(|claims| claims.settings().redeems(tool))
    }

    /// Drops every claim of the tenant or the run, and says how many were live; none on a road without a claim check.
    /// Stop a run before forgetting it.
    ///
    /// # Errors
    /// See [`ForgetError`].
    pub async fn forget(&self, what: Erasure) -> Result<u32, ForgetError> {
        let started = Instant::now();
        let live = match self.claims() {
            Some(claims) => claims.forget(&what).await?,
            None => 0,
        };
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
