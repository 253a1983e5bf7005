//! The steps that fetch, find and answer share: ask for pages, prove what came, answer or ask for more.

use std::fmt;

use crate::claim::StoreError;

/// Pages to read: at most `count` from `first` on; fewer, or none, past the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRange {
    /// The number of the first page, from 0.
    pub first: u32,
    /// How many pages.
    pub count: u32,
}

/// A read of a claim, as the store's shell drives it: fetch [`range`](Self::range) under [`handle`](Self::handle),
/// hand what came to [`accept`](Self::accept), and again until there is an answer.
pub trait Reading {
    /// What the read gives.
    type Answer;
    /// Why it gives nothing.
    type Error;

    /// The handle to ask the store for.
    fn handle(&self) -> &str;

    /// The pages to ask the store for.
    fn range(&self) -> PageRange;

    /// Proves what the store returned, and gives the answer, or none where [`range`](Self::range) now asks for more.
    ///
    /// # Errors
    /// What came is not what was checked in under the handle in this scope.
    fn accept<S: AsRef<str>>(&mut self, manifest: &str, pages: &[S]) -> Result<Option<Self::Answer>, Self::Error>;

    /// The error of a read whose store call failed.
    fn refuse(&self, error: StoreError) -> Self::Error;
}

/// Drives a read over a store that answers at once.
///
/// # Errors
/// As [`Reading::accept`] and [`Reading::refuse`].
pub fn read_with<R: Reading, S: AsRef<str>>(
    mut reading: R,
    mut fetch: impl FnMut(&str, PageRange) -> Result<(String, Vec<S>), StoreError>,
) -> Result<R::Answer, R::Error> {
    loop {
        let (manifest, pages) = fetch(reading.handle(), reading.range()).map_err(|error| reading.refuse(error))?;
        if let Some(answer) = reading.accept(&manifest, &pages)? {
            return Ok(answer);
        }
    }
}

/// Why nothing can be read: for the operator's log alone. Every case reads the same to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Not `claim:` and 32 lower-case hexadecimal digits. The store was not asked.
    Malformed,
    /// Expired, forgotten, never stored, or another scope's.
    Missing,
    /// What the store returned is not what was checked in under this handle in this scope.
    Damaged,
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the handle is not 'claim:' and 32 lower-case hexadecimal digits",
            Self::Missing => "no live claim is held under the handle in this scope",
            Self::Damaged => "what the store returned is not what was checked in under the handle in this scope",
        })
    }
}

/// Why there is no window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// There is nothing to read under this handle, in this scope.
    ClaimUnavailable(Absence),
    /// The offset is negative.
    InvalidOffset(i32),
    /// The tenant or the run is empty, longer than 255 bytes, or holds a control character.
    InvalidScope(String),
    /// The store failed; never [`StoreError::NotFound`].
    Store(StoreError),
}

impl From<Absence> for FetchError {
    fn from(absence: Absence) -> Self {
        Self::ClaimUnavailable(absence)
    }
}

impl From<StoreError> for FetchError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::ClaimUnavailable(Absence::Missing),
            other => Self::Store(other),
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClaimUnavailable(absence) => write!(f, "claim unavailable: {absence}"),
            Self::InvalidOffset(offset) => write!(f, "offset {offset} is negative; offsets count characters from 0"),
            Self::InvalidScope(why) => f.write_str(why),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FetchError {}
