//! A store adapter as a [`Store`], so that the store suite can be run on it: a fresh instance for every call.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use claim_check_host::{Claim, Erasure, Scope, Store, StoreError};
use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use super::bindings::store_provider::StoreProviderPre;
use super::bindings::store_provider::exports::claim_check::tool_results::store as exported;

/// An adapter over what `make` gives each instance.
pub struct Adapter<T: Send + 'static>(Arc<Inner<T>>);

struct Inner<T: Send + 'static> {
    engine: Engine,
    adapter: StoreProviderPre<T>,
    make: Box<dyn Fn() -> T + Send + Sync>,
}

impl<T: Send + 'static> Adapter<T> {
    /// # Errors
    /// The component can't be loaded or linked.
    pub fn new(
        component: &Path,
        link: impl FnOnce(&mut Linker<T>) -> wasmtime::Result<()>,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> wasmtime::Result<Self> {
        let engine = Engine::default();
        let mut linker = Linker::new(&engine);
        link(&mut linker)?;
        let component = Component::from_file(&engine, component)?;
        let pre: InstancePre<T> = linker.instantiate_pre(&component)?;
        Ok(Self(Arc::new(Inner { engine, adapter: StoreProviderPre::new(pre)?, make: Box::new(make) })))
    }

    async fn call<R: Send + 'static>(
        &self,
        call: impl FnOnce(&mut wasmtime::Store<T>, &exported::Guest) -> wasmtime::Result<Result<R, exported::StoreError>>
        + Send
        + 'static,
    ) -> Result<R, StoreError> {
        let inner = Arc::clone(&self.0);
        let called = tokio::task::spawn_blocking(move || -> wasmtime::Result<_> {
            let mut store = wasmtime::Store::new(&inner.engine, (inner.make)());
            let adapter = inner.adapter.instantiate(&mut store)?;
            call(&mut store, adapter.claim_check_tool_results_store())
        });
        match called.await {
            Ok(Ok(answer)) => answer.map_err(error),
            // An adapter that traps breaks every rule.
            Ok(Err(trap)) => Err(StoreError::Failed(format!("the adapter trapped: {trap:?}"))),
            Err(panic) => Err(StoreError::Failed(format!("the host panicked: {panic}"))),
        }
    }
}

#[async_trait]
impl<T: Send + 'static> Store for Adapter<T> {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        let (scope, handle) = (lower(scope), handle.to_owned());
        let pages = claim.pages.iter().map(|page| page.to_string()).collect();
        let claim = exported::Claim { manifest: claim.manifest.to_string(), pages };
        self.call(move |store, adapter| adapter.call_put(store, &scope, &handle, &claim, ttl_seconds)).await
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        let (scope, handle) = (lower(scope), handle.to_owned());
        let held =
            self.call(move |store, adapter| adapter.call_fetch(store, &scope, &handle, first_page, page_count)).await?;
        Ok(Claim::new(held.manifest, held.pages))
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        let what = match what {
            Erasure::Tenant(tenant) => exported::Erasure::Tenant(tenant.clone()),
            Erasure::Run(scope) => exported::Erasure::Run(lower(scope)),
        };
        self.call(move |store, adapter| adapter.call_forget(store, &what)).await
    }
}

fn lower(scope: &Scope) -> exported::Scope {
    exported::Scope { tenant: scope.tenant.clone(), run: scope.run.clone() }
}

fn error(error: exported::StoreError) -> StoreError {
    match error {
        exported::StoreError::NotFound => StoreError::NotFound,
        exported::StoreError::Unavailable(why) => StoreError::Unavailable(why),
        exported::StoreError::Full(why) => StoreError::Full(why),
        exported::StoreError::Failed(why) => StoreError::Failed(why),
    }
}
