//! The hosts' programs: where they are, and how they are run.

use std::env;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A call of a program may take so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where scripts/hosts.sh has put the programs, and the components.
#[derive(Debug, Clone)]
pub struct Places {
    /// Programs by name.
    pub programs: PathBuf,
    /// `target/component`.
    pub components: PathBuf,
    /// `tests/hosts`.
    pub sources: PathBuf,
}

impl Places {
    /// The places that the environment names (`HOSTS_PROGRAMS`, `HOSTS_COMPONENTS`).
    ///
    /// # Errors
    /// It names none; says what to run.
    pub fn from_environment() -> Result<Self> {
        let place = |name: &str| {
            env::var_os(name).map(PathBuf::from).with_context(|| format!("{name} is not set: run scripts/hosts.sh"))
        };
        let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        Ok(Self { programs: place("HOSTS_PROGRAMS")?, components: place("HOSTS_COMPONENTS")?, sources })
    }

    /// A component's path.
    #[must_use]
    pub fn component(&self, name: &str) -> PathBuf {
        self.components.join(name).with_extension("wasm")
    }

    /// The program of this name; none where it could not be had.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        Some(self.programs.join(name)).filter(|path| path.is_file())
    }
}

/// What a program printed: its output, and its complaints where it failed.
///
/// # Errors
/// It could not be started, failed, or hung.
pub fn output(command: &mut Command) -> Result<String> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut out, mut err) = (child.stdout.take().context("no output")?, child.stderr.take().context("no output")?);
    let out = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let err = thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).map(|_| text)
    });
    let begin = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if begin.elapsed() > PATIENCE => {
                child.kill()?;
                child.wait()?;
                bail!("no end within {PATIENCE:?}");
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let joined = |text: thread::JoinHandle<std::io::Result<String>>| -> Result<String> {
        text.join().map_err(|_| anyhow::anyhow!("a reader panicked"))?.context("what it printed is not UTF-8")
    };
    let (out, err) = (joined(out)?, joined(err)?);
    if !status.success() {
        bail!("{status}: {}{}", out.trim_end(), err.trim_end());
    }
    Ok(out)
}

/// A program that runs until this is dropped.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Starts it, with its output in a file.
    ///
    /// # Errors
    /// It could not be started.
    pub fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let file = std::fs::File::create(log)?;
        Ok(Self(command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).spawn()?))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port of this machine that nobody listens on now.
///
/// # Errors
/// There is none.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
