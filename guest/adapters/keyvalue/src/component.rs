//! The WIT shell: the platform's bucket below, `store` above. No logic.

use std::cell::OnceCell;

use claim_check_store_layout::{Erasure, Instant, Scope, StoreError};

use self::exports::claim_check::tool_results::store as exported;
use self::wasi::clocks::wall_clock;
#[cfg(not(feature = "draft2"))]
use self::wasi::keyvalue0_2_0_draft::store as platform;
#[cfg(feature = "draft2")]
use self::wasi::keyvalue0_2_0_draft2::store as platform;
use crate::bucket::Bucket;
use crate::store::KeyvalueStore;

#[cfg(all(feature = "draft", feature = "draft2"))]
compile_error!("one draft for each build: `draft` or `draft2`");

#[cfg(not(feature = "draft2"))]
wit_bindgen::generate!({ path: "../wit", world: "keyvalue-draft", generate_all });
#[cfg(feature = "draft2")]
wit_bindgen::generate!({ path: "../wit", world: "keyvalue-draft2", generate_all });

/// Where a listing goes on: the drafts' only difference here.
#[cfg(not(feature = "draft2"))]
type Cursor = u64;
#[cfg(feature = "draft2")]
type Cursor = String;

/// A listing in more parts than this never ends.
const PARTS: usize = 100_000;

struct Component;

export!(Component);

thread_local! {
    /// Opened once: wasmtime's own provider gives every opening a copy of its own, and some hosts have few handles.
    static BUCKET: OnceCell<platform::Bucket> = const { OnceCell::new() };
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
    call: impl FnOnce(&KeyvalueStore<'_, platform::Bucket>) -> Result<T, StoreError>,
) -> Result<T, exported::StoreError> {
    BUCKET.with(|cell| {
        let bucket = match cell.get() {
            Some(bucket) => bucket,
            None => {
                let opened = open()?;
                cell.get_or_init(|| opened)
            }
        };
        let now = wall_clock::now();
        Ok(call(&KeyvalueStore::new(bucket, Instant::new(now.seconds, now.nanoseconds)))?)
    })
}

/// The bucket `default`, which most platforms have; else the one without a name, which is the only one in wasmtime.
fn open() -> Result<platform::Bucket, StoreError> {
    match platform::open("default") {
        Err(platform::Error::NoSuchStore) => Ok(platform::open("")?),
        opened => Ok(opened?),
    }
}

impl Bucket for platform::Bucket {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(Self::get(self, key)?)
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        Ok(Self::set(self, key, value)?)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        Ok(Self::delete(self, key)?)
    }

    fn list(&self, see: &mut dyn FnMut(&str)) -> Result<(), StoreError> {
        let mut cursor: Option<Cursor> = None;
        for _ in 0..PARTS {
            #[cfg(not(feature = "draft2"))]
            let part = self.list_keys(cursor)?;
            #[cfg(feature = "draft2")]
            let part = self.list_keys(cursor.as_deref())?;
            part.keys.iter().for_each(|key| see(key));
            match part.cursor {
                None => return Ok(()),
                same if same == cursor => break,
                next => cursor = next,
            }
        }
        Err(StoreError::Failed("the bucket's listing does not end".to_owned()))
    }
}

/// What the platform says of an error of its own may hold an address or a value, and stays with it.
impl From<platform::Error> for StoreError {
    fn from(error: platform::Error) -> Self {
        match error {
            platform::Error::NoSuchStore => Self::Failed(
                "there is no bucket `default` here, and none without a name: grant the component one of them"
                    .to_owned(),
            ),
            platform::Error::AccessDenied => {
                Self::Failed("the bucket `default` is denied to this component: grant it".to_owned())
            }
            platform::Error::Other(_) => {
                Self::Unavailable("the bucket failed: the platform's own log says why".to_owned())
            }
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
