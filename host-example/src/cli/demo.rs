//! `claim-check demo`

use std::path::PathBuf;
use std::sync::Arc;

use claim_check_host::agent::Tool;
use claim_check_host::{ClaimCheck, MemoryStore, Settings};
use clap::ValueEnum;
use clap_complete::Shell;

use super::exit::{Exit, Failure, chain};
use super::folders::Folders;
use super::store_at::StoreAt;
use super::{Common, check_in, completions, session};

// The example of this crate asks more questions than this program does.
#[path = "../../examples/demo/ask.rs"]
mod ask;
#[path = "../../examples/demo/script.rs"]
#[allow(dead_code)]
mod script;
#[path = "../../examples/demo/show.rs"]
mod show;

/// Show an agent that meets a text which is too large to carry
///
/// The model is a script, so that this costs nothing; the claim check is real, and so is every number. Claims are kept
/// in memory and end with the demo.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// The text that the agent's tool returns [default: this program's completion scripts]
    file: Option<PathBuf>,
}

pub(crate) async fn run(args: Demo, common: &Common) -> Result<Exit, Failure> {
    if common.json {
        return Err(Failure::refused("the demo is for people and has no JSON; leave --json out"));
    }
    if let Some(store @ StoreAt::Sqlite(_)) = &common.store {
        return Err(Failure::refused(format!("the demo keeps nothing in {store}; leave --store out, or name memory:")));
    }
    let (path, content) = match &args.file {
        Some(file) => (file.display().to_string(), check_in::read(file)?),
        None => ("completions.txt".into(), scripts()),
    };
    let engine = session::engine(Folders::of_user().as_ref()).map_err(|error| Failure::call(&error))?;
    let claims = ClaimCheck::open_in(&engine, Settings::default(), Arc::new(MemoryStore::new())).await;
    let claims = claims.map_err(|error| Failure::failed(chain(&error)))?;
    let returned = content.clone();
    let schema = r#"{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}"#;
    let read_file = Tool::new("read_file", "The text of a file.", schema, move |_| {
        let content = returned.clone();
        async move { Ok(content) }
    });
    ask::about(&claims, &path, &content, read_file).await.map_err(|error| Failure::failed(chain(&*error)))?;
    Ok(Exit::Done)
}

/// Something long that every installation has: the completion scripts for all shells.
fn scripts() -> String {
    Shell::value_variants().iter().map(|shell| completions::script(*shell)).collect()
}
