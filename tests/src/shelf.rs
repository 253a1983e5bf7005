//! A store that keeps, counts, fails and lies as a test tells it to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use claim_check_guest::{Claim, Erasure, Scope, StoreError};

/// What is kept under one handle; the pages are shared, not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The manifest as it was put.
    pub manifest: Arc<str>,
    /// The pages as they were put.
    pub pages: Vec<Arc<str>>,
}

impl Kept {
    /// What a store would be given for this content.
    #[must_use]
    pub fn of(content: &str) -> Self {
        let claim = Claim::of(content);
        Self { manifest: claim.manifest.into(), pages: claim.pages.into_iter().map(Into::into).collect() }
    }

    /// The manifest and a range of the pages, as an honest store answers.
    #[must_use]
    pub fn part(&self, first: u32, count: u32) -> Self {
        let pages = self.pages.iter().skip(first as usize).take(count as usize).cloned().collect();
        Self { manifest: self.manifest.clone(), pages }
    }
}

/// One call that the store received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreCall {
    /// What was put, and for how long.
    Put {
        /// The scope it was put in.
        scope: Scope,
        /// The handle it was put under.
        handle: String,
        /// What was put.
        claim: Kept,
        /// For how many seconds.
        ttl_seconds: u32,
    },
    /// What was asked for.
    Fetch {
        /// The scope it was asked for in.
        scope: Scope,
        /// The handle it was asked for under.
        handle: String,
        /// The first page asked for.
        first: u32,
        /// How many pages were asked for.
        count: u32,
    },
    /// What was to be forgotten.
    Forget(Erasure),
}

/// What a shelf answers to a fetch in place of what it keeps: from what it keeps (if anything), the first page and
/// the number of pages asked for.
pub type Lie = Box<dyn Fn(Option<&Kept>, u32, u32) -> Result<Kept, StoreError> + Send>;

#[derive(Default)]
struct Inside {
    claims: BTreeMap<(String, String, String), Kept>,
    calls: Vec<StoreCall>,
    lie: Option<Lie>,
    refusal: Option<StoreError>,
}

/// The store of the tests.
#[derive(Default)]
pub struct Shelf(Mutex<Inside>);

impl Shelf {
    /// An empty shelf, ready to be shared.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a content without anyone checking it in, and gives its handle.
    pub fn place(&self, scope: &Scope, content: &str) -> String {
        let claim = Kept::of(content);
        let handle = claim_check_guest::claim::handle(scope, &claim.manifest);
        self.place_under(scope, &handle, claim);
        handle
    }

    /// Keeps anything under any handle.
    pub fn place_under(&self, scope: &Scope, handle: &str, claim: Kept) {
        self.inside().claims.insert(key(scope, handle), claim);
    }

    /// What is kept under a handle.
    #[must_use]
    pub fn kept(&self, scope: &Scope, handle: &str) -> Option<Kept> {
        self.inside().claims.get(&key(scope, handle)).cloned()
    }

    /// From now on every fetch is answered by `lie`.
    pub fn lie(&self, lie: impl Fn(Option<&Kept>, u32, u32) -> Result<Kept, StoreError> + Send + 'static) {
        self.inside().lie = Some(Box::new(lie));
    }

    /// From now on every call is refused so.
    pub fn refuse(&self, error: StoreError) {
        self.inside().refusal = Some(error);
    }

    /// From now on every call is answered honestly.
    pub fn be_honest(&self) {
        let mut inside = self.inside();
        (inside.lie, inside.refusal) = (None, None);
    }

    /// The calls since the last time this was asked.
    #[must_use]
    pub fn take_calls(&self) -> Vec<StoreCall> {
        std::mem::take(&mut self.inside().calls)
    }

    /// As the store interface says.
    ///
    /// # Errors
    /// Only as [`refuse`](Self::refuse) told it to.
    pub fn put(&self, scope: &Scope, handle: &str, claim: Kept, ttl_seconds: u32) -> Result<(), StoreError> {
        let mut inside = self.inside();
        let (scope, handle) = (scope.clone(), handle.to_owned());
        inside.calls.push(StoreCall::Put {
            scope: scope.clone(),
            handle: handle.clone(),
            claim: claim.clone(),
            ttl_seconds,
        });
        if let Some(error) = &inside.refusal {
            return Err(error.clone());
        }
        inside.claims.insert(key(&scope, &handle), claim);
        Ok(())
    }

    /// As the store interface says, or as it was told to lie.
    ///
    /// # Errors
    /// `NotFound`, and as [`refuse`](Self::refuse) told it to.
    pub fn fetch(&self, scope: &Scope, handle: &str, first: u32, count: u32) -> Result<Kept, StoreError> {
        let mut inside = self.inside();
        inside.calls.push(StoreCall::Fetch { scope: scope.clone(), handle: handle.to_owned(), first, count });
        if let Some(error) = &inside.refusal {
            return Err(error.clone());
        }
        let kept = inside.claims.get(&key(scope, handle));
        match &inside.lie {
            Some(lie) => lie(kept, first, count),
            None => kept.map(|kept| kept.part(first, count)).ok_or(StoreError::NotFound),
        }
    }

    /// As the store interface says.
    ///
    /// # Errors
    /// Only as [`refuse`](Self::refuse) told it to.
    pub fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        let mut inside = self.inside();
        inside.calls.push(StoreCall::Forget(what.clone()));
        if let Some(error) = &inside.refusal {
            return Err(error.clone());
        }
        let before = inside.claims.len();
        inside.claims.retain(|(tenant, run, _), _| match what {
            Erasure::Tenant(erased) => tenant != erased,
            Erasure::Run(scope) => (tenant, run) != (&scope.tenant, &scope.run),
        });
        Ok(u32::try_from(before - inside.claims.len()).unwrap_or(u32::MAX))
    }
}

fn key(scope: &Scope, handle: &str) -> (String, String, String) {
    (scope.tenant.clone(), scope.run.clone(), handle.to_owned())
}
