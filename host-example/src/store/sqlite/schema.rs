//! What the file looks like, and how a connection to it is made.
//!
//! `secure_delete` alone does not keep its word: it overwrites what is deleted where it lies, but when SQLite balances a
//! b-tree it copies rows to a neighbouring page and leaves the old copy in the gap that is free from then on
//! (`rebuildPage` in SQLite's `btree.c`), where a later delete does not see it. Only the part of a row that lies in the
//! tree itself is ever moved, so every text here is preceded by [`PADDING`], which fill that part to its
//! maximum: the text lies in overflow pages, which never move and are overwritten when they are freed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior};

use super::disk::persist;
use super::open_error::OpenStoreError;

/// `clm1`, the mark of our files (SQLite's `application_id`).
const APPLICATION: i32 = i32::from_be_bytes(*b"clm1");
/// The schema that this version writes (SQLite's `user_version`).
const VERSION: i32 = 1;
/// Small, so that the padding is small.
const PAGE_BYTES: usize = 1024;
/// The most of a row that SQLite keeps in a leaf of a table's tree is the page's size less 35 bytes.
pub(super) const PADDING: &[u8] = &[0; PAGE_BYTES - 35];

const TABLES: &str = "
    -- An expiry of 0 marks what has been forgotten, or was swept in part: it never comes back.
    CREATE TABLE claim (
        id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, run TEXT NOT NULL, handle TEXT NOT NULL,
        expiry INTEGER NOT NULL, text_bytes INTEGER NOT NULL, held_bytes INTEGER NOT NULL,
        UNIQUE (tenant, run, handle)
    ) STRICT;
    CREATE INDEX claim_expiry ON claim (expiry, tenant);
    -- Number 0 is the manifest, the pages follow.
    CREATE TABLE part (
        claim INTEGER NOT NULL, number INTEGER NOT NULL, pad BLOB NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (claim, number)
    ) STRICT;
    CREATE TABLE tenant (
        name TEXT PRIMARY KEY, claims INTEGER NOT NULL, held_bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- The latest instant that any process has seen, and the sum over all tenants.
    CREATE TABLE ledger (latest INTEGER NOT NULL, claims INTEGER NOT NULL, held_bytes INTEGER NOT NULL) STRICT;
    INSERT INTO ledger VALUES (0, 0, 0);
";

/// Makes the folder and the file where they are not there, and says where the file is whatever the process's working
/// folder becomes.
pub(super) fn place(path: &Path) -> Result<PathBuf, OpenStoreError> {
    let absolute = std::path::absolute(path).map_err(|error| OpenStoreError::io(path, error))?;
    // First of all: to make a device private would change it for everyone.
    match fs::metadata(&absolute) {
        Ok(there) if there.is_dir() => return Err(OpenStoreError::IsAFolder(absolute)),
        Ok(there) if !there.is_file() => return Err(OpenStoreError::NotAFile(absolute)),
        _ => {}
    }
    let make = || -> std::io::Result<()> {
        if let Some(folder) = absolute.parent().filter(|folder| !folder.exists()) {
            make_folder(folder)?;
        }
        // An existing file is not opened: to close it would end the locks that this process has on it (POSIX).
        match make_file(&absolute) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }?;
        if fs::metadata(&absolute)?.len() == 0 { make_private(&absolute) } else { Ok(()) }
    };
    make().map_err(|error| OpenStoreError::io(&absolute, error))?;
    match fs::metadata(&absolute).map_err(|error| OpenStoreError::io(&absolute, error))?.len() {
        // SQLite would take it for empty, and write over what is left of it.
        1..512 => Err(OpenStoreError::NotAStore(absolute)),
        _ => Ok(absolute),
    }
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(unix)]
fn make_file(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.sync_all()?;
    // The file's name has to last, too.
    path.parent().map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
}

#[cfg(unix)]
fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(not(unix))]
fn make_file(path: &Path) -> std::io::Result<()> {
    fs::OpenOptions::new().write(true).create_new(true).open(path).map(drop)
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Which file stands at the path now, as the system counts files.
#[cfg(unix)]
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Elsewhere an open file can't be moved.
#[cfg(not(unix))]
pub(super) fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// A connection to an existing file, whose schema is there when this returns.
pub(super) fn connect(path: &Path, deadline: Instant) -> Result<Connection, OpenStoreError> {
    let refused = |error| OpenStoreError::sqlite(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(refused)?;
    // We wait ourselves: SQLite's own waiting does not cover every lock, and sleeps up to 100 ms.
    connection.busy_timeout(Duration::ZERO).map_err(refused)?;
    if connection.is_readonly(MAIN_DB).map_err(refused)? {
        return Err(OpenStoreError::ReadOnly(path.into()));
    }
    let is_new = match persist(deadline, || mark(&connection)).map_err(refused)? {
        (APPLICATION, version, _) if version > VERSION => {
            return Err(OpenStoreError::Newer { path: path.into(), found: version, known: VERSION });
        }
        (APPLICATION, VERSION, _) => false,
        (0, 0, 0) => true,
        _ => return Err(OpenStoreError::NotAStore(path.into())),
    };
    let mode = persist(deadline, || tune(&connection)).map_err(refused)?;
    if mode != "wal" {
        return Err(OpenStoreError::NoSharedMemory(path.into()));
    }
    if is_new {
        persist(deadline, || create(&mut connection)).map_err(refused)?;
    }
    Ok(connection)
}

/// Application, version, and how many tables there are.
fn mark(connection: &Connection) -> rusqlite::Result<(i32, i32, i64)> {
    let one = |pragma| connection.pragma_query_value(None, pragma, |row| row.get(0));
    let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok((one("application_id")?, one("user_version")?, tables))
}

fn tune(connection: &Connection) -> rusqlite::Result<String> {
    // What a transaction saves of the old pages holds content: it stays in memory.
    connection.execute_batch(&format!(
        "PRAGMA page_size={PAGE_BYTES}; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON; PRAGMA synchronous=FULL;
         PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; PRAGMA cell_size_check=ON; PRAGMA trusted_schema=OFF;
         PRAGMA mmap_size=0; PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=4096; PRAGMA journal_size_limit=8388608;"
    ))?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
}

fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    if mark(&transaction)?.0 == APPLICATION {
        return Ok(());
    }
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Whether the connection is better made anew after this.
pub(super) fn is_spent(error: &rusqlite::Error) -> bool {
    !matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::DiskFull | ErrorCode::ConstraintViolation
        )
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rusqlite::params;

    use super::*;

    const SECRET: &str = "SECRET-MARKER ";
    const OTHER: &str = "harmless text ";

    /// Rows of two kinds side by side; some of one kind are deleted, then all of the other: how many lines of the file
    /// still have its text.
    fn traces(name: &str, padding: &[u8]) -> usize {
        let folder = std::env::temp_dir().join(format!("claim-check-schema-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let path = place(&folder.join("claims.db")).unwrap();
        let connection = connect(&path, Instant::now() + Duration::from_secs(20)).unwrap();
        connection.pragma_update(None, "synchronous", "OFF").unwrap();
        let mut state = 12_345_u64;
        let mut dice = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % bound as u64).unwrap()
        };
        let mut secret = vec![];
        for id in 0..3_000 {
            let (is_secret, length) = (dice(2) == 0, 1 + dice(1_500));
            let text = if is_secret { SECRET } else { OTHER }.repeat(200);
            let text = &text[..length];
            connection.execute("INSERT INTO part VALUES (?1, 0, ?2, ?3)", params![id, padding, text]).unwrap();
            if is_secret {
                secret.push(id);
            }
        }
        let delete = |id: i32| connection.execute("DELETE FROM part WHERE claim = ?1", [id]).unwrap();
        for id in 0..3_000 {
            if !secret.contains(&id) && dice(3) > 0 {
                delete(id);
            }
        }
        while !secret.is_empty() {
            delete(secret.swap_remove(dice(secret.len())));
        }
        let blocked: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
        assert!(!blocked);
        let grep = Command::new("grep").args(["-a", "-c", "-F", "-e", SECRET]).arg(&path).output().unwrap();
        drop(connection);
        fs::remove_dir_all(&folder).unwrap();
        String::from_utf8(grep.stdout).unwrap().trim().parse().unwrap()
    }

    #[test]
    fn deleted_texts_leave_no_trace() {
        assert_eq!(traces("padded", PADDING), 0);
    }

    /// The day this fails SQLite overwrites what it moves, and the padding can go.
    #[test]
    fn without_padding_they_would() {
        assert!(traces("bare", &[]) > 0);
    }
}
