//! What an operator may see: sizes, handles and instants, never content.

use std::time::Duration;

use rusqlite::OptionalExtension;

use super::SqliteStore;
use super::work::nanoseconds;
use crate::store::{Scope, StoreError};

/// One live claim, seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Where it belongs.
    pub scope: Scope,
    /// What it is fetched by.
    pub handle: String,
    /// Its length in characters, as its manifest says; `None` where that is not one of ours.
    pub chars: Option<u64>,
    /// Manifest and pages, in bytes.
    pub bytes: u64,
    /// When it expires, since the clock's epoch: the Unix epoch, unless the store was opened with another clock.
    pub expires: Duration,
}

/// What the whole store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreStats {
    /// How many tenants have claims.
    pub tenants: u64,
    /// How many claims are live.
    pub live: u64,
    /// How many claims are kept; those that are not live wait to be swept.
    pub claims: u64,
    /// What all claims together count against the bound, in bytes.
    pub held_bytes: u64,
    /// What the store may hold, in bytes.
    pub bound_bytes: u64,
    /// The size of the file and its `-wal`; freed space is used again, and not given back to the file system.
    pub file_bytes: u64,
}

/// What one tenant holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TenantStats {
    /// How many claims are live.
    pub live: u64,
    /// How many claims are kept; those that are not live wait to be swept.
    pub claims: u64,
    /// What they count against the bound, in bytes.
    pub held_bytes: u64,
    /// What a tenant may hold, in bytes.
    pub bound_bytes: u64,
}

impl SqliteStore {
    /// The live claims of a tenant or one of its runs, by run and instant of expiry.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Failed`].
    pub async fn list(&self, tenant: &str, run: Option<&str>) -> Result<Vec<Listed>, StoreError> {
        let (tenant, run) = (tenant.to_owned(), run.map(str::to_owned));
        let clock = self.lanes.clock();
        let list = move |file: &rusqlite::Transaction<'_>| {
            let of_run = if run.is_some() { "run = ?2" } else { "?2 IS NULL" };
            let mut claims = file.prepare_cached(&format!(
                "SELECT run, handle, (SELECT text FROM part WHERE claim = id AND number = 0), text_bytes, expiry
                 FROM claim, ledger WHERE tenant = ?1 AND {of_run} AND expiry > max(?3, latest) ORDER BY run, expiry, handle"
            ))?;
            let listed = claims.query_map((&tenant, &run, nanoseconds(clock.now())), |row| {
                Ok(Listed {
                    scope: Scope::new(tenant.clone(), row.get::<_, String>(0)?),
                    handle: row.get(1)?,
                    chars: row.get_ref(2)?.as_str().ok().and_then(chars),
                    bytes: row.get(3).map(unsigned)?,
                    expires: Duration::from_nanos(row.get(4).map(unsigned)?),
                })
            })?;
            listed.collect()
        };
        self.lanes.read(list).await
    }

    /// What the whole store holds.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Failed`].
    pub async fn stats(&self) -> Result<StoreStats, StoreError> {
        let (path, clock, bound_bytes) = (self.path().to_owned(), self.lanes.clock(), self.bounds.total);
        let stats = move |file: &rusqlite::Transaction<'_>| {
            let mut sums = file.prepare_cached(
                "SELECT claims, held_bytes, (SELECT count(*) FROM tenant),
                        claims - (SELECT count(*) FROM claim WHERE expiry <= max(?1, latest)) FROM ledger",
            )?;
            let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
            let mut wal = path.clone().into_os_string();
            wal.push("-wal");
            sums.query_row([nanoseconds(clock.now())], |row| {
                Ok(StoreStats {
                    claims: row.get(0).map(unsigned)?,
                    held_bytes: row.get(1).map(unsigned)?,
                    tenants: row.get(2).map(unsigned)?,
                    live: row.get(3).map(unsigned)?,
                    bound_bytes,
                    file_bytes: size(&path) + size(wal.as_ref()),
                })
            })
        };
        self.lanes.read(stats).await
    }

    /// What one tenant holds.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Failed`].
    pub async fn tenant_stats(&self, tenant: &str) -> Result<TenantStats, StoreError> {
        let (tenant, clock, bound_bytes) = (tenant.to_owned(), self.lanes.clock(), self.bounds.tenant);
        let stats = move |file: &rusqlite::Transaction<'_>| {
            let mut sums = file.prepare_cached(
                "SELECT claims, held_bytes,
                        claims - (SELECT count(*) FROM claim, ledger WHERE expiry <= max(?2, latest) AND tenant = ?1)
                 FROM tenant WHERE name = ?1",
            )?;
            let held = sums.query_row((&tenant, nanoseconds(clock.now())), |row| {
                Ok(TenantStats {
                    claims: row.get(0).map(unsigned)?,
                    held_bytes: row.get(1).map(unsigned)?,
                    live: row.get(2).map(unsigned)?,
                    bound_bytes,
                })
            });
            Ok(held.optional()?.unwrap_or(TenantStats { bound_bytes, ..TenantStats::default() }))
        };
        self.lanes.read(stats).await
    }
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn chars(manifest: &str) -> Option<u64> {
    manifest.lines().find_map(|line| line.strip_prefix("chars ")).and_then(|number| number.parse().ok())
}
