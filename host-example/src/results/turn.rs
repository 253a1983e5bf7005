//! Results enter the conversation: one, or all of a turn.

use std::time::Instant;

use super::fitting::{Fitting, Refused};
use super::{Carried, Results, ToolResult, Way};
use crate::claims::CheckedIn;
use crate::events::Event;
use crate::outcome::Outcome;
use crate::store::Scope;

impl Results {
    /// What enters the conversation for a result of `tool`. Redeeming tools' replies come from
    /// [`redeem`](Self::redeem).
    pub async fn carry(&self, scope: &Scope, tool: &str, content: String) -> Carried {
        self.carry_one(scope, ToolResult::new(tool, content)).await
    }

    /// What enters the conversation where `tool` failed: why, as text that has crossed the boundary.
    pub async fn carry_failure(&self, scope: &Scope, tool: &str, reason: &str) -> Carried {
        self.carry_one(scope, ToolResult::failed(tool, reason)).await
    }

    async fn carry_one(&self, scope: &Scope, result: ToolResult) -> Carried {
        let started = Instant::now();
        let fitting = match self.declared.hold(result).await {
            Ok(fitting) => fitting,
            Err(refused) => return self.refuse(scope, refused, started),
        };
        match &self.way {
            Way::CheckIn(claims) => {
                let outcome = claims.check_in(scope, fitting.tool(), fitting.content()).await;
                let taken = CheckedIn { outcome, for_budget: false, duration: started.elapsed() };
                self.enter(scope, fitting, taken).await
            }
            Way::Cut(_) => self.cut(scope, fitting, None, started).await,
        }
    }

    /// What enters the conversation for the results of one turn, in their order. `budget_chars` is how much all of them
    /// together should take: where it would be more, results below their threshold are checked in as well, the largest
    /// first, as [`check_in_many`](crate::ClaimCheck::check_in_many) has it. Take off what else the turn carries, the
    /// redeeming tools' replies say. The budget is a wish: where nothing more can be saved, the results take more.
    ///
    /// The claim check takes all of them in on one instance of the component, one after the other.
    pub async fn carry_many(
        &self,
        scope: &Scope,
        results: Vec<ToolResult>,
        budget_chars: Option<usize>,
    ) -> Vec<Carried> {
        let (mut held, mut refused_chars) = (Vec::with_capacity(results.len()), 0);
        for result in results {
            let started = Instant::now();
            held.push(self.declared.hold(result).await.map_err(|refused| {
                let carried = self.refuse(scope, refused, started);
                refused_chars += carried.chars();
                carried
            }));
        }
        let fitting: Vec<_> = held.iter().flatten().map(|fitting| (fitting.tool(), fitting.content())).collect();
        let taken = match &self.way {
            Way::CheckIn(claims) => {
                let budget = budget_chars.map(|budget| budget.saturating_sub(refused_chars));
                claims.check_in_turn(scope, &fitting, budget, self.cut_chars).await
            }
            Way::Cut(_) => Vec::new(),
        };
        let (mut taken, mut carried) = (taken.into_iter(), Vec::with_capacity(held.len()));
        for held in held {
            carried.push(match held {
                Err(refused) => refused,
                Ok(fitting) => match taken.next() {
                    Some(taken) => self.enter(scope, fitting, taken).await,
                    None => self.cut(scope, fitting, None, Instant::now()).await,
                },
            });
        }
        carried
    }

    async fn enter(&self, scope: &Scope, fitting: Fitting, taken: CheckedIn) -> Carried {
        let CheckedIn { outcome, for_budget, duration } = taken;
        let (clean, neutralised) = match outcome {
            Ok(Outcome::AsItIs) => (None, false),
            Ok(Outcome::Neutralised(clean)) => (Some(clean), true),
            Ok(Outcome::CheckedIn(ticket)) => {
                let (scope, (tool, content)) = (scope.clone(), fitting.into_parts());
                let (chars, carried) = (content.chars().count(), Carried::new(ticket.rendered));
                let (handle, carried_chars) = (ticket.handle, carried.chars());
                self.tell(&Event::ToolResultStored { scope, tool, handle, chars, carried_chars, for_budget, duration });
                return carried;
            }
            Err(error) => {
                let started = Instant::now().checked_sub(duration).unwrap_or_else(Instant::now);
                return self.cut(scope, fitting, Some(&error), started).await;
            }
        };
        let (scope, (tool, content)) = (scope.clone(), fitting.into_parts());
        let chars = content.chars().count();
        self.tell(&Event::ToolResultCarried { scope, tool, chars, neutralised, not_stored: None, duration });
        Carried::new(clean.unwrap_or(content))
    }

    fn refuse(&self, scope: &Scope, refused: Refused, started: Instant) -> Carried {
        let (scope, Refused { tool, chars, why }) = (scope.clone(), refused);
        let carried = Carried::new(format!(
            "This result was refused, and nothing of it was kept: it is not of the type that the tool declares ({why}). \
             Call the tool another way, or go on without it."
        ));
        self.tell(&Event::ToolResultRefused { scope, tool, chars, why, duration: started.elapsed() });
        carried
    }
}
