//! What came of it, printed.

use crate::cases::CASES;

/// What became of one case on one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As it should be.
    Passed,
    /// And why.
    Failed(String),
    /// It can't be tried, and why.
    Skipped(String),
}

/// A line of the table.
#[derive(Debug)]
pub struct Row {
    /// The host and the file.
    pub host: String,
    /// By the names of the cases.
    pub outcomes: Vec<(String, Outcome)>,
}

/// Prints the table, the reasons and the sums; says whether nothing failed.
#[must_use]
pub fn print(rows: &[Row]) -> bool {
    let width = rows.iter().map(|row| row.host.chars().count()).max().unwrap_or(0);
    print!("\n{:width$}", "host");
    CASES.iter().for_each(|(name, _)| print!("  {name:>8}"));
    println!();
    for row in rows.iter().filter(|row| row.outcomes.iter().any(|(name, _)| CASES.iter().any(|(case, _)| case == name)))
    {
        print!("{:width$}", row.host);
        for (case, _) in CASES {
            let outcome = row.outcomes.iter().find(|(name, _)| name == case).map(|(_, outcome)| outcome);
            print!("  {:>8}", outcome.map_or("", word));
        }
        println!();
    }
    println!();
    let mut counts = [0; 3];
    for row in rows {
        for (name, outcome) in &row.outcomes {
            let (place, line) = match outcome {
                Outcome::Passed => (0, None),
                Outcome::Failed(why) => (1, Some(format!("FAILED  {}, {name}: {why}", row.host))),
                Outcome::Skipped(why) => (2, Some(format!("skipped {}, {name}: {why}", row.host))),
            };
            counts[place] += 1;
            if let Some(line) = line {
                println!("{line}");
            }
        }
    }
    println!("{} passed, {} failed, {} skipped", counts[0], counts[1], counts[2]);
    counts[1] == 0
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed(_) => "FAILED",
        Outcome::Skipped(_) => "-",
    }
}
