//! Expired claims are removed without anyone asking.

use claim_check_store_layout::Scope;

use super::shelf::Shelf;
use super::{HANDLE, pages, scope, store};

#[test]
fn a_put_takes_what_has_expired() {
    let shelf = Shelf::default();
    for run in 0..5 {
        let scope = Scope::new("other", format!("run {run}"));
        store(&shelf, 100).put(&scope, HANDLE, "m", &pages("a", 4), 10).unwrap();
    }
    store(&shelf, 100).put(&Scope::new("third", "lasts"), HANDLE, "m", &pages("a", 2), 1000).unwrap();
    assert_eq!(shelf.keys().len(), 5 * 5 + 3 + 1);
    // Within the minute nothing is looked for.
    store(&shelf, 159).put(&scope(), HANDLE, "m", &[], 1000).unwrap();
    assert_eq!(shelf.keys().len(), 5 * 5 + 3 + 1 + 1);
    store(&shelf, 160).put(&scope(), HANDLE, "m", &[], 1000).unwrap();
    assert_eq!(shelf.keys().len(), 3 + 1 + 1);
    assert!(store(&shelf, 161).fetch(&Scope::new("third", "lasts"), HANDLE, 0, 9).is_ok());
}

#[test]
fn pages_of_a_put_that_was_cut_off_expire_too() {
    let shelf = Shelf::default();
    // A call for the earlier header, and two pages; what is left can't be deleted either.
    shelf.works_for(3);
    store(&shelf, 100).put(&scope(), HANDLE, "m", &pages("a", 4), 10).unwrap_err();
    shelf.works_again();
    assert_eq!(shelf.keys().len(), 3);
    store(&shelf, 200).put(&Scope::new("acme", "another"), HANDLE, "m", &[], 10).unwrap();
    assert_eq!(shelf.keys().len(), 2);
}

#[test]
fn a_clock_that_was_set_back_does_not_stop_the_sweeping() {
    let shelf = Shelf::default();
    store(&shelf, 5000).put(&scope(), HANDLE, "m", &[], 10).unwrap();
    store(&shelf, 100).put(&Scope::new("acme", "another"), HANDLE, "m", &[], 10).unwrap();
    store(&shelf, 170).put(&Scope::new("acme", "a third"), HANDLE, "m", &[], 10).unwrap();
    assert_eq!(shelf.keys().len(), 3, "the first lives on by this clock, the second has gone");
}
