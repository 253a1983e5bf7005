//! A file that is not what it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use claim_check_host::{OpenStoreError, SqliteStore, Store, StoreError};
use claim_check_tests::durable::{Dice, Found, Known, Tally};

use super::{TTL, all_whole, in_time, known, open_refused, options};

const FLIPS: usize = 200;

pub(super) async fn run(folder: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let sound = folder.join("sound.db");
    let claims = known("run", 12, 30_000);
    let store = options().open(&sound)?;
    for claim in &claims {
        claim.put(&store, TTL).await?;
    }
    drop(store);
    let bytes = fs::read(&sound)?;
    let file = folder.join("damaged.db");

    let mut tried = Tried::default();
    for cut in [0, 1, 100, 512, 1024, 5_000, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1024, bytes.len() - 1] {
        tried.look(&file, &bytes[..cut], &claims).await?;
    }
    tally.check("a truncated database", tried.verdict());

    let (mut tried, mut dice) = (Tried::default(), Dice(4_711));
    for _ in 0..FLIPS {
        let mut flipped = bytes.clone();
        let at = usize::try_from(dice.below(bytes.len() as u64))?;
        flipped[at] ^= 1 << dice.below(8);
        tried.look(&file, &flipped, &claims).await?;
    }
    tally.check(&format!("{FLIPS} bits flipped, one at a time"), tried.verdict());

    let (mut tried, mut dice) = (Tried::default(), Dice(815));
    for _ in 0..FLIPS / 4 {
        let mut flipped = bytes.clone();
        for _ in 0..100 {
            let at = usize::try_from(dice.below(bytes.len() as u64))?;
            flipped[at] ^= 1 << dice.below(8);
        }
        tried.look(&file, &flipped, &claims).await?;
    }
    tally.check("bits flipped, a hundred at a time", tried.verdict());

    fs::write(&file, "not a database, but a text of more than a hundred bytes. ".repeat(100))?;
    let is_foreign = |error: &OpenStoreError| matches!(error, OpenStoreError::NotAStore(_));
    tally
        .check("a file that is something else", open_refused(options().open(&file), is_foreign, "choose another file"));
    tally.check("the sound file, all the while", all_whole(&options().open(&sound)?, &claims).await);
    Ok(())
}

/// What came of reading and writing damaged files.
#[derive(Default)]
struct Tried {
    outcomes: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Tried {
    async fn look(&mut self, file: &Path, bytes: &[u8], claims: &[Known]) -> anyhow::Result<()> {
        for side in ["-wal", "-shm"] {
            let mut name = file.as_os_str().to_owned();
            name.push(side);
            let _ = fs::remove_file(name);
        }
        fs::write(file, bytes)?;
        match options().open(file) {
            Err(OpenStoreError::Io { error, .. }) => self.wrong.push(format!("opening: {error}")),
            Err(_) => self.count("not opened"),
            Ok(store) => {
                for claim in claims {
                    match in_time(claim.find(&store)).await {
                        Ok((found, _)) => self.found(found),
                        Err(hang) => self.wrong.push(hang),
                    }
                }
                self.put_and_forget(&store, &claims[0]).await;
            }
        }
        Ok(())
    }

    fn count(&mut self, outcome: &'static str) {
        *self.outcomes.entry(outcome).or_default() += 1;
    }

    fn found(&mut self, found: Found) {
        match found {
            Found::Whole => self.count("whole"),
            Found::Nothing => self.count("not found"),
            Found::Refused => self.count("refused by the handle's proof"),
            Found::Error(error) => self.error(&error),
            Found::Wrong => self.wrong.push("wrong content would have been served".into()),
        }
    }

    fn error(&mut self, error: &StoreError) {
        match error {
            StoreError::Failed(text) if text.contains("move it and its -wal and -shm away") => {
                self.count("said to be damaged")
            }
            error => self.wrong.push(error.to_string()),
        }
    }

    async fn put_and_forget(&mut self, store: &SqliteStore, claim: &Known) {
        match in_time(claim.put(store, TTL)).await {
            Ok((Ok(()), _)) => match in_time(claim.find(store)).await {
                Ok((Found::Whole, _)) => self.count("put, and whole"),
                // Space that was free by the damaged books may have been in use: it shows when it is read.
                Ok((Found::Error(error), _)) => self.error(&error),
                Ok((found, _)) => self.wrong.push(format!("put was acknowledged, and then: {found:?}")),
                Err(hang) => self.wrong.push(hang),
            },
            Ok((Err(error), _)) => self.error(&error),
            Err(hang) => self.wrong.push(hang),
        }
        let what = claim_check_host::Erasure::Run(claim.scope.clone());
        match in_time(store.forget(&what)).await {
            Ok((Ok(_), _)) => self.count("forgotten"),
            Ok((Err(error), _)) => self.error(&error),
            Err(hang) => self.wrong.push(hang),
        }
    }

    fn verdict(&self) -> Result<String, String> {
        let said = format!("{:?}", self.outcomes);
        match self.wrong.first() {
            None => Ok(said),
            Some(first) => Err(format!("{} wrong, the first: {first}; {said}", self.wrong.len())),
        }
    }
}
