//! The rules of a store, over a bucket in memory.

// A test that panics is a test that fails.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic, unreachable_pub)]

mod crashes;
mod lies;
mod shelf;
mod sweeping;

use claim_check_keyvalue::KeyvalueStore;
use claim_check_store_layout::{Erasure, Instant, Scope, StoreError};

use shelf::Shelf;

pub(crate) const HANDLE: &str = "claim:0123456789abcdef0123456789abcdef";
pub(crate) const SECOND: u64 = 1_000_000_000;

pub(crate) fn scope() -> Scope {
    Scope::new("acme", "run-7f3a")
}

pub(crate) fn store(shelf: &Shelf, seconds: u64) -> KeyvalueStore<'_, Shelf> {
    KeyvalueStore::new(shelf, Instant(seconds * SECOND))
}

pub(crate) fn pages(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{name}, page {number}")).collect()
}

#[test]
fn a_claim_is_what_was_put_until_it_expires() {
    let shelf = Shelf::default();
    store(&shelf, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
    assert_eq!(
        store(&shelf, 109).fetch(&scope(), HANDLE, 1, 9),
        Ok(("manifest".to_owned(), pages("a", 3)[1..].to_vec()))
    );
    assert_eq!(store(&shelf, 110).fetch(&scope(), HANDLE, 0, 9), Err(StoreError::NotFound));
    let other = Scope::new("acme", "run-8");
    assert_eq!(store(&shelf, 109).fetch(&other, HANDLE, 0, 9), Err(StoreError::NotFound));
}

#[test]
fn a_claim_that_is_put_again_leaves_no_page_of_the_first_time() {
    let shelf = Shelf::default();
    store(&shelf, 100).put(&scope(), HANDLE, "manifest", &pages("a", 5), 100).unwrap();
    // At the same instant, with an earlier expiry: other pages all the same, and the later expiry.
    store(&shelf, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
    assert_eq!(shelf.keys().len(), 1 + 3 + 1, "a header, 3 pages, the instant of the last sweep");
    assert_eq!(store(&shelf, 199).fetch(&scope(), HANDLE, 0, 9).unwrap().1, pages("a", 3));
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let shelf = Shelf::default();
    for key in ["c1a101", "c1a1015e00", "something else", ""] {
        shelf.values.borrow_mut().insert(key.to_owned(), vec![1]);
    }
    let before = shelf.keys();
    store(&shelf, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
    assert_eq!(store(&shelf, 105).forget(&Erasure::Tenant("acme".to_owned())), Ok(1));
    store(&shelf, 9999).put(&scope(), HANDLE, "manifest", &[], 10).unwrap();
    assert_eq!(store(&shelf, 9999).forget(&Erasure::Run(scope())), Ok(1));
    let left: Vec<_> = shelf.keys().into_iter().filter(|key| key != "c1a1015e").collect();
    assert_eq!(left, before);
}

#[test]
fn what_is_no_handle_is_never_a_key() {
    let shelf = Shelf::default();
    assert!(matches!(store(&shelf, 1).put(&scope(), "claim:../../x", "m", &[], 10), Err(StoreError::Failed(_))));
    assert_eq!(store(&shelf, 1).fetch(&scope(), "", 0, 1), Err(StoreError::NotFound));
    assert_eq!(shelf.keys(), Vec::<String>::new());
}
