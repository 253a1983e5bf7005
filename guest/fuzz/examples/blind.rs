//! Drives a target without coverage, from its seeds: `blind TARGET SECONDS SEEDS`. For machines without a C++ compiler.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use claim_check_fuzz::TARGETS;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, seconds, seeds] = arguments.as_slice() else {
        eprintln!("usage: blind TARGET SECONDS SEEDS");
        return ExitCode::FAILURE;
    };
    let run = TARGETS.iter().find(|(name, _)| name == target).map(|(_, run)| run);
    let (Some(run), Ok(seconds)) = (run, seconds.parse()) else {
        eprintln!("no target {target}, or no number of seconds: {seconds}");
        return ExitCode::FAILURE;
    };
    let seeds: Vec<Vec<u8>> = match std::fs::read_dir(seeds) {
        Ok(entries) => entries.filter_map(|entry| std::fs::read(entry.ok()?.path()).ok()).collect(),
        Err(error) => {
            eprintln!("{seeds}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (end, mut executions) = (Instant::now() + Duration::from_secs(seconds), 0u64);
    while Instant::now() < end {
        let input = mutated(&seeds, &mut random);
        if std::panic::catch_unwind(|| run(&input)).is_err() {
            eprintln!("the input that broke it: {input:?}");
            return ExitCode::FAILURE;
        }
        executions += 1;
    }
    println!("Done {executions} runs");
    ExitCode::SUCCESS
}

/// Xorshift: the same inputs in the same order on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let pick = |random: &mut Random| seeds.get(random.below(seeds.len())).cloned().unwrap_or_default();
    let mut input = pick(random);
    for _ in 0..random.below(6) {
        let at = random.below(input.len() + 1);
        match random.below(5) {
            0 => input.insert(at, random.below(256) as u8),
            1 => drop(input.drain(at..(at + random.below(8)).min(input.len()))),
            2 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
            3 => {
                let other = pick(random);
                let from = random.below(other.len() + 1);
                let part = &other[from..(from + random.below(40)).min(other.len())];
                input.splice(at..at, part.iter().copied());
            }
            _ => {
                let part = input[at..(at + random.below(20)).min(input.len())].to_vec();
                input.splice(at..at, part);
            }
        }
    }
    input
}
