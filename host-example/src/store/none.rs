//! No store.

use async_trait::async_trait;

use super::{Claim, Erasure, Scope, Store, StoreError};

/// Stands where the component needs a store to be instantiated, and none of its functions that ask one is called.
pub(crate) struct NoStore;

#[async_trait]
impl Store for NoStore {
    async fn put(&self, _: &Scope, _: &str, _: Claim, _: u32) -> Result<(), StoreError> {
        Err(none())
    }

    async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(none())
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Err(none())
    }
}

fn none() -> StoreError {
    StoreError::Failed("there is no store".into())
}
