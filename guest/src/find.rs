//! Where a text stands in checked-in content: literally, ignoring case, some pages at a time. Linear in the content,
//! whatever is searched for; so nothing that a model writes can keep a host busy.

use std::fmt;

use memchr::memmem::Finder;

use crate::claim::{PAGE_CHARS, Scope, StoreError};
use crate::manifest::Manifest;
use crate::reading::{FetchError, PageRange, Reading};
use crate::{text, window};

/// How many pages are searched at a time: at most 4 MiB of UTF-8.
const PAGES: u32 = 64;
/// How many characters of the line a snippet shows to either side of the match.
const CONTEXT: u32 = 80;
/// How long a needle may be, in characters.
const NEEDLE_CHARS: u32 = 256;

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where the match starts, in characters.
    pub offset: i32,
    /// The line around the match, word for word, at most 80 characters to either side.
    pub snippet: String,
    /// Where the snippet starts, in characters.
    pub snippet_offset: i32,
}

/// The matches of a search, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// At most as many as were asked for.
    pub matches: Vec<Found>,
    /// The offset of the next match; none where every match is listed.
    pub next_offset: Option<i32>,
}

/// Why there was no search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindError {
    /// Empty, or longer than 256 characters.
    InvalidNeedle,
    /// The claim can't be read.
    Fetch(FetchError),
}

impl From<FetchError> for FindError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidNeedle => write!(f, "the text to find is empty or longer than {NEEDLE_CHARS} characters"),
            Self::Fetch(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FindError {}

/// A search: one call of the store for every 64 pages, until as many matches were found as were asked for.
#[derive(Clone, Debug)]
pub struct Search {
    scope: Scope,
    handle: String,
    needle: Finder<'static>,
    needle_chars: u32,
    most: usize,
    /// The earliest place, in characters of the content, where the next match may start.
    from: u32,
    /// The part of the content that was read and may still hold a match or a snippet, and where it starts.
    read: String,
    read_start: u32,
    next_page: u32,
    chars: u32,
    matches: Vec<Found>,
}

impl Search {
    /// Where `needle` stands from `offset` on; `max_matches` 0 means 20, and 100 is the most.
    ///
    /// # Errors
    /// The first of: the needle, the scope, a negative offset, a malformed handle.
    pub fn new(scope: &Scope, handle: &str, needle: &str, offset: i32, max_matches: u32) -> Result<Self, FindError> {
        let needle_chars = text::count(needle);
        if !is_needle(needle) {
            return Err(FindError::InvalidNeedle);
        }
        let from = window::check(scope, handle, offset)?;
        let first_page = from.saturating_sub(CONTEXT) / PAGE_CHARS;
        Ok(Self {
            scope: scope.clone(),
            handle: handle.to_owned(),
            needle: Finder::new(&fold_text(needle)).into_owned(),
            needle_chars,
            most: usize::try_from(if max_matches == 0 { 20 } else { max_matches.min(100) }).unwrap_or(100),
            from,
            read: String::new(),
            read_start: first_page * PAGE_CHARS,
            next_page: first_page,
            chars: 0,
            matches: Vec::new(),
        })
    }

    /// The size of the whole content, in characters; known once something was read.
    pub(crate) fn chars(&self) -> u32 {
        self.chars
    }

    /// Looks through what was read; gives the offset of the match after the last one that is listed, if there is one.
    fn look(&mut self, is_end: bool) -> Option<u32> {
        let folded = fold_text(&self.read);
        let read_end = self.read_start + text::count(&self.read);
        let (mut place, mut at) = (Place::default(), text::byte_of(&folded, self.from.saturating_sub(self.read_start)));
        let (mut folded_at, mut chars) = (0, 0);
        while let Some(found) = folded.as_bytes().get(at..).and_then(|rest| self.needle.find(rest)) {
            at += found;
            chars += text::count(folded.get(folded_at..at).unwrap_or_default());
            folded_at = at;
            let offset = self.read_start + chars;
            if self.matches.len() == self.most {
                return Some(offset);
            }
            self.from = offset;
            if !is_end && offset + self.needle_chars + CONTEXT > read_end {
                // The rest of its line is not read yet.
                return None;
            }
            place.advance(&self.read, chars);
            self.matches.push(self.found(offset, place.byte));
            self.from = offset + self.needle_chars;
            at += self.needle.needle().len();
        }
        self.from = self.from.max((read_end + 1).saturating_sub(self.needle_chars));
        None
    }

    fn found(&self, offset: u32, start: usize) -> Found {
        let (before, rest) = text::split(&self.read, start);
        let (matched, after) = text::split(rest, text::byte_of(rest, self.needle_chars));
        let context = usize::try_from(CONTEXT).unwrap_or_default();
        let left: usize = before.chars().rev().take(context).take_while(in_line).map(char::len_utf8).sum();
        let right: usize = after.chars().take(context).take_while(in_line).map(char::len_utf8).sum();
        let lead = text::split(before, before.len() - left).1;
        Found {
            offset: text::signed(offset),
            snippet: [lead, matched, text::split(after, right).0].concat(),
            snippet_offset: text::signed(offset - text::count(lead)),
        }
    }

    /// Drops what no match and no snippet needs any more.
    fn forget_passed(&mut self) {
        let keep = self.from.saturating_sub(CONTEXT).max(self.read_start);
        let passed = text::byte_of(&self.read, keep - self.read_start);
        self.read.drain(..passed);
        self.read_start = keep;
    }
}

impl Reading for Search {
    type Answer = Finding;
    type Error = FindError;

    fn handle(&self) -> &str {
        &self.handle
    }

    fn range(&self) -> PageRange {
        PageRange { first: self.next_page, count: PAGES }
    }

    fn accept<S: AsRef<str>>(&mut self, manifest: &str, pages: &[S]) -> Result<Option<Finding>, FindError> {
        let manifest = Manifest::prove(&self.scope, &self.handle, manifest).map_err(FetchError::from)?;
        manifest.prove_pages(self.range(), pages).map_err(FetchError::from)?;
        self.chars = manifest.chars;
        for page in pages {
            self.read.push_str(page.as_ref());
        }
        self.next_page = self.next_page.saturating_add(PAGES);
        let is_end = self.next_page >= manifest.chars.div_ceil(PAGE_CHARS);
        let next = self.look(is_end);
        if next.is_some() || is_end {
            let matches = std::mem::take(&mut self.matches);
            return Ok(Some(Finding { matches, next_offset: next.map(text::signed) }));
        }
        self.forget_passed();
        Ok(None)
    }

    fn refuse(&self, error: StoreError) -> FindError {
        FindError::Fetch(error.into())
    }
}

/// A place in a text, by characters and by bytes, that only moves forward.
#[derive(Default)]
struct Place {
    chars: u32,
    byte: usize,
}

impl Place {
    fn advance(&mut self, text: &str, chars: u32) {
        self.byte += text::byte_of(text::split(text, self.byte).1, chars - self.chars);
        self.chars = chars;
    }
}

/// Whether a text can be searched for.
pub(crate) fn is_needle(needle: &str) -> bool {
    (1..=NEEDLE_CHARS).contains(&text::count(needle))
}

fn in_line(c: &char) -> bool {
    !matches!(c, '\n' | '\r')
}

/// The text with every character folded; as many characters as before, so offsets stay what they are.
fn fold_text(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(fold).collect() }
}

fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // By way of upper case, so that the two lower-case sigmas are one.
    let by_upper = only(c.to_uppercase()).and_then(|upper| only(upper.to_lowercase()));
    by_upper.or_else(|| only(c.to_lowercase())).unwrap_or(c)
}

fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}
