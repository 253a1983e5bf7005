//! The WIT shell: the platform's files below, `store` above. No logic.

use std::cell::OnceCell;

use claim_check_store_layout::{Erasure, Instant, Scope, StoreError};

use self::exports::claim_check::tool_results::store as exported;
use self::wasi::clocks::wall_clock;
use self::wasi::filesystem::preopens;
use self::wasi::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};
use crate::folder::{Fault, File, Folder};
use crate::root;
use crate::store::FolderStore;

wit_bindgen::generate!({ path: "../wit", world: "filesystem", generate_all });

/// Hosts copy what is read and written, and some have a limit for one call.
const CALL_BYTES: usize = 512 << 10;

struct Component;

export!(Component);

thread_local! {
    static ROOT: OnceCell<Descriptor> = const { OnceCell::new() };
}

impl exported::Guest for Component {
    fn put(
        scope: exported::Scope,
        handle: String,
        claim: exported::Claim,
        ttl_seconds: u32,
    ) -> Result<(), exported::StoreError> {
        with_store(|store| store.put(&scope.into(), &handle, &claim.manifest, &claim.pages, ttl_seconds))
    }

    fn fetch(
        scope: exported::Scope,
        handle: String,
        first_page: u32,
        page_count: u32,
    ) -> Result<exported::Claim, exported::StoreError> {
        let (manifest, pages) = with_store(|store| store.fetch(&scope.into(), &handle, first_page, page_count))?;
        Ok(exported::Claim { manifest, pages })
    }

    fn forget(what: exported::Erasure) -> Result<u32, exported::StoreError> {
        let what = match what {
            exported::Erasure::Tenant(tenant) => Erasure::Tenant(tenant),
            exported::Erasure::Run(scope) => Erasure::Run(scope.into()),
        };
        with_store(|store| store.forget(&what))
    }
}

fn with_store<T>(
    call: impl FnOnce(&FolderStore<'_, Descriptor>) -> Result<T, StoreError>,
) -> Result<T, exported::StoreError> {
    ROOT.with(|cell| {
        let root = match cell.get() {
            Some(root) => root,
            None => {
                let opened = open()?;
                cell.get_or_init(|| opened)
            }
        };
        let now = wall_clock::now();
        Ok(call(&FolderStore::new(root, Instant::new(now.seconds, now.nanoseconds)))?)
    })
}

fn open() -> Result<Descriptor, StoreError> {
    let mut granted = preopens::get_directories();
    let place = root::choose(granted.iter().map(|(_, path)| path.as_str()))?;
    let (folder, _) = granted.swap_remove(place);
    root::claim(&folder)?;
    Ok(folder)
}

/// Symbolic links are never followed: nothing here makes any.
impl Folder for Descriptor {
    type File = Self;

    fn open(&self, path: &str) -> Result<Self, Fault> {
        Ok(self.open_at(PathFlags::empty(), path, OpenFlags::empty(), DescriptorFlags::READ)?)
    }

    fn create(&self, path: &str) -> Result<Self, Fault> {
        let new = OpenFlags::CREATE | OpenFlags::EXCLUSIVE;
        Ok(self.open_at(PathFlags::empty(), path, new, DescriptorFlags::WRITE)?)
    }

    fn create_folder(&self, path: &str) -> Result<(), Fault> {
        Ok(self.create_directory_at(path)?)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        Ok(self.rename_at(from, self, to)?)
    }

    fn delete(&self, path: &str) -> Result<(), Fault> {
        Ok(self.unlink_file_at(path)?)
    }

    fn delete_folder(&self, path: &str) -> Result<(), Fault> {
        Ok(self.remove_directory_at(path)?)
    }

    fn names(&self, path: &str) -> Result<Vec<String>, Fault> {
        let entries = folder(self, path)?.read_directory()?;
        let mut names = vec![];
        while let Some(entry) = entries.read_directory_entry()? {
            // Some hosts list them.
            if entry.name != "." && entry.name != ".." {
                names.push(entry.name);
            }
        }
        Ok(names)
    }

    fn sync_folder(&self, path: &str) -> Result<(), Fault> {
        match folder(self, path)?.sync() {
            // Not every platform can, and none says so beforehand.
            Err(ErrorCode::NoEntry) => Err(Fault::NotThere),
            Err(ErrorCode::Io) => Err(ErrorCode::Io.into()),
            _ => Ok(()),
        }
    }
}

fn folder(root: &Descriptor, path: &str) -> Result<Descriptor, ErrorCode> {
    let path = if path.is_empty() { "." } else { path };
    root.open_at(PathFlags::empty(), path, OpenFlags::DIRECTORY, DescriptorFlags::READ)
}

impl File for Descriptor {
    fn size(&self) -> Result<u64, Fault> {
        Ok(self.stat()?.size)
    }

    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, Fault> {
        let mut bytes = vec![];
        while bytes.len() < length {
            let wanted = (length - bytes.len()).min(CALL_BYTES);
            let (part, ended) = Self::read(self, wanted as u64, offset + bytes.len() as u64)?;
            let nothing = part.is_empty();
            bytes.extend(part.into_iter().take(wanted));
            if ended || nothing {
                break;
            }
        }
        Ok(bytes)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Fault> {
        let (mut offset, mut rest) = (offset, bytes);
        while !rest.is_empty() {
            let part = rest.get(..CALL_BYTES).unwrap_or(rest);
            let written = Self::write(self, part, offset)?;
            let left = usize::try_from(written).ok().filter(|written| *written > 0).and_then(|count| rest.get(count..));
            rest = left.ok_or(Fault::Other("a write of nothing"))?;
            offset += written;
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), Fault> {
        Ok(Self::sync(self)?)
    }
}

impl From<ErrorCode> for Fault {
    fn from(code: ErrorCode) -> Self {
        match code {
            ErrorCode::NoEntry => Self::NotThere,
            ErrorCode::Exist => Self::Exists,
            ErrorCode::NotEmpty => Self::NotEmpty,
            ErrorCode::InsufficientSpace | ErrorCode::Quota | ErrorCode::FileTooLarge => Self::NoSpace,
            ErrorCode::Access | ErrorCode::NotPermitted | ErrorCode::ReadOnly => Self::Denied,
            other => Self::Other(other.name()),
        }
    }
}

impl From<exported::Scope> for Scope {
    fn from(scope: exported::Scope) -> Self {
        Self { tenant: scope.tenant, run: scope.run }
    }
}

impl From<StoreError> for exported::StoreError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::NotFound,
            StoreError::Unavailable(why) => Self::Unavailable(why),
            StoreError::Full(why) => Self::Full(why),
            StoreError::Failed(why) => Self::Failed(why),
        }
    }
}
