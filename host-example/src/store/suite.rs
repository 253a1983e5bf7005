//! The rules that every store keeps, as code: run it on yours.
//!
//! Each rule is a small async function over a [`Bench`], which opens the store and moves its time. [`run`] tries all of
//! [`RULES`] and reports which are broken.
//!
//! ```
//! use claim_check_host::store_suite::{self, Bench};
//! use claim_check_host::{ManualClock, MemoryStore, Store};
//! use std::{future::ready, sync::Arc};
//!
//! # #[tokio::main]
//! # async fn main() {
//! let clock = Arc::new(ManualClock::new());
//! let store: Arc<dyn Store> = Arc::new(MemoryStore::with_clock(clock.clone()).bounds(80 << 20, 1 << 30));
//! let bench = Bench::new(move || ready(store.clone())).clock(clock).tenant_bytes(80 << 20);
//! let report = store_suite::run(&bench).await;
//! assert!(report.broken().is_empty(), "{report}");
//! # }
//! ```
//!
//! A store that takes no clock is tested in real time: leave [`Bench::clock`] out, and the run takes about half a minute.
//!
//! The suite writes up to 64 MiB, or the bound where that is more, under tenants whose names begin with `suite-`, and
//! forgets them when it is done. It needs a tokio runtime with its time enabled. Rules may be added in any version.

mod bounds;
mod content;
mod forgetting;
mod report;
mod scopes;
mod stand;
mod time;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{fmt, process};

pub use report::{Report, Verdict, Violation};

use super::unwinding::caught;
use super::{Erasure, ManualClock, Store};

/// A rule has to be shown within this time; a store that hangs breaks it.
const PATIENCE: Duration = Duration::from_secs(120);
/// Real time is given so much more than was asked for, for clocks that are not this machine's.
const MARGIN: Duration = Duration::from_millis(250);

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a rule found.
pub type Checked = Result<(), Violation>;

/// A store under test: how it is opened, how its time passes, what it may hold.
pub struct Bench {
    open: Box<dyn Fn() -> Boxed<'static, Arc<dyn Store>> + Send + Sync>,
    clock: Option<Arc<ManualClock>>,
    tenant_bytes: Option<usize>,
    tenants: Mutex<Vec<String>>,
}

impl Bench {
    /// A store that `open` makes, or opens again: all that it gives must be handles of one store.
    pub fn new<F>(open: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Arc<dyn Store>> + Send + 'static,
    {
        Self { open: Box::new(move || Box::pin(open())), clock: None, tenant_bytes: None, tenants: Mutex::default() }
    }

    /// The store's claims expire by this clock, which nobody else moves.
    #[must_use]
    pub fn clock(mut self, clock: Arc<ManualClock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The store refuses a tenant more than so many bytes, at least 68 MiB; without it the rules of bounds are skipped.
    #[must_use]
    pub fn tenant_bytes(mut self, bytes: usize) -> Self {
        self.tenant_bytes = Some(bytes);
        self
    }

    /// One more handle of the store.
    pub async fn open(&self) -> Arc<dyn Store> {
        (self.open)().await
    }

    /// Lets time pass for the store.
    pub async fn advance(&self, by: Duration) {
        match &self.clock {
            Some(clock) => clock.advance(by),
            None => tokio::time::sleep(by + MARGIN).await,
        }
    }

    /// Whether time stands still but for [`advance`](Self::advance), so that instants can be told.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.clock.is_some()
    }

    /// The bound that the store was said to have.
    #[must_use]
    pub fn bound(&self) -> Option<usize> {
        self.tenant_bytes
    }

    /// A tenant that nobody has used before; it is forgotten when the rule has been tried.
    #[must_use]
    pub fn tenant(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let tenant = format!("suite-{:020}-{:010}-{count:010}.", since.as_nanos(), process::id());
        self.will_use(tenant.clone());
        tenant
    }

    /// A tenant that is forgotten when the rule has been tried.
    pub fn will_use(&self, tenant: String) {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).push(tenant);
    }

    /// Whether the store can be opened and can forget is a rule's business, so here neither has to succeed.
    async fn clear(&self) {
        let tenants = std::mem::take(&mut *self.tenants.lock().unwrap_or_else(PoisonError::into_inner));
        let Ok(store) = caught(self.open()).await else { return };
        for tenant in tenants {
            let _ = caught(async { store.forget(&Erasure::Tenant(tenant)).await }).await;
        }
    }
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench")
            .field("clock", &self.clock)
            .field("tenant_bytes", &self.tenant_bytes)
            .finish_non_exhaustive()
    }
}

/// One rule of the [`Store`] trait.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What it is called, for reports.
    pub name: &'static str,
    /// Whether it can be shown only where the store declares a bound.
    pub needs_bound: bool,
    check: for<'a> fn(&'a Bench) -> Boxed<'a, Checked>,
}

impl Rule {
    /// Tries the rule. A store that panics or hangs breaks it, and the next one can be tried all the same.
    pub async fn check(&self, bench: &Bench) -> Verdict {
        if self.needs_bound && bench.bound().is_none() {
            return Verdict::Skipped("the store declares no bound");
        }
        let checked = match tokio::time::timeout(PATIENCE, caught((self.check)(bench))).await {
            Ok(Ok(checked)) => checked,
            Ok(Err(panic)) => Err(Violation(format!("panicked: {}", report::reason(&panic)))),
            Err(_) => Err(Violation(format!("no answer within {PATIENCE:?}"))),
        };
        // One that hangs here, too, is not waited for again and again.
        let _ = tokio::time::timeout(PATIENCE, bench.clear()).await;
        checked.map_or_else(Verdict::Broken, |()| Verdict::Kept)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Tries every rule, one after the other.
pub async fn run(bench: &Bench) -> Report {
    let mut report = Report::default();
    for rule in RULES {
        report.verdicts.push((rule.name, rule.check(bench).await));
    }
    report
}

macro_rules! rules {
    ($($module:ident($needs_bound:literal): $($name:ident)+;)+) => {
        $(pub use $module::{$($name,)+};)+
        /// Every rule, in the order in which [`run`] tries them.
        pub const RULES: &[Rule] = &[
            $($(Rule { name: stringify!($name), needs_bound: $needs_bound, check: |bench| Box::pin($name(bench)) },)+)+
        ];
    };
}

rules! {
    content(false): content_comes_back_exactly all_or_nothing put_over_damaged_makes_whole pages_past_the_end_are_none
        page_ranges_are_exact large_claims_are_kept many_at_once_are_kept;
    scopes(false): foreign_scopes_see_nothing scopes_are_not_joined runs_are_not_paths names_are_not_patterns case_matters
        two_handles_are_one_store;
    forgetting(false): forget_takes_one_run forget_takes_a_whole_tenant forget_counts_live_claims forget_of_nothing_counts_none
        forgotten_stays_forgotten put_after_forget_is_new;
    time(false): expires_at_the_instant expires_at_the_later_of_two fetch_does_not_prolong put_after_expiry_is_new
        longest_ttl_is_kept;
    bounds(true): full_is_refused_as_full full_loses_nothing refused_leaves_nothing refusals_hold_no_content
        expired_makes_room;
}
