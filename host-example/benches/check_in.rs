//! `cargo bench -p claim-check-host`: what a check-in costs over its floor, and a window of a large document over one
//! of a small document.
//!
//! The floor is what any host pays that copies a result out of a tool and into a store and proves it: two copies of
//! the content and its SHA-256, native. Floor and check-in take turns, so that what disturbs one disturbs the other;
//! printed are medians and their ratio, of this thread's time on a processor (a call stays on its thread), so that
//! other programs' time is not counted; `best` is the ratio of the two shortest times, for a machine that is not
//! quiet. Sizes are decimal (100 kB = 100 000 bytes). Words after `--` choose rows: `-- "ASCII 100 kB" window`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{
    Claim, ClaimCheck, Engine, Erasure, Limits, MemoryStore, Outcome, Policy, Scope, Settings, Store, StoreError,
    async_trait,
};
use sha2::{Digest, Sha256};

/// Takes every claim, and drops it: the store's own cost is not ours.
struct Drain;

#[async_trait]
impl Store for Drain {
    async fn put(&self, _: &Scope, _: &str, claim: Claim, _: u32) -> Result<(), StoreError> {
        black_box(&claim);
        Ok(())
    }

    async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(StoreError::NotFound)
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Ok(0)
    }
}

const LOG: &str = "2026-12-01T08:14:03.125Z INFO worker-7 request{id=8c1f path=/v1/items?page=3} finished in 12.4 ms, 200 OK, 1834 bytes\n";
const FRENCH: &str = "Où l'on découvre, après une étude très poussée, que l'élève préférait déjà la forêt à l'école; il n'y était pas né.\n";
const CJK: &str = "検索結果は大きすぎるため、会話には先頭だけが残り、残りは後から窓ごとに読み出されます。\n";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // `cargo test` runs a bench with no harness too, and has nothing to measure.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_chosen = |row: &str| chosen.is_empty() || chosen.iter().any(|word| row.contains(word));
    let engine = Engine::new(&Limits::default()).expect("the engine");
    println!("\ncheck-in, medians in µs (clean content, a store that drops it)\n");
    println!(
        "{:<10}{:>8}{:>12}{:>12}{:>8}{:>8}{:>8}{:>16}{:>12}",
        "content", "size", "floor", "check-in", "ratio", "best", "aim", "no neutralise", "neutralise"
    );
    for (script, line) in [("ASCII", LOG), ("French", FRENCH), ("CJK", CJK)] {
        for (label, bytes) in [("5 kB", 5_000), ("100 kB", 100_000), ("1 MB", 1_000_000), ("10 MB", 10_000_000)] {
            if is_chosen(&format!("{script} {label}")) {
                check_in(&engine, script, label, &content(line, bytes)).await;
            }
        }
        println!();
    }
    if is_chosen("window") {
        windows(&engine).await;
    }
}

async fn check_in(engine: &Engine, script: &str, label: &str, content: &str) {
    let aim = match (script, label) {
        ("ASCII", "100 kB") => "2.0",
        (_, "100 kB") => "3.2",
        ("ASCII", "1 MB") => "1.8",
        (_, "1 MB") => "3.2",
        _ => "",
    };
    let with = open(engine, true, Arc::new(Drain)).await;
    let without = open(engine, false, Arc::new(Drain)).await;
    let mut copies = (vec![0; content.len()], vec![0; content.len()]);
    let batch = (2_000_000 / content.len()).clamp(1, 50);
    let rounds = if content.len() > 1_000_000 { 31 } else { 101 };
    let mut times = [const { Vec::new() }; 3];
    for round in 0..=rounds {
        let took = [
            each(batch, async || floor(content.as_bytes(), &mut copies)).await,
            each(batch, async || stored(&with, content).await).await,
            each(batch, async || stored(&without, content).await).await,
        ];
        // The first round is for caches and page faults.
        if round > 0 {
            times.iter_mut().zip(took).for_each(|(times, took)| times.push(took));
        }
    }
    let [best_floor, best_with, _] = times.each_ref().map(|times| times.iter().copied().fold(f64::MAX, f64::min));
    let [floor, with, without] = times.map(median);
    println!(
        "{script:<10}{label:>8}{floor:>12.1}{with:>12.1}{:>8.2}{:>8.2}{aim:>8}{:>16.2}{:>12.1}",
        with / floor,
        best_with / best_floor,
        without / floor,
        with - without
    );
}

async fn windows(engine: &Engine) {
    println!("a window of 4096 characters from the middle, medians in µs (MemoryStore)\n");
    println!("{:<10}{:>8}{:>12}{:>8}{:>8}", "content", "size", "window", "ratio", "aim");
    let store = Arc::new(MemoryStore::new());
    let claims = open(engine, true, store).await;
    let mut documents = Vec::new();
    for bytes in [100_000, 10_000_000, 60_000_000] {
        let content = content(LOG, bytes);
        documents.push((stored(&claims, &content).await, i32::try_from(bytes / 2).expect("it is small")));
    }
    let mut times = [const { Vec::new() }; 3];
    for round in 0..=201 {
        for ((handle, middle), times) in documents.iter().zip(&mut times) {
            let took = each(10, async || {
                let window = claims.fetch(&scope(), handle, *middle, 4096).await.expect("a window");
                assert_eq!(black_box(window).text.len(), 4096);
            });
            let took = took.await;
            if round > 0 {
                times.push(took);
            }
        }
    }
    let times = times.map(median);
    for ((label, aim), time) in [("100 kB", ""), ("10 MB", "1.5"), ("60 MB", "3.5")].iter().zip(times) {
        println!("{:<10}{label:>8}{time:>12.1}{:>8.2}{aim:>8}", "ASCII", time / times[0]);
    }
}

fn floor(content: &[u8], (one, other): &mut (Vec<u8>, Vec<u8>)) {
    one.copy_from_slice(black_box(content));
    other.copy_from_slice(black_box(one));
    black_box(Sha256::digest(black_box(&*other)));
}

async fn stored(claims: &ClaimCheck, content: &str) -> String {
    match claims.check_in(&scope(), "tool", content).await.expect("an outcome") {
        Outcome::CheckedIn(ticket) => ticket.handle,
        other => panic!("{other:?}"),
    }
}

async fn open(engine: &Engine, neutralise: bool, store: Arc<dyn Store>) -> ClaimCheck {
    // A threshold that 5 kB of every script exceed.
    let policy = Policy { threshold_chars: 1000, ..Policy::default() };
    let settings = Settings { policy, neutralise, ..Settings::default() };
    ClaimCheck::open_in(engine, settings, store).await.expect("a claim check")
}

fn scope() -> Scope {
    Scope::new("bench", "3f0c3d9e-run")
}

/// As many whole lines as fit, and the rest of the size in dots.
fn content(line: &str, bytes: usize) -> String {
    let mut content = line.repeat(bytes / line.len());
    content.push_str(&".".repeat(bytes - content.len()));
    content
}

/// What one of `batch` calls takes, in µs.
async fn each<T>(batch: usize, mut call: impl AsyncFnMut() -> T) -> f64 {
    let started = now();
    for _ in 0..batch {
        black_box(call().await);
    }
    (now() - started).as_secs_f64() * 1e6 / batch as f64
}

fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a thread's time is not negative")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
