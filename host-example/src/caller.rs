//! The component as its callers see it: an engine, and the store that its calls may ask.

use std::sync::Arc;

use wasmtime::component::{ComponentNamedList, Lift, Lower};

use crate::engine::{Engine, Export};
use crate::errors::CallError;
use crate::store::{Guarded, NoStore, Store};

#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) engine: Engine,
    pub(crate) store: Guarded,
}

impl Caller {
    pub(crate) fn new(engine: &Engine, store: Arc<dyn Store>) -> Self {
        Self { engine: engine.clone(), store: Guarded::new(store, engine.limits().store_timeout) }
    }

    /// For the functions that ask no store.
    pub(crate) fn without_store(engine: &Engine) -> Self {
        Self::new(engine, Arc::new(NoStore))
    }

    pub(crate) async fn call<P, R>(&self, export: Export, params: P) -> Result<R, CallError>
    where
        P: ComponentNamedList + Lower + Copy + Send + Sync,
        R: ComponentNamedList + Lift + Send + Sync + 'static,
    {
        self.engine.call(&self.store, export, params).await
    }

    pub(crate) async fn neutralise(&self, text: &str) -> Result<Option<String>, CallError> {
        self.fits(text)?;
        let (clean,) = self.call(Export::Neutralise, (text,)).await?;
        Ok(clean)
    }

    pub(crate) async fn truncate(&self, text: &str, max_chars: u32) -> Result<Option<String>, CallError> {
        self.fits(text)?;
        let (cut,) = self.call(Export::Truncate, (text, max_chars)).await?;
        Ok(cut)
    }

    /// A text that an instance has no memory for would make it trap, with a cause that helps nobody.
    fn fits(&self, text: &str) -> Result<(), CallError> {
        let max = self.engine.limits().memory_bytes / 3;
        match text.len() > max {
            true => Err(CallError::TextTooLong { bytes: text.len(), max }),
            false => Ok(()),
        }
    }
}
