//! The user's own folders, and the run that is theirs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::exit::Failure;

const NAME: &str = "claim-check";

/// The user's folders for this program, by the XDG rules. They need not exist.
#[derive(Debug)]
pub(crate) struct Folders {
    pub(crate) data: PathBuf,
    pub(crate) config: PathBuf,
    pub(crate) cache: PathBuf,
    pub(crate) home: PathBuf,
}

impl Folders {
    /// `None` where the environment names no home: then everything has to be named on the command line.
    pub(crate) fn of_user() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(Self {
            data: base.data_dir().join(NAME),
            config: base.config_dir().join(NAME),
            cache: base.cache_dir().join(NAME),
            home: base.home_dir().to_owned(),
        })
    }

    /// The run of this user where none is named: a random id, made once.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        let path = self.data.join("run");
        let cant = |error: &io::Error| {
            Failure::failed(format!(
                "your run's id in {} can't be kept: {error}; name a run with --run",
                path.display()
            ))
        };
        if let Some(run) = read_run(&path).map_err(|error| cant(&error))? {
            return Ok(run);
        }
        private_folder(&self.data).map_err(|error| cant(&error))?;
        let made = make_run(&self.data, &path).map_err(|error| cant(&error))?;
        // Another process may have been first, and its id is the one that stays.
        read_run(&path).map_err(|error| cant(&error)).map(|run| run.unwrap_or(made))
    }
}

fn read_run(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => match text.trim() {
            "" => Err(io::Error::other("the file is empty; delete it to get a new id")),
            run => Ok(Some(run.to_owned())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The file appears whole or not at all, readable by its owner alone.
fn make_run(folder: &Path, path: &Path) -> io::Result<String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let run: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{run}")?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(run),
    }
}

/// Makes a folder that only its owner can look into. One that is there stays as it is.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
