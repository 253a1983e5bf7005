//! What a model reads, taken apart: the text, and what the note beside it says.

use anyhow::{Context, Result};

use crate::host::{Read, Window};

/// How the answer begins for a handle that opens nothing.
const GONE: &str = "Nothing can be read under this handle here.";

/// Whether a refusal says that there is nothing.
#[must_use]
pub fn is_gone(refusal: &str) -> bool {
    refusal.starts_with(GONE)
}

/// The handle in a notice.
///
/// # Errors
/// There is none.
pub fn handle(text: &str) -> Result<String> {
    let at = text.rfind("claim:").context("no handle was given")?;
    text.get(at..at + 38).map(str::to_owned).context("the handle is cut short")
}

/// Text and note of a reply that has both.
///
/// # Errors
/// There is no note.
pub fn split(reply: &str) -> Result<(&str, &str)> {
    reply.rsplit_once("\n\n[").context("the reply has no note")
}

/// The window that text and note are.
///
/// # Errors
/// The note says no number.
pub fn window(text: &str, note: &str) -> Result<Read<Window>> {
    let next = match note.rsplit_once("offset=") {
        None => None,
        Some((_, rest)) => {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            Some(digits.parse().with_context(|| format!("no offset in the note: {note}"))?)
        }
    };
    Ok(Read::There(Window { text: text.to_owned(), next }))
}

/// The offsets of matches, one on each line.
#[must_use]
pub fn offsets(text: &str) -> Read<Vec<u32>> {
    Read::There(text.lines().filter_map(|line| line.split_once(':')?.0.parse().ok()).collect())
}
