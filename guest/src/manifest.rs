//! The proof on every read: what the store returned is what was checked in under this handle, in this scope.

use crate::claim::{self, PAGE_CHARS, Scope};
use crate::reading::{Absence, PageRange};
use crate::text;

/// How long the line of a page is: 32 digits and the newline.
const LINE: usize = 33;

/// A manifest that the handle proves.
pub(crate) struct Manifest<'a> {
    /// The size of the whole content, in characters.
    pub(crate) chars: u32,
    lines: &'a str,
}

impl<'a> Manifest<'a> {
    /// Takes a manifest only if it belongs to the handle in this scope and is well-formed to the last byte.
    pub(crate) fn prove(scope: &Scope, handle: &str, manifest: &'a str) -> Result<Self, Absence> {
        let (header, lines) = claim::split_manifest(manifest).ok_or(Absence::Damaged)?;
        let root = claim::digest(lines);
        let chars = number(header, "chars ").ok_or(Absence::Damaged)?;
        let bytes = number(header, "bytes ").ok_or(Absence::Damaged)?;
        let pages = usize::try_from(chars.div_ceil(PAGE_CHARS)).unwrap_or(usize::MAX);
        let sound = claim::handle(scope, header) == handle
            // Rendered again it must be the same bytes: no leading zero, no other page size, no other version.
            && claim::header(chars, usize::try_from(bytes).unwrap_or(usize::MAX), &root) == header
            && lines.len().checked_div(LINE) == Some(pages)
            && are_page_lines(lines.as_bytes());
        if sound { Ok(Self { chars, lines }) } else { Err(Absence::Damaged) }
    }

    /// Takes pages only if they are the ones that were asked for, all of them, unchanged.
    pub(crate) fn prove_pages<S: AsRef<str>>(&self, range: PageRange, pages: &[S]) -> Result<(), Absence> {
        let total = self.chars.div_ceil(PAGE_CHARS);
        let there = total.saturating_sub(range.first).min(range.count);
        let sound = usize::try_from(there) == Ok(pages.len())
            && pages.iter().zip(range.first..).all(|(page, number)| {
                let page = page.as_ref();
                let chars = self.chars.saturating_sub(number.saturating_mul(PAGE_CHARS)).min(PAGE_CHARS);
                text::count(page) == chars && self.line(number).is_some_and(|line| claim::digest(page) == line)
            });
        if sound { Ok(()) } else { Err(Absence::Damaged) }
    }

    fn line(&self, page: u32) -> Option<&'a str> {
        let start = usize::try_from(page).ok()?.checked_mul(LINE)?;
        self.lines.get(start..start.checked_add(LINE - 1)?)
    }
}

/// In lines of a length that the compiler knows: a manifest has up to 130 kB, and is looked through on every read.
fn are_page_lines(lines: &[u8]) -> bool {
    let (lines, rest) = lines.as_chunks::<LINE>();
    rest.is_empty() && lines.iter().all(|[digits @ .., end]| *end == b'\n' && claim::is_lower_hex(digits))
}

/// The number on the header line that starts so.
fn number(header: &str, name: &str) -> Option<u32> {
    header.lines().find_map(|line| line.strip_prefix(name))?.parse().ok()
}
