//! Check-in: of one result, or of all results of a turn on one instance.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use super::ClaimCheck;
use crate::engine::{Export, Session};
use crate::errors::CheckInError;
use crate::outcome::Outcome;
use crate::settings::{Policy, Settings, ToolPolicy};
use crate::store::{Guarded, Scope};
use crate::wire;

/// What a result that could not be checked in may take, in characters, unless it is told otherwise.
pub(crate) const CUT_CHARS: u32 = 8000;

/// What became of one result of a turn.
pub(crate) struct CheckedIn {
    pub(crate) outcome: Result<Outcome, CheckInError>,
    /// It is below its threshold, and went to the store for the budget's sake.
    pub(crate) for_budget: bool,
    pub(crate) duration: Duration,
}

impl ClaimCheck {
    /// What the conversation carries for one result of `tool`.
    ///
    /// A result over the tool's threshold has been acknowledged by the store when the ticket is returned; any other
    /// makes no call of the store. A redeeming tool's result is carried as it is, whatever its size.
    ///
    /// # Errors
    /// See [`CheckInError`]. For all but a refused scope, carry what [`truncate`](Self::truncate) gives.
    pub async fn check_in(&self, scope: &Scope, tool: &str, content: &str) -> Result<Outcome, CheckInError> {
        let mut desk = Desk { claims: self, session: self.0.caller.engine.session().await };
        desk.check_in(self.settings(), &self.0.caller.store, scope, tool, content).await
    }

    /// What the conversation carries for the results of one turn, each a tool's name and its content; the outcomes are
    /// in the order of the results. One instance of the component takes them in, one after the other; one that traps
    /// takes no other result with it.
    ///
    /// Results over their threshold are checked in as ever. Where everything that would then be carried is together
    /// more than `budget_chars`, results below their threshold are checked in as well, the largest first and of equal
    /// ones the earlier first, until it fits. Only a result whose ticket is shorter than it is itself is worth that,
    /// and the ticket keeps the head and the tail of the tool's policy; a threshold of `u32::MAX` means never here,
    /// too. So a budget is a wish: where nothing more can be saved, or the store fails, more than the budget is
    /// carried. A result that failed is counted as at most 8000 characters.
    pub async fn check_in_many(
        &self,
        scope: &Scope,
        results: &[(&str, &str)],
        budget_chars: Option<usize>,
    ) -> Vec<Result<Outcome, CheckInError>> {
        let taken = self.check_in_turn(scope, results, budget_chars, CUT_CHARS).await;
        taken.into_iter().map(|taken| taken.outcome).collect()
    }

    pub(crate) async fn check_in_turn(
        &self,
        scope: &Scope,
        results: &[(&str, &str)],
        budget_chars: Option<usize>,
        cut_chars: u32,
    ) -> Vec<CheckedIn> {
        let mut taken = Vec::with_capacity(results.len());
        if results.is_empty() {
            return taken;
        }
        let mut desk = Desk { claims: self, session: self.0.caller.engine.session().await };
        for (tool, content) in results {
            let started = Instant::now();
            let outcome = desk.check_in(self.settings(), &self.0.caller.store, scope, tool, content).await;
            taken.push(CheckedIn { outcome, for_budget: false, duration: started.elapsed() });
        }
        if let Some(budget) = budget_chars {
            desk.save(scope, results, &mut taken, budget, cut_chars).await;
        }
        taken
    }
}

/// Where the results of one scope are taken in, one after the other.
struct Desk<'a> {
    claims: &'a ClaimCheck,
    session: Session<'a>,
}

impl Desk<'_> {
    async fn check_in(
        &mut self,
        settings: &Settings,
        store: &Guarded,
        scope: &Scope,
        tool: &str,
        content: &str,
    ) -> Result<Outcome, CheckInError> {
        let too_large = content.len() > ClaimCheck::MAX_CONTENT_BYTES;
        // Nothing too large is copied, but the component still says whether the scope is one.
        let params = (settings, scope, tool, if too_large { "" } else { content });
        let (outcome,): (Result<Outcome, wire::CheckIn>,) = self.session.call(store, Export::CheckIn, params).await?;
        match outcome? {
            _ if too_large && !settings.redeems(tool) => Err(CheckInError::TooLarge),
            outcome => Ok(outcome),
        }
    }

    /// Checks in what is below its threshold, the largest first, until everything is within the budget.
    async fn save(
        &mut self,
        scope: &Scope,
        results: &[(&str, &str)],
        taken: &mut [CheckedIn],
        budget: usize,
        cut_chars: u32,
    ) {
        let settings = self.claims.settings();
        let sizes: Vec<usize> = (results.iter().zip(&*taken))
            .map(|((_, content), taken)| match &taken.outcome {
                Ok(outcome) => outcome.carried(content).chars().count(),
                Err(_) => content.chars().take(cut_chars as usize).count(),
            })
            .collect();
        let mut carried: usize = sizes.iter().sum();
        let mut whole: Vec<usize> = (0..results.len())
            .filter(|&nth| matches!(taken[nth].outcome, Ok(Outcome::AsItIs | Outcome::Neutralised(_))))
            .filter(|&nth| !settings.redeems(results[nth].0))
            .collect();
        // The sort is stable, so of equal ones the earlier stays first.
        whole.sort_by_key(|&nth| Reverse(sizes[nth]));
        for nth in whole {
            if carried <= budget {
                return;
            }
            let (started, (tool, content)) = (Instant::now(), results[nth]);
            let Some(settings) = below(settings, tool, sizes[nth]) else { continue };
            let store = &self.claims.0.caller.store;
            // The ticket's size is the component's to say, and it says it after the store has acknowledged.
            let ticket = match self.check_in(&settings, &store.dry_run(), scope, tool, content).await {
                Ok(Outcome::CheckedIn(ticket)) => ticket.rendered.chars().count(),
                _ => continue,
            };
            if ticket >= sizes[nth] {
                continue;
            }
            let outcome = self.check_in(&settings, store, scope, tool, content).await;
            // What a store could not take now, it will hardly take next; the result is carried whole, as its policy has it.
            if outcome.is_err() {
                return;
            }
            carried = carried - sizes[nth] + ticket;
            let duration = taken[nth].duration + started.elapsed();
            taken[nth] = CheckedIn { outcome, for_budget: true, duration };
        }
    }
}

/// The settings under which a result of so many characters is checked in; none where its tool's results never are.
/// Whether they make sense is the component's to say: head and tail may be no smaller than the result.
fn below(settings: &Settings, tool: &str, chars: usize) -> Option<Settings> {
    let policy = settings.policy_for(tool);
    let threshold_chars = u32::try_from(chars.checked_sub(1)?).ok()?;
    if policy.threshold_chars == Policy::NEVER {
        return None;
    }
    let policy = Policy { threshold_chars, ..policy.clone() };
    let mut settings = settings.clone();
    settings.per_tool.retain(|entry| entry.tool != tool);
    settings.per_tool.push(ToolPolicy { tool: tool.to_owned(), policy });
    Some(settings)
}
