//! What a lasting store does on a bad day: `crash [--rounds 200] [--folder DIR]`.
//!
//! First a writer process is killed at random moments, and everything that it said it had put has to be there, everything
//! that it said it had forgotten has to be gone, and nothing may be there in part. Then the faults of disks, files, locks
//! and clocks.

mod clocks;
mod damage;
mod disks;
mod kills;
mod locks;

use std::future::Future;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use claim_check_host::{OpenStoreError, Scope, SqliteOptions, SqliteStore, StoreError};
use claim_check_tests::durable::{Folder, Found, Known, Tally, option};

/// No fault may keep a caller longer, with the patience that [`options`] gives.
const HANG: Duration = Duration::from_secs(10);
const TTL: u32 = 86_400;

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    match option("--as", String::new())?.as_str() {
        "writer" => return kills::write(&option("--file", String::new())?, option("--from", 0)?).await,
        "holder" => return locks::hold(&option("--file", String::new())?, option("--for", 0)?),
        "stranger" => return disks::open_as_stranger(&option("--file", String::new())?).await,
        _ => {}
    }
    let folder = Folder::new(&option("--folder", std::env::temp_dir())?, "crash")?;
    let mut tally = Tally::default();
    kills::run(folder.path(), option("--rounds", 200)?, &mut tally).await?;
    disks::full(folder.path(), &mut tally).await?;
    disks::read_only(folder.path(), &mut tally).await?;
    locks::run(folder.path(), &mut tally).await?;
    damage::run(folder.path(), &mut tally).await?;
    clocks::run(folder.path(), &mut tally).await?;
    Ok(tally.close())
}

fn options() -> SqliteOptions {
    SqliteStore::options().patience(Duration::from_secs(5))
}

fn known(run: &str, count: usize, chars: usize) -> Vec<Known> {
    (0..count).map(|n| Known::new(&Scope::new("tenant", run), n, chars)).collect()
}

/// How many of these are there, every character.
async fn whole(store: &SqliteStore, known: &[Known]) -> usize {
    let mut whole = 0;
    for known in known {
        whole += usize::from(known.find(store).await == Found::Whole);
    }
    whole
}

/// Nothing was lost of what was acknowledged.
async fn all_whole(store: &SqliteStore, known: &[Known]) -> Result<String, String> {
    let whole = whole(store, known).await;
    let said = format!("{whole} of {} acknowledged claims are whole", known.len());
    if whole == known.len() { Ok(said) } else { Err(said) }
}

/// The outcome, and an error where it did not come in time.
async fn in_time<T>(outcome: impl Future<Output = T>) -> Result<(T, Duration), String> {
    let begin = Instant::now();
    match tokio::time::timeout(HANG, outcome).await {
        Ok(outcome) => Ok((outcome, begin.elapsed())),
        Err(_) => Err(format!("no answer within {HANG:?}")),
    }
}

/// The error is of the right kind and says what to do.
fn refused<T>(outcome: Result<T, StoreError>, kind: fn(&StoreError) -> bool, advice: &str) -> Result<String, String> {
    match outcome {
        Err(error) if kind(&error) && error.to_string().contains(advice) => Ok(error.to_string()),
        Err(error) => Err(format!("another error: {error:?}")),
        Ok(_) => Err("no error".into()),
    }
}

fn open_refused<T>(
    outcome: Result<T, OpenStoreError>,
    kind: fn(&OpenStoreError) -> bool,
    advice: &str,
) -> Result<String, String> {
    match outcome {
        Err(error) if kind(&error) && error.to_string().contains(advice) => Ok(error.to_string()),
        Err(error) => Err(format!("another error: {error:?}")),
        Ok(_) => Err("no error".into()),
    }
}
