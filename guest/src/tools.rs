//! The redeeming tools as a model uses them: definitions, forgiving arguments, replies, refusals.

mod arguments;
mod definitions;

pub use definitions::{ToolDefinition, definitions};

use crate::claim::{Scope, StoreError};
use crate::find::{FindError, Finding, Search};
use crate::reading::{Absence, FetchError, PageRange, Reading};
use crate::settings::Settings;
use crate::window::{Window, WindowReading};
use arguments::Arguments;

/// Why a redeeming tool gives nothing, as the host can switch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalCode {
    /// One answer for malformed, unknown, expired, forgotten, foreign and damaged handles.
    ClaimUnavailable,
    /// The offset is negative.
    InvalidOffset,
    /// The arguments are not what the tool's schema asks for.
    InvalidArguments,
    /// The only one worth trying again.
    StoreUnavailable,
}

impl RefusalCode {
    /// The code as a word.
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

/// A refusal that the model can read and the host can switch on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the host switches on.
    pub code: RefusalCode,
    /// Names no tenant and no run, repeats nothing that was sent, and says what to do next.
    pub message: String,
    /// For the operator's log alone.
    pub cause: Option<FetchError>,
}

impl Refusal {
    fn new(code: RefusalCode, cause: Option<FetchError>) -> Self {
        let message = match code {
            RefusalCode::ClaimUnavailable => {
                "Nothing can be read under this handle here. Copy the handle from the notice exactly; if the notice has none other, \
                 the result is gone: run the original tool again if its result is still needed."
            }
            RefusalCode::InvalidOffset => {
                "The offset is negative. Offsets count characters from 0; call again with 0 or more."
            }
            RefusalCode::InvalidArguments => {
                "The arguments are not understood. Send one JSON object: 'handle' is the text claim:… from the notice, 'offset' a \
                 whole number of characters from 0 and may be left out; a search also needs 'text', 1 to 256 characters."
            }
            RefusalCode::StoreUnavailable => {
                "The store of checked-in results can't be reached just now. Call again with the same arguments."
            }
        };
        Self { code, message: message.to_owned(), cause }
    }

    fn of(error: FetchError) -> Self {
        let code = match &error {
            FetchError::InvalidOffset(_) => RefusalCode::InvalidOffset,
            FetchError::Store(StoreError::Unavailable(_)) => RefusalCode::StoreUnavailable,
            // A store that says that trying again will not help has lost the claim, as far as the model can tell.
            FetchError::ClaimUnavailable(_) | FetchError::InvalidScope(_) | FetchError::Store(_) => {
                RefusalCode::ClaimUnavailable
            }
        };
        Self::new(code, Some(error))
    }
}

/// A redeeming tool's answer: text word for word, and beside it a line that says where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The window word for word, or one line per match.
    pub text: String,
    /// Where the text stands, and the call that reads on.
    pub note: String,
}

/// One call of a redeeming tool, understood.
#[derive(Clone, Debug)]
pub struct Call {
    fetch_tool: String,
    find_tool: String,
    offset: i32,
    /// How many matches it told of, once it has.
    matches: usize,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Fetch(WindowReading),
    Find(Box<Search>),
}

impl Call {
    /// Understands the JSON arguments that a model wrote.
    ///
    /// # Errors
    /// The first of: the arguments, a negative offset, the handle, the scope.
    pub fn parse(settings: &Settings, scope: &Scope, tool: &str, arguments_json: &str) -> Result<Self, Refusal> {
        let searches = settings.find_tool.as_deref() == Some(tool);
        if !searches && tool != settings.fetch_tool {
            return Err(Refusal::new(RefusalCode::InvalidArguments, None));
        }
        let arguments = Arguments::parse(arguments_json, searches);
        let Arguments { handle, offset, text } =
            arguments.ok_or_else(|| Refusal::new(RefusalCode::InvalidArguments, None))?;
        if offset < 0 {
            return Err(Refusal::of(FetchError::InvalidOffset(offset)));
        }
        let handle = handle.ok_or_else(|| Refusal::of(Absence::Malformed.into()))?;
        let kind = match text {
            Some(text) => Kind::Find(Box::new(Search::new(scope, &handle, &text, offset, 0).map_err(of_search)?)),
            None => {
                Kind::Fetch(WindowReading::new(scope, &handle, offset, settings.window_chars).map_err(Refusal::of)?)
            }
        };
        let find_tool = settings.find_tool.clone().unwrap_or_default();
        Ok(Self { fetch_tool: settings.fetch_tool.clone(), find_tool, offset, matches: 0, kind })
    }

    /// From which character on it reads or searches, for whoever tells of it; notes are for the model.
    #[must_use]
    pub fn offset(&self) -> i32 {
        self.offset
    }

    /// How many matches the reply of a search tells of; 0 until it is there, and for a window.
    #[must_use]
    pub fn matches(&self) -> usize {
        self.matches
    }

    fn window_reply(&self, window: Window) -> Reply {
        let Window { text, offset, next_offset, chars } = window;
        let note = match next_offset {
            Some(next) => {
                let (tool, handle) = (&self.fetch_tool, self.handle());
                format!(
                    "[characters {offset} to {next} of {chars}. Call {tool} with handle='{handle}' and offset={next} to read on.]"
                )
            }
            None if text.is_empty() => format!("[offset {offset} is past the end: {chars} characters in all.]"),
            None => format!("[characters {offset} to {chars} of {chars}. This is the end.]"),
        };
        Reply { text, note }
    }

    fn finding_reply(&self, finding: &Finding, chars: u32) -> Reply {
        let (from, count) = (self.offset, finding.matches.len());
        let plural = if count == 1 { "" } else { "es" };
        let there = format!("{} with handle='{}' and an offset to read there.]", self.fetch_tool, self.handle());
        let note = match finding.next_offset {
            _ if count == 0 => format!("[no match from {from} on, in {chars} characters.]"),
            None => format!("[{count} match{plural} from {from} on, no more. Call {there}"),
            Some(next) => {
                let (tool, handle) = (&self.find_tool, self.handle());
                format!(
                    "[{count} match{plural} from {from} on. Call {tool} with handle='{handle}', the same text and offset={next} for more, or {there}"
                )
            }
        };
        let lines = finding.matches.iter().map(|found| format!("{}: {}", found.offset, found.snippet));
        Reply { text: lines.collect::<Vec<_>>().join("\n"), note }
    }
}

fn of_search(error: FindError) -> Refusal {
    match error {
        FindError::InvalidNeedle => Refusal::new(RefusalCode::InvalidArguments, None),
        FindError::Fetch(error) => Refusal::of(error),
    }
}

impl Reading for Call {
    type Answer = Reply;
    type Error = Refusal;

    fn handle(&self) -> &str {
        match &self.kind {
            Kind::Fetch(reading) => reading.handle(),
            Kind::Find(search) => search.handle(),
        }
    }

    fn range(&self) -> PageRange {
        match &self.kind {
            Kind::Fetch(reading) => reading.range(),
            Kind::Find(search) => search.range(),
        }
    }

    fn accept<S: AsRef<str>>(&mut self, manifest: &str, pages: &[S]) -> Result<Option<Reply>, Refusal> {
        match &mut self.kind {
            Kind::Fetch(reading) => {
                let window = reading.accept(manifest, pages).map_err(Refusal::of)?;
                Ok(window.map(|window| self.window_reply(window)))
            }
            Kind::Find(search) => {
                let finding = search.accept(manifest, pages).map_err(of_search)?;
                let chars = search.chars();
                self.matches = finding.as_ref().map_or(0, |finding| finding.matches.len());
                Ok(finding.map(|finding| self.finding_reply(&finding, chars)))
            }
        }
    }

    fn refuse(&self, error: StoreError) -> Refusal {
        Refusal::of(error.into())
    }
}
