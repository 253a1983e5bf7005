//! The program's arguments, and what each command does with them.

mod check_in;
mod completions;
mod config;
mod demo;
mod escaping;
mod exit;
mod fetch;
mod find;
mod folders;
mod forget;
mod handle;
mod list;
mod new_file;
mod session;
mod signals;
mod stats;
mod store_at;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::{EXIT_CODES, Exit, Failure};
use store_at::StoreAt;
use terminal::Terminal;

/// Keep tool results that are too large to carry, and read them back
///
/// `claim-check check-in FILE` prints what a conversation carries in place of a text: the text itself where it is
/// small, else its beginning and a handle. `claim-check fetch HANDLE` reads on, `claim-check find HANDLE TEXT` searches.
///
/// A handle works for the tenant and the run that made it, until it expires (after an hour by default).
#[derive(Debug, Parser)]
#[command(name = "claim-check", version, max_term_width = 100, after_long_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

/// What every command takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Whose claims they are [default: local]
    #[arg(long, global = true, value_name = "TENANT")]
    tenant: Option<String>,

    /// The run they belong to [default: an id of your own, made once and kept in your data folder]
    #[arg(long, global = true, value_name = "RUN")]
    run: Option<String>,

    /// Where they are kept: sqlite:PATH, or memory: for the demo [default: claims.db in your data folder]
    #[arg(long, global = true, value_name = "STORE")]
    store: Option<StoreAt>,

    /// The settings file, in TOML (see `claim-check man`) [default: config.toml in your configuration folder, if there]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Print JSON, one line; each command's --help lists the fields
    #[arg(long, global = true)]
    json: bool,

    /// No messages on stderr but errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    CheckIn(check_in::CheckIn),
    Fetch(fetch::Fetch),
    Find(find::Find),
    List(list::List),
    Stats(stats::Stats),
    Forget(forget::Forget),
    Demo(demo::Demo),
    Completions(completions::Completions),
    Man(completions::Man),
}

impl Common {
    fn terminal(&self) -> Terminal {
        Terminal { json: self.json, quiet: self.quiet }
    }

    /// The flags that the next command needs to see the same claims, with a space before each.
    fn scope_flags(&self) -> String {
        let flag = |name: &str, value: Option<String>| {
            value.map_or_else(String::new, |value| format!(" --{name} {}", quoted(&value)))
        };
        let store = self.store.as_ref().map(ToString::to_string);
        let config = self.config.as_ref().map(|path| path.display().to_string());
        flag("tenant", self.tenant.clone())
            + &flag("run", self.run.clone())
            + &flag("store", store)
            + &flag("config", config)
    }
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:,@%+=".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Runs the command that the arguments name.
pub(crate) fn main() -> ExitCode {
    let Cli { command, common } = Cli::parse();
    let terminal = common.terminal();
    let done = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(format!("no thread can be started: {error}")))
        .and_then(|runtime| {
            let done = runtime.block_on(run(command, &common));
            // Nothing that still runs is waited for.
            runtime.shutdown_background();
            done
        });
    let exit = done.unwrap_or_else(|failure| {
        terminal.failure(&failure);
        failure.exit
    });
    exit.into()
}

async fn run(command: Command, common: &Common) -> Result<Exit, Failure> {
    match command {
        Command::CheckIn(args) => check_in::run(args, common).await,
        Command::Fetch(args) => fetch::run(args, common).await,
        Command::Find(args) => find::run(args, common).await,
        Command::List(args) => list::run(args, common).await,
        Command::Stats(args) => stats::run(args, common).await,
        Command::Forget(args) => forget::run(args, common).await,
        Command::Demo(args) => demo::run(args, common).await,
        Command::Completions(args) => completions::completions(&args, common),
        Command::Man(args) => completions::man(&args, common),
    }
}
