//! What was found.

use std::fmt;

use crate::store::unwinding::Panic;

/// How a store broke a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Violation(pub String);

/// What became of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The store keeps it, as far as this could see.
    Kept,
    /// The store breaks it.
    Broken(Violation),
    /// It could not be tried, and why.
    Skipped(&'static str),
}

/// What became of every rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The rules' names, and what became of them.
    pub verdicts: Vec<(&'static str, Verdict)>,
}

impl Report {
    /// The names of the rules that the store breaks.
    #[must_use]
    pub fn broken(&self) -> Vec<&'static str> {
        let broken = self.verdicts.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Broken(_)));
        broken.map(|(name, _)| *name).collect()
    }
}

/// A line for every rule.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdicts.iter().try_for_each(|(name, verdict)| match verdict {
            Verdict::Kept => writeln!(f, "kept    {name}"),
            Verdict::Broken(how) => writeln!(f, "BROKEN  {name}: {how}"),
            Verdict::Skipped(why) => writeln!(f, "skipped {name}: {why}"),
        })
    }
}

/// Why something panicked, if that can be told: a message that stands in the program holds no content, and one that was
/// put together may.
pub(super) fn reason(panic: &Panic) -> &'static str {
    panic
        .downcast_ref::<&'static str>()
        .copied()
        .unwrap_or("the panic's own message may hold content; the panic hook has it")
}
