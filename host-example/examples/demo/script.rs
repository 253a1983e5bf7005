//! A model that is a script: it does what a model does with a question, a ticket and two tools that redeem it, by
//! reading what the messages say.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use claim_check_host::agent::{Message, Provider, Said, ToolCall};
use claim_check_host::{ToolDefinition, async_trait};
use serde_json::json;

use super::show;

/// What the run is to find out.
pub(crate) enum Question {
    /// Which version of a package the project uses.
    Version {
        /// The package.
        package: String,
    },
    /// What is around a word in a file.
    Around {
        /// The file.
        path: String,
        /// The word.
        word: String,
    },
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { package } => write!(f, "Which version of {package} does this project use?"),
            Self::Around { path, word } => write!(f, "What is said around \"{word}\" in {path}?"),
        }
    }
}

pub(crate) struct Script {
    question: Question,
    shown: AtomicUsize,
}

impl Script {
    pub(crate) fn new(question: Question) -> Self {
        Self { question, shown: AtomicUsize::new(0) }
    }

    fn step(&self, results: &[(&str, &str)]) -> Result<Said, String> {
        match (&self.question, results) {
            (Question::Version { .. }, []) => {
                Ok(call("I look at what the project asks for.", "read_file", &json!({"path": "Cargo.toml"})))
            }
            (Question::Version { .. }, [_]) => {
                Ok(call("That is what it asks for. I look at what it resolves to.", "cargo_metadata", &json!({})))
            }
            (Question::Version { package }, [_, (_, ticket)]) => {
                let text = version_key(package);
                Ok(find("Too large to be shown whole. I look for the place.", &handle(ticket)?, &text))
            }
            (Question::Around { path, .. }, []) => Ok(call("I read the file.", "read_file", &json!({"path": path}))),
            (Question::Around { word, .. }, [(_, ticket)]) => {
                Ok(find("Too large to be shown whole. I look for the word.", &handle(ticket)?, word))
            }
            (_, [.., (_, ticket), ("find_in_result", matches)]) => {
                let offset = first_match(matches)?;
                let offset = match self.question {
                    // The window should show what stands before the word, too.
                    Question::Around { .. } => offset.saturating_sub(200),
                    Question::Version { .. } => offset,
                };
                let arguments = json!({"handle": handle(ticket)?, "offset": offset});
                Ok(call("There it is. I read on from there.", "fetch_result", &arguments))
            }
            (Question::Version { package }, [(_, manifest), .., (_, window)]) => {
                let resolved = between(window, &version_key(package), "\"").ok_or("the window does not show it")?;
                let asked = between(manifest, &format!("\n{package} = {{ version = \""), "\"");
                let asked = asked.map_or(String::new(), |asked| format!(" (Cargo.toml asks for {asked})"));
                Ok(answer(format!("The project uses {package} {resolved}{asked}.")))
            }
            (Question::Around { word, .. }, [.., (_, window)]) => {
                let folded = window.to_lowercase();
                let near = folded.find(&word.to_lowercase()).map_or(0, |at| folded[..at].chars().count());
                let around: String = window.chars().skip(near.saturating_sub(60)).take(160).collect();
                Ok(answer(format!("Around \"{word}\" it says: …{}…", around.replace(['\n', '\r'], " "))))
            }
        }
    }
}

#[async_trait]
impl Provider for Script {
    async fn next(&self, tools: &[ToolDefinition], messages: &[Message]) -> Result<Said, Box<dyn Error + Send + Sync>> {
        let from = self.shown.swap(messages.len(), Ordering::Relaxed);
        show::seen(tools, messages, from);
        let results: Vec<_> = messages
            .iter()
            .filter_map(|message| match message {
                Message::ToolResult { call, carried } => Some((call.tool.as_str(), carried.as_str())),
                _ => None,
            })
            .collect();
        let said = self.step(&results)?;
        show::said(&said);
        Ok(said)
    }
}

/// The longest word among those in the middle of a text, or its first 40 letters.
pub(crate) fn word_from_the_middle(content: &str) -> Option<String> {
    let chars = content.chars().count();
    // Beyond the head that the ticket shows, and with some room around it.
    let middle: String = content.chars().skip(chars / 2).take(2000).collect();
    let words = middle.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.max_by_key(|word| word.chars().count()).map(|word| word.chars().take(40).collect())
}

fn call(text: &str, tool: &str, arguments: &serde_json::Value) -> Said {
    Said { text: text.into(), calls: vec![ToolCall { tool: tool.into(), arguments: arguments.to_string() }] }
}

fn find(text: &str, handle: &str, needle: &str) -> Said {
    call(text, "find_in_result", &json!({"handle": handle, "text": needle}))
}

fn answer(text: String) -> Said {
    Said { text, calls: Vec::new() }
}

/// How `cargo metadata` begins to say a package's version.
fn version_key(package: &str) -> String {
    format!("\"name\":\"{package}\",\"version\":\"")
}

/// The handle that a ticket's notice names.
fn handle(ticket: &str) -> Result<String, String> {
    between(ticket, "handle='", "'").map(str::to_owned).ok_or_else(|| format!("no ticket: {ticket:.200}"))
}

/// Where the first of the find tool's matches starts.
fn first_match(matches: &str) -> Result<u64, String> {
    let offset = matches.split(':').next().and_then(|offset| offset.parse().ok());
    offset.ok_or_else(|| format!("no match: {matches:.200}"))
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}
