//! `claim-check list`

use std::fmt::Write;
use std::time::Duration;

use claim_check_host::{Clock, Listed, WallClock};
use serde::Serialize;

use super::Common;
use super::config::PolicyFlags;
use super::exit::{Exit, Failure};
use super::session::Place;

/// List the claims that can be redeemed
///
/// Those of one run, yours where none is named, or of all runs of the tenant. Handles and sizes, never content.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
JSON: tenant, run (null with --all-runs), claims, each with handle, run, chars (null where the store is damaged), \
bytes, expires_at (Unix time in seconds), expires_in_seconds.")]
pub(crate) struct List {
    /// Those of every run of the tenant
    #[arg(long, conflicts_with = "run")]
    all_runs: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    tenant: &'a str,
    run: Option<&'a str>,
    claims: Vec<ClaimJson<'a>>,
}

#[derive(Serialize)]
struct ClaimJson<'a> {
    handle: &'a str,
    run: &'a str,
    chars: Option<u64>,
    bytes: u64,
    expires_at: u64,
    expires_in_seconds: u64,
}

pub(crate) async fn run(args: List, common: &Common) -> Result<Exit, Failure> {
    let place = Place::open(common, &PolicyFlags::default(), false)?;
    let run = if args.all_runs { None } else { Some(place.run()?) };
    let listed = place.store.list(&place.tenant, run.as_deref()).await.map_err(|error| Failure::store(&error))?;
    let now = WallClock.now();
    let terminal = place.terminal;
    if terminal.json {
        let claims = listed.iter().map(|claim| ClaimJson {
            handle: &claim.handle,
            run: &claim.scope.run,
            chars: claim.chars,
            bytes: claim.bytes,
            expires_at: claim.expires.as_secs(),
            expires_in_seconds: left(claim, now),
        });
        terminal.json(&Json { tenant: &place.tenant, run: run.as_deref(), claims: claims.collect() })?;
        return Ok(Exit::Done);
    }
    let whose = match &run {
        Some(run) => format!("tenant {:?}, run {run:?}", place.tenant),
        None => format!("tenant {:?}, all runs", place.tenant),
    };
    if listed.is_empty() {
        terminal.note(format_args!("no claim of {whose} can be redeemed"));
        return Ok(Exit::Done);
    }
    let mut table = format!("{:<38}  {:>10}  {:>10}  {:>9}  RUN\n", "HANDLE", "CHARACTERS", "BYTES", "SECONDS");
    for claim in &listed {
        let chars = claim.chars.map_or("?".into(), |chars| chars.to_string());
        let Listed { handle, bytes, scope, .. } = claim;
        // Writing to a String can't fail.
        let _ = writeln!(table, "{handle:<38}  {chars:>10}  {bytes:>10}  {:>9}  {}", left(claim, now), scope.run);
    }
    terminal.text(&table)?;
    let count = listed.len();
    terminal.note(format_args!("{count} {} of {whose}", if count == 1 { "claim" } else { "claims" }));
    Ok(Exit::Done)
}

fn left(claim: &Listed, now: Duration) -> u64 {
    claim.expires.saturating_sub(now).as_secs()
}
