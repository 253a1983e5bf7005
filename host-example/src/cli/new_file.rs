//! A file that appears whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::exit::Failure;

/// A file under a temporary name beside the one it will have. Dropped unfinished, it is gone.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// As the user named it.
    named: PathBuf,
    /// Where it will be: a file that is replaced may be named by a link.
    place: PathBuf,
    file: NamedTempFile,
    replaces: bool,
    bytes: u64,
}

impl NewFile {
    pub(crate) fn create(named: PathBuf, force: bool) -> Result<Self, Failure> {
        let place = match fs::metadata(&named) {
            Err(_) => named.clone(),
            Ok(there) if !there.is_file() => {
                // Renaming onto a device or a pipe would replace it.
                return Err(Failure::refused(format!("{} is not a file; name another one", named.display())));
            }
            Ok(_) if !force => return Err(taken(&named)),
            Ok(_) => fs::canonicalize(&named).map_err(|error| cant(&named, &error))?,
        };
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let (folder, named) = (folder.display(), named.display());
                Failure::failed(format!(
                    "{named} can't be written: there is no folder {folder}; make it, or name another"
                ))
            }
            _ => cant(&named, &error),
        })?;
        Ok(Self { named, place, file, replaces: force, bytes: 0 })
    }

    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes += text.len() as u64;
        self.file.write_all(text.as_bytes()).map_err(|error| cant(&self.named, &error))
    }

    /// Gives the file its name. Returns that as the user wrote it, and the file's size in bytes.
    pub(crate) fn finish(self) -> Result<(PathBuf, u64), Failure> {
        let Self { named, place, file, replaces, bytes } = self;
        file.as_file().sync_all().map_err(|error| cant(&named, &error))?;
        let persisted = if replaces { file.persist(&place) } else { file.persist_noclobber(&place) };
        match persisted {
            Ok(_) => Ok((named, bytes)),
            // It has come while we were reading.
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(taken(&named)),
            Err(error) => Err(cant(&named, &error.error)),
        }
    }
}

fn taken(path: &Path) -> Failure {
    Failure::refused(format!("{} is there already; name another file, or replace it with --force", path.display()))
}

fn cant(path: &Path, error: &io::Error) -> Failure {
    // `tempfile` names its own file in the error, which would only confuse.
    let reason = if error.get_ref().is_some() { error.kind().to_string() } else { error.to_string() };
    Failure::failed(format!("{} can't be written: {reason}", path.display()))
}
