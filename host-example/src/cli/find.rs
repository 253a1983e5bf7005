//! `claim-check find`

use claim_check_host::{FindError, Found};
use serde::Serialize;

use super::config::PolicyFlags;
use super::escaping::one_line_with_tabs;
use super::exit::{Exit, Failure};
use super::session::Session;
use super::{Common, handle};

/// Find a text in a claim
///
/// Literally, ignoring case: each character counts as the lower case of its upper case where that is one character, so
/// that Σ finds σ and ς, and ß does not find ss. Prints a line for each match: its offset, in characters, and what stands
/// around it in its line. Line ends and control characters other than tabs are written out (\n, \u{1b}), so that content
/// can't look like a match; --json has them as they are. Without a match it prints nothing and exits with 6.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
JSON: handle, tenant, run, next_offset (of the next match; null where all are listed), matches, each with offset, \
snippet, snippet_offset.")]
pub(crate) struct Find {
    /// The handle; the notice around it, quotes, or a missing `claim:` do no harm
    handle: String,

    /// What to look for: 1 to 256 characters
    text: String,

    /// Where to start, in characters, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(0..))]
    offset: i32,

    /// At most so many matches, 100 at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    max: u32,
}

#[derive(Serialize)]
struct Json<'a> {
    handle: &'a str,
    tenant: &'a str,
    run: &'a str,
    next_offset: Option<i32>,
    matches: Vec<FoundJson<'a>>,
}

#[derive(Serialize)]
struct FoundJson<'a> {
    offset: i32,
    snippet: &'a str,
    snippet_offset: i32,
}

pub(crate) async fn run(args: Find, common: &Common) -> Result<Exit, Failure> {
    let session = Session::open(common, &PolicyFlags::default(), false).await?;
    let handle = handle::read(&session, &args.handle).await?;
    let finding = session.claims.find(&session.scope, &handle, &args.text, args.offset, args.max).await;
    let finding = finding.map_err(|error| match &error {
        FindError::InvalidNeedle => Failure::refused(format!(
            "the text to look for has {} characters; give 1 to 256",
            args.text.chars().count()
        )),
        FindError::Fetch(error) => session.not_read(error),
        FindError::Failed(error) => Failure::call(error),
    })?;

    let terminal = session.terminal;
    let exit = if finding.matches.is_empty() { Exit::NoMatch } else { Exit::Done };
    if terminal.json {
        let matches = finding.matches.iter().map(|found| FoundJson {
            offset: found.offset,
            snippet: &found.snippet,
            snippet_offset: found.snippet_offset,
        });
        let (tenant, run, next_offset) = (&session.scope.tenant, &session.scope.run, finding.next_offset);
        terminal.json(&Json { handle: &handle, tenant, run, next_offset, matches: matches.collect() })?;
        return Ok(exit);
    }
    let line = |found: &Found| format!("{}: {}\n", found.offset, one_line_with_tabs(&found.snippet));
    let lines: String = finding.matches.iter().map(line).collect();
    terminal.text(&lines)?;
    let (count, from) = (finding.matches.len(), args.offset);
    match (count, finding.next_offset) {
        (0, _) => terminal.note(format_args!("no match from character {from} on")),
        (_, Some(next)) => terminal.note(format_args!("{count} matches; --offset {next} for more")),
        (_, None) => terminal.note(format_args!("{count} {}, no more", if count == 1 { "match" } else { "matches" })),
    }
    Ok(exit)
}
