//! Several calls on one instance.

use tokio::sync::SemaphorePermit;
use wasmtime::component::{ComponentNamedList, Instance, Lift, Lower};
use wasmtime::{Result, Store, Trap};

use super::ticker::Ticking;
use super::{Call, Engine, Export, Inner, STRETCH};
use crate::errors::CallError;
use crate::store::Guarded;

/// A place in the pool, for calls of one scope that belong together: they share an instance, one after the other.
///
/// What a call leaves in memory, the next one could find, so nobody else's call may come into it. A call that traps, is
/// interrupted or is dropped takes the instance with it, and the next call gets a fresh one.
pub(crate) struct Session<'a> {
    inner: &'a Inner,
    live: Option<Live>,
    _permit: Option<SemaphorePermit<'a>>,
    _ticking: Ticking<'a>,
}

/// An instance that may be called.
struct Live {
    store: Store<Call>,
    instance: Instance,
}

impl Engine {
    /// Waits for a place in the pool.
    pub(crate) async fn session(&self) -> Session<'_> {
        let inner = &*self.0;
        // Instances beyond the pool would fail at once, so calls wait here. Nobody closes the semaphore.
        let permit = inner.permits.acquire().await.ok();
        Session { inner, live: None, _permit: permit, _ticking: inner.ticker.tick() }
    }
}

impl Session<'_> {
    /// One call of `export`, which may ask `store`. Every call has the whole deadline.
    pub(crate) async fn call<P, R>(&mut self, store: &Guarded, export: Export, params: P) -> Result<R, CallError>
    where
        P: ComponentNamedList + Lower + Copy + Send + Sync,
        R: ComponentNamedList + Lift + Send + Sync + 'static,
    {
        let used = self.live.is_some();
        match self.attempt(store, export, params).await {
            // Perhaps for want of memory that earlier calls have taken: how a call ends may not depend on them.
            Err(CallError::Trapped(_)) if used => self.attempt(store, export, params).await,
            called => called,
        }
    }

    async fn attempt<P, R>(&mut self, store: &Guarded, export: Export, params: P) -> Result<R, CallError>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: ComponentNamedList + Lift + Send + Sync + 'static,
    {
        let inner = self.inner;
        let called = async {
            // Taken out, and put back only by a call that returned.
            let mut live = match self.live.take() {
                Some(live) => live,
                None => {
                    let mut store = inner.store(store.clone());
                    Live { instance: inner.component.instantiate_async(&mut store).await?, store }
                }
            };
            let call = live.store.data_mut();
            call.store = store.clone();
            call.ticks = inner.ticks();
            live.store.set_epoch_deadline(STRETCH);
            let function = live.instance.get_typed_func::<P, R>(&mut live.store, inner.exports.index(export))?;
            let returned = function.call_async(&mut live.store, params).await?;
            self.live = Some(live);
            Ok(returned)
        };
        called.await.map_err(|cause: wasmtime::Error| match cause.downcast_ref() {
            Some(Trap::Interrupt) => CallError::Deadline(inner.limits.deadline),
            _ => CallError::Trapped(cause),
        })
    }
}
