//! Claims whose content is known, to be found again in a store that lasts.

use std::fs;
use std::path::{Path, PathBuf};

use claim_check_guest::claim::handle as handle_of;
use claim_check_host::{Claim, Scope, Store, StoreError};

/// A folder that is removed when it is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder in `within`.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn new(within: &Path, name: &str) -> std::io::Result<Self> {
        let folder = within.join(format!("claim-check-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A claim that its number tells all about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Where it is kept.
    pub scope: Scope,
    /// What it is fetched by.
    pub handle: String,
    /// What is kept.
    pub claim: Claim,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It is there, every character.
    Whole,
    /// It is not there.
    Nothing,
    /// Something else is there, and the handle's proof refuses it.
    Refused,
    /// Something else is there, and it would be taken for the content.
    Wrong,
    /// The store answered with an error.
    Error(StoreError),
}

impl Known {
    /// Claim number `n` of a scope, of so many characters.
    #[must_use]
    pub fn new(scope: &Scope, n: usize, chars: usize) -> Self {
        let content = content(&format!("{scope} {n}"), chars);
        let claim = claim_check_guest::Claim::of(&content);
        let guest_scope = claim_check_guest::Scope::new(&scope.tenant, &scope.run);
        let handle = claim.handle(&guest_scope);
        Self { scope: scope.clone(), handle, claim: Claim::new(claim.manifest, claim.pages) }
    }

    /// Puts it.
    ///
    /// # Errors
    /// The store's.
    pub async fn put(&self, store: &dyn Store, ttl_seconds: u32) -> Result<(), StoreError> {
        store.put(&self.scope, &self.handle, self.claim.clone(), ttl_seconds).await
    }

    /// Looks for it.
    pub async fn find(&self, store: &dyn Store) -> Found {
        match store.fetch(&self.scope, &self.handle, 0, u32::MAX).await {
            Ok(held) if held == self.claim => Found::Whole,
            Ok(held) if self.would_be_taken(&held) => Found::Wrong,
            Ok(_) => Found::Refused,
            Err(StoreError::NotFound) => Found::Nothing,
            Err(error) => Found::Error(error),
        }
    }

    fn would_be_taken(&self, held: &Claim) -> bool {
        let text: String = held.pages.iter().map(|page| &**page).collect();
        let scope = claim_check_guest::Scope::new(&self.scope.tenant, &self.scope.run);
        let proven = claim_check_guest::Claim::of(&text);
        proven.manifest == *held.manifest && handle_of(&scope, &held.manifest) == self.handle
    }
}

/// A text of exactly so many characters in which every line names what it belongs to.
#[must_use]
pub fn content(name: &str, chars: usize) -> String {
    (0..).flat_map(|line| format!("{name} line {line} é 文.\n").chars().collect::<Vec<_>>()).take(chars).collect()
}

/// What follows `--name` among the arguments, parsed, or the default.
///
/// # Errors
/// Where it is missing or not such a value.
pub fn option<T: std::str::FromStr>(name: &str, default: T) -> anyhow::Result<T> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    match (arguments.next(), arguments.next()) {
        (None, _) => Ok(default),
        (Some(_), Some(value)) => value.parse().map_err(|_| anyhow::anyhow!("{name} can't be {value:?}")),
        (Some(_), None) => anyhow::bail!("{name} needs a value"),
    }
}

/// Numbers that look random and are the same in every run (xorshift).
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Counts what held, and says so as it goes.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    /// One more thing that has to hold.
    pub fn check(&mut self, what: &str, held: Result<String, String>) {
        match held {
            Ok(how) => {
                println!("ok      {what}: {how}");
                self.passed += 1;
            }
            Err(how) => {
                println!("FAILED  {what}: {how}");
                self.failed += 1;
            }
        }
    }

    /// One thing that could not be tried, and why.
    pub fn skip(&mut self, what: &str, why: &str) {
        println!("SKIPPED {what}: {why}");
        self.skipped += 1;
    }

    /// The closing line, and the exit code.
    #[must_use]
    pub fn close(&self) -> std::process::ExitCode {
        let skipped = if self.skipped == 0 { String::new() } else { format!(", {} skipped", self.skipped) };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed);
        u8::from(self.failed > 0).into()
    }
}
