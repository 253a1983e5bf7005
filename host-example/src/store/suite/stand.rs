//! One handle of the store under test, with the questions that many rules ask.

use std::sync::Arc;
use std::time::Duration;

use super::{Bench, Checked, Violation};
use crate::store::{Claim, Erasure, Scope, Store, StoreError};

/// So long that nothing expires while a rule is tried that is not about time.
pub(super) const LONG: u32 = 86_400;

pub(super) struct Stand<'b> {
    pub(super) bench: &'b Bench,
    pub(super) store: Arc<dyn Store>,
    /// A run of a tenant of its own.
    pub(super) scope: Scope,
}

impl<'b> Stand<'b> {
    pub(super) async fn new(bench: &'b Bench) -> Self {
        Self { bench, store: bench.open().await, scope: Scope::new(bench.tenant(), "run") }
    }

    pub(super) fn tenant(&self) -> Erasure {
        Erasure::Tenant(self.scope.tenant.clone())
    }

    pub(super) async fn put(&self, scope: &Scope, handle: &str, claim: &Claim, ttl_seconds: u32) -> Checked {
        let put = self.store.put(scope, handle, claim.clone(), ttl_seconds).await;
        put.map_err(|error| Violation(format!("put was refused: {error}")))
    }

    pub(super) async fn forget(&self, what: &Erasure) -> Result<u32, Violation> {
        self.store.forget(what).await.map_err(|error| Violation(format!("forget was refused: {error}")))
    }

    pub(super) async fn advance(&self, seconds: u32) {
        self.bench.advance(Duration::from_secs(seconds.into())).await;
    }

    /// The claim is there, all of it.
    pub(super) async fn is_whole(&self, when: &str, scope: &Scope, handle: &str, claim: &Claim) -> Checked {
        match self.store.fetch(scope, handle, 0, u32::MAX).await {
            Ok(held) => same(when, &held, claim),
            Err(error) => broken(format!("{when}: fetch was refused: {error}")),
        }
    }

    /// No claim is there.
    pub(super) async fn is_gone(&self, when: &str, scope: &Scope, handle: &str) -> Checked {
        match self.store.fetch(scope, handle, 0, u32::MAX).await {
            Err(StoreError::NotFound) => Ok(()),
            Ok(_) => broken(format!("{when}: the claim is served")),
            Err(error) => broken(format!("{when}: fetch answered not NotFound but: {error}")),
        }
    }
}

pub(super) fn broken<T>(how: String) -> Result<T, Violation> {
    Err(Violation(how))
}

pub(super) fn equal<T: Copy + PartialEq + std::fmt::Debug>(what: &str, got: T, expected: T) -> Checked {
    if got == expected { Ok(()) } else { broken(format!("{what}: {got:?} in place of {expected:?}")) }
}

/// Says where they differ and not what they hold, which may be 64 MiB.
pub(super) fn same(when: &str, held: &Claim, claim: &Claim) -> Checked {
    if held.manifest != claim.manifest {
        return broken(format!("{when}: the manifest is another one"));
    }
    equal(&format!("{when}: pages"), held.pages.len(), claim.pages.len())?;
    match held.pages.iter().zip(&claim.pages).position(|(held, page)| held != page) {
        Some(number) => broken(format!("{when}: page {number} is another one")),
        None => Ok(()),
    }
}

/// The n-th handle of a rule.
pub(super) fn handle(n: usize) -> String {
    format!("claim:{n:032x}")
}

/// A claim of so many pages, which says its name on every page.
pub(super) fn claim(name: &str, pages: usize) -> Claim {
    let pages = (0..pages).map(|number| format!("{name}, page {number}. ").repeat(20));
    Claim::new(format!("claim/1\nof {name}\n"), pages)
}

/// A claim of about so many bytes, in pages of 16384.
pub(super) fn claim_of_bytes(name: &str, bytes: usize) -> Claim {
    let pages = (0..bytes.div_ceil(16_384)).map(|number| {
        let mut page = format!("{name}, page {number}. ").repeat(16_384 / (name.len() + 8));
        page.truncate(16_384);
        page
    });
    Claim::new(format!("claim/1\nof {name}\n"), pages)
}
