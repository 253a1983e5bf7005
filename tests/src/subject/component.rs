//! The component in the wasmtime host, over the shelf.

use std::sync::Arc;

use claim_check_guest::{
    Erasure, FetchError, FindError, Finding, Refusal, Reply, Scope, Settings, SettingsError, Window,
};
use claim_check_host as host;
use tokio::runtime::Runtime;

use super::{Extracts, Outcome, Refused, Subject, translate};
use crate::shelf::{Kept, Shelf};

/// The crate `claim-check-host`, and the component in it. A call that itself fails (a trap, a deadline) is a panic:
/// no test expects one here.
#[derive(Debug)]
pub struct Component {
    runtime: Runtime,
    engine: host::Engine,
    /// Open with the default settings over a store that nothing is kept in.
    idle: host::ClaimCheck,
}

/// The host's store that is a shelf.
pub struct OnShelf(pub Arc<Shelf>);

#[host::async_trait]
impl host::Store for OnShelf {
    async fn put(
        &self,
        scope: &host::Scope,
        handle: &str,
        claim: host::Claim,
        ttl_seconds: u32,
    ) -> Result<(), host::StoreError> {
        let kept = Kept { manifest: claim.manifest, pages: claim.pages };
        self.0.put(&translate::scope_in(scope), handle, kept, ttl_seconds).map_err(translate::store_error_out)
    }

    async fn fetch(
        &self,
        scope: &host::Scope,
        handle: &str,
        first: u32,
        count: u32,
    ) -> Result<host::Claim, host::StoreError> {
        let kept =
            self.0.fetch(&translate::scope_in(scope), handle, first, count).map_err(translate::store_error_out)?;
        Ok(host::Claim { manifest: kept.manifest, pages: kept.pages })
    }

    async fn forget(&self, what: &host::Erasure) -> Result<u32, host::StoreError> {
        self.0.forget(&translate::erasure_in(what)).map_err(translate::store_error_out)
    }
}

impl Component {
    /// Compiles the component, once for any number of calls.
    ///
    /// # Errors
    /// This machine can't run it.
    pub fn new() -> anyhow::Result<Self> {
        let runtime = Runtime::new()?;
        let engine = host::Engine::new(&host::Limits::default())?;
        let store = Arc::new(OnShelf(Shelf::new()));
        let idle = runtime.block_on(host::ClaimCheck::open_in(&engine, host::Settings::default(), store))?;
        Ok(Self { runtime, engine, idle })
    }

    fn open(&self, shelf: &Arc<Shelf>, settings: &Settings) -> Result<host::ClaimCheck, SettingsError> {
        let store = Arc::new(OnShelf(Arc::clone(shelf)));
        let opened = host::ClaimCheck::open_in(&self.engine, translate::settings_out(settings), store);
        self.runtime.block_on(opened).map_err(translate::open_error_in)
    }

    fn open_with_defaults(&self, shelf: &Arc<Shelf>) -> host::ClaimCheck {
        self.open(shelf, &Settings::default()).unwrap_or_else(|error| panic!("the defaults are refused: {error}"))
    }
}

impl Subject for Component {
    fn extracts(&self) -> Option<Extracts> {
        None
    }

    fn validate(&self, settings: &Settings) -> Result<(), SettingsError> {
        let asked = self.runtime.block_on(self.idle.validate(&translate::settings_out(settings)));
        let asked = asked.map_err(translate::open_error_in);
        let opened = self.open(&Shelf::new(), settings).map(|_| ());
        assert_eq!(asked, opened, "validate and open do not agree");
        asked
    }

    fn check_in(
        &self,
        shelf: &Arc<Shelf>,
        settings: &Settings,
        scope: &Scope,
        tool: &str,
        content: &str,
    ) -> Result<Outcome, Refused> {
        let claims = self.open(shelf, settings).map_err(Refused::Settings)?;
        let outcome = self.runtime.block_on(claims.check_in(&translate::scope_out(scope), tool, content));
        outcome.map(translate::outcome_in).map_err(translate::check_in_error_in)
    }

    fn fetch(
        &self,
        shelf: &Arc<Shelf>,
        scope: &Scope,
        handle: &str,
        offset: i32,
        max_chars: u32,
    ) -> Result<Window, FetchError> {
        let claims = self.open_with_defaults(shelf);
        let window = self.runtime.block_on(claims.fetch(&translate::scope_out(scope), handle, offset, max_chars));
        window.map(translate::window_in).map_err(translate::fetch_error_in)
    }

    fn find(
        &self,
        shelf: &Arc<Shelf>,
        scope: &Scope,
        handle: &str,
        needle: &str,
        offset: i32,
        max_matches: u32,
    ) -> Result<Finding, FindError> {
        let claims = self.open_with_defaults(shelf);
        let finding =
            self.runtime.block_on(claims.find(&translate::scope_out(scope), handle, needle, offset, max_matches));
        finding.map(translate::finding_in).map_err(translate::find_error_in)
    }

    fn answer(
        &self,
        shelf: &Arc<Shelf>,
        settings: &Settings,
        scope: &Scope,
        tool: &str,
        arguments: &str,
    ) -> Result<Reply, Refusal> {
        let claims = self.open(shelf, settings).unwrap_or_else(|error| panic!("the settings are refused: {error}"));
        let reply = self.runtime.block_on(claims.answer(&translate::scope_out(scope), tool, arguments));
        reply.map(|reply| Reply { text: reply.text, note: reply.note }).map_err(translate::answer_error_in)
    }

    fn forget(&self, shelf: &Arc<Shelf>, what: &Erasure) -> Result<u32, Refused> {
        let claims = self.open_with_defaults(shelf);
        let forgotten = self.runtime.block_on(claims.forget(&translate::erasure_out(what)));
        forgotten.map_err(translate::forget_error_in)
    }

    fn neutralise(&self, text: &str) -> Option<String> {
        self.runtime.block_on(self.idle.neutralise(text)).unwrap_or_else(|error| panic!("neutralise failed: {error:?}"))
    }

    fn truncate(&self, text: &str, max_chars: u32) -> Option<String> {
        self.runtime
            .block_on(self.idle.truncate(text, max_chars))
            .unwrap_or_else(|error| panic!("truncate failed: {error:?}"))
    }
}
