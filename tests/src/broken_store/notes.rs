//! What a flaw has to remember: what was put, for how long, and what was forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use claim_check_host::{Claim, Clock, Erasure, Scope, Store};

use super::{BrokenStore, Flaw};

#[derive(Clone)]
pub(super) struct Note {
    pub(super) bytes: usize,
    pub(super) puts: u32,
    pub(super) expiry: Duration,
}

#[derive(Default)]
pub(super) struct Notes {
    pub(super) held: BTreeMap<(Scope, String), Note>,
    pub(super) longest: BTreeMap<(Scope, String), u32>,
    pub(super) graves: BTreeMap<(Scope, String), Claim>,
}

impl BrokenStore {
    pub(super) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scopes in which something was put.
    pub(super) fn noted(&self, is_meant: impl Fn(&Scope) -> bool) -> BTreeSet<Scope> {
        self.notes().held.keys().map(|(scope, _)| scope).filter(|scope| is_meant(scope)).cloned().collect()
    }

    /// How much was put for the tenant under other keys, and not forgotten.
    pub(super) fn bytes_beside(&self, scope: &Scope, handle: &str) -> usize {
        let notes = self.notes();
        let beside = notes
            .held
            .iter()
            .filter(|((of, other), _)| of.tenant == scope.tenant && (of.run != scope.run || other != handle));
        beside.map(|(_, note)| note.bytes).sum()
    }

    pub(super) fn note(&self, key: (Scope, String), bytes: usize, ttl: u32) {
        let now = self.clock.now();
        let expiry = now + Duration::from_secs(ttl.into());
        let mut notes = self.notes();
        let note = notes.held.entry(key).or_insert(Note { bytes, puts: 0, expiry });
        note.bytes = bytes;
        note.puts += 1;
        if self.flaw == Flaw::LastExpiryWins || note.expiry <= now {
            note.expiry = expiry;
        }
    }

    pub(super) async fn revive(&self, scope: &Scope, handle: &str) {
        let graves = std::mem::take(&mut self.notes().graves);
        for ((of, forgotten), claim) in graves {
            if of == *scope && forgotten != handle {
                let _ = self.inner.put(&of, &forgotten, claim, 3600).await;
            }
        }
    }

    pub(super) async fn bury(&self, what: &Erasure) {
        let keys: Vec<_> = self.notes().held.keys().filter(|(scope, _)| what.covers(scope)).cloned().collect();
        for (scope, handle) in keys {
            if let Ok(claim) = self.inner.fetch(&scope, &handle, 0, u32::MAX).await {
                self.notes().graves.insert((scope, handle), claim);
            }
        }
    }
}
