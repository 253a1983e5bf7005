//! A store in this process's memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;

use super::{Claim, Clock, Erasure, Scope, Store, StoreError, SystemClock};

/// How much one tenant may hold, unless it is told otherwise: 256 MiB.
const TENANT_BYTES: usize = 256 << 20;
/// How much all tenants together may hold, unless it is told otherwise: 1 GiB.
const TOTAL_BYTES: usize = 1 << 30;
/// What a claim costs beside its texts: its key twice and the maps' nodes. Counted, so that a bound in bytes also
/// bounds how many tiny claims are held.
const CLAIM_OVERHEAD_BYTES: usize = 512;
/// At most so many expired claims are removed by one put: twice what it adds would do, and more spreads the work.
const SWEPT_PER_PUT: usize = 32;

/// A store in this process's memory: for tests, for demos, and for runs that need not survive the process.
///
/// What it holds is bounded, per tenant and in all ([`bounds`](Self::bounds)), and refused as [`StoreError::Full`]
/// beyond. Reads copy no text. Expired claims are swept a few with every put, and all of them before a put is refused.
pub struct MemoryStore {
    clock: Arc<dyn Clock>,
    tenant_bytes: usize,
    total_bytes: usize,
    shelf: Mutex<Shelf>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::with_clock(Arc::new(SystemClock::default()))
    }
}

impl MemoryStore {
    /// An empty store of at most 256 MiB per tenant and 1 GiB in all, on the machine's clock.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store whose claims expire by `clock`.
    #[must_use]
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self { clock, tenant_bytes: TENANT_BYTES, total_bytes: TOTAL_BYTES, shelf: Mutex::default() }
    }

    /// The same store with other bounds, in bytes of text and about 512 for every claim.
    #[must_use]
    pub fn bounds(mut self, per_tenant: usize, total: usize) -> Self {
        self.tenant_bytes = per_tenant;
        self.total_bytes = total;
        self
    }

    /// How much is held, in bytes as [`bounds`](Self::bounds) counts them; expired claims that nothing has swept yet
    /// are among it.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.shelf().bytes
    }

    /// Whether a claim of `bytes` fits, in place of the one that is held under its key.
    fn room(&self, shelf: &Shelf, scope: &Scope, handle: &str, bytes: usize) -> Result<(), StoreError> {
        let freed = shelf.get(scope, handle).map_or(0, |held| held.bytes);
        let tenant = shelf.tenants.get(&scope.tenant).map_or(0, |tenant| tenant.bytes);
        let full = |whose: &str, bound: usize, held: usize| {
            StoreError::Full(match bytes > bound {
                true => {
                    format!(
                        "this claim takes {bytes} bytes, and {whose} may hold {bound}; raise the bound, or split the text"
                    )
                }
                false => format!(
                    "a claim of {bytes} bytes does not fit: {whose} may hold {bound} bytes, and {held} are held; \
                     forget runs that have ended, or raise the bound"
                ),
            })
        };
        if tenant - freed + bytes > self.tenant_bytes {
            return Err(full("a tenant", self.tenant_bytes, tenant));
        }
        if shelf.bytes - freed + bytes > self.total_bytes {
            return Err(full("the store", self.total_bytes, shelf.bytes));
        }
        Ok(())
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // No caller's code runs under the lock, so what a panic leaves there is still consistent.
        self.shelf.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore")
            .field("held_bytes", &self.held_bytes())
            .field("tenant_bytes", &self.tenant_bytes)
            .field("total_bytes", &self.total_bytes)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        let now = self.clock.now();
        let expiry = now.saturating_add(Duration::from_secs(ttl_seconds.into()));
        let bytes = claim.bytes() + CLAIM_OVERHEAD_BYTES;
        let mut shelf = self.shelf();
        shelf.sweep(now, SWEPT_PER_PUT);
        if self.room(&shelf, scope, handle, bytes).is_err() {
            shelf.sweep(now, usize::MAX);
            self.room(&shelf, scope, handle, bytes)?;
        }
        let held = shelf.remove(scope, handle);
        let expiry = held.map_or(expiry, |held| held.expiry.max(expiry));
        shelf.insert(scope, handle, Held { claim, expiry, bytes });
        Ok(())
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        let now = self.clock.now();
        match self.shelf().get(scope, handle) {
            Some(held) if held.expiry > now => Ok(held.claim.part(first_page, page_count)),
            _ => Err(StoreError::NotFound),
        }
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        let now = self.clock.now();
        Ok(self.shelf().forget(what, now))
    }
}

struct Held {
    claim: Claim,
    expiry: Duration,
    bytes: usize,
}

#[derive(Default)]
struct Tenant {
    bytes: usize,
    runs: BTreeMap<String, HashMap<String, Held>>,
}

type Key = (Scope, String);

#[derive(Default)]
struct Shelf {
    bytes: usize,
    tenants: HashMap<String, Tenant>,
    expiries: BTreeSet<(Duration, Key)>,
}

impl Shelf {
    fn get(&self, scope: &Scope, handle: &str) -> Option<&Held> {
        self.tenants.get(&scope.tenant)?.runs.get(&scope.run)?.get(handle)
    }

    fn insert(&mut self, scope: &Scope, handle: &str, held: Held) {
        self.bytes += held.bytes;
        self.expiries.insert((held.expiry, (scope.clone(), handle.into())));
        let tenant = self.tenants.entry(scope.tenant.clone()).or_default();
        tenant.bytes += held.bytes;
        tenant.runs.entry(scope.run.clone()).or_default().insert(handle.into(), held);
    }

    fn remove(&mut self, scope: &Scope, handle: &str) -> Option<Held> {
        let tenant = self.tenants.get_mut(&scope.tenant)?;
        let run = tenant.runs.get_mut(&scope.run)?;
        let held = run.remove(handle)?;
        tenant.bytes -= held.bytes;
        self.bytes -= held.bytes;
        self.expiries.remove(&(held.expiry, (scope.clone(), handle.into())));
        if run.is_empty() {
            tenant.runs.remove(&scope.run);
        }
        if tenant.runs.is_empty() {
            self.tenants.remove(&scope.tenant);
        }
        Some(held)
    }

    /// Removes at most `most` of the claims that have expired at `now`.
    fn sweep(&mut self, now: Duration, most: usize) {
        for _ in 0..most {
            match self.expiries.first() {
                Some((expiry, (scope, handle))) if *expiry <= now => {
                    let (scope, handle) = (scope.clone(), handle.clone());
                    self.remove(&scope, &handle);
                }
                _ => break,
            }
        }
    }

    fn forget(&mut self, what: &Erasure, now: Duration) -> u32 {
        let runs = match what {
            Erasure::Tenant(tenant) => self.tenants.get(tenant).map(|held| {
                let runs = held.runs.keys().map(|run| Scope::new(tenant, run));
                runs.collect::<Vec<_>>()
            }),
            Erasure::Run(scope) => Some(vec![scope.clone()]),
        };
        let mut live = 0;
        for scope in runs.unwrap_or_default() {
            let run = self.tenants.get(&scope.tenant).and_then(|tenant| tenant.runs.get(&scope.run));
            let handles = run.map(|run| run.keys().cloned().collect::<Vec<_>>());
            for handle in handles.unwrap_or_default() {
                let held = self.remove(&scope, &handle);
                live += u32::from(held.is_some_and(|held| held.expiry > now));
            }
        }
        live
    }
}
