//! Where checked-in content is kept: the [`Store`] trait, and what it speaks of.

mod clock;
mod guarded;
mod memory;
mod none;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "store-suite")]
pub mod suite;
mod unwinding;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use wasmtime::component::{ComponentType, Lift, Lower};

pub use clock::{Clock, ManualClock, SystemClock};
pub(crate) use guarded::Guarded;
pub use memory::MemoryStore;
pub(crate) use none::NoStore;
#[cfg(feature = "sqlite")]
pub use sqlite::{Listed, OpenStoreError, SqliteOptions, SqliteStore, StoreStats, TenantStats, WallClock};

/// Keeps claims, and forgets them. Implement it to keep checked-in content in a place of your own.
///
/// A store is trusted to keep secrets, to expire and to forget. It is *not* trusted with integrity: a handle
/// authenticates the scope and every character behind it, so a store that mixes up scopes, loses a page or changes
/// a byte causes a refusal and never a wrong answer. Manifest and pages are opaque: keep them byte for byte.
///
/// # The rules
///
/// * **Key.** A claim is kept under tenant, run and handle together. The same handle in two scopes is two claims.
///   All three are opaque text: compare them byte for byte (case matters, nothing is normalised), and never use
///   them as a path: `../x` is a run like any other. Tenant and run have 1 to 255 bytes and no control characters;
///   a handle is `claim:` and 32 lower-case hexadecimal digits.
/// * **All or nothing.** A `put` that fails, is cancelled (its future dropped) or is cut off by a crash leaves the
///   whole claim or none of it, and never a claim that is partly the new one. When `put` returns `Ok`, the claim is
///   as durable as this store ever makes it.
/// * **Put again.** A claim that is put while a live one is held under its key has the same content. Keep either,
///   but afterwards the claim is whole (pages that were damaged or lost are there again), and it expires at the
///   later of the two instants.
/// * **Expiry.** A claim lives for `ttl_seconds` from its `put` on. From that instant on `fetch` answers
///   [`StoreError::NotFound`], whether or not anything has swept it yet, and `forget` does not count it. A `fetch`
///   never prolongs it. A put over an expired claim is a new claim.
/// * **Sweeping.** Expired claims are removed without anyone asking: a bit of it in every `put`, or in a task.
/// * **Forgetting.** `forget` is complete and durable when it returns: nothing that it covers can be fetched, and
///   where the store owns the medium no byte of it is left there. It takes the tenant's every run, or one run, and
///   leaves every other scope alone. A claim put after a forget is a new claim.
/// * **Bounds.** No scope may fill the disk: have a bound, and refuse with [`StoreError::Full`] what exceeds it,
///   before anything is written. A claim may hold 64 MiB of content.
/// * **Sharing.** Every method is called from many tasks at once. Two handles of one store see each other's writes.
///   A store must not call the [`ClaimCheck`](crate::ClaimCheck) that calls it.
/// * **Errors.** Their texts are for the operator's log, and never reach the model. Put no content into them, and no
///   secrets (drivers like to name addresses and keys).
///
/// # What the claim check does about a bad day
///
/// A method that **panics** counts as [`StoreError::Failed`], and one that has not answered within
/// [`Limits::store_timeout`](crate::Limits::store_timeout) as [`StoreError::Unavailable`]; its future is then
/// dropped. Both fail that call and no other. Nothing can be done about a method that blocks its thread: use
/// `tokio::task::spawn_blocking` for blocking drivers, or the timeout can't fire; and a panic can only be caught
/// where the program unwinds (not with `panic = "abort"`).
///
/// # Example
///
/// ```
/// use std::{collections::HashMap, sync::Mutex, time::{Duration, Instant}};
/// use claim_check_host::{Claim, Erasure, Scope, Store, StoreError, async_trait};
///
/// #[derive(Default)]
/// struct Shelf(Mutex<HashMap<(Scope, String), (Claim, Instant)>>);
///
/// #[async_trait]
/// impl Store for Shelf {
///     async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
///         let expiry = Instant::now() + Duration::from_secs(ttl_seconds.into());
///         let mut shelf = self.0.lock().unwrap();
///         shelf.retain(|_, (_, expiry)| *expiry > Instant::now());
///         if shelf.len() >= 10_000 {
///             return Err(StoreError::Full("10000 claims are held".into()));
///         }
///         let held = shelf.entry((scope.clone(), handle.into())).or_insert((claim.clone(), expiry));
///         *held = (claim, expiry.max(held.1));
///         Ok(())
///     }
///
///     async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
///         let shelf = self.0.lock().unwrap();
///         match shelf.get(&(scope.clone(), handle.into())) {
///             Some((claim, expiry)) if *expiry > Instant::now() => Ok(claim.part(first_page, page_count)),
///             _ => Err(StoreError::NotFound),
///         }
///     }
///
///     async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
///         let (mut shelf, now, mut live) = (self.0.lock().unwrap(), Instant::now(), 0);
///         shelf.retain(|(scope, _), (_, expiry)| {
///             live += u32::from(what.covers(scope) && *expiry > now);
///             !what.covers(scope)
///         });
///         Ok(live)
///     }
/// }
/// ```
#[async_trait]
pub trait Store: Send + Sync {
    /// Keeps `claim` for at least `ttl_seconds` (1 or more) under `scope` and `handle`, all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError::Full`], [`StoreError::Unavailable`] or [`StoreError::Failed`]; nothing has been kept then.
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError>;

    /// The manifest, and at most `page_count` pages from `first_page` (the first is 0) on: fewer where the claim ends
    /// before, none past its end. Either number may be anything up to `u32::MAX`; [`Claim::part`] does it right.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where no live claim is held under this handle in this scope;
    /// [`StoreError::Unavailable`] or [`StoreError::Failed`].
    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError>;

    /// Drops every claim of the tenant or the run, and says how many of them were live, as far as the store can tell.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Failed`]; part of it may have been erased then. Erasing what is
    /// not there is no error, and counts 0.
    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError>;
}

/// Whose claim it is. Both parts come from the host's trusted context, never from the model or from a tool.
///
/// Each is opaque text of 1 to 255 bytes without control characters; never a path, and case matters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Scope {
    /// The customer, user or workspace: what is forgotten as a whole.
    pub tenant: String,
    /// One agent run of the tenant. Make it unguessable, a random UUID say: then no handle can be derived
    /// outside the run. A sub-agent that should read its parent's tickets uses its parent's run.
    pub run: String,
}

impl Scope {
    /// The scope of one run of one tenant. It is checked by the calls that take it, not here.
    pub fn new(tenant: impl Into<String>, run: impl Into<String>) -> Self {
        Self { tenant: tenant.into(), run: run.into() }
    }
}

/// `tenant/run`, for logs.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.tenant, self.run)
    }
}

/// What is erased.
#[derive(Debug, Clone, PartialEq, Eq, Hash, ComponentType, Lift, Lower)]
#[component(variant)]
pub enum Erasure {
    /// Everything of this tenant, whichever run it belongs to.
    #[component(name = "tenant")]
    Tenant(String),
    /// One run of one tenant.
    #[component(name = "run")]
    Run(Scope),
}

impl Erasure {
    /// Whether claims of `scope` are among what is erased.
    #[must_use]
    pub fn covers(&self, scope: &Scope) -> bool {
        match self {
            Self::Tenant(tenant) => scope.tenant == *tenant,
            Self::Run(run) => scope == run,
        }
    }
}

/// What is kept under one handle. Opaque to the store; cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Claim {
    /// A few lines, and 33 bytes for every page.
    pub manifest: Arc<str>,
    /// The content, in pages of equal length in characters, at most 64 KiB each; the last may be shorter.
    pub pages: Vec<Arc<str>>,
}

impl Claim {
    /// A claim of these texts.
    pub fn new(manifest: impl Into<Arc<str>>, pages: impl IntoIterator<Item: Into<Arc<str>>>) -> Self {
        Self { manifest: manifest.into(), pages: pages.into_iter().map(Into::into).collect() }
    }

    /// The manifest and at most `page_count` pages from `first_page` on: what [`Store::fetch`] answers.
    #[must_use]
    pub fn part(&self, first_page: u32, page_count: u32) -> Self {
        let pages = self.pages.iter().skip(first_page as usize);
        Self { manifest: self.manifest.clone(), pages: pages.take(page_count as usize).cloned().collect() }
    }

    /// The size of manifest and pages together, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.manifest.len() + self.pages.iter().map(|page| page.len()).sum::<usize>()
    }
}

/// What a caller of the store acts on. The texts are for the operator's log and never reach the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, ComponentType, Lift, Lower)]
#[component(variant)]
pub enum StoreError {
    /// No live claim is held under the handle in this scope. Only [`Store::fetch`] answers it.
    #[error("no live claim is held under this handle in this scope")]
    #[component(name = "not-found")]
    NotFound,
    /// The store can't be reached or is busy; the same call may succeed later.
    #[error("the store is unavailable: {0}")]
    #[component(name = "unavailable")]
    Unavailable(String),
    /// The store takes no more for this scope (a quota, a limit on values).
    #[error("the store is full: {0}")]
    #[component(name = "full")]
    Full(String),
    /// Trying again will not help (denied, misconfigured, damaged).
    #[error("the store failed: {0}")]
    #[component(name = "failed")]
    Failed(String),
}
