//! A file that another process holds.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use claim_check_host::{OpenStoreError, StoreError};
use claim_check_tests::durable::{Found, Tally};

use super::{TTL, all_whole, in_time, known, open_refused, options, refused};

pub(super) async fn run(folder: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let file = folder.join("locks.db");
    let claims = known("run", 10, 20_000);
    let store = options().open(&file)?;
    claims[0].put(&store, TTL).await?;

    let mut holder = Holder::begin(&file, 3_000)?;
    let (put, took) = in_time(claims[1].put(&store, TTL)).await.map_err(anyhow::Error::msg)?;
    let said = format!("{put:?} after {took:.1?}");
    let waited = put.is_ok() && took > Duration::from_secs(1);
    tally.check("locked for 3 seconds, put", if waited { Ok(said) } else { Err(said) });
    holder.end()?;

    let hasty = options().patience(Duration::from_secs(1)).open(&file)?;
    let mut holder = Holder::begin(&file, 6_000)?;
    let (put, took) = in_time(claims[2].put(&hasty, TTL)).await.map_err(anyhow::Error::msg)?;
    let is_unavailable = |error: &StoreError| matches!(error, StoreError::Unavailable(_));
    let held =
        refused(put, is_unavailable, "end the process that holds it").map(|text| format!("after {took:.1?}: {text}"));
    tally.check("locked for longer than the patience, put", held);
    let (found, took) = in_time(claims[1].find(&hasty)).await.map_err(anyhow::Error::msg)?;
    let said = format!("{found:?} after {took:.1?}");
    tally.check("locked, fetch", if found == Found::Whole { Ok(said) } else { Err(said) });
    let (many, took) = in_time(async {
        let puts = claims[3..].iter().map(|claim| claim.put(&hasty, TTL)).map(Box::pin).collect::<Vec<_>>();
        let mut refusals = 0;
        for put in puts {
            refusals += usize::from(matches!(put.await, Err(StoreError::Unavailable(_))));
        }
        refusals
    })
    .await
    .unwrap_or((0, Duration::ZERO));
    let said = format!("{many} of 7 refused as unavailable within {took:.1?}");
    // The lock ends within this time: what is not refused has been kept.
    tally.check("locked, many puts", if many > 0 { Ok(said) } else { Err(said) });
    holder.end()?;
    claims[2].put(&hasty, TTL).await?;
    tally.check("free again", all_whole(&store, &claims[..3]).await);
    drop((store, hasty));

    let mut holder = Holder::begin(&file, 4_000)?;
    let opened = options().patience(Duration::from_millis(500)).open(&file);
    match opened {
        Ok(store) => tally.check("locked, opened", all_whole(&store, &claims[..3]).await),
        Err(error) => {
            let is_busy = |error: &OpenStoreError| matches!(error, OpenStoreError::Store(StoreError::Unavailable(_)));
            tally.check("locked, opened", open_refused(Err::<(), _>(error), is_busy, "end the process"));
        }
    }
    holder.end()
}

/// Another process that has the file locked.
struct Holder(Child);

impl Holder {
    fn begin(file: &Path, milliseconds: u64) -> anyhow::Result<Self> {
        let mut holder = Command::new(std::env::current_exe()?)
            .args(["--as", "holder", "--for", &milliseconds.to_string(), "--file"])
            .arg(file)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(holder.stdout.take().context("no output")?).read_line(&mut line)?;
        anyhow::ensure!(line == "locked\n", "the holder could not lock the file");
        Ok(Self(holder))
    }

    fn end(&mut self) -> anyhow::Result<()> {
        anyhow::ensure!(self.0.wait()?.success(), "the holder failed");
        Ok(())
    }
}

pub(super) fn hold(file: &str, milliseconds: u64) -> anyhow::Result<ExitCode> {
    let connection = rusqlite::Connection::open(file)?;
    connection.execute_batch("BEGIN EXCLUSIVE")?;
    println!("locked");
    thread::sleep(Duration::from_millis(milliseconds));
    connection.execute_batch("ROLLBACK")?;
    Ok(ExitCode::SUCCESS)
}
