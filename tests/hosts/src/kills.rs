//! Two instances at once over one folder or one bucket, killed at random: no part of a claim is left, and no claim that was
//! acknowledged is lost; and a forget leaves nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::cases::document;
use crate::host::{Host, Read};
use crate::hosts::{Http, Served};
use crate::programs::Places;

/// How many documents each instance is given until it is killed.
const DOCUMENTS: usize = 1000;

/// What was found after all rounds.
#[derive(Debug, Default)]
pub struct Tally {
    /// So many claims were acknowledged, and are whole.
    pub acknowledged: usize,
    /// So many were not, and are whole all the same.
    pub unheard: usize,
    /// So many files are the platform's own, which was killed while it wrote them. No adapter sees those.
    pub platforms: usize,
}

/// So many rounds, over what this way of serving keeps.
///
/// # Errors
/// A part of a claim was left, one was lost, or a forget left something.
pub fn rounds(places: &Places, served: Served, rounds: u64) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut one = Http::new(places, served)?;
    for round in 0..rounds {
        let mut other = one.beside()?;
        one.restart()?;
        // Not random but spread: every round kills at another time after the start.
        let alive = Duration::from_millis(20 + (round * 7919) % 400);
        let known = put_until_killed(&mut one, &mut other, round, alive)?;
        drop(other);
        one.restart()?;
        tally.acknowledged += known.len();
        tally.unheard += check(&mut one, round, &known).with_context(|| format!("round {round}"))?;
    }
    tally.platforms = files(&one.data()).iter().filter(|path| is_the_platforms(path)).count();
    Ok(tally)
}

fn run(round: u64) -> String {
    format!("round-{round}")
}

/// The handles that were acknowledged before both were killed.
fn put_until_killed(one: &mut Http, other: &mut Http, round: u64, alive: Duration) -> Result<BTreeSet<String>> {
    let callers = [one.caller(), other.caller()].map(|caller| {
        thread::spawn(move || {
            let mut acknowledged = vec![];
            for number in 0..DOCUMENTS {
                // Both put the same documents, so that both write the same claims.
                match caller.ask(&run(round), &content(number), 600) {
                    Ok(handle) => acknowledged.push(handle),
                    Err(_) => break,
                }
            }
            acknowledged
        })
    });
    thread::sleep(alive);
    one.kill();
    thread::sleep(Duration::from_millis(round % 30));
    other.kill();
    let mut known = BTreeSet::new();
    for caller in callers {
        known.extend(caller.join().map_err(|_| anyhow::anyhow!("a caller panicked"))?);
    }
    Ok(known)
}

fn content(number: usize) -> String {
    document(&format!("document {number}"), 40_000)
}

/// Reads everything that is there, and forgets it; says how many claims were whole that nobody heard of.
fn check(host: &mut Http, round: u64, known: &BTreeSet<String>) -> Result<usize> {
    let there = handles(&host.data());
    for handle in known {
        ensure!(there.contains(handle), "{handle} was acknowledged, and there is nothing of it");
    }
    let mut unheard = 0;
    for handle in &there {
        match read(host, &run(round), handle)? {
            Some(text) => {
                let number = text.strip_prefix("0. document ").and_then(|rest| rest.split(':').next()?.parse().ok());
                let number: usize = number.with_context(|| format!("{handle} is no document"))?;
                ensure!(text == content(number), "{handle} is a part of a document");
                unheard += usize::from(!known.contains(handle));
            }
            None => ensure!(!known.contains(handle), "{handle} was acknowledged, and can't be read"),
        }
    }
    host.forget(&run(round))?;
    let left = files(&host.data());
    ensure!(left.iter().all(|path| is_the_stores(path) || is_the_platforms(path)), "a forget left {left:?}");
    Ok(unheard)
}

/// The whole text; none where there is no claim. A claim whose beginning can be read and its end can't is an error.
fn read(host: &mut Http, run: &str, handle: &str) -> Result<Option<String>> {
    let (mut text, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        match host.fetch(run, handle, from)? {
            Read::There(window) => {
                text += &window.text;
                offset = window.next;
            }
            Read::Gone => {
                ensure!(from == 0, "{handle} can be read up to {from}, and no further");
                return Ok(None);
            }
        }
    }
    Ok(Some(text))
}

/// The handles that a file name speaks of: a claim's own, or a header's in a bucket.
fn handles(folder: &Path) -> BTreeSet<String> {
    let names = files(folder).into_iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let digits = names.filter_map(|name| match name.len() {
        32 => Some(name),
        102 => Some(name[70..].to_owned()),
        _ => None,
    });
    digits.map(|digits| format!("claim:{digits}")).collect()
}

/// What belongs to no claim.
fn is_the_stores(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name == "claim-check-store" || name == "c1a1015e" || name.starts_with("swept")
}

/// What `wash` writes before it gives a value its name.
fn is_the_platforms(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(".fskv-tmp-"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], vec![]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}
