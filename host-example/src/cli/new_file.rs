//! A file that appears whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::exit::Failure;

/// A file under a temporary name beside the one it will have. Dropped unfinished, it is gone.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    file: NamedTempFile,
    replaces: bool,
    bytes: u64,
}

impl NewFile {
    pub(crate) fn create(path: PathBuf, force: bool) -> Result<Self, Failure> {
        let path = match fs::metadata(&path) {
            Err(_) => path,
            Ok(there) if !there.is_file() => {
                // Renaming onto a device or a pipe would replace it.
                return Err(Failure::refused(format!("{} is not a file; name another one", path.display())));
            }
            Ok(_) if !force => return Err(taken(&path)),
            Ok(_) => fs::canonicalize(&path).map_err(|error| cant(&path, &error))?,
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).map_err(|error| cant(&path, &error))?;
        Ok(Self { path, file, replaces: force, bytes: 0 })
    }

    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes += text.len() as u64;
        self.file.write_all(text.as_bytes()).map_err(|error| cant(&self.path, &error))
    }

    /// Gives the file its name. Returns it, and its size in bytes.
    pub(crate) fn finish(self) -> Result<(PathBuf, u64), Failure> {
        let Self { path, file, replaces, bytes } = self;
        file.as_file().sync_all().map_err(|error| cant(&path, &error))?;
        let named = if replaces { file.persist(&path) } else { file.persist_noclobber(&path) };
        match named {
            Ok(_) => Ok((path, bytes)),
            // It has come while we were reading.
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(taken(&path)),
            Err(error) => Err(cant(&path, &error.error)),
        }
    }
}

fn taken(path: &Path) -> Failure {
    Failure::refused(format!("{} is there already; name another file, or replace it with --force", path.display()))
}

fn cant(path: &Path, error: &io::Error) -> Failure {
    // `tempfile` names its own file in the error, which would only confuse.
    let reason =
        error.get_ref().and_then(std::error::Error::source).map_or_else(|| error.to_string(), ToString::to_string);
    Failure::failed(format!("{} can't be written: {reason}", path.display()))
}
