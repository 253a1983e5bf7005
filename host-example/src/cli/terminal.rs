//! Data to stdout, messages to stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::escaping::one_line;
use super::exit::Failure;

/// Often enough to look alive, rarely enough to cost nothing.
const REDRAW: Duration = Duration::from_millis(100);

/// Where a command's output goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

impl Terminal {
    /// The text and nothing else; only a terminal gets a line end after a text that has none, so that the prompt
    /// stands on a line of its own.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        let stdout = io::stdout();
        let line_end = if stdout.is_terminal() && !text.is_empty() && !text.ends_with('\n') { "\n" } else { "" };
        let mut stdout = stdout.lock();
        let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(line_end.as_bytes()));
        written.and_then(|()| stdout.flush()).map_err(|error| Failure::stdout(&error))
    }

    /// One line of JSON.
    pub(crate) fn json(self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_string(value).map_err(|error| Failure::failed(error.to_string()))?;
        line.push('\n');
        self.text(&line)
    }

    /// A message, unless the user wants none or a program reads the JSON.
    pub(crate) fn note(self, message: impl fmt::Display) {
        if !self.quiet && !self.json {
            // Whoever closed stderr wants no messages.
            let _ = writeln!(io::stderr(), "claim-check: {}", one_line(&message.to_string()));
        }
    }

    /// A message about `text`, which was printed. Where both streams are one pipe or file (`2>&1`), a text without a line
    /// end would run into it.
    pub(crate) fn note_on(self, text: &str, message: impl fmt::Display) {
        if is_one() && !text.is_empty() && !text.ends_with('\n') && !self.quiet && !self.json {
            let _ = writeln!(io::stderr());
        }
        self.note(message);
    }

    pub(crate) fn failure(self, failure: &Failure) {
        let line =
            if self.json { failure.as_json() } else { failure.message.as_ref().map(|m| format!("claim-check: {m}")) };
        if let Some(line) = line {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// How far a long command has come, where a person looks on.
    pub(crate) fn progress(self) -> Progress {
        let shown = !self.quiet && !self.json && io::stderr().is_terminal();
        Progress { shown, drawn: None }
    }
}

/// Whether stdout and stderr are one and the same, and no terminal, where [`Terminal::text`] ends the line.
#[cfg(unix)]
fn is_one() -> bool {
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::MetadataExt;
    let file = |stream: BorrowedFd<'_>| {
        let metadata = std::fs::File::from(stream.try_clone_to_owned().ok()?).metadata().ok()?;
        Some((metadata.dev(), metadata.ino()))
    };
    let (stdout, stderr) = (io::stdout(), io::stderr());
    !stdout.is_terminal()
        && file(stdout.as_fd()).is_some_and(|file_of_stdout| file(stderr.as_fd()) == Some(file_of_stdout))
}

#[cfg(not(unix))]
fn is_one() -> bool {
    false
}

/// A line on the terminal that is drawn over and over, and gone in the end.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: bool,
    drawn: Option<Instant>,
}

impl Progress {
    pub(crate) fn at(&mut self, done: u64, of: u64) {
        if !self.shown || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        self.drawn = Some(Instant::now());
        let percent = (done * 100).checked_div(of).unwrap_or(100);
        let mut stderr = io::stderr();
        let _ = write!(stderr, "\r{percent:3} %  {done} of {of} characters").and_then(|()| stderr.flush());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let mut stderr = io::stderr();
            let _ = write!(stderr, "\r\x1b[K").and_then(|()| stderr.flush());
        }
    }
}
