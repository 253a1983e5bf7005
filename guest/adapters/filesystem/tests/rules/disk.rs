//! A folder on this machine's disk, which stops working when a test tells it to.

use std::cell::Cell;
use std::fs;
use std::io::{Error, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use claim_check_filesystem::{Fault, File, Folder, root};
use tempfile::TempDir;

pub(crate) struct Disk {
    folder: TempDir,
    /// After so many calls nothing works any more, and the last write is half a write.
    left: Cell<Option<usize>>,
}

/// A file of a [`Disk`], whose calls count too.
pub(crate) struct DiskFile<'a> {
    file: fs::File,
    disk: &'a Disk,
}

impl Disk {
    /// An empty folder that is the store's.
    pub(crate) fn new() -> Self {
        let disk = Self { folder: TempDir::new().unwrap(), left: Cell::new(None) };
        root::claim(&&disk).unwrap();
        disk
    }

    pub(crate) fn works_for(&self, calls: usize) {
        self.left.set(Some(calls));
    }

    pub(crate) fn works_again(&self) {
        self.left.set(None);
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// All files below, but those of the folder itself.
    pub(crate) fn claims(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.folder.path().to_owned()];
        let mut files = vec![];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if folder != self.folder.path() {
                    files.push(path);
                }
            }
        }
        files
    }

    pub(crate) fn folders(&self) -> usize {
        fs::read_dir(self.folder.path()).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }

    fn call(&self) -> Result<(), Fault> {
        match self.left.get() {
            Some(0) => Err(Fault::Other("cut off")),
            Some(left) => {
                self.left.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "this is what map_err gives")]
fn fault(error: Error) -> Fault {
    match error.kind() {
        ErrorKind::NotFound => Fault::NotThere,
        ErrorKind::AlreadyExists => Fault::Exists,
        ErrorKind::DirectoryNotEmpty => Fault::NotEmpty,
        other => panic!("{other:?}: {error}"),
    }
}

impl<'a> Folder for &'a Disk {
    type File = DiskFile<'a>;

    fn open(&self, path: &str) -> Result<DiskFile<'a>, Fault> {
        self.call()?;
        Ok(DiskFile { file: fs::File::open(self.path(path)).map_err(fault)?, disk: self })
    }

    fn create(&self, path: &str) -> Result<DiskFile<'a>, Fault> {
        self.call()?;
        Ok(DiskFile { file: fs::File::create_new(self.path(path)).map_err(fault)?, disk: self })
    }

    fn create_folder(&self, path: &str) -> Result<(), Fault> {
        self.call()?;
        fs::create_dir(self.path(path)).map_err(fault)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        self.call()?;
        fs::rename(self.path(from), self.path(to)).map_err(fault)
    }

    fn delete(&self, path: &str) -> Result<(), Fault> {
        self.call()?;
        fs::remove_file(self.path(path)).map_err(fault)
    }

    fn delete_folder(&self, path: &str) -> Result<(), Fault> {
        self.call()?;
        fs::remove_dir(self.path(path)).map_err(fault)
    }

    fn names(&self, path: &str) -> Result<Vec<String>, Fault> {
        self.call()?;
        let entries = fs::read_dir(self.path(path)).map_err(fault)?;
        Ok(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
    }

    fn sync_folder(&self, path: &str) -> Result<(), Fault> {
        self.call()?;
        fs::File::open(self.path(path)).map_err(fault).map(|_| ())
    }
}

impl File for DiskFile<'_> {
    fn size(&self) -> Result<u64, Fault> {
        self.disk.call()?;
        Ok(self.file.metadata().unwrap().len())
    }

    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, Fault> {
        self.disk.call()?;
        let mut bytes = vec![0; length.min(1 << 27)];
        let mut read = 0;
        loop {
            match self.file.read_at(&mut bytes[read..], offset + read as u64).unwrap() {
                0 => break,
                more => read += more,
            }
        }
        bytes.truncate(read);
        Ok(bytes)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Fault> {
        let whole = self.disk.call();
        let bytes = if whole.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
        self.file.write_all_at(bytes, offset).unwrap();
        whole
    }

    fn sync(&self) -> Result<(), Fault> {
        self.disk.call()
    }
}
