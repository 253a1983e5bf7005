//! What goes wrong with a file, and what the operator can do about it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::ffi;
use rusqlite::{Error, ErrorCode};

use crate::store::StoreError;

/// Between two attempts at a lock. Short, because the one who holds it takes it again as soon as it is free.
const FIRST_PAUSE: Duration = Duration::from_micros(100);
const LONGEST_PAUSE: Duration = Duration::from_millis(3);

/// Attempts something until no other process is in the way or the time is up.
pub(super) fn persist<T>(deadline: Instant, mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let mut pause = FIRST_PAUSE;
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                thread::sleep(pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            outcome => return outcome,
        }
    }
}

pub(super) fn is_busy(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed)
    )
}

/// Only the code of SQLite's error is used: no text of a driver's, which might hold what was to be stored.
pub(super) fn store_error(path: &Path, error: &Error) -> StoreError {
    let path = path.display();
    let code = error.sqlite_extended_error_code();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
            StoreError::Unavailable(format!(
                "another process has kept {path} locked; try again, or end the process that holds it"
            ))
        }
        Some(ErrorCode::DiskFull) => disk_full(&path),
        Some(ErrorCode::SystemIoFailure) if code == Some(ffi::SQLITE_IOERR_SHMSIZE) => disk_full(&path),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::Failed(format!(
            "{path} can't be written; make the file, its -wal and -shm and their folder writable for this user"
        )),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(&path),
        // What is written never breaks a constraint: something that stands there must.
        Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => damaged(&path),
        Some(ErrorCode::CannotOpen) => StoreError::Failed(format!(
            "{path}, its -wal or its -shm can't be opened; is it still there, may this user read and write the folder, \
             and are there file descriptors left?"
        )),
        Some(ErrorCode::SystemIoFailure) => StoreError::Failed(format!(
            "reading or writing {path} failed (SQLite's code {}); check the disk and the system's log",
            code.unwrap_or_default()
        )),
        Some(ErrorCode::OutOfMemory) => {
            StoreError::Unavailable(format!("there was no memory left to work on {path}; try again when there is"))
        }
        Some(ErrorCode::TooBig) => {
            StoreError::Full("a page or manifest is longer than SQLite's limit of 10⁹ bytes".into())
        }
        // Rows that are not as they were written: a text that is not UTF-8, a value of another type.
        None => damaged(&path),
        Some(_) => StoreError::Failed(format!(
            "SQLite refused to work on {path} (its code {}); if it stays so, move the file away",
            code.unwrap_or_default()
        )),
    }
}

fn disk_full(path: &impl std::fmt::Display) -> StoreError {
    StoreError::Full(format!("the disk under {path} is full; free space on it, then try again"))
}

fn damaged(path: &impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!(
        "{path} is damaged; stop what uses it, move it and its -wal and -shm away, and start with a new file or a copy of \
         an earlier one. Handles of claims that are not in it stop working, and models are told to run the tool again"
    ))
}
