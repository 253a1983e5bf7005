//! What a driver does.

/// A host with the claim check in it, driven from outside as its users drive it.
pub trait Host {
    /// What it is called in the table: the host, its version, and the file.
    fn name(&self) -> String;

    /// Why a case can't be tried here, though the host runs the component; none where it can.
    fn lacks(&self, _case: &str) -> Option<&'static str> {
        None
    }

    /// Checks a long document in, to be kept for so many seconds.
    ///
    /// # Errors
    /// The host failed, or the document was not checked in.
    fn check_in(&mut self, run: &str, content: &str, keep: u32) -> anyhow::Result<String>;

    /// The window at an offset.
    ///
    /// # Errors
    /// The host failed.
    fn fetch(&mut self, run: &str, handle: &str, offset: u32) -> anyhow::Result<Read<Window>>;

    /// Where a text stands.
    ///
    /// # Errors
    /// The host failed.
    fn find(&mut self, run: &str, handle: &str, text: &str) -> anyhow::Result<Read<Vec<u32>>>;

    /// Forgets a run, and says how many claims were live.
    ///
    /// # Errors
    /// The host failed.
    fn forget(&mut self, run: &str) -> anyhow::Result<u32>;

    /// Stops the host and starts it again.
    ///
    /// # Errors
    /// It did not start.
    fn restart(&mut self) -> anyhow::Result<()>;
}

/// What was read, if there was anything.
#[derive(Debug, PartialEq, Eq)]
pub enum Read<T> {
    /// It was read.
    There(T),
    /// There is nothing under this handle, for this run.
    Gone,
}

/// A part of a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Window {
    /// Word for word.
    pub text: String,
    /// Where the next one starts, in characters; none at the end.
    pub next: Option<u32>,
}
