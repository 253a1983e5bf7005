//! The order in which files are written, read and deleted.
//!
//! ```text
//! claim-check-store             whose folder it is
//! swept                         when it was last swept, and how far
//! TENANT/RUN/HANDLE             a claim
//! TENANT/RUN/HANDLE.INSTANT.N   a claim that is being written, or was when its process was stopped
//! ```

use claim_check_store_layout::names::is_name;
use claim_check_store_layout::{Erasure, Header, Instant, Scope, StoreError, limits, names};

use crate::folder::{Fault, File, Folder};
use crate::record::{self, Record};
use crate::sweep;

/// A forget gives up when the folder was filled again so often: somebody keeps putting.
const ROUNDS: usize = 16;
/// So many instances may write one claim in the same nanosecond.
const WRITERS: usize = 64;

/// The store in a folder, at an instant.
#[derive(Debug)]
pub struct FolderStore<'a, F> {
    folder: &'a F,
    now: Instant,
}

impl<'a, F: Folder> FolderStore<'a, F> {
    /// The store in this folder, which is the store's own ([`root::claim`](crate::root::claim)).
    pub fn new(folder: &'a F, now: Instant) -> Self {
        Self { folder, now }
    }

    /// Keeps a claim: written under a temporary name, put on the disk, renamed.
    ///
    /// # Errors
    /// The platform's, or [`StoreError::Full`] for a claim beyond the limits; no claim has been kept then.
    pub fn put(
        &self,
        scope: &Scope,
        handle: &str,
        manifest: &str,
        pages: &[String],
        ttl_seconds: u32,
    ) -> Result<(), StoreError> {
        limits::check(manifest, pages)?;
        let digits = names::handle(handle).ok_or_else(|| StoreError::Failed("this is no handle".to_owned()))?;
        let count =
            |length: usize| u32::try_from(length).map_err(|_| StoreError::Full("a count beyond 32 bits".into()));
        let run = run(scope);
        let path = format!("{run}/{digits}");
        let mut header = Header {
            expiry: self.now.after(ttl_seconds),
            put: self.now,
            pages: count(pages.len())?,
            manifest_bytes: count(manifest.len())?,
        };
        if let Some(earlier) = self.open(&path)?.filter(|earlier| earlier.header.is_live(self.now)) {
            header.expiry = header.expiry.max(earlier.header.expiry);
        }
        let mut attempt = 0;
        loop {
            attempt += 1;
            match self.write(scope, &run, &path, &header, manifest, pages) {
                // A forget took the run's folder away between two of our calls.
                Err(Fault::NotThere) if attempt < ROUNDS => {}
                Err(fault) => return Err(fault.into()),
                Ok(()) => break,
            }
        }
        sweep::sweep(self.folder, self.now);
        Ok(())
    }

    fn write(
        &self,
        scope: &Scope,
        run: &str,
        path: &str,
        header: &Header,
        manifest: &str,
        pages: &[String],
    ) -> Result<(), Fault> {
        for folder in [&names::tenant(&scope.tenant), run] {
            match self.folder.create_folder(folder) {
                Err(Fault::Exists) => {}
                made => made?,
            }
        }
        let (temporary, file) = self.create(path)?;
        let written = record::write(&file, header, manifest, pages)
            .and_then(|()| file.sync())
            .and_then(|()| self.folder.rename(&temporary, path))
            .and_then(|()| self.folder.sync_folder(run));
        if written.is_err() {
            // Where it was renamed there is none, and where it can't be deleted now it is swept.
            let _ = self.folder.delete(&temporary);
        }
        written
    }

    fn create(&self, path: &str) -> Result<(String, F::File), Fault> {
        for number in 0..WRITERS {
            let temporary = format!("{path}.{}.{number}", self.now);
            match self.folder.create(&temporary) {
                Err(Fault::Exists) => {}
                created => return Ok((temporary, created?)),
            }
        }
        Err(Fault::Exists)
    }

    /// The manifest and the pages that were asked for.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where no live claim is held, or where what is held can't be one; the platform's.
    pub fn fetch(
        &self,
        scope: &Scope,
        handle: &str,
        first_page: u32,
        page_count: u32,
    ) -> Result<(String, Vec<String>), StoreError> {
        let digits = names::handle(handle).ok_or(StoreError::NotFound)?;
        let held = self.open(&format!("{}/{digits}", run(scope)))?;
        let held = held.filter(|held| held.header.is_live(self.now)).ok_or(StoreError::NotFound)?;
        held.read(first_page, page_count)?.ok_or(StoreError::NotFound)
    }

    /// None where there is no file, or one that is no claim.
    fn open(&self, path: &str) -> Result<Option<Record<F::File>>, Fault> {
        match self.folder.open(path) {
            Err(Fault::NotThere) => Ok(None),
            file => Record::open(file?),
        }
    }

    /// Deletes everything of a run or of a tenant's every run, until nothing is left.
    ///
    /// # Errors
    /// The platform's, or [`StoreError::Unavailable`] where somebody keeps putting; part of it has been erased then.
    pub fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        let (tenant, only) = match what {
            Erasure::Tenant(tenant) => (names::tenant(tenant), None),
            Erasure::Run(scope) => (names::tenant(&scope.tenant), Some(names::run(scope))),
        };
        let mut live = 0_u32;
        for _ in 0..ROUNDS {
            let runs = match &only {
                Some(run) => vec![run.clone()],
                None => names_or_none(self.folder, &tenant)?,
            };
            for run in runs {
                live = live.saturating_add(self.empty(&format!("{tenant}/{run}"))?);
            }
            // The tenant's folder goes with its last run.
            let gone = match self.folder.delete_folder(&tenant) {
                Ok(()) => self.folder.sync_folder("").map(|()| true),
                Err(Fault::NotThere) => Ok(true),
                Err(Fault::NotEmpty) => Ok(false),
                Err(fault) => Err(fault),
            }?;
            let done = match &only {
                _ if gone => true,
                Some(run) => !names_or_none(self.folder, &tenant)?.contains(run),
                None => false,
            };
            if done {
                return Ok(live);
            }
        }
        Err(StoreError::Unavailable(format!(
            "claims were put while they were erased, {ROUNDS} times in a row: stop the run before it is forgotten, and try again"
        )))
    }

    /// Empties a run's folder and deletes it, unless something was put meanwhile; says how many claims were live.
    fn empty(&self, run: &str) -> Result<u32, Fault> {
        let mut live = 0;
        for name in names_or_none(self.folder, run)? {
            let path = format!("{run}/{name}");
            let is_live = is_name(&name) && self.open(&path)?.is_some_and(|held| held.header.is_live(self.now));
            match self.folder.delete(&path) {
                // Another instance forgets the same, or a put has renamed its file.
                Err(Fault::NotThere) => {}
                deleted => {
                    deleted?;
                    live += u32::from(is_live);
                }
            }
        }
        match self.folder.delete_folder(run) {
            Err(Fault::NotThere | Fault::NotEmpty) => {}
            deleted => {
                deleted?;
                let tenant = run.split_once('/').map_or("", |(tenant, _)| tenant);
                match self.folder.sync_folder(tenant) {
                    Err(Fault::NotThere) => {}
                    synced => synced?,
                }
            }
        }
        Ok(live)
    }
}

fn run(scope: &Scope) -> String {
    format!("{}/{}", names::tenant(&scope.tenant), names::run(scope))
}

/// The names in a folder; none where there is no folder.
pub(crate) fn names_or_none<F: Folder>(folder: &F, path: &str) -> Result<Vec<String>, Fault> {
    match folder.names(path) {
        Err(Fault::NotThere) => Ok(vec![]),
        names => names,
    }
}
