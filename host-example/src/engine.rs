//! wasmtime, set up for a component of which every call gets a fresh instance, and a turn's check-ins share one.

mod limits;
mod session;
mod ticker;

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use tokio::sync::Semaphore;
use wasmtime::component::{Component, ComponentExportIndex, ComponentNamedList, InstancePre, Lift, Linker, Lower};
use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig, Result, Store, StoreContextMut, StoreLimits,
    StoreLimitsBuilder, UpdateDeadline,
};

pub use limits::Limits;
pub(crate) use session::Session;
use ticker::Ticker;

use crate::errors::CallError;
use crate::store::{Erasure, Guarded, Scope, StoreError};

/// The component that holds every rule of the claim check, as it was built with this crate.
pub const COMPONENT: &[u8] = include_bytes!(env!("CLAIM_CHECK_COMPONENT"));

/// Core instances in one component instance: the guest, and the two little modules by which wit-component ties it
/// to its imports.
const CORE_INSTANCES: u32 = 4;

/// In ticks. The first tick may come at once, so that two of them are at least one tick's time.
const STRETCH: u64 = 2;

/// wasmtime with the component compiled and a pool of instances, shared by any number of claim checks.
///
/// Making one compiles the component, which takes about a tenth of a second (`cache_dir` of [`Limits`] saves that);
/// cloning one is cheap and shares the pool. A thread counts its time while calls are running, and ends with the
/// last clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    engine: wasmtime::Engine,
    component: InstancePre<Call>,
    exports: Exports,
    permits: Semaphore,
    ticker: Ticker,
    limits: Limits,
}

/// What an instance has at hand during a call.
struct Call {
    store: Guarded,
    limits: StoreLimits,
    /// How many stretches of computing of at least a tick it may still have.
    ticks: u128,
}

/// The component's functions.
#[derive(Clone, Copy)]
pub(crate) enum Export {
    Neutralise,
    Truncate,
    Validate,
    CheckIn,
    Fetch,
    Find,
    ToolDefinitions,
    Answer,
    Forget,
}

struct Exports([ComponentExportIndex; 9]);

impl Engine {
    /// Compiles the component and sets up its pool.
    ///
    /// # Errors
    /// [`CallError::Engine`] where wasmtime or this machine can't have these limits.
    pub fn new(limits: &Limits) -> Result<Self, CallError> {
        Self::build(limits).map_err(CallError::Engine)
    }

    /// The limits it was made with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    fn build(limits: &Limits) -> Result<Self> {
        limits.check()?;
        // Without the kernel's page scan (Linux 6.7 on) keeping memory would mean to clear all of it after every call.
        let engine = match wasmtime::Engine::new(&config(limits, Enabled::Yes, limits.keep_resident_bytes)?) {
            Ok(engine) => engine,
            Err(_) => wasmtime::Engine::new(&config(limits, Enabled::No, 0)?)?,
        };
        let component = Component::from_binary(&engine, COMPONENT)?;
        let exports = Exports::of(&component)?;
        let mut linker = Linker::new(&engine);
        link_store(&mut linker)?;
        Ok(Self(Arc::new(Inner {
            component: linker.instantiate_pre(&component)?,
            exports,
            permits: Semaphore::new(limits.pool_size as usize),
            ticker: Ticker::start(&engine)?,
            limits: limits.clone(),
            engine,
        })))
    }

    /// One call of `export` on a fresh instance that is dropped with its end, however that comes.
    pub(crate) async fn call<P, R>(&self, store: &Guarded, export: Export, params: P) -> Result<R, CallError>
    where
        P: ComponentNamedList + Lower + Copy + Send + Sync,
        R: ComponentNamedList + Lift + Send + Sync + 'static,
    {
        self.session().await.call(store, export, params).await
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("limits", self.limits()).finish_non_exhaustive()
    }
}

impl Inner {
    fn ticks(&self) -> u128 {
        self.limits.deadline.as_nanos().div_ceil(ticker::TICK.as_nanos())
    }

    fn store(&self, store: Guarded) -> Store<Call> {
        let limits = StoreLimitsBuilder::new().memory_size(self.limits.memory_bytes).trap_on_grow_failure(true);
        let call = Call { store, limits: limits.build(), ticks: self.ticks() };
        let mut store = Store::new(&self.engine, call);
        store.limiter(|call| &mut call.limits);
        // Every string that the component passes to the store counts, and it may pass the whole content.
        store.set_hostcall_fuel(self.limits.memory_bytes);
        store.set_epoch_deadline(STRETCH);
        store.epoch_deadline_callback(|mut call| {
            let ticks = &mut call.data_mut().ticks;
            Ok(match ticks.checked_sub(1) {
                None => UpdateDeadline::Interrupt,
                Some(left) => {
                    *ticks = left;
                    // A long call lets others have its thread in between, and their time is not counted as its own.
                    UpdateDeadline::Yield(STRETCH)
                }
            })
        });
        store
    }
}

impl Exports {
    fn of(component: &Component) -> Result<Self> {
        let index = |interface: &str, function: &str| {
            let name = format!("claim-check:tool-results/{interface}@0.1.0");
            component
                .get_export_index(None, &name)
                .and_then(|interface| component.get_export_index(Some(&interface), function))
                .ok_or_else(|| wasmtime::format_err!("the component does not export {function} of {name}"))
        };
        // In the order of `Export`.
        Ok(Self([
            index("boundary", "neutralise")?,
            index("boundary", "truncate")?,
            index("check-in", "validate")?,
            index("check-in", "check-in")?,
            index("fetch", "fetch")?,
            index("fetch", "find")?,
            index("fetch", "tool-definitions")?,
            index("fetch", "answer")?,
            index("forget", "forget")?,
        ]))
    }

    fn index(&self, export: Export) -> &ComponentExportIndex {
        &self.0[export as usize]
    }
}

fn config(limits: &Limits, page_scan: Enabled, keep_resident_bytes: usize) -> Result<Config> {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(limits.pool_size)
        .total_core_instances(limits.pool_size.saturating_mul(CORE_INSTANCES))
        .total_memories(limits.pool_size)
        .total_tables(limits.pool_size.saturating_mul(2))
        .total_stacks(limits.pool_size)
        .max_memory_size(limits.memory_bytes)
        .pagemap_scan(page_scan)
        .linear_memory_keep_resident(keep_resident_bytes)
        .table_keep_resident(4096);
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
        .epoch_interruption(true)
        // The contract has no async functions, and the bookkeeping for them costs a call as much as a small check-in.
        .concurrency_support(false);
    #[cfg(feature = "cache")]
    if let Some(directory) = &limits.cache_dir {
        let mut cache = wasmtime::CacheConfig::new();
        cache.with_directory(directory);
        config.cache(Some(wasmtime::Cache::new(cache)?));
    }
    Ok(config)
}

fn link_store(linker: &mut Linker<Call>) -> Result<()> {
    let mut store = linker.instance("claim-check:tool-results/store@0.1.0")?;
    store.func_wrap_async("put", |call: StoreContextMut<'_, Call>, (scope, handle, claim, ttl)| {
        let (scope, handle): (Scope, String) = (scope, handle);
        let store = call.data().store.clone();
        answer(async move { store.put(&scope, &handle, claim, ttl).await })
    })?;
    store.func_wrap_async("fetch", |call: StoreContextMut<'_, Call>, (scope, handle, first, count)| {
        let (scope, handle): (Scope, String) = (scope, handle);
        let store = call.data().store.clone();
        answer(async move { store.fetch(&scope, &handle, first, count).await })
    })?;
    store.func_wrap_async("forget", |call: StoreContextMut<'_, Call>, (what,): (Erasure,)| {
        let store = call.data().store.clone();
        answer(async move { store.forget(&what).await })
    })
}

type Answer<T> = Box<dyn Future<Output = Result<(Result<T, StoreError>,)>> + Send>;

fn answer<T>(asked: impl Future<Output = Result<T, StoreError>> + Send + 'static) -> Answer<T> {
    Box::new(async { Ok((asked.await,)) })
}
