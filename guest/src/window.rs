//! Which pages a window needs, and the exact characters in them.

use crate::claim::{self, PAGE_CHARS, Scope, StoreError};
use crate::manifest::Manifest;
use crate::reading::{Absence, FetchError, PageRange, Reading};
use crate::text;

/// How many characters a window has where the caller does not say.
const DEFAULT_CHARS: u32 = 4096;

/// A part of checked-in content, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Exactly the characters from `offset` on, at most as many as were asked for; empty past the end.
    pub text: String,
    /// The offset that was asked for, in characters.
    pub offset: i32,
    /// Where the next window starts; none where this one reaches the end.
    pub next_offset: Option<i32>,
    /// The size of the whole content, in characters.
    pub chars: u32,
}

/// The read of one window: one call of the store, for the manifest and one or two pages.
#[derive(Clone, Debug)]
pub struct WindowReading {
    scope: Scope,
    handle: String,
    offset: i32,
    from: u32,
    to: u32,
}

/// Refuses what no read can start from, in the order of the contract, and gives the offset as a count.
pub(crate) fn check(scope: &Scope, handle: &str, offset: i32) -> Result<u32, FetchError> {
    scope.validate().map_err(|invalid| FetchError::InvalidScope(invalid.0))?;
    let from = u32::try_from(offset).map_err(|_| FetchError::InvalidOffset(offset))?;
    if claim::is_handle(handle) { Ok(from) } else { Err(Absence::Malformed.into()) }
}

/// The pages that hold the characters from `from` to `to`.
pub(crate) fn pages_of(from: u32, to: u32) -> PageRange {
    let first = from / PAGE_CHARS;
    PageRange { first, count: to.saturating_sub(1) / PAGE_CHARS - first + 1 }
}

impl WindowReading {
    /// The characters from `offset` on, at most `max_chars`; 0 means 4096.
    ///
    /// # Errors
    /// The first of: the scope, a negative offset, a malformed handle.
    pub fn new(scope: &Scope, handle: &str, offset: i32, max_chars: u32) -> Result<Self, FetchError> {
        let from = check(scope, handle, offset)?;
        let chars = if max_chars == 0 { DEFAULT_CHARS } else { max_chars };
        Ok(Self { scope: scope.clone(), handle: handle.to_owned(), offset, from, to: from.saturating_add(chars) })
    }
}

impl Reading for WindowReading {
    type Answer = Window;
    type Error = FetchError;

    fn handle(&self) -> &str {
        &self.handle
    }

    fn range(&self) -> PageRange {
        pages_of(self.from, self.to)
    }

    fn accept<S: AsRef<str>>(&mut self, manifest: &str, pages: &[S]) -> Result<Option<Window>, FetchError> {
        let manifest = Manifest::prove(&self.scope, &self.handle, manifest)?;
        manifest.prove_pages(self.range(), pages)?;
        let mut text = String::new();
        for (page, number) in pages.iter().zip(self.range().first..) {
            let start = number.saturating_mul(PAGE_CHARS);
            text.push_str(text::slice(page.as_ref(), self.from.saturating_sub(start)..self.to.saturating_sub(start)));
        }
        let next_offset = (self.to < manifest.chars).then(|| text::signed(self.to));
        Ok(Some(Window { text, offset: self.offset, next_offset, chars: manifest.chars }))
    }

    fn refuse(&self, error: StoreError) -> FetchError {
        error.into()
    }
}
