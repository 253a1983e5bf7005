//! `claim-check completions` and `claim-check man`

use clap::CommandFactory;
use clap_complete::Shell;

use super::exit::{EXIT_CODES, Exit, Failure};
use super::{Cli, Common, config};

/// What a manual page says that it belongs to.
const SOURCE: &str = concat!("claim-check ", env!("CARGO_PKG_VERSION"));

/// Print the completions for a shell
///
/// For example `claim-check completions bash > ~/.local/share/bash-completion/completions/claim-check`
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, of the program or of one command
///
/// For example `claim-check man | man -l -`
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The command, `fetch` say
    command: Option<String>,
}

pub(crate) fn completions(args: &Completions, common: &Common) -> Result<Exit, Failure> {
    common.terminal().text(&script(args.shell))?;
    Ok(Exit::Done)
}

pub(crate) fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "claim-check", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

pub(crate) fn man(args: &Man, common: &Common) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    program.build();
    let page = match &args.command {
        None => program.after_long_help(format!("{EXIT_CODES}\n\n{}", config::FILE_HELP)),
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::refused(format!("there is no command {name:?}; `claim-check --help` lists them"))
        })?,
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).source(SOURCE).render(&mut roff).map_err(|error| Failure::failed(error.to_string()))?;
    common.terminal().text(&String::from_utf8_lossy(&roff))?;
    Ok(Exit::Done)
}
