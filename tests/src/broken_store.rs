//! Stores that each break one rule, so that the store suite is seen to notice it and to blame no other.

mod flaw;
mod notes;

use std::collections::BTreeSet;
use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use claim_check_host::store_suite::Bench;
use claim_check_host::{Claim, Clock, Erasure, ManualClock, MemoryStore, Scope, Store, StoreError, async_trait};

pub use flaw::{FLAWS, Flaw};
use notes::Notes;

/// What a tenant may hold, in bytes.
pub const BOUND: usize = 80 << 20;

/// The bench for the suite on an empty store with this flaw.
#[must_use]
pub fn bench(flaw: Flaw) -> Bench {
    let clock = Arc::new(ManualClock::new());
    let time = clock.clone();
    let make = move || Arc::new(BrokenStore::new(flaw, time.clone())) as Arc<dyn Store>;
    let store = make();
    let open = move || ready(if flaw == Flaw::SharesNothing { make() } else { Arc::clone(&store) });
    Bench::new(open).clock(clock).tenant_bytes(BOUND)
}

/// A memory store with a flaw.
pub struct BrokenStore {
    flaw: Flaw,
    inner: MemoryStore,
    clock: Arc<ManualClock>,
    notes: Mutex<Notes>,
    is_putting: AtomicBool,
}

impl BrokenStore {
    /// An empty store with this flaw.
    #[must_use]
    pub fn new(flaw: Flaw, clock: Arc<ManualClock>) -> Self {
        Self {
            flaw,
            inner: MemoryStore::with_clock(clock.clone()).bounds(BOUND, 1 << 30),
            clock,
            notes: Mutex::default(),
            is_putting: AtomicBool::new(false),
        }
    }

    /// Where the inner store keeps what is put in this scope.
    fn place(&self, scope: &Scope) -> Scope {
        match self.flaw {
            Flaw::JoinsNames => Scope::new(format!("{}/{}", scope.tenant, scope.run), "run"),
            Flaw::ResolvesPaths => Scope::new(&scope.tenant, resolved(&scope.run)),
            Flaw::FoldsCase => Scope::new(scope.tenant.to_lowercase(), scope.run.to_lowercase()),
            _ => scope.clone(),
        }
    }

    fn ttl(&self, key: &(Scope, String), ttl: u32) -> u32 {
        match self.flaw {
            Flaw::LivesASecondLonger => ttl.saturating_add(1),
            Flaw::CountsMillisecondsIn32Bits => ttl.wrapping_mul(1000) / 1000,
            Flaw::RemembersExpiry => {
                let mut notes = self.notes();
                let longest = notes.longest.entry(key.clone()).or_default();
                *longest = ttl.max(*longest);
                *longest
            }
            _ => ttl,
        }
    }

    async fn put_with_flaw(&self, scope: &Scope, handle: &str, mut claim: Claim, ttl: u32) -> Result<(), StoreError> {
        let place = self.place(scope);
        let held = self.inner.fetch(&place, handle, 0, u32::MAX).await;
        match self.flaw {
            Flaw::ChangesLineEnds => claim.pages.iter_mut().for_each(|page| *page = page.replace("\r\n", "\n").into()),
            Flaw::WritesPageByPage => {
                self.inner.put(&place, handle, claim.clone(), ttl).await?;
                self.inner.put(&place, handle, claim.part(0, 1), ttl).await?;
                tokio::task::yield_now().await;
            }
            Flaw::KeepsTheFirst => claim = held.unwrap_or(claim),
            Flaw::BuriesExpired if held.is_err() && self.notes().held.contains_key(&(scope.clone(), handle.into())) => {
                return Ok(());
            }
            Flaw::RefusesOver32Mib if claim.bytes() > 32 << 20 => return Err(StoreError::Full("too large".into())),
            Flaw::NeverSweeps if self.bytes_beside(scope, handle) + claim.bytes() > BOUND => {
                return Err(StoreError::Full("expired claims are counted".into()));
            }
            Flaw::LosesRaces => {
                if self.is_putting.swap(true, Ordering::SeqCst) {
                    return Ok(());
                }
                let _done = Done(&self.is_putting);
                tokio::task::yield_now().await;
                return self.inner.put(&place, handle, claim, ttl).await;
            }
            _ => {}
        }
        let refused = self.inner.put(&place, handle, claim.clone(), ttl).await;
        match (self.flaw, refused) {
            (Flaw::RefusesAsFailed, Err(StoreError::Full(text))) => Err(StoreError::Failed(text)),
            (Flaw::QuotesContent, Err(StoreError::Full(_))) => Err(StoreError::Full(format!("for {}", claim.pages[0]))),
            (Flaw::LosesAllWhenFull, Err(full)) => {
                self.inner.forget(&Erasure::Run(place)).await?;
                Err(full)
            }
            (Flaw::KeepsPartOfRefused, Err(full)) => {
                self.inner.put(&place, handle, claim.part(0, 1), ttl).await?;
                Err(full)
            }
            (_, outcome) => outcome,
        }
    }

    async fn forget_places(&self, scopes: BTreeSet<Scope>) -> Result<u32, StoreError> {
        let places: BTreeSet<Scope> = scopes.iter().map(|scope| self.place(scope)).collect();
        let mut live = 0;
        for place in places {
            live += self.inner.forget(&Erasure::Run(place)).await?;
        }
        Ok(live)
    }
}

#[async_trait]
impl Store for BrokenStore {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        let key = (scope.clone(), handle.to_owned());
        let ttl = self.ttl(&key, ttl_seconds);
        let bytes = claim.bytes();
        self.put_with_flaw(scope, handle, claim, ttl).await?;
        self.note(key, bytes, ttl);
        if self.flaw == Flaw::RevivesForgotten {
            self.revive(scope, handle).await;
        }
        Ok(())
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        let count = match self.flaw {
            Flaw::GivesAPageMore => page_count.saturating_add(1),
            _ => page_count,
        };
        let held = self.inner.fetch(&self.place(scope), handle, first_page, count).await;
        match self.flaw {
            Flaw::MissesPastTheEnd if held.as_ref().is_ok_and(|held| held.pages.is_empty()) && count > 0 => {
                Err(StoreError::NotFound)
            }
            Flaw::PanicsPastTheEnd if held.as_ref().is_ok_and(|held| held.pages.is_empty()) && count > 0 => {
                let whole = self.inner.fetch(scope, handle, 0, u32::MAX).await?;
                panic!("no page {first_page} in {:?}", whole.pages)
            }
            Flaw::AddsIn32Bits if held.as_ref().is_ok_and(|held| !held.pages.is_empty()) => {
                // A panic where overflow is checked, and elsewhere a range that ends before it begins.
                let end = first_page + count;
                self.inner.fetch(scope, handle, first_page, end.saturating_sub(first_page)).await
            }
            Flaw::LastExpiryWins | Flaw::FirstExpiryWins => {
                let note = self.notes().held.get(&(scope.clone(), handle.to_owned())).cloned();
                if note.is_some_and(|note| note.expiry > self.clock.now()) { held } else { Err(StoreError::NotFound) }
            }
            Flaw::ProlongsOnFetch => {
                if let Ok(whole) = self.inner.fetch(scope, handle, 0, u32::MAX).await {
                    self.inner.put(scope, handle, whole, 3).await?;
                }
                held
            }
            Flaw::IgnoresRun | Flaw::IgnoresTenant if held.is_err() => {
                let by_run = self.flaw == Flaw::IgnoresRun;
                for other in
                    self.noted(|other| if by_run { other.tenant == scope.tenant } else { other.run == scope.run })
                {
                    if let Ok(foreign) = self.inner.fetch(&other, handle, first_page, count).await {
                        return Ok(foreign);
                    }
                }
                held
            }
            _ => held,
        }
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        if self.flaw == Flaw::RevivesForgotten {
            self.bury(what).await;
        }
        let live = match (self.flaw, what) {
            (Flaw::JoinsNames | Flaw::ResolvesPaths | Flaw::FoldsCase, _) => {
                self.forget_places(self.noted(|scope| what.covers(scope))).await?
            }
            (Flaw::ForgetsTheWholeTenant, Erasure::Run(scope)) => {
                self.inner.forget(&Erasure::Tenant(scope.tenant.clone())).await?
            }
            (Flaw::ForgetsOneRun, Erasure::Tenant(_)) => {
                self.forget_places(self.noted(|scope| what.covers(scope)).into_iter().take(1).collect()).await?
            }
            (Flaw::ForgetsByPrefix, Erasure::Tenant(tenant)) => {
                self.forget_places(self.noted(|scope| scope.tenant.starts_with(tenant))).await?
            }
            (Flaw::MatchesPatterns, Erasure::Tenant(tenant)) if tenant.contains('%') => {
                let before = &tenant[..tenant.find('%').unwrap_or_default()];
                self.forget_places(self.noted(|scope| scope.tenant.starts_with(before))).await?
            }
            _ => self.inner.forget(what).await?,
        };
        let mut notes = self.notes();
        let covered = notes.held.iter().filter(|((scope, _), _)| what.covers(scope)).map(|(_, note)| note.puts);
        let live = match self.flaw {
            Flaw::CountsExpired => covered.map(|_| 1).sum(),
            Flaw::CountsPuts => {
                let now = self.clock.now();
                let live = notes.held.iter().filter(|((scope, _), note)| what.covers(scope) && note.expiry > now);
                live.map(|(_, note)| note.puts).sum()
            }
            _ => live,
        };
        notes.held.retain(|(scope, _), _| !what.covers(scope));
        match self.flaw {
            Flaw::ComplainsOfNothing if live == 0 => Err(StoreError::NotFound),
            _ => Ok(live),
        }
    }
}

struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

fn resolved(run: &str) -> String {
    let mut parts = vec![];
    for part in run.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
