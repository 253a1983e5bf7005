//! The tool calls of one turn.

use std::collections::HashMap;
use std::future::Future;

use tokio::task::JoinSet;
use tracing::Instrument;

use super::{Agent, Ledger, ToolCall};
use crate::results::{Carried, ToolResult};
use crate::store::Scope;

/// What a call came to.
enum Came {
    Result(ToolResult),
    Redeemed(Carried),
}

impl Agent {
    /// Runs the calls at the same time. What they come to is carried, and entered into the ledger, in their order.
    pub(super) async fn call(&self, scope: &Scope, calls: &[ToolCall], ledger: &mut Ledger) -> Vec<Carried> {
        // A tool that panics fails alone; and when the set is dropped, what still runs in it is stopped.
        let (mut running, mut places) = (JoinSet::new(), HashMap::new());
        for (nth, call) in calls.iter().enumerate() {
            places.insert(running.spawn(self.start(scope, call).in_current_span()).id(), nth);
        }
        let mut came: Vec<Option<Came>> = calls.iter().map(|_| None).collect();
        while let Some(ended) = running.join_next_with_id().await {
            let (id, ended) = match ended {
                Ok((id, ended)) => (id, Some(ended)),
                Err(error) => (error.id(), None),
            };
            if let Some(place) = places.get(&id).and_then(|&nth| came.get_mut(nth)) {
                *place = ended;
            }
        }
        let (mut results, mut redeemed) = (Vec::new(), Vec::new());
        for (call, came) in calls.iter().zip(came) {
            redeemed.push(match came.unwrap_or_else(|| Came::Result(ToolResult::failed(&call.tool, "it panicked"))) {
                Came::Redeemed(carried) => Some(carried),
                Came::Result(result) => {
                    results.push(result);
                    None
                }
            });
        }
        self.carry(scope, results, redeemed, ledger).await
    }

    /// Each place is a redeeming tool's reply, or the next of the results.
    async fn carry(
        &self,
        scope: &Scope,
        results: Vec<ToolResult>,
        places: Vec<Option<Carried>>,
        ledger: &mut Ledger,
    ) -> Vec<Carried> {
        let redeemed_chars: usize = places.iter().flatten().map(|carried| carried.as_str().chars().count()).sum();
        let budget = self.turn_budget.map(|budget| budget.saturating_sub(redeemed_chars));
        let whole: Vec<_> = results.iter().map(ToolResult::chars).collect();
        let mut results = self.results.carry_many(scope, results, budget).await.into_iter().zip(whole);
        let next = |redeemed: Option<Carried>| redeemed.map(|carried| (carried, 0)).or_else(|| results.next());
        let carried: Vec<_> = places.into_iter().filter_map(next).collect();
        for (carried, whole) in &carried {
            ledger.carried(carried.as_str(), *whole);
        }
        carried.into_iter().map(|(carried, _)| carried).collect()
    }

    fn start(&self, scope: &Scope, call: &ToolCall) -> impl Future<Output = Came> + Send + 'static {
        let ToolCall { tool, arguments } = call.clone();
        let (results, scope) = (self.results.clone(), scope.clone());
        let known = self.tools.iter().find(|one| one.definition().name == tool).cloned();
        async move {
            if results.redeems(&tool) {
                return Came::Redeemed(results.redeem(&scope, &tool, &arguments).await);
            }
            Came::Result(match known {
                None => ToolResult::failed(tool, "there is no tool of this name"),
                Some(known) => match known.call(arguments).await {
                    Ok(content) => ToolResult::new(tool, content),
                    Err(reason) => ToolResult::failed(tool, &reason),
                },
            })
        }
    }
}
