//! Why a store can't be opened.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::disk;
use crate::store::StoreError;

/// Why a [`SqliteStore`](super::SqliteStore) can't be opened, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenStoreError {
    /// The folder or the file can't be made or looked at.
    #[error("{} can't be opened: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The path names a device, a pipe or a socket. Nothing was done to it.
    #[error("{} is not a regular file; name another one", .0.display())]
    NotAFile(PathBuf),
    /// The path names a folder.
    #[error("{} is a folder; name a file in it", .0.display())]
    IsAFolder(PathBuf),
    /// The file can't be written by this user.
    #[error("{} is read-only; make the file and its folder writable for this user, or choose another file", .0.display())]
    ReadOnly(PathBuf),
    /// A later version of this program has written the file.
    #[error(
        "{} has schema version {found}, and this program knows up to {known}; use the program that wrote it, or another file",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version that was found.
        found: i32,
        /// The latest version that this program knows.
        known: i32,
    },
    /// The file is something else, or its beginning is damaged.
    #[error("{} is not a claim store, or its first page is damaged; choose another file, or move this one away", .0.display())]
    NotAStore(PathBuf),
    /// The file system lacks what several processes need to share a file.
    #[error("{} is on a file system without shared memory (a network one?); choose a file on a local disk", .0.display())]
    NoSharedMemory(PathBuf),
    /// The file can't be used now, or not at all; the error says which.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OpenStoreError {
    pub(super) fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.into(), error }
    }

    pub(super) fn sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotAStore(path.into()),
            Some(ErrorCode::ReadOnly) => Self::ReadOnly(path.into()),
            _ => Self::Store(disk::store_error(path, error)),
        }
    }
}

/// What a call on an open store answers when it has to connect again and can't.
impl From<OpenStoreError> for StoreError {
    fn from(error: OpenStoreError) -> Self {
        match error {
            OpenStoreError::Store(error) => error,
            error => Self::Failed(error.to_string()),
        }
    }
}
