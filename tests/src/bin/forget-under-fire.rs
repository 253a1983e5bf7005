//! A tenant is forgotten while eight writers and readers are at work: `forget-under-fire [--rounds 20] [--folder DIR]`.
//!
//! They are stopped, the tenant is forgotten once more, and then `grep` looks for its text in the raw bytes of the file,
//! its `-wal` and its `-shm` (a process of its own: to open and close the file in this one would end SQLite's locks).

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::ensure;
use claim_check_host::{Erasure, Scope, SqliteStore, Store, StoreError};
use claim_check_tests::durable::{Dice, Folder, Found, Known, Tally, option};
use tokio::task::JoinSet;

/// In every line of the tenant's text, and nowhere in its name.
const TENANT: &str = "burned";
const TTL: u32 = 3_600;

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let rounds: usize = option("--rounds", 20)?;
    let folder = Folder::new(&option("--folder", std::env::temp_dir())?, "forget-under-fire")?;
    let file = folder.path().join("claims.db");
    let store = SqliteStore::open(&file)?;
    let mut tally = Tally::default();

    let others: Vec<_> = (0..200).map(|n| Known::new(&bystander(n), n, 200 + n * 997 % 40_000)).collect();
    // Half before and half between the rounds, so that rows of both lie side by side.
    for known in others.iter().step_by(2) {
        known.put(&store, TTL).await?;
    }
    let (mut put, mut forgotten, mut errors, mut traces) = (0, 0, 0, 0);
    for round in 0..rounds {
        let fire = fire(&store, round).await;
        put += fire.put;
        errors += fire.errors;
        for known in others.iter().skip(1).step_by(2).skip(round).step_by(rounds) {
            known.put(&store, TTL).await?;
        }
        forgotten += fire.forgotten + store.forget(&Erasure::Tenant(TENANT.into())).await?;
        traces += traces_of(&format!("{TENANT}/"), &file)?;
    }
    let said = |right: bool, said: String| if right { Ok(said) } else { Err(said) };
    tally.check("writers and readers", said(errors == 0 && put > 0, format!("{put} puts, {errors} errors")));
    tally.check("forgotten", said(forgotten > 0, format!("{forgotten} live claims in {rounds} rounds")));
    tally.check("text of the forgotten tenant in the raw bytes", said(traces == 0, format!("{traces} traces")));
    // The search can find: what is still there is found.
    let found = traces_of("bystander-0/", &file)?;
    tally.check("text of another tenant in the raw bytes", said(found > 0, format!("{found} traces")));
    let mut whole = 0;
    for known in &others {
        whole += usize::from(known.find(&store).await == Found::Whole);
    }
    tally.check("claims of other tenants", said(whole == others.len(), format!("{whole} of {} whole", others.len())));
    let left = store.list(TENANT, None).await?.len();
    tally.check("claims of the forgotten tenant", said(left == 0, format!("{left} listed")));
    Ok(tally.close())
}

fn bystander(n: usize) -> Scope {
    Scope::new(format!("bystander-{}", n % 5), format!("run-{}", n % 20))
}

#[derive(Default)]
struct Fire {
    put: usize,
    errors: usize,
    forgotten: u32,
}

/// Eight at work; forgotten in the middle; stopped.
async fn fire(store: &SqliteStore, round: usize) -> Fire {
    let stop = Arc::new(AtomicBool::new(false));
    let put = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for task in 0..8 {
        let (store, stop, put) = (store.clone(), Arc::clone(&stop), Arc::clone(&put));
        tasks.spawn(async move {
            let mut dice = Dice((round * 8 + task + 1) as u64);
            let mut errors = 0;
            while !stop.load(Ordering::Relaxed) {
                // Writers and readers speak of the same claims, small and large.
                let n = usize::try_from(dice.below(40)).unwrap_or(0);
                let known = Known::new(&Scope::new(TENANT, format!("run-{}", n % 4)), n, 300 + n * 1_511);
                if task % 2 == 0 {
                    match known.put(&store, TTL).await {
                        Ok(()) => drop(put.fetch_add(1, Ordering::Relaxed)),
                        Err(error) => errors += complain(&error),
                    }
                } else {
                    match known.find(&store).await {
                        Found::Whole | Found::Nothing => tokio::task::yield_now().await,
                        found => errors += complain(&found),
                    }
                }
            }
            errors
        });
    }
    tokio::time::sleep(Duration::from_millis(150)).await;
    let forgotten = store.forget(&Erasure::Tenant(TENANT.into())).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    stop.store(true, Ordering::Relaxed);
    let errors: usize = tasks.join_all().await.into_iter().sum();
    let refused = forgotten.as_ref().err().map_or(0, |error: &StoreError| complain(error));
    Fire { put: put.load(Ordering::Relaxed), errors: errors + refused, forgotten: forgotten.unwrap_or(0) }
}

fn complain(what: &impl std::fmt::Debug) -> usize {
    println!("{what:?}");
    1
}

/// How many lines of the store's files have this text.
fn traces_of(text: &str, file: &Path) -> anyhow::Result<usize> {
    let mut traces = 0;
    for side in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(side);
        let grep = Command::new("grep").args(["-a", "-c", "-F", "-e", text]).arg(PathBuf::from(name)).output()?;
        ensure!(matches!(grep.status.code(), Some(0 | 1)), "grep: {}", String::from_utf8_lossy(&grep.stderr));
        traces += String::from_utf8(grep.stdout)?.trim().parse::<usize>()?;
    }
    Ok(traces)
}
