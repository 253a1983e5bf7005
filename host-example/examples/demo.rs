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

use claim_check_host::{ClaimCheck, MemoryStore, OpenError, Settings};

#[path = "demo/ask.rs"]
mod ask;
#[path = "demo/script.rs"]
mod script;
#[path = "demo/show.rs"]
mod show;
#[path = "demo/tools.rs"]
mod tools;

use script::Question;

#[tokio::main]
async fn main() -> ExitCode {
    let run = match env::args_os().nth(1).filter(|file| !file.is_empty()) {
        Some(file) => with_file(&PathBuf::from(file)).await,
        None => with_workspace().await,
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint!("demo: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprint!(": {error}");
                cause = error.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

/// Which wasmtime does this project use? Asked of `cargo metadata`, which answers in one line of a few hundred thousand
/// characters.
async fn with_workspace() -> Result<(), Box<dyn Error>> {
    let question = Question::Version { package: "wasmtime".into() };
    let tools = vec![tools::read_file(workspace()), tools::cargo_metadata(workspace())];
    let run = ask::ask(&claims().await?, question, tools).await?;
    show::table(&run.ledger);
    println!("\nWith a file of your own: make demo FILE=path/to/a/large/file");
    Ok(())
}

/// Where does a word from the middle of the file stand, and what is around it?
async fn with_file(path: &Path) -> Result<(), Box<dyn Error>> {
    let content = tools::read(path)?;
    let claims = claims().await?;
    ask::about(&claims, &path.display().to_string(), &content, tools::read_file(PathBuf::new())).await
}

async fn claims() -> Result<ClaimCheck, OpenError> {
    ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
