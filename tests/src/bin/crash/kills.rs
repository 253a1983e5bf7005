//! A writer, killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use claim_check_host::{Erasure, Scope, SqliteStore, Store};
use claim_check_tests::durable::{Dice, Found, Known, Tally};

use super::{TTL, options};

/// The writer's tasks; the last of them forgets what it puts.
const TASKS: usize = 4;
/// More claims than one task begins in one round.
const SPAN: usize = 10_000;

pub(super) async fn run(folder: &Path, rounds: usize, tally: &mut Tally) -> anyhow::Result<()> {
    let file = folder.join("kills.db");
    let mut dice = Dice(20_261_201);
    let (mut acknowledged, mut redeemed, mut partial, mut forgotten, mut gone) = (vec![], 0, 0, 0, 0);
    for round in 0..rounds {
        let from = round * SPAN;
        // On a slow machine most writers die before their first word; every third may say it.
        let said = kill_one(&file, from, round % 3 == 0, Duration::from_micros(dice.below(120_000)))?;
        let store = options().open(&file)?;
        for task in 0..TASKS {
            let of_task: Vec<usize> = said.iter().filter(|(_, t, _)| *t == task).map(|(_, _, n)| *n).collect();
            // The last two may have been done and not said.
            let begun =
                of_task.iter().max().map_or(from, |last| last + 1)..=of_task.iter().max().map_or(from, |last| last + 2);
            for n in of_task.iter().copied().chain(begun) {
                let found = known(task, n).find(&store).await;
                partial += usize::from(!matches!(found, Found::Whole | Found::Nothing));
                if said.contains(&("put".into(), task, n)) {
                    acknowledged.push((task, n));
                    redeemed += usize::from(found == Found::Whole);
                } else if said.contains(&("forgot".into(), task, n)) {
                    forgotten += 1;
                    gone += usize::from(found == Found::Nothing);
                }
            }
        }
    }
    let store = options().open(&file)?;
    let mut at_the_end = 0;
    for (task, n) in &acknowledged {
        at_the_end += usize::from(known(*task, *n).find(&store).await == Found::Whole);
    }
    let said = format!("acknowledged {}, redeemed {redeemed}, partial {partial}", acknowledged.len());
    let right = redeemed == acknowledged.len() && partial == 0 && !acknowledged.is_empty();
    tally.check(&format!("a writer killed {rounds} times"), if right { Ok(said) } else { Err(said) });
    let said = format!("{at_the_end} of {} redeemed again", acknowledged.len());
    tally.check("after all rounds", if at_the_end == acknowledged.len() { Ok(said) } else { Err(said) });
    let said = format!("forgotten {forgotten}, gone {gone}");
    tally.check("a forget, acknowledged before the kill", if forgotten == gone { Ok(said) } else { Err(said) });
    let stats = store.stats().await?;
    let listed = store.list("tenant", None).await?.len() as u64;
    let said = format!("{} claims by the books, {listed} listed", stats.claims);
    tally.check("the books", if stats.live == listed { Ok(said) } else { Err(said) });
    Ok(())
}

fn known(task: usize, n: usize) -> Known {
    // From less than a page to seven.
    Known::new(&Scope::new("tenant", format!("task {task} claim {n}")), n, 500 + n * 7919 % 100_000)
}

/// What the writer said until it was killed, so long after its start or its first word: what it did, which task, which
/// claim.
fn kill_one(
    file: &Path,
    from: usize,
    has_spoken: bool,
    after: Duration,
) -> anyhow::Result<Vec<(String, usize, usize)>> {
    let mut writer = Command::new(std::env::current_exe()?)
        .args(["--as", "writer", "--from", &from.to_string(), "--file"])
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = BufReader::new(writer.stdout.take().context("no output")?);
    let mut said = String::new();
    if has_spoken {
        output.read_line(&mut said)?;
    }
    thread::sleep(after);
    writer.kill()?;
    let status = writer.wait()?;
    ensure!(!status.success() && status.code().is_none(), "the writer ended by itself: {status}");
    output.read_to_string(&mut said)?;
    let lines = said.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let mut word = || words.next().context("a word is missing");
            Ok((word()?.to_owned(), word()?.parse()?, word()?.parse()?))
        })
        .collect()
}

pub(super) async fn write(file: &str, from: usize) -> anyhow::Result<ExitCode> {
    let store = options().open(file)?;
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..TASKS {
        let store = store.clone();
        tasks.spawn(async move {
            for n in from.. {
                work(&store, task, n).await?;
            }
            anyhow::Ok(())
        });
    }
    for outcome in tasks.join_all().await {
        outcome?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn work(store: &SqliteStore, task: usize, n: usize) -> anyhow::Result<()> {
    let known = known(task, n);
    known.put(store, TTL).await?;
    let done = if task == TASKS - 1 {
        store.forget(&Erasure::Run(known.scope)).await?;
        "forgot"
    } else {
        "put"
    };
    // One write, so that a line is there or not.
    std::io::stdout().write_all(format!("{done} {task} {n}\n").as_bytes())?;
    Ok(())
}
