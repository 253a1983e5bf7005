//! What is done within one transaction.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use super::Bounds;
use super::schema::PADDING;
use crate::store::{Claim, Clock, Erasure, Scope};

/// How many texts of expired claims a call removes beside its own work; a put removes twice as many as it adds if that
/// is more. So sweeping keeps up, and no call pays for a big claim of somebody else's alone.
pub(super) const SWEPT_PARTS: usize = 64;
/// How many texts of what is forgotten one transaction removes; others get their turn in between.
const FORGOTTEN_PARTS: usize = 1024;
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
    file: Transaction<'c>,
    now: i64,
    held_bytes: i64,
    /// What the tenants' claims and bytes change by.
    changes: HashMap<String, (i64, i64)>,
    erased: bool,
}

struct Row {
    id: i64,
    tenant: String,
    held_bytes: i64,
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

    /// Removes expired claims, the oldest first, until so many texts are gone.
    pub(super) fn sweep(&mut self, mut parts: usize) -> rusqlite::Result<()> {
        while parts > 0 {
            let expired = self
                .file
                .prepare_cached("SELECT id, tenant, held_bytes FROM claim WHERE expiry <= ?1 ORDER BY expiry LIMIT 1")?
                .query_row([self.now], Row::read)
                .optional()?;
            match expired {
                Some(row) => self.remove(&row, &mut parts)?,
                None => break,
            }
        }
        Ok(())
    }

    /// Makes what is forgotten unreachable and begins to erase it: how many claims were live, and whether more is left.
    pub(super) fn forget(&mut self, what: &Erasure) -> rusqlite::Result<(u32, bool)> {
        let (condition, key) = covered(what);
        let live: i64 = self
            .file
            .prepare_cached(&format!("SELECT count(*) FROM claim WHERE {condition} AND expiry > ?3"))?
            .query_row((key.0, key.1, self.now), |row| row.get(0))?;
        self.file
            .prepare_cached(&format!("UPDATE claim SET expiry = 0 WHERE {condition} AND expiry > 0"))?
            .execute(key)?;
        Ok((u32::try_from(live).unwrap_or(u32::MAX), self.erase_forgotten(what)?))
    }

    /// Erases on; whether more is left.
    pub(super) fn erase_forgotten(&mut self, what: &Erasure) -> rusqlite::Result<bool> {
        let (condition, key) = covered(what);
        let sql = format!("SELECT id, tenant, held_bytes FROM claim WHERE {condition} AND expiry = 0 LIMIT 64");
        let mut parts = FORGOTTEN_PARTS;
        while parts > 0 {
            let forgotten = {
                let mut rows = self.file.prepare_cached(&sql)?;
                rows.query_map(key, Row::read)?.collect::<rusqlite::Result<Vec<_>>>()?
            };
            if forgotten.is_empty() {
                return Ok(false);
            }
            for row in &forgotten {
                self.remove(row, &mut parts)?;
                if parts == 0 {
                    break;
                }
            }
        }
        Ok(true)
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
            let full = |whose: &str, bound: u64, held: i64| {
                format!(
                    "{bytes} bytes more do not fit: {whose} may hold {bound} bytes, and {held} are held; \
                     forget runs that have ended, or raise the bound"
                )
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

    /// Removes a dead claim, or as many of its last texts as `parts` allows.
    fn remove(&mut self, row: &Row, parts: &mut usize) -> rusqlite::Result<()> {
        self.erased = true;
        let last: Option<i64> = self
            .file
            .prepare_cached("SELECT max(number) FROM part WHERE claim = ?1")?
            .query_row([row.id], |row| row.get(0))?;
        let from = last.map_or(0, |last| last + 1 - integer(*parts));
        let from = if from > 0 { from } else { i64::MIN };
        let gone =
            self.file.prepare_cached("DELETE FROM part WHERE claim = ?1 AND number >= ?2")?.execute((row.id, from))?;
        *parts = parts.saturating_sub(gone.max(1));
        if from > 0 {
            self.file.prepare_cached("UPDATE claim SET expiry = 0 WHERE id = ?1")?.execute([row.id])?;
        } else {
            self.file.prepare_cached("DELETE FROM claim WHERE id = ?1")?.execute([row.id])?;
            self.account(&row.tenant, -1, -row.held_bytes);
        }
        Ok(())
    }

    fn account(&mut self, tenant: &str, claims: i64, bytes: i64) {
        let change = self.changes.entry(tenant.to_owned()).or_default();
        change.0 += claims;
        change.1 += bytes;
        self.held_bytes += bytes;
    }
}

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, tenant: row.get(1)?, held_bytes: row.get(2)? })
    }
}

/// What there is under a key.
pub(super) enum Held {
    Nothing,
    Expired,
    Live(Claim),
}

pub(super) fn fetch(
    file: &Transaction<'_>,
    scope: &Scope,
    handle: &str,
    first_page: u32,
    page_count: u32,
    clock: &dyn Clock,
) -> rusqlite::Result<Held> {
    let held = file
        .prepare_cached("SELECT id, expiry, latest FROM claim, ledger WHERE tenant = ?1 AND run = ?2 AND handle = ?3")?
        .query_row((&scope.tenant, &scope.run, handle), |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        })
        .optional()?;
    let Some((id, expiry, latest)) = held else { return Ok(Held::Nothing) };
    // Where the clock has been set back, what had expired by the latest instant that was seen stays gone.
    if expiry <= nanoseconds(clock.now()).max(latest) {
        return Ok(Held::Expired);
    }
    let manifest =
        file.prepare_cached("SELECT text FROM part WHERE claim = ?1 AND number = 0")?.query_row([id], text)?;
    let first = i64::from(first_page) + 1;
    let pages = file
        .prepare_cached("SELECT text FROM part WHERE claim = ?1 AND number >= ?2 AND number < ?3 ORDER BY number")?
        .query_map((id, first, first + i64::from(page_count)), text)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Held::Live(Claim { manifest, pages }))
}

fn text(row: &rusqlite::Row<'_>) -> rusqlite::Result<Arc<str>> {
    Ok(row.get_ref(0)?.as_str()?.into())
}

fn texts(claim: &Claim) -> impl Iterator<Item = &Arc<str>> {
    std::iter::once(&claim.manifest).chain(&claim.pages)
}

/// Which rows are covered, as a condition on ?1 and ?2.
fn covered(what: &Erasure) -> (&'static str, (&str, Option<&str>)) {
    match what {
        Erasure::Tenant(tenant) => ("tenant = ?1 AND ?2 IS NULL", (tenant, None)),
        Erasure::Run(scope) => ("tenant = ?1 AND run = ?2", (&scope.tenant, Some(&scope.run))),
    }
}

fn cost(claim: &Claim) -> i64 {
    let pages = claim.pages.len() as u64;
    i64::try_from(claim.bytes() as u64 + CLAIM_BYTES + PAGE_BYTES * pages).unwrap_or(i64::MAX)
}

fn exceeds(bytes: i64, bound: u64) -> bool {
    u64::try_from(bytes).is_ok_and(|bytes| bytes > bound)
}

fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// An instant or a duration as the file has it: until the year 2262.
pub(super) fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
