//! A composed component in wasmtime, in this process.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Engine, Store};

use super::bindings::claim_check::claim_check::tool_results::types::{Erasure, Policy, Scope, Settings};
use super::bindings::claim_check::exports::claim_check::tool_results::check_in::Outcome;
use super::bindings::claim_check::exports::claim_check::tool_results::fetch::{FetchError, FindError};
use super::bindings::claim_check::{ClaimCheck, ClaimCheckPre};
use super::folder::Wasi;
use crate::host::{Host, Read, Window};
use crate::programs::Places;

/// A claim check over a folder, with a fresh instance for every call, or over a bucket, with one for all.
pub struct Embedded {
    component: &'static str,
    path: PathBuf,
    engine: Engine,
    pre: ClaimCheckPre<Wasi>,
    folder: Option<TempDir>,
    /// wasmtime's key-value provider forgets what another opening of the bucket has set.
    kept: Option<(Store<Wasi>, ClaimCheck)>,
}

impl Embedded {
    /// With the filesystem adapter, over a temporary folder.
    ///
    /// # Errors
    /// The component can't be loaded or linked.
    pub fn filesystem(places: &Places) -> Result<Self> {
        let folder = TempDir::new()?;
        Self::new(places, "claim_check_filesystem", Some(folder))
    }

    /// With the key-value adapter, over wasmtime's own provider.
    ///
    /// # Errors
    /// The component can't be loaded or linked.
    pub fn keyvalue(places: &Places) -> Result<Self> {
        let mut host = Self::new(places, "claim_check_keyvalue_draft", None)?;
        let mut store = Store::new(&host.engine, Wasi::new());
        let instance = host.pre.instantiate(&mut store).map_err(trap)?;
        host.kept = Some((store, instance));
        Ok(host)
    }

    fn new(places: &Places, component: &'static str, folder: Option<TempDir>) -> Result<Self> {
        let engine = Engine::default();
        let path = places.component(component);
        let pre = load(&engine, &path).map_err(trap)?;
        Ok(Self { component, path, engine, pre, folder, kept: None })
    }

    fn call<R>(&mut self, call: impl FnOnce(&mut Store<Wasi>, &ClaimCheck) -> wasmtime::Result<R>) -> Result<R> {
        if let Some((store, instance)) = &mut self.kept {
            return call(store, instance).map_err(trap);
        }
        let folder = self.folder.as_ref().context("neither a folder nor a bucket")?;
        let mut store = Store::new(&self.engine, Wasi::over(folder.path(), None).map_err(trap)?);
        let instance = self.pre.instantiate(&mut store).map_err(trap)?;
        call(&mut store, &instance).map_err(trap)
    }
}

fn load(engine: &Engine, component: &Path) -> wasmtime::Result<ClaimCheckPre<Wasi>> {
    let mut linker = Linker::new(engine);
    Wasi::link(&mut linker)?;
    let pre: InstancePre<Wasi> = linker.instantiate_pre(&Component::from_file(engine, component)?)?;
    ClaimCheckPre::new(pre)
}

/// wasmtime's error with its causes, which is no error of the standard library's.
fn trap(error: wasmtime::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:?}")
}

impl Host for Embedded {
    fn name(&self) -> String {
        format!("wasmtime 48.0.8 in process, {}", self.component)
    }

    fn lacks(&self, case: &str) -> Option<&'static str> {
        (case == "restart" && self.folder.is_none())
            .then_some("wasmtime's own key-value provider keeps nothing (wasmtime#11187)")
    }

    fn check_in(&mut self, run: &str, content: &str, keep: u32) -> Result<String> {
        let settings = settings(keep);
        let outcome = self.call(|store, claims| {
            claims.claim_check_tool_results_check_in().call_check_in(store, &settings, &scope(run), "tool", content)
        })?;
        match outcome {
            Ok(Outcome::CheckedIn(ticket)) => Ok(ticket.handle),
            other => bail!("not checked in: {other:?}"),
        }
    }

    fn fetch(&mut self, run: &str, handle: &str, offset: u32) -> Result<Read<Window>> {
        let offset = offset.try_into()?;
        let window = self.call(|store, claims| {
            claims.claim_check_tool_results_fetch().call_fetch(store, &scope(run), handle, offset, 0)
        })?;
        match window {
            Ok(window) => {
                let next = window.next_offset.map(u32::try_from).transpose()?;
                Ok(Read::There(Window { text: window.text, next }))
            }
            Err(FetchError::ClaimUnavailable(_)) => Ok(Read::Gone),
            Err(other) => bail!("{other:?}"),
        }
    }

    fn find(&mut self, run: &str, handle: &str, text: &str) -> Result<Read<Vec<u32>>> {
        let finding = self.call(|store, claims| {
            claims.claim_check_tool_results_fetch().call_find(store, &scope(run), handle, text, 0, 0)
        })?;
        match finding {
            Ok(finding) => {
                let offsets = finding.matches.iter().map(|found| u32::try_from(found.offset));
                Ok(Read::There(offsets.collect::<Result<_, _>>()?))
            }
            Err(FindError::Fetch(FetchError::ClaimUnavailable(_))) => Ok(Read::Gone),
            Err(other) => bail!("{other:?}"),
        }
    }

    fn forget(&mut self, run: &str) -> Result<u32> {
        let what = Erasure::Run(scope(run));
        let forgotten =
            self.call(|store, claims| claims.claim_check_tool_results_forget().call_forget(store, &what))?;
        forgotten.map_err(|error| anyhow::anyhow!("{error:?}"))
    }

    /// Another engine, another compilation; the folder stays.
    fn restart(&mut self) -> Result<()> {
        self.engine = Engine::default();
        self.pre = load(&self.engine, &self.path).map_err(trap)?;
        Ok(())
    }
}

fn scope(run: &str) -> Scope {
    Scope { tenant: "acme".to_owned(), run: run.to_owned() }
}

fn settings(keep: u32) -> Settings {
    Settings {
        policy: Policy { threshold_chars: 4096, head_chars: 512, tail_chars: 0, ttl_seconds: keep },
        per_tool: vec![],
        fetch_tool: "fetch_result".to_owned(),
        find_tool: Some("find_in_result".to_owned()),
        window_chars: 4096,
        neutralise: true,
    }
}
