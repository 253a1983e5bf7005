//! How a window is read: a manifest, and the pages that were asked for.

use std::sync::Arc;

use rusqlite::{OptionalExtension, Transaction};

use super::work::nanoseconds;
use crate::store::{Claim, Clock, Scope};

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
