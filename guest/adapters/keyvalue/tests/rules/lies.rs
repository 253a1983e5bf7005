//! A bucket that answers anything: no panic, and no claim that nobody put.

use claim_check_store_layout::{Erasure, StoreError};
use proptest::prelude::*;

use super::shelf::Shelf;
use super::{HANDLE, pages, scope, store};

proptest! {
    #[test]
    fn a_changed_value_is_an_absent_claim_or_changed_text(which: prop::sample::Index, at: prop::sample::Index, to: u8, cut: bool) {
        let shelf = Shelf::default();
        store(&shelf, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
        let key = shelf.keys()[which.index(shelf.keys().len())].clone();
        {
            let mut values = shelf.values.borrow_mut();
            let value = values.get_mut(&key).unwrap();
            let at = at.index(value.len());
            if cut { value.truncate(at) } else { value[at] = to }
        }
        match store(&shelf, 105).fetch(&scope(), HANDLE, 0, u32::MAX) {
            Ok((_, held)) => prop_assert!(held.len() <= 16_384),
            Err(error) => prop_assert_eq!(error, StoreError::NotFound),
        }
        // Whatever was there, a put makes it whole and a forget takes it.
        store(&shelf, 106).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
        prop_assert_eq!(store(&shelf, 107).fetch(&scope(), HANDLE, 0, 9).unwrap().1, pages("a", 3));
        prop_assert_eq!(store(&shelf, 107).forget(&Erasure::Run(scope())), Ok(1));
    }

    #[test]
    fn any_value_is_read_without_a_panic(header: Vec<u8>, page: Vec<u8>) {
        let shelf = Shelf::default();
        store(&shelf, 100).put(&scope(), HANDLE, "manifest", &pages("a", 1), 10).unwrap();
        for (key, value) in shelf.values.borrow_mut().iter_mut() {
            *value = if key.len() == 102 { header.clone() } else { page.clone() };
        }
        let _ = store(&shelf, 105).fetch(&scope(), HANDLE, 0, u32::MAX);
        let _ = store(&shelf, 5000).put(&scope(), HANDLE, "manifest", &pages("a", 1), 10);
    }
}
