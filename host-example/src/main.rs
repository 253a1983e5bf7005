//! `claim-check`: what an agent does with a tool result that is too large to carry, from a terminal.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
