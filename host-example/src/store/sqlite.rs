//! A store in one SQLite file, which outlives the process and may be shared by several.

mod disk;
mod erasing;
mod lanes;
mod listing;
mod open_error;
mod reading;
mod schema;
mod wall_clock;
mod work;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{Claim, Clock, Erasure, Scope, Store, StoreError};
use async_trait::async_trait;
use lanes::Lanes;
use reading::Held;
use work::Put;

pub use listing::{Listed, StoreStats, TenantStats};
pub use open_error::OpenStoreError;
pub use wall_clock::WallClock;

/// How much one tenant may hold, unless it is told otherwise: 1 GiB.
const TENANT_BYTES: u64 = 1 << 30;
/// How much all tenants together may hold, unless it is told otherwise: 16 GiB.
const TOTAL_BYTES: u64 = 16 << 30;
/// How long a call waits for its turn, unless it is told otherwise. Less than
/// [`Limits::store_timeout`](crate::Limits::store_timeout), so that the operator reads who held the lock.
const PATIENCE: Duration = Duration::from_secs(20);

/// A store in one SQLite file: claims outlive the process, and several processes may share them.
///
/// * **Durable**: `put` and `forget` return after the disk has it (WAL, `synchronous=FULL`). A crash at any moment leaves
///   a claim whole or not there.
/// * **Shared**: any number of handles, threads and processes of one machine may have one file open. Who finds it locked
///   waits; only after [`SqliteOptions::patience`] is it [`StoreError::Unavailable`]. Not for network file systems:
///   SQLite's locks need a local one.
/// * **Bounded**, per tenant and in all: [`StoreError::Full`] beyond.
/// * **Forgetful**: expired claims are swept in small steps on the way. After a `forget` has returned nothing of the
///   content is left in the raw bytes of the file, its `-wal` and its `-shm`, and after a sweep as soon as no other call
///   waits. (Names of tenants and runs, handles and sizes are not content: traces of those may stay.) What a file system
///   or an SSD keeps of overwritten blocks is beyond a program's reach; encrypt the disk.
/// * **Private**: the file is made with mode 0600, a folder that has to be made with 0700.
///
/// Time is the wall clock's. When that is set back, what had expired stays gone, and what was live stays live until the
/// instant that it was promised for.
///
/// Every call runs on tokio's blocking pool; the runtime's time must be enabled, as it is by `#[tokio::main]`. Cheap to
/// clone; clones share connections.
///
/// ```
/// use claim_check_host::{Claim, Erasure, Scope, SqliteStore, Store};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("claim-check-doc-{}", std::process::id()));
/// let path = folder.join("claims.db");
/// let store = SqliteStore::open(&path)?;
/// let scope = Scope::new("acme", "0b9f5f0e-5a0c-4c0e-9a53-6f1d7c0d8c11");
/// store.put(&scope, "claim:0123456789abcdef0123456789abcdef", Claim::new("claim/1\n", ["the text"]), 3600).await?;
/// drop(store);
///
/// let store = SqliteStore::open(&path)?;
/// let claim = store.fetch(&scope, "claim:0123456789abcdef0123456789abcdef", 0, 1).await?;
/// assert_eq!(&*claim.pages[0], "the text");
/// assert_eq!(store.forget(&Erasure::Tenant("acme".into())).await?, 1);
/// # drop(store);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SqliteStore {
    lanes: Arc<Lanes>,
    bounds: Bounds,
}

#[derive(Debug, Clone, Copy)]
struct Bounds {
    tenant: u64,
    total: u64,
}

/// How a [`SqliteStore`] is opened.
#[derive(Clone)]
pub struct SqliteOptions {
    clock: Arc<dyn Clock>,
    bounds: Bounds,
    patience: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            clock: Arc::new(WallClock),
            bounds: Bounds { tenant: TENANT_BYTES, total: TOTAL_BYTES },
            patience: PATIENCE,
        }
    }
}

impl SqliteOptions {
    /// Other bounds, in bytes: the texts' own, 1024 for every page and 1536 for every claim. As opened: 1 GiB for a
    /// tenant, 16 GiB in all. A bound is this handle's; it is not kept in the file.
    #[must_use]
    pub fn bounds(mut self, per_tenant: u64, total: u64) -> Self {
        self.bounds = Bounds { tenant: per_tenant, total };
        self
    }

    /// Claims expire by `clock` instead of [`WallClock`]. It must go on where it stood when the process is started
    /// again, and agree with the clocks of the other processes: only time since the Unix epoch does.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// How long a call waits while others write, in this process or another. As opened: 20 seconds.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Opens the store in the file at `path`, and makes the file and its folder where they are not there.
    ///
    /// This reads a few kilobytes and may wait for a lock, at most for the [`patience`](Self::patience). It blocks the
    /// thread: from a task, call it before the work begins or in `spawn_blocking`.
    ///
    /// # Errors
    /// As [`OpenStoreError`] says; nothing has been changed then.
    pub fn open(self, path: impl AsRef<Path>) -> Result<SqliteStore, OpenStoreError> {
        let lanes = Lanes::open(path.as_ref(), self.clock, self.patience)?;
        Ok(SqliteStore { lanes: Arc::new(lanes), bounds: self.bounds })
    }
}

impl SqliteStore {
    /// Opens the store in the file at `path` with the default [`options`](Self::options).
    ///
    /// # Errors
    /// As [`SqliteOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenStoreError> {
        Self::options().open(path)
    }

    /// Clock, bounds and patience, to be changed before opening.
    #[must_use]
    pub fn options() -> SqliteOptions {
        SqliteOptions::default()
    }

    /// Where the store is, as an absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.lanes.path()
    }

    async fn erase(&self, what: &Erasure) -> Result<u32, StoreError> {
        let erasure = what.clone();
        let (live, mut more) = self.lanes.write(move |work| work.forget(&erasure)).await?;
        while more {
            let erasure = what.clone();
            more = self.lanes.write(move |work| work.erase_forgotten(&erasure)).await?;
        }
        self.lanes.purge().await?;
        Ok(live)
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        let put = Put { scope: scope.clone(), handle: handle.to_owned(), claim, ttl_seconds };
        let bounds = self.bounds;
        self.lanes.write(move |work| work.put(&put, bounds)).await?.map_err(StoreError::Full)
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        let (scope, handle, clock) = (scope.clone(), handle.to_owned(), self.lanes.clock());
        let held = self.lanes.read(move |file| reading::fetch(file, &scope, &handle, first_page, page_count, &*clock));
        match held.await? {
            Held::Live(claim) => Ok(claim),
            Held::Nothing => Err(StoreError::NotFound),
            Held::Expired => {
                // It is the last chance to know this, should the clock be set back.
                self.lanes.write_if_free(|work| work.sweep(erasing::SWEPT_PARTS)).await;
                Err(StoreError::NotFound)
            }
        }
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        self.erase(what).await.map_err(|error| match error {
            // To erase takes room in the WAL before it gives room.
            StoreError::Full(why) => StoreError::Unavailable(why),
            error => error,
        })
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.path()).field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl fmt::Debug for SqliteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteOptions")
            .field("bounds", &self.bounds)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
