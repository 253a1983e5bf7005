//! Check-in: what the conversation carries for a tool result, and what it carries instead.

use std::borrow::Cow;
use std::fmt;

use crate::boundary::neutralise;
use crate::claim::{MAX_CONTENT_BYTES, Scope};
use crate::settings::{Settings, SettingsError};
use crate::{claim, extract, text};

/// What enters the conversation in place of an oversized result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// `claim:` and 32 lower-case hexadecimal digits.
    pub handle: String,
    /// The size of the whole content, in characters.
    pub chars: u32,
    /// The leading extract: a prefix of the content, word for word.
    pub head: String,
    /// How much there is, how much is not shown, and the call that reads it.
    pub notice: String,
    /// The trailing extract, word for word; empty unless the policy asks for one.
    pub tail: String,
    /// Head, notice and tail, ready for the conversation.
    pub rendered: String,
    /// Where reading on starts: the end of the head, in characters.
    pub next_offset: i32,
    /// For how many seconds the handle can be redeemed at least.
    pub ttl_seconds: u32,
}

/// What is to be done with a tool result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intake<'a> {
    /// The conversation carries it as it is.
    AsItIs,
    /// The conversation carries this instead: the result, neutralised.
    Neutralised(String),
    /// It goes to the store; its ticket enters the conversation once the store has acknowledged it.
    Deposit(Deposit<'a>),
}

/// Why a result can't be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckInError {
    /// [`Settings::validate`] says the same.
    InvalidSettings(SettingsError),
    /// The tenant or the run is empty, longer than 255 bytes, or holds a control character.
    InvalidScope(String),
    /// More than 64 MiB of UTF-8.
    TooLarge,
}

impl fmt::Display for CheckInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidSettings(error) => error.fmt(f),
            Self::InvalidScope(why) => f.write_str(why),
            Self::TooLarge => {
                write!(f, "the result has more than {MAX_CONTENT_BYTES} bytes; cut it, or carry what `truncate` gives")
            }
        }
    }
}

impl std::error::Error for CheckInError {}

/// Decides what the conversation carries for one result of `tool`.
///
/// # Errors
/// The first of: the settings, the scope, the size of the content.
pub fn receive<'a>(
    settings: &Settings,
    scope: &Scope,
    tool: &str,
    content: &'a str,
) -> Result<Intake<'a>, CheckInError> {
    settings.validate().map_err(CheckInError::InvalidSettings)?;
    scope.validate().map_err(|invalid| CheckInError::InvalidScope(invalid.0))?;
    if settings.redeems(tool) {
        return Ok(Intake::AsItIs);
    }
    if content.len() > MAX_CONTENT_BYTES {
        return Err(CheckInError::TooLarge);
    }
    let neutral = if settings.neutralise { neutralise(content) } else { None };
    let policy = settings.policy_for(tool);
    let carried = neutral.as_deref().unwrap_or(content);
    if text::byte_of(carried, policy.threshold_chars) == carried.len() {
        return Ok(neutral.map_or(Intake::AsItIs, Intake::Neutralised));
    }
    let content = neutral.map_or(Cow::Borrowed(content), Cow::Owned);
    let ends = claim::page_ends(&content);
    let pages = claim::pages(&content, &ends);
    let (manifest, chars) = (claim::manifest(content.len(), &pages), claim::chars(&pages));
    let handle = claim::handle(scope, &manifest);
    let head = extract::head(&content, policy.head_chars).to_owned();
    let tail = extract::tail(&content, policy.tail_chars, text::count(&head)).to_owned();
    let (ttl_seconds, fetch_tool) = (policy.ttl_seconds, settings.fetch_tool.clone());
    Ok(Intake::Deposit(Deposit { content, ends, chars, manifest, handle, head, tail, ttl_seconds, fetch_tool }))
}

/// A result on its way to the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit<'a> {
    content: Cow<'a, str>,
    ends: Vec<usize>,
    chars: u32,
    manifest: String,
    handle: String,
    head: String,
    tail: String,
    ttl_seconds: u32,
    fetch_tool: String,
}

impl Deposit<'_> {
    /// The handle to keep it under.
    #[must_use]
    pub fn handle(&self) -> &str {
        &self.handle
    }

    /// The manifest to keep.
    #[must_use]
    pub fn manifest(&self) -> &str {
        &self.manifest
    }

    /// The pages to keep, uncopied.
    #[must_use]
    pub fn pages(&self) -> Vec<&str> {
        claim::pages(&self.content, &self.ends)
    }

    /// For how many seconds to keep it at least.
    #[must_use]
    pub fn ttl_seconds(&self) -> u32 {
        self.ttl_seconds
    }

    /// The ticket, for when the store has acknowledged: before that, its handle resolves to nothing.
    #[must_use]
    pub fn into_ticket(self) -> Ticket {
        let (chars, shown, ended) = (self.chars, text::count(&self.head), text::count(&self.tail));
        // With a tail, the two numbers no longer tell where the head stopped.
        let offset = if ended > 0 { format!(" and offset={shown}") } else { String::new() };
        let notice = format!(
            "[{chars} characters, {} not shown. Call {} with handle='{}'{offset} to read the rest.]",
            chars - shown - ended,
            self.fetch_tool,
            self.handle,
        );
        let parts = [&self.head, &notice, &self.tail];
        let rendered =
            parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n\n");
        Ticket {
            handle: self.handle,
            chars,
            head: self.head,
            notice,
            tail: self.tail,
            rendered,
            next_offset: text::signed(shown),
            ttl_seconds: self.ttl_seconds,
        }
    }
}
