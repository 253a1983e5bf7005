//! What the calls of a claim check give back.

use std::fmt;

use wasmtime::component::{ComponentType, Lift};

/// What enters the conversation in place of an oversized result.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
pub struct Ticket {
    /// `claim:` and 32 lower-case hexadecimal digits. Works only in the scope that made it.
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
    #[component(name = "next-offset")]
    pub next_offset: i32,
    /// For how many seconds the handle can be redeemed at least.
    #[component(name = "ttl-seconds")]
    pub ttl_seconds: u32,
}

/// What the conversation carries.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(variant)]
pub enum Outcome {
    /// The result as the tool returned it.
    #[component(name = "as-it-is")]
    AsItIs,
    /// The result, small enough to carry, once neutralised.
    #[component(name = "neutralised")]
    Neutralised(String),
    /// The ticket, once the store has acknowledged the (neutralised) result.
    #[component(name = "checked-in")]
    CheckedIn(Ticket),
}

impl Outcome {
    /// What enters the conversation for a result that was `content`.
    #[must_use]
    pub fn carried<'a>(&'a self, content: &'a str) -> &'a str {
        match self {
            Self::AsItIs => content,
            Self::Neutralised(text) => text,
            Self::CheckedIn(ticket) => &ticket.rendered,
        }
    }
}

/// A part of checked-in content, word for word.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
pub struct Window {
    /// Exactly the characters from `offset` on, at most as many as were asked for; empty past the end.
    pub text: String,
    /// The offset that was asked for, in characters.
    pub offset: i32,
    /// Where the next window starts; `None` where this one reaches the end.
    #[component(name = "next-offset")]
    pub next_offset: Option<i32>,
    /// The size of the whole content, in characters.
    pub chars: u32,
}

/// One match of a search.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
pub struct Found {
    /// Where the match starts, in characters.
    pub offset: i32,
    /// The line around the match, word for word, at most 80 characters to either side.
    pub snippet: String,
    /// Where the snippet starts, in characters.
    #[component(name = "snippet-offset")]
    pub snippet_offset: i32,
}

/// The matches of a search, in order.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
pub struct Finding {
    /// At most as many as were asked for.
    pub matches: Vec<Found>,
    /// The offset of the next match; `None` where every match is listed.
    #[component(name = "next-offset")]
    pub next_offset: Option<i32>,
}

/// One redeeming tool, as the model is told of it.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
pub struct ToolDefinition {
    /// The name from the settings.
    pub name: String,
    /// Says what the tool does, how offsets count, and for how long a handle can be redeemed.
    pub description: String,
    /// A JSON Schema object, as text.
    #[component(name = "input-schema")]
    pub input_schema: String,
}

/// A redeeming tool's answer. A host that can carries text and note as two blocks.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
pub struct Reply {
    /// The window word for word, or one line per match.
    pub text: String,
    /// Where the text stands, and the call that reads on.
    pub note: String,
}

/// Text and note joined by a blank line, for hosts that carry one block.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text.is_empty() {
            true => f.write_str(&self.note),
            false => write!(f, "{}\n\n{}", self.text, self.note),
        }
    }
}

/// Why nothing can be read under a handle: for the operator's log alone. Every case reads the same to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
pub enum Absence {
    /// Not `claim:` and 32 lower-case hexadecimal digits. The store was not asked.
    #[component(name = "malformed")]
    Malformed,
    /// Expired, forgotten, never stored, or another scope's.
    #[component(name = "missing")]
    Missing,
    /// What the store returned is not what was checked in under this handle in this scope.
    #[component(name = "damaged")]
    Damaged,
}

/// Why a redeeming tool gives nothing, as the host can switch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
pub enum RefusalCode {
    /// One answer for malformed, unknown, expired, forgotten, foreign and damaged handles.
    #[component(name = "claim-unavailable")]
    ClaimUnavailable,
    /// The offset is negative.
    #[component(name = "invalid-offset")]
    InvalidOffset,
    /// The arguments are not what the tool's schema asks for.
    #[component(name = "invalid-arguments")]
    InvalidArguments,
    /// The only one worth trying again.
    #[component(name = "store-unavailable")]
    StoreUnavailable,
}

impl RefusalCode {
    /// The code as events and protocols carry it, `claim_unavailable` say.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaimUnavailable => "claim_unavailable",
            Self::InvalidOffset => "invalid_offset",
            Self::InvalidArguments => "invalid_arguments",
            Self::StoreUnavailable => "store_unavailable",
        }
    }
}
