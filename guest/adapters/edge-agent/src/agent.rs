//! The agent's loop over one question.

use serde_json::{Value, json};

/// What the agent asks of the claim check, so that the loop can be tried without a component.
pub trait Claims {
    /// What the conversation carries for a tool's result, and the handle where it was checked in.
    ///
    /// # Errors
    /// The result was not kept.
    fn check_in(&self, tool: &str, result: &str) -> Result<(String, Option<String>), String>;

    /// A call of a redeeming tool.
    ///
    /// # Errors
    /// The refusal, as the model reads it.
    fn answer(&self, tool: &str, arguments: &Value) -> Result<Reply, String>;
}

/// What a redeeming tool answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// A window word for word, or a line for each match.
    pub text: String,
    /// Where it stands.
    pub note: String,
}

/// The tool that reads long texts.
pub(crate) const FETCH: &str = "fetch_result";
/// The tool that searches them.
pub(crate) const FIND: &str = "find_in_result";

/// An agent in the middle of a question.
pub struct Agent<C> {
    claims: C,
    conversation: Vec<String>,
}

/// What an agent answers.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The sentence that says it; none where the document does not.
    pub text: Option<String>,
    /// The document's handle; none where it was short enough to be carried.
    pub handle: Option<String>,
    /// How many characters the model has read.
    pub conversation_chars: usize,
}

impl<C: Claims> Agent<C> {
    /// An agent with this claim check.
    pub fn new(claims: C) -> Self {
        Self { claims, conversation: vec![] }
    }

    /// Looks for `about` in the document, and answers with the sentence around it.
    ///
    /// # Errors
    /// The claim check's, for the operator.
    pub fn ask(mut self, about: &str, document: &str) -> Result<Answer, String> {
        self.say(format!("What does the document say about: {about}?"));
        let (carried, handle) = self.claims.check_in("read_document", document)?;
        self.say(carried.clone());
        let text = match &handle {
            None => sentence(&carried, about),
            Some(handle) => self.look_up(handle, about)?,
        };
        let conversation_chars = self.conversation.iter().map(|message| message.chars().count()).sum();
        Ok(Answer { text, handle, conversation_chars })
    }

    /// A model would write these two calls; this one always writes the same.
    fn look_up(&mut self, handle: &str, about: &str) -> Result<Option<String>, String> {
        let matches = self.call(FIND, &json!({ "handle": handle, "text": about }))?;
        let first = matches.split_once(':').and_then(|(offset, _)| offset.parse::<u32>().ok());
        let Some(offset) = first else { return Ok(None) };
        let window = self.call(FETCH, &json!({ "handle": handle, "offset": offset.saturating_sub(200) }))?;
        Ok(sentence(&window, about))
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        self.say(format!("{tool} {arguments}"));
        let reply = self.claims.answer(tool, arguments)?;
        self.say(format!("{}\n\n{}", reply.text, reply.note));
        Ok(reply.text)
    }

    fn say(&mut self, message: String) {
        self.conversation.push(message);
    }
}

/// The sentence around the words, ignoring the case of ASCII.
fn sentence(text: &str, about: &str) -> Option<String> {
    let about = about.to_ascii_lowercase();
    let sentences = text.split_inclusive(['.', '\n']);
    sentences.map(str::trim).find(|sentence| sentence.to_ascii_lowercase().contains(&about)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A claim check that checks in everything over 100 characters, and has one window.
    struct One(&'static str);

    impl Claims for One {
        fn check_in(&self, _tool: &str, result: &str) -> Result<(String, Option<String>), String> {
            if result.chars().count() <= 100 {
                return Ok((result.to_owned(), None));
            }
            Ok((result.chars().take(20).collect(), Some("claim:1".to_owned())))
        }

        fn answer(&self, tool: &str, arguments: &Value) -> Result<Reply, String> {
            let text = match (tool, arguments["handle"].as_str()) {
                (FIND, Some("claim:1")) => match self.0.find(arguments["text"].as_str().unwrap_or_default()) {
                    Some(offset) => format!("{offset}: …"),
                    None => String::new(),
                },
                (FETCH, Some("claim:1")) => self.0.to_owned(),
                other => return Err(format!("{other:?}")),
            };
            Ok(Reply { text, note: "[…]".to_owned() })
        }
    }

    const LONG: &str = "Clause 1 is long and says a great deal about governing law and about venue. Clause 2: the notice period is \
                        90 days. Clause 3 is about the rest.";

    #[test]
    fn a_long_document_is_looked_up() {
        let answer = Agent::new(One(LONG)).ask("notice period", LONG).unwrap();
        assert_eq!(answer.text.as_deref(), Some("Clause 2: the notice period is 90 days."));
        assert_eq!(answer.handle.as_deref(), Some("claim:1"));
    }

    #[test]
    fn what_is_not_there_is_not_answered() {
        assert_eq!(Agent::new(One(LONG)).ask("arbitration", LONG).unwrap().text, None);
    }

    #[test]
    fn a_short_document_is_read_as_it_is() {
        let answer = Agent::new(One("")).ask("term", "The Term is a year. Else nothing.").unwrap();
        assert_eq!((answer.text.as_deref(), answer.handle), (Some("The Term is a year."), None));
        assert_eq!(answer.conversation_chars, "What does the document say about: term?".len() + 33);
    }
}
