//! The words of the interface `store`, for rules that know no bindings.

/// The largest content that the claim check makes a claim of, in bytes: 64 MiB.
pub const MAX_CONTENT_BYTES: usize = 64 << 20;

/// Whose claim it is: opaque text, compared byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The customer, user or workspace: what is forgotten as a whole.
    pub tenant: String,
    /// One agent run of the tenant.
    pub run: String,
}

impl Scope {
    /// The scope of one run of one tenant.
    pub fn new(tenant: impl Into<String>, run: impl Into<String>) -> Self {
        Self { tenant: tenant.into(), run: run.into() }
    }
}

/// What is erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Erasure {
    /// Everything of this tenant, whichever run it belongs to.
    Tenant(String),
    /// One run of one tenant.
    Run(Scope),
}

/// What a store answers when it does not do what it was asked. The texts are for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No live claim is held under the handle in this scope.
    NotFound,
    /// The store can't be reached or is busy; the same call may succeed later.
    Unavailable(String),
    /// The store takes no more.
    Full(String),
    /// Trying again will not help.
    Failed(String),
}
