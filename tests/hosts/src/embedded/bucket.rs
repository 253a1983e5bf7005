//! A bucket of this process that many instances share, as both drafts of `wasi:keyvalue`.
//!
//! wasmtime's own provider gives every opening a copy; this one is what other platforms have: one bucket, listed in
//! pages, and shared.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use claim_check_host::{Clock, ManualClock};
use wasmtime::component::{HasSelf, Linker, Resource};

/// So few keys come with each part of a listing, so that every listing has many parts.
const KEYS_LISTED: usize = 7;

/// What one instance sees: the bucket, and the time.
#[derive(Clone)]
pub struct Platform {
    bucket: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    clock: Arc<ManualClock>,
    /// The only name that the bucket has.
    name: &'static str,
}

/// A bucket that was opened; there is only one.
pub struct Opened;

impl Platform {
    /// An empty bucket of this name.
    #[must_use]
    pub fn new(name: &'static str, clock: Arc<ManualClock>) -> Self {
        Self { bucket: Arc::default(), clock, name }
    }

    fn bucket(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The drafts differ in the cursor's type alone.
macro_rules! draft {
    ($module:ident, $world:literal, $World:ident, $bucket:literal, $keyvalue:ident, $cursor:ty, $next:expr) => {
        mod $module {
            use super::*;

            wasmtime::component::bindgen!({
                path: "../../guest/adapters/wit",
                world: $world,
                with: { $bucket: crate::embedded::bucket::Opened },
            });

            use wasi::clocks::wall_clock;
            use wasi::$keyvalue::store;

            pub(super) fn link(linker: &mut Linker<Platform>) -> wasmtime::Result<()> {
                $World::add_to_linker::<_, HasSelf<_>>(linker, |platform| platform)
            }

            impl claim_check::tool_results::types::Host for Platform {}

            impl wall_clock::Host for Platform {
                fn now(&mut self) -> wall_clock::Datetime {
                    let now = self.clock.now();
                    wall_clock::Datetime { seconds: now.as_secs(), nanoseconds: now.subsec_nanos() }
                }
            }

            impl store::Host for Platform {
                fn open(&mut self, identifier: String) -> Result<Resource<Opened>, store::Error> {
                    if identifier == self.name { Ok(Resource::new_own(1)) } else { Err(store::Error::NoSuchStore) }
                }
            }

            impl store::HostBucket for Platform {
                fn get(&mut self, _: Resource<Opened>, key: String) -> Result<Option<Vec<u8>>, store::Error> {
                    Ok(self.bucket().get(&key).cloned())
                }

                fn set(&mut self, _: Resource<Opened>, key: String, value: Vec<u8>) -> Result<(), store::Error> {
                    self.bucket().insert(key, value);
                    Ok(())
                }

                fn delete(&mut self, _: Resource<Opened>, key: String) -> Result<(), store::Error> {
                    self.bucket().remove(&key);
                    Ok(())
                }

                fn list_keys(
                    &mut self,
                    _: Resource<Opened>,
                    cursor: Option<$cursor>,
                ) -> Result<store::KeyResponse, store::Error> {
                    let next: fn(&BTreeMap<String, Vec<u8>>, Option<$cursor>) -> (Vec<String>, Option<$cursor>) = $next;
                    let (keys, cursor) = next(&self.bucket(), cursor);
                    Ok(store::KeyResponse { keys, cursor })
                }

                fn drop(&mut self, _: Resource<Opened>) -> wasmtime::Result<()> {
                    Ok(())
                }
            }
        }
    };
}

draft!(
    draft,
    "keyvalue-draft",
    KeyvalueDraft,
    "wasi:keyvalue/store@0.2.0-draft.bucket",
    keyvalue0_2_0_draft,
    u64,
    |bucket, cursor| {
        let from = cursor.unwrap_or(0) as usize;
        let keys: Vec<_> = bucket.keys().skip(from).take(KEYS_LISTED).cloned().collect();
        let end = from + keys.len();
        (keys, (end < bucket.len()).then_some(end as u64))
    }
);

draft!(
    draft2,
    "keyvalue-draft2",
    KeyvalueDraft2,
    "wasi:keyvalue/store@0.2.0-draft2.bucket",
    keyvalue0_2_0_draft2,
    String,
    |bucket, cursor| {
        let from = cursor.map_or(std::ops::Bound::Unbounded, std::ops::Bound::Excluded);
        let keys: Vec<_> =
            bucket.range((from, std::ops::Bound::Unbounded)).take(KEYS_LISTED).map(|(key, _)| key.clone()).collect();
        let cursor = if keys.len() == KEYS_LISTED { keys.last().cloned() } else { None };
        (keys, cursor)
    }
);

/// Gives instances the bucket as `wasi:keyvalue@0.2.0-draft`.
///
/// # Errors
/// wasmtime's.
pub fn link_draft(linker: &mut Linker<Platform>) -> wasmtime::Result<()> {
    draft::link(linker)
}

/// Gives instances the bucket as `wasi:keyvalue@0.2.0-draft2`.
///
/// # Errors
/// wasmtime's.
pub fn link_draft2(linker: &mut Linker<Platform>) -> wasmtime::Result<()> {
    draft2::link(linker)
}
