//! What was found.

use std::fmt;

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
