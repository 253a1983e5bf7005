//! Puts a question to the agent, and proves that what it read is the text.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use claim_check_host::agent::{Agent, Run, Tool};
use claim_check_host::{ClaimCheck, Outcome, ResultsBuilder, Scope};

use super::script::{self, Question, Script};
use super::show;

/// Where does a word from the middle of a text stand, and what is around it? `read_file` is the tool that returns it.
pub(crate) async fn about(
    claims: &ClaimCheck,
    path: &str,
    content: &str,
    read_file: Tool,
) -> Result<(), Box<dyn Error>> {
    let (chars, threshold) = (content.chars().count(), claims.settings().policy.threshold_chars as usize);
    if chars <= threshold {
        show::too_small(path, chars, threshold);
        return Ok(());
    }
    let word = script::word_from_the_middle(content)
        .ok_or_else(|| format!("{path} holds no word to look for in its middle: only signs and white space"))?;
    let run = ask(claims, Question::Around { path: path.into(), word }, vec![read_file]).await?;
    show::table(&run.ledger);
    prove(claims, content).await
}

pub(crate) async fn ask(claims: &ClaimCheck, question: Question, tools: Vec<Tool>) -> Result<Run, Box<dyn Error>> {
    let results = ResultsBuilder::new(claims.clone()).on_event(show::event);
    let asked = question.to_string();
    let agent = Agent::new(Arc::new(Script::new(question)), results, tools)?;
    Ok(agent.run(&scope(), asked).await?)
}

/// Windows laid end to end are the content, byte for byte.
async fn prove(claims: &ClaimCheck, content: &str) -> Result<(), Box<dyn Error>> {
    let clean = claims.neutralise(content).await?;
    let outcome = claims.check_in(&scope(), "read_file", content).await?;
    let Outcome::CheckedIn(ticket) = outcome else {
        return Err("the file was carried, although it is over the threshold".into());
    };
    let (started, mut read, mut next, mut windows) = (Instant::now(), String::new(), Some(0), 0);
    while let Some(offset) = next {
        let window = claims.fetch(&scope(), &ticket.handle, offset, 4096).await?;
        read.push_str(&window.text);
        (next, windows) = (window.next_offset, windows + 1);
    }
    show::proof(windows, read == *clean.as_deref().unwrap_or(content), clean.is_some(), started.elapsed());
    Ok(())
}

fn scope() -> Scope {
    // A run id is random and stays on the host. This one need not be: the process has one run.
    Scope::new("demo", "7c1f4e8a-0b7d-4f53-9d0e-2f6f1f0f3a55")
}
