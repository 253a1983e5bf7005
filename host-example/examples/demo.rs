//! `make demo`: an agent meets a tool result that is too large to carry, and reads what it needs of it.
//!
//! The model is a script, so that the demo needs no account and costs nothing; everything else is real: the tools, the
//! claim check, the store. The script knows no answer: it reads what the tools returned, as a model would.
//! `make demo FILE=…` does it with a file of yours.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use claim_check_host::agent::{Agent, Run, Tool};
use claim_check_host::{ClaimCheck, MemoryStore, Outcome, Results, Scope, Settings};

#[path = "demo/script.rs"]
mod script;
#[path = "demo/show.rs"]
mod show;
#[path = "demo/tools.rs"]
mod tools;

use script::{Question, Script};

#[tokio::main]
async fn main() -> ExitCode {
    let run = match env::args_os().nth(1).filter(|file| !file.is_empty()) {
        Some(file) => with_file(&PathBuf::from(file)).await,
        None => with_workspace().await,
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("demo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Which wasmtime does this project use? Asked of `cargo metadata`, which answers in one line of a few hundred thousand
/// characters.
async fn with_workspace() -> Result<(), Box<dyn Error>> {
    let question = Question::Version { package: "wasmtime".into() };
    let tools = vec![tools::read_file(workspace()), tools::cargo_metadata(workspace())];
    let (run, _) = ask(question, tools).await?;
    show::table(&run.ledger);
    println!("\nWith a file of your own: make demo FILE=path/to/a/large/file");
    Ok(())
}

/// Where does a word from the middle of the file stand, and what is around it?
async fn with_file(path: &Path) -> Result<(), Box<dyn Error>> {
    let content = tools::read(path)?;
    let settings = Settings::default();
    let (chars, threshold) = (content.chars().count(), settings.policy.threshold_chars as usize);
    if chars <= threshold {
        println!(
            "{} has {} characters. A result of up to {} is carried as it is, so there is nothing to check in: \
             try a larger file.",
            path.display(),
            show::number(chars),
            show::number(threshold)
        );
        return Ok(());
    }
    let word = script::word_from_the_middle(&content)
        .ok_or_else(|| format!("{} holds no word to look for: only signs and white space", path.display()))?;
    let question = Question::Around { path: path.display().to_string(), word };
    let (run, claims) = ask(question, vec![tools::read_file(PathBuf::new())]).await?;
    show::table(&run.ledger);
    prove(&claims, &content).await
}

async fn ask(question: Question, tools: Vec<Tool>) -> Result<(Run, ClaimCheck), Box<dyn Error>> {
    let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
    let results = Results::new(claims.clone()).on_event(show::event);
    let asked = question.to_string();
    let agent = Agent::new(Arc::new(Script::new(question)), results, tools)?;
    let run = agent.run(&scope(), asked).await?;
    Ok((run, claims))
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

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
