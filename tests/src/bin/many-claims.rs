//! What the lasting store costs as it fills: `many-claims [--claims 100000] [--folder DIR]`.
//!
//! 100 claims to a run. In memory-backed `/dev/shm` where there is one, so that the numbers tell about the store and not
//! about the disk's flushes; `--folder` measures a real disk.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use claim_check_host::{Erasure, ManualClock, Scope, SqliteStore, Store};
use claim_check_tests::durable::{Dice, Folder, Found, Known, option};

const PER_RUN: usize = 100;
const CHARS: usize = 5_000;
const LONG: u32 = 1_000_000;
const SWEPT: usize = 960;

/// What things cost, in microseconds: the median.
struct Costs {
    claims: usize,
    put: f64,
    window: f64,
    forget_run: f64,
    sweeping_put: f64,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let shm = PathBuf::from("/dev/shm");
    let within = option("--folder", if shm.is_dir() { shm } else { std::env::temp_dir() })?;
    let most = option("--claims", 100_000)?;
    let folder = Folder::new(&within, "many-claims")?;
    println!("{CHARS} characters a claim, {PER_RUN} claims a run, in {}; medians in µs", folder.path().display());
    println!("{:>8} {:>10} {:>10} {:>10} {:>14}", "claims", "put", "window", "forget run", "put that sweeps");

    let clock = Arc::new(ManualClock::new());
    let options = SqliteStore::options().clock(clock.clone()).bounds(u64::MAX, u64::MAX);
    let store = options.open(folder.path().join("claims.db"))?;
    let (mut filled, mut table) = (0, vec![]);
    for claims in [most / 100, most / 10, most] {
        let put = fill(&store, filled, claims).await?;
        filled = claims;
        let costs = Costs {
            claims,
            put,
            window: windows(&store, claims).await?,
            forget_run: forget_runs(&store, claims).await?,
            sweeping_put: sweeps(&store, &clock, claims).await?,
        };
        let Costs { put, window, forget_run, sweeping_put, .. } = costs;
        println!("{claims:>8} {put:>10.0} {window:>10.0} {forget_run:>10.0} {sweeping_put:>14.0}");
        table.push(costs);
    }
    for pair in table.windows(2) {
        let ratio = |cost: fn(&Costs) -> f64| cost(&pair[1]) / cost(&pair[0]);
        println!(
            "{} to {}: put ×{:.2}, window ×{:.2}, forget run ×{:.2}, put that sweeps ×{:.2}",
            pair[0].claims,
            pair[1].claims,
            ratio(|costs| costs.put),
            ratio(|costs| costs.window),
            ratio(|costs| costs.forget_run),
            ratio(|costs| costs.sweeping_put)
        );
    }
    let stats = store.stats().await?;
    println!("{} claims, {} MiB on disk", stats.live, stats.file_bytes >> 20);
    ensure!(stats.live == most as u64, "{} claims are live in place of {most}", stats.live);
    Ok(ExitCode::SUCCESS)
}

fn known(n: usize) -> Known {
    Known::new(&Scope::new(format!("tenant-{}", n / PER_RUN % 7), format!("run-{}", n / PER_RUN)), n, CHARS)
}

/// Fills up, and tells what the last of the puts cost.
async fn fill(store: &SqliteStore, from: usize, to: usize) -> anyhow::Result<f64> {
    let mut costs = vec![];
    for n in from..to {
        let known = known(n);
        let begin = Instant::now();
        known.put(store, LONG).await?;
        if to - n <= 800 {
            costs.push(begin.elapsed());
        }
    }
    median(costs)
}

async fn windows(store: &SqliteStore, claims: usize) -> anyhow::Result<f64> {
    let (mut dice, mut costs) = (Dice(7), vec![]);
    for _ in 0..2_000 {
        let known = known(usize::try_from(dice.below(claims as u64))?);
        let begin = Instant::now();
        let held = store.fetch(&known.scope, &known.handle, 0, 1).await?;
        costs.push(begin.elapsed());
        ensure!(held == known.claim.part(0, 1), "another claim came");
    }
    median(costs)
}

/// Forgets some runs, and puts them again.
async fn forget_runs(store: &SqliteStore, claims: usize) -> anyhow::Result<f64> {
    let (mut dice, mut costs) = (Dice(11), vec![]);
    for _ in 0..25 {
        let first = usize::try_from(dice.below((claims / PER_RUN) as u64))? * PER_RUN;
        let begin = Instant::now();
        let live = store.forget(&Erasure::Run(known(first).scope)).await?;
        costs.push(begin.elapsed());
        ensure!(live as usize == PER_RUN, "{live} claims were forgotten in place of {PER_RUN}");
        ensure!(known(first).find(store).await == Found::Nothing, "a forgotten claim is served");
        for n in first..first + PER_RUN {
            known(n).put(store, LONG).await?;
        }
    }
    median(costs)
}

/// Lets claims expire, and tells what the puts cost that sweep them on the way.
async fn sweeps(store: &SqliteStore, clock: &ManualClock, claims: usize) -> anyhow::Result<f64> {
    let brief = Scope::new("tenant-0", "brief");
    for n in 0..SWEPT {
        Known::new(&brief, n, CHARS).put(store, 1).await?;
    }
    clock.advance(Duration::from_secs(2));
    let mut costs = vec![];
    while store.stats().await?.claims > claims as u64 {
        let known = known(costs.len());
        let begin = Instant::now();
        known.put(store, LONG).await?;
        costs.push(begin.elapsed());
    }
    median(costs)
}

fn median(mut costs: Vec<Duration>) -> anyhow::Result<f64> {
    costs.sort();
    Ok(costs.get(costs.len() / 2).context("nothing was measured")?.as_secs_f64() * 1e6)
}
