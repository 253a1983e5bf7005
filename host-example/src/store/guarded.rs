//! A store as the engine calls it: one that panics or does not answer fails its call, and nothing else.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::unwinding::caught;
use super::{Claim, Erasure, Scope, Store, StoreError};

#[derive(Clone)]
pub(crate) struct Guarded {
    store: Arc<dyn Store>,
    timeout: Duration,
    asked: Option<Asked>,
    dry_run: bool,
}

/// The handle that the component asked the store for, once it has.
pub(crate) type Asked = Arc<OnceLock<String>>;

impl Guarded {
    pub(crate) fn new(store: Arc<dyn Store>, timeout: Duration) -> Self {
        Self { store, timeout, asked: None, dry_run: false }
    }

    /// The same store, which also notes the handle that is asked for. What the model wrote is no handle yet; what
    /// reaches the store is, and may be logged.
    pub(crate) fn noting(&self) -> (Self, Asked) {
        let asked = Asked::default();
        (Self { asked: Some(asked.clone()), ..self.clone() }, asked)
    }

    /// A store that acknowledges everything and keeps nothing, to learn what a ticket would be. Its handle resolves to
    /// nothing, so it may not leave the host.
    pub(crate) fn dry_run(&self) -> Self {
        Self { dry_run: true, ..self.clone() }
    }

    pub(crate) async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl: u32) -> Result<(), StoreError> {
        if self.dry_run {
            return Ok(());
        }
        self.guard("put", async { self.store.put(scope, handle, claim, ttl).await }).await
    }

    pub(crate) async fn fetch(&self, scope: &Scope, handle: &str, first: u32, count: u32) -> Result<Claim, StoreError> {
        if let Some(asked) = &self.asked {
            asked.get_or_init(|| handle.to_owned());
        }
        self.guard("fetch", async { self.store.fetch(scope, handle, first, count).await }).await
    }

    pub(crate) async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        self.guard("forget", async { self.store.forget(what).await }).await
    }

    async fn guard<T>(&self, method: &str, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        match tokio::time::timeout(self.timeout, caught(call)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(StoreError::Failed(format!("the store panicked in {method}"))),
            Err(_) => {
                Err(StoreError::Unavailable(format!("the store gave no answer to {method} within {:?}", self.timeout)))
            }
        }
    }
}
