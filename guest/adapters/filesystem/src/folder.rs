//! What is asked of the platform's files. Paths are relative to the store's folder, and have `/` between their parts.

use claim_check_store_layout::StoreError;

/// A folder, and everything in it. Nothing that it holds is believed.
pub trait Folder {
    /// A file that is open.
    type File: File;

    /// Opens a file to read it.
    ///
    /// # Errors
    /// [`Fault::NotThere`], or another.
    fn open(&self, path: &str) -> Result<Self::File, Fault>;

    /// Makes a file that was not there, and opens it to write it.
    ///
    /// # Errors
    /// [`Fault::Exists`], or another.
    fn create(&self, path: &str) -> Result<Self::File, Fault>;

    /// Makes a folder.
    ///
    /// # Errors
    /// [`Fault::Exists`], or another.
    fn create_folder(&self, path: &str) -> Result<(), Fault>;

    /// Gives a file another name, in place of the file that has it.
    ///
    /// # Errors
    /// [`Fault::NotThere`], or another.
    fn rename(&self, from: &str, to: &str) -> Result<(), Fault>;

    /// Deletes a file.
    ///
    /// # Errors
    /// [`Fault::NotThere`], or another.
    fn delete(&self, path: &str) -> Result<(), Fault>;

    /// Deletes a folder without entries.
    ///
    /// # Errors
    /// [`Fault::NotThere`], [`Fault::NotEmpty`], or another.
    fn delete_folder(&self, path: &str) -> Result<(), Fault>;

    /// The names in a folder; the path is empty for this one.
    ///
    /// # Errors
    /// [`Fault::NotThere`], or another.
    fn names(&self, path: &str) -> Result<Vec<String>, Fault>;

    /// Returns when the names in a folder are on the disk, where the platform can do that.
    ///
    /// # Errors
    /// The platform can do it, and it failed.
    fn sync_folder(&self, path: &str) -> Result<(), Fault>;
}

/// A file that is open; its bytes stay the same file's whatever happens to its name.
pub trait File {
    /// Its size in bytes.
    ///
    /// # Errors
    /// The platform's.
    fn size(&self) -> Result<u64, Fault>;

    /// At most so many bytes from an offset on; fewer than that only at its end.
    ///
    /// # Errors
    /// The platform's.
    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, Fault>;

    /// Writes all of the bytes at an offset.
    ///
    /// # Errors
    /// [`Fault::NoSpace`], or another.
    fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Fault>;

    /// Returns when the file is on the disk.
    ///
    /// # Errors
    /// The platform's.
    fn sync(&self) -> Result<(), Fault>;
}

/// Why a call of the platform failed, as far as the store acts on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// There is no such name.
    NotThere,
    /// There is such a name.
    Exists,
    /// The folder has entries.
    NotEmpty,
    /// The disk or a quota is full, or a file grew too large.
    NoSpace,
    /// The platform does not let us.
    Denied,
    /// Anything else; the name of the platform's error.
    Other(&'static str),
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::NotThere | Fault::Exists | Fault::NotEmpty => {
                Self::Unavailable("another process changed the claims' folder at the same time: try again".to_owned())
            }
            Fault::NoSpace => Self::Full("there is no space left for the claims' folder".to_owned()),
            Fault::Denied => Self::Failed(
                "the claims' folder can't be written or read: grant it with read and write access".to_owned(),
            ),
            Fault::Other(name) => Self::Unavailable(format!("the claims' folder answers: {name}")),
        }
    }
}
