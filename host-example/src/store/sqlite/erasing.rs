//! How claims leave the file: swept when they have expired, or forgotten.

use rusqlite::OptionalExtension;

use super::work::{Row, Work, integer};
use crate::store::Erasure;

/// How many texts of expired claims a call removes beside its own work; a put removes twice as many as it adds if that
/// is more. So sweeping keeps up, and no call pays for a big claim of somebody else's alone.
pub(super) const SWEPT_PARTS: usize = 64;
/// How many texts of what is forgotten one transaction removes; others get their turn in between.
const FORGOTTEN_PARTS: usize = 1024;
impl Work<'_> {
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

    /// Removes a dead claim, or as many of its last texts as `parts` allows.
    pub(super) fn remove(&mut self, row: &Row, parts: &mut usize) -> rusqlite::Result<()> {
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
}

/// Which rows are covered, as a condition on ?1 and ?2.
fn covered(what: &Erasure) -> (&'static str, (&str, Option<&str>)) {
    match what {
        Erasure::Tenant(tenant) => ("tenant = ?1 AND ?2 IS NULL", (tenant, None)),
        Erasure::Run(scope) => ("tenant = ?1 AND run = ?2", (&scope.tenant, Some(&scope.run))),
    }
}
