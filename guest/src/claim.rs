//! What is kept under a handle, and what the handle proves: the scope, and every character of the content.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::text;

/// How many characters a page of kept content has; the last one may have fewer.
pub const PAGE_CHARS: u32 = 16384;

/// The largest content that is checked in, in bytes of UTF-8: 64 MiB.
pub const MAX_CONTENT_BYTES: usize = 64 << 20;

/// Whose claim it is. Opaque text, 1 to 255 bytes each, no control characters; never a path, and case matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The customer, user or workspace: what is forgotten as a whole.
    pub tenant: String,
    /// One agent run of the tenant; unguessable, so that no handle can be derived outside it.
    pub run: String,
}

impl Scope {
    /// A scope of these two parts, not yet validated.
    pub fn new(tenant: impl Into<String>, run: impl Into<String>) -> Self {
        Self { tenant: tenant.into(), run: run.into() }
    }

    /// Refuses a scope that no claim can have.
    ///
    /// # Errors
    /// Says which part is wrong, and never repeats it.
    pub fn validate(&self) -> Result<(), InvalidScope> {
        validate_part("tenant", &self.tenant)?;
        validate_part("run", &self.run)
    }
}

fn validate_part(name: &str, part: &str) -> Result<(), InvalidScope> {
    let wrong = if part.is_empty() {
        "is empty".to_owned()
    } else if part.len() > 255 {
        format!("has {} bytes", part.len())
    } else if part.chars().any(char::is_control) {
        "holds a control character".to_owned()
    } else {
        return Ok(());
    };
    Err(InvalidScope(format!("the {name} {wrong}: use 1 to 255 bytes without control characters")))
}

/// A scope that no claim can have; the text says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidScope(pub String);

impl fmt::Display for InvalidScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidScope {}

/// What is erased: everything of a tenant, or one run of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Erasure {
    /// Everything of this tenant, whichever run it belongs to.
    Tenant(String),
    /// One run of one tenant.
    Run(Scope),
}

impl Erasure {
    /// Refuses what no claim can belong to.
    ///
    /// # Errors
    /// Says which part is wrong, and never repeats it.
    pub fn validate(&self) -> Result<(), InvalidScope> {
        match self {
            Self::Tenant(tenant) => validate_part("tenant", tenant),
            Self::Run(scope) => scope.validate(),
        }
    }
}

/// What a store answers when it does not do what it was asked. The texts are for the operator's log alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No live claim is held under the handle in this scope.
    NotFound,
    /// The store can't be reached or is busy; the same call may succeed later.
    Unavailable(String),
    /// The store takes no more for this scope.
    Full(String),
    /// Trying again will not help.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("no live claim is held under the handle in this scope"),
            Self::Unavailable(why) => write!(f, "the store can't be reached or is busy, try again: {why}"),
            Self::Full(why) => write!(f, "the store takes no more for this scope: {why}"),
            Self::Failed(why) => write!(f, "the store failed, and trying again will not help: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// What a store keeps under one handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// Five header lines, then the digest of every page.
    pub manifest: String,
    /// The content, in pages of [`PAGE_CHARS`] characters.
    pub pages: Vec<&'a str>,
}

impl<'a> Claim<'a> {
    /// The claim of a content.
    #[must_use]
    pub fn of(content: &'a str) -> Self {
        let pages = pages(content, &page_ends(content));
        Self { manifest: manifest(content.len(), &pages), pages }
    }

    /// The claim's handle in a scope.
    #[must_use]
    pub fn handle(&self, scope: &Scope) -> String {
        handle(scope, &self.manifest)
    }
}

/// At which bytes the pages of a content end.
pub(crate) fn page_ends(content: &str) -> Vec<usize> {
    let mut ends = Vec::with_capacity(content.len() / 16384 + 1);
    let mut end = 0;
    while end < content.len() {
        end += text::byte_of(text::split(content, end).1, PAGE_CHARS);
        ends.push(end);
    }
    ends
}

/// The content in pages that end at these bytes, uncopied.
pub(crate) fn pages<'a>(content: &'a str, ends: &[usize]) -> Vec<&'a str> {
    let starts = std::iter::once(&0).chain(ends);
    starts.zip(ends).filter_map(|(start, end)| content.get(*start..*end)).collect()
}

/// The manifest of a content of so many bytes in these pages.
pub(crate) fn manifest(bytes: usize, pages: &[&str]) -> String {
    let mut lines = String::with_capacity(pages.len() * 33);
    for page in pages {
        lines.push_str(&digest(page));
        lines.push('\n');
    }
    header(chars(pages), bytes, &digest(&lines)) + &lines
}

/// How many characters stand in these pages, of which only the last is counted: the others are full.
pub(crate) fn chars(pages: &[&str]) -> u32 {
    pages.split_last().map_or(0, |(last, full)| {
        let full = u32::try_from(full.len()).unwrap_or(u32::MAX);
        full.saturating_mul(PAGE_CHARS).saturating_add(text::count(last))
    })
}

/// The five header lines of a manifest.
pub(crate) fn header(chars: u32, bytes: usize, root: &str) -> String {
    format!("claim/1\nchars {chars}\nbytes {bytes}\npage-chars {PAGE_CHARS}\nroot {root}\n")
}

/// The header of a manifest, and the page lines; none where there are fewer than five lines.
pub(crate) fn split_manifest(manifest: &str) -> Option<(&str, &str)> {
    let (end, _) = manifest.match_indices('\n').nth(4)?;
    manifest.split_at_checked(end + 1)
}

/// The first 32 hexadecimal digits of a text's BLAKE3.
pub(crate) fn digest(text: &str) -> String {
    hex(blake3::hash(text.as_bytes()).as_bytes())
}

/// The handle that a manifest has in a scope, over its header as it stands, well-formed or not.
#[must_use]
pub fn handle(scope: &Scope, manifest: &str) -> String {
    let header = split_manifest(manifest).map_or(manifest, |(header, _)| header);
    let mut hash = Sha256::new();
    hash.update(b"claim-check/handle/1\0");
    // Each part behind its length: no other tenant and run give the same bytes.
    for part in [&scope.tenant, &scope.run] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(header.as_bytes());
    format!("claim:{}", hex(&hash.finalize()))
}

/// Whether a text has the form of a handle: `claim:` and 32 lower-case hexadecimal digits.
#[must_use]
pub fn is_handle(text: &str) -> bool {
    text.strip_prefix("claim:").is_some_and(|digits| digits.len() == 32 && is_lower_hex(digits.as_bytes()))
}

pub(crate) fn is_lower_hex(digits: &[u8]) -> bool {
    // Not `all`: without an early end the compiler takes 16 digits at a time, and a manifest has up to 130 kB.
    digits.iter().fold(true, |so_far, digit| so_far & (digit.is_ascii_digit() | (*digit >= b'a' && *digit <= b'f')))
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}
