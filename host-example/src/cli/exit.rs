//! How the program ends, and why it could not do what it was asked.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use claim_check_host::{CallError, StoreError};
use serde::Serialize;

use super::escaping::one_line;

/// What every `--help` and the man page say of the exit codes.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    failed: the store, a file, or the program itself
  2    refused: the arguments, the settings, or the tenant or run
  3    no claim (any more) for this tenant and run, or a damaged one
  4    too large for a claim (64 MiB); nothing was stored
  5    the store is unavailable; the same command may work later
  6    find: no match
  7    the store is full; nothing was stored
  8    the input is not UTF-8 text; nothing was stored
  129  hung up (SIGHUP); no file was written
  130  interrupted (SIGINT); no file was written
  143  terminated (SIGTERM); no file was written

Results go to stdout, byte for byte, and messages to stderr. With --json an error is one line of JSON on stderr, \
{\"error\": {\"code\", \"exit\", \"message\"}}; its codes are failed, refused, claim_unavailable, too_large, \
store_unavailable, store_full, not_text, hung_up, interrupted and terminated. Only what is wrong with the command line itself is always \
said in words.";

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Failed = 1,
    Refused = 2,
    ClaimUnavailable = 3,
    TooLarge = 4,
    StoreUnavailable = 5,
    NoMatch = 6,
    StoreFull = 7,
    NotText = 8,
    HungUp = 129,
    Interrupted = 130,
    Terminated = 143,
}

impl Exit {
    fn code(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::ClaimUnavailable => "claim_unavailable",
            Self::TooLarge => "too_large",
            Self::StoreUnavailable => "store_unavailable",
            Self::NoMatch => "no_match",
            Self::StoreFull => "store_full",
            Self::NotText => "not_text",
            Self::HungUp => "hung_up",
            Self::Interrupted => "interrupted",
            Self::Terminated => "terminated",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do what it was asked: what was wrong, with which value, and what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// `None` where there is nobody left to read it.
    pub(crate) message: Option<String>,
}

impl Failure {
    /// Names of files may be in the message, and names may hold anything: it becomes one line.
    pub(crate) fn new(exit: Exit, message: impl AsRef<str>) -> Self {
        Self { exit, message: Some(one_line(message.as_ref())) }
    }

    /// The arguments or settings are at fault.
    pub(crate) fn refused(message: impl AsRef<str>) -> Self {
        Self::new(Exit::Refused, message)
    }

    pub(crate) fn failed(message: impl AsRef<str>) -> Self {
        Self::new(Exit::Failed, message)
    }

    pub(crate) fn call(error: &CallError) -> Self {
        match error {
            CallError::Deadline(deadline) => Self::failed(format!(
                "not done within {deadline:?}; this machine is too busy: try again when it is less so"
            )),
            CallError::Engine(cause) => Self::failed(format!(
                "the component can't be run here: {}. About 9 GiB of address space are reserved, and little of it is \
                 used: if they are refused, raise the limit (`ulimit -v`, or the container's), and try again",
                chain(cause.as_ref())
            )),
            error => Self::failed(chain(error)),
        }
    }

    pub(crate) fn scope(reason: &str) -> Self {
        Self::refused(format!("{reason} (see --tenant and --run)"))
    }

    /// The store's own words name the file and say what to do.
    pub(crate) fn store(error: &StoreError) -> Self {
        let exit = match error {
            StoreError::Unavailable(_) => Exit::StoreUnavailable,
            StoreError::Full(_) => Exit::StoreFull,
            StoreError::NotFound | StoreError::Failed(_) => Exit::Failed,
        };
        let hint = match exit {
            Exit::StoreFull => {
                " (tenant_bytes and total_bytes of the settings file are the bounds; `claim-check stats` shows what is held)"
            }
            _ => "",
        };
        Self::new(exit, format!("{error}{hint}"))
    }

    /// A reader who has seen enough closes the pipe, and that is no failure of ours.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self { exit: Exit::Done, message: None },
            _ => Self::failed(format!("stdout can't be written: {error}")),
        }
    }

    pub(crate) fn as_json(&self) -> Option<String> {
        #[derive(Serialize)]
        struct Outer<'a> {
            error: Inner<'a>,
        }
        #[derive(Serialize)]
        struct Inner<'a> {
            code: &'a str,
            exit: u8,
            message: &'a str,
        }
        let message = self.message.as_deref()?;
        let error = Inner { code: self.exit.code(), exit: self.exit as u8, message };
        serde_json::to_string(&Outer { error }).ok()
    }
}

/// An error and its causes in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += ": ";
        text += &error.to_string();
        cause = error.source();
    }
    text
}
