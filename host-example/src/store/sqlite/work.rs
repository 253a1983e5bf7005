//! What is done within one transaction.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use super::Bounds;
use super::erasing::SWEPT_PARTS;
use super::schema::PADDING;
use crate::store::{Claim, Clock, Scope};

/// What a claim costs beside its texts: its row, its keys in two indexes, and the manifest's padding.
const CLAIM_BYTES: u64 = 1536;
/// What a page costs beside its text: the padding and an index entry.
const PAGE_BYTES: u64 = 1024;

pub(super) struct Put {
    pub(super) scope: Scope,
    pub(super) handle: String,
    pub(super) claim: Claim,
    pub(super) ttl_seconds: u32,
}

/// One write transaction.
pub(super) struct Work<'c> {
    pub(super) file: Transaction<'c>,
    pub(super) now: i64,
    held_bytes: i64,
    /// What the tenants' claims and bytes change by.
    changes: HashMap<String, (i64, i64)>,
    pub(super) erased: bool,
}

pub(super) struct Row {
    pub(super) id: i64,
    pub(super) tenant: String,
    pub(super) held_bytes: i64,
}

impl<'c> Work<'c> {
    pub(super) fn begin(connection: &'c mut Connection, clock: &dyn Clock) -> rusqlite::Result<Self> {
        let file = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read while the lock is held, so that processes with one clock see it advance.
        let now = nanoseconds(clock.now());
        let (latest, held_bytes) = file
            .prepare_cached("SELECT latest, held_bytes FROM ledger")?
            .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
        if now < latest {
            // The clock was set back: what had expired must not come back with it.
            file.prepare_cached("UPDATE claim SET expiry = 0 WHERE expiry <= ?1 AND expiry > 0")?.execute([latest])?;
        }
        Ok(Self { file, now, held_bytes, changes: HashMap::new(), erased: false })
    }

    /// Whether content has been erased, so that the WAL has to be purged.
    pub(super) fn commit(self) -> rusqlite::Result<bool> {
        let (mut claims, mut bytes) = (0, 0);
        for (tenant, (claims_by, bytes_by)) in &self.changes {
            self.file
                .prepare_cached(
                    "INSERT INTO tenant VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE
                     SET claims = claims + excluded.claims, held_bytes = held_bytes + excluded.held_bytes",
                )?
                .execute((tenant, claims_by, bytes_by))?;
            self.file.prepare_cached("DELETE FROM tenant WHERE name = ?1 AND claims <= 0")?.execute([tenant])?;
            claims += claims_by;
            bytes += bytes_by;
        }
        self.file
            .prepare_cached("UPDATE ledger SET latest = ?1, claims = claims + ?2, held_bytes = held_bytes + ?3")?
            .execute((self.now, claims, bytes))?;
        self.file.commit()?;
        Ok(self.erased)
    }

    /// The inner error says why the claim does not fit; what was swept on the way stays swept.
    pub(super) fn put(&mut self, put: &Put, bounds: Bounds) -> rusqlite::Result<Result<(), String>> {
        let Put { scope, handle, claim, ttl_seconds } = put;
        self.sweep(SWEPT_PARTS.max(2 * (claim.pages.len() + 1)))?;
        let expiry = self.now.saturating_add(nanoseconds(Duration::from_secs((*ttl_seconds).into())));
        let held = match self.held(scope, handle)? {
            Some((row, held_until)) if held_until <= self.now => {
                self.remove(&row, &mut { usize::MAX })?;
                None
            }
            held => held,
        };
        let expiry = held.as_ref().map_or(expiry, |(_, held_until)| expiry.max(*held_until));
        if let Some((row, _)) = &held
            && self.holds(row.id, claim)?
        {
            self.file.prepare_cached("UPDATE claim SET expiry = ?2 WHERE id = ?1")?.execute((row.id, expiry))?;
            return Ok(Ok(()));
        }
        let held_bytes = cost(claim);
        let freed = held.as_ref().map_or(0, |(row, _)| row.held_bytes);
        if let Err(full) = self.make_room(&scope.tenant, held_bytes - freed, bounds)? {
            return Ok(Err(full));
        }
        let id = match held {
            Some((row, _)) => {
                self.erased = true;
                self.file.prepare_cached("DELETE FROM part WHERE claim = ?1")?.execute([row.id])?;
                self.file
                    .prepare_cached("UPDATE claim SET expiry = ?2, text_bytes = ?3, held_bytes = ?4 WHERE id = ?1")?
                    .execute((row.id, expiry, integer(claim.bytes()), held_bytes))?;
                self.account(&scope.tenant, 0, held_bytes - row.held_bytes);
                row.id
            }
            None => {
                self.file
                    .prepare_cached(
                        "INSERT INTO claim (tenant, run, handle, expiry, text_bytes, held_bytes)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    )?
                    .execute((&scope.tenant, &scope.run, handle, expiry, integer(claim.bytes()), held_bytes))?;
                self.account(&scope.tenant, 1, held_bytes);
                self.file.last_insert_rowid()
            }
        };
        let mut insert =
            self.file.prepare_cached("INSERT INTO part (claim, number, pad, text) VALUES (?1, ?2, ?3, ?4)")?;
        for (number, text) in texts(claim).enumerate() {
            insert.execute((id, integer(number), PADDING, &**text))?;
        }
        Ok(Ok(()))
    }

    fn held(&self, scope: &Scope, handle: &str) -> rusqlite::Result<Option<(Row, i64)>> {
        self.file
            .prepare_cached(
                "SELECT id, tenant, held_bytes, expiry FROM claim WHERE tenant = ?1 AND run = ?2 AND handle = ?3",
            )?
            .query_row((&scope.tenant, &scope.run, handle), |row| Ok((Row::read(row)?, row.get(3)?)))
            .optional()
    }

    /// Whether every text is there, byte for byte.
    fn holds(&self, id: i64, claim: &Claim) -> rusqlite::Result<bool> {
        let mut parts = self.file.prepare_cached("SELECT number, text FROM part WHERE claim = ?1 ORDER BY number")?;
        let mut rows = parts.query([id])?;
        for (number, text) in texts(claim).enumerate() {
            let same = match rows.next()? {
                Some(row) => {
                    row.get::<_, i64>(0)? == integer(number) && row.get_ref(1)?.as_bytes() == Ok(text.as_bytes())
                }
                None => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(rows.next()?.is_none())
    }

    /// Sweeps until so many bytes more fit, or says why they do not.
    fn make_room(&mut self, tenant: &str, bytes: i64, bounds: Bounds) -> rusqlite::Result<Result<(), String>> {
        loop {
            let by = self.changes.get(tenant).map_or(0, |(_, bytes)| *bytes);
            let of_tenant: Option<i64> = self
                .file
                .prepare_cached("SELECT held_bytes FROM tenant WHERE name = ?1")?
                .query_row([tenant], |row| row.get(0))
                .optional()?;
            let of_tenant = of_tenant.unwrap_or(0) + by;
            let full = |whose: &str, bound: u64, held: i64| match exceeds(bytes, bound) {
                true => {
                    format!(
                        "this claim takes {bytes} bytes, and {whose} may hold {bound}; raise the bound, or split the text"
                    )
                }
                false => format!(
                    "{bytes} bytes more do not fit: {whose} may hold {bound} bytes, and {held} are held; \
                     forget runs that have ended, or raise the bound"
                ),
            };
            let refusal = if bytes > 0 && exceeds(of_tenant + bytes, bounds.tenant) {
                full("a tenant", bounds.tenant, of_tenant)
            } else if bytes > 0 && exceeds(self.held_bytes + bytes, bounds.total) {
                full("the store", bounds.total, self.held_bytes)
            } else {
                return Ok(Ok(()));
            };
            let before = self.held_bytes;
            self.sweep(SWEPT_PARTS)?;
            if self.held_bytes == before && !self.has_expired()? {
                return Ok(Err(refusal));
            }
        }
    }

    fn has_expired(&self) -> rusqlite::Result<bool> {
        self.file.prepare_cached("SELECT 1 FROM claim WHERE expiry <= ?1 LIMIT 1")?.exists([self.now])
    }

    pub(super) fn account(&mut self, tenant: &str, claims: i64, bytes: i64) {
        let change = self.changes.entry(tenant.to_owned()).or_default();
        change.0 += claims;
        change.1 += bytes;
        self.held_bytes += bytes;
    }
}

impl Row {
    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, tenant: row.get(1)?, held_bytes: row.get(2)? })
    }
}

fn texts(claim: &Claim) -> impl Iterator<Item = &Arc<str>> {
    std::iter::once(&claim.manifest).chain(&claim.pages)
}

fn cost(claim: &Claim) -> i64 {
    let pages = claim.pages.len() as u64;
    i64::try_from(claim.bytes() as u64 + CLAIM_BYTES + PAGE_BYTES * pages).unwrap_or(i64::MAX)
}

fn exceeds(bytes: i64, bound: u64) -> bool {
    u64::try_from(bytes).is_ok_and(|bytes| bytes > bound)
}

pub(super) fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// An instant or a duration as the file has it: until the year 2262.
pub(super) fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
