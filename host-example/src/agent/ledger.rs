//! What a run sends to its model.

use super::Said;
use crate::outcome::ToolDefinition;

/// What a run sends to its model in each turn, in characters: the tools' definitions and the whole conversation so
/// far, as a model without a memory of its own needs them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    sent: usize,
    whole: usize,
    /// Whether something other than redeeming was said since the last turn.
    needed: bool,
    turns: Vec<Turn>,
}

/// One turn of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// How much was sent.
    pub sent: usize,
    /// How much would have been sent with every result whole and no redeeming tools; `None` where the turn was only
    /// there to redeem.
    pub whole: Option<usize>,
}

impl Ledger {
    pub(super) fn new(definitions: &[ToolDefinition], redeems: impl Fn(&str) -> bool, question: &str) -> Self {
        let chars = |tool: &ToolDefinition| count(&tool.name) + count(&tool.description) + count(&tool.input_schema);
        let foreign = definitions.iter().filter(|tool| !redeems(&tool.name));
        Self {
            sent: definitions.iter().map(chars).sum::<usize>() + count(question),
            whole: foreign.map(chars).sum::<usize>() + count(question),
            needed: true,
            turns: Vec::new(),
        }
    }

    pub(super) fn turn(&mut self) {
        let whole = self.needed.then_some(self.whole);
        self.turns.push(Turn { sent: self.sent, whole });
        self.needed = false;
    }

    pub(super) fn said(&mut self, said: &Said, redeems: impl Fn(&str) -> bool) {
        let calls = || said.calls.iter().map(|call| (&call.tool, count(&call.tool) + count(&call.arguments)));
        let foreign = || calls().filter(|(tool, _)| !redeems(tool));
        self.sent += count(&said.text) + calls().map(|(_, chars)| chars).sum::<usize>();
        if foreign().next().is_some() {
            self.whole += count(&said.text) + foreign().map(|(_, chars)| chars).sum::<usize>();
            self.needed = true;
        }
    }

    /// A result of `whole` characters was carried as `carried`.
    pub(super) fn carried(&mut self, carried: &str, whole: usize) {
        self.sent += count(carried);
        self.whole += whole;
    }

    /// The turns so far, in order.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// How much was sent in all turns together.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.turns.iter().map(|turn| turn.sent).sum()
    }

    /// How much would have been sent with every result whole and no redeeming tools.
    #[must_use]
    pub fn whole(&self) -> usize {
        self.turns.iter().filter_map(|turn| turn.whole).sum()
    }
}

fn count(text: &str) -> usize {
    text.chars().count()
}
