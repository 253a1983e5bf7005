//! A process that is cut off, after any number of calls of the bucket.

use claim_check_store_layout::{Erasure, StoreError};

use super::shelf::Shelf;
use super::{HANDLE, pages, scope, store};

/// What was there before the put that is cut off: nothing, a live claim, an expired one.
const BEFORE: [Option<u32>; 3] = [None, Some(1000), Some(10)];

#[test]
fn a_put_that_is_cut_off_leaves_a_whole_claim_or_none() {
    for before in BEFORE {
        let mut done = false;
        for calls in 0..100 {
            let shelf = Shelf::default();
            if let Some(ttl) = before {
                store(&shelf, 100).put(&scope(), HANDLE, "old", &pages("old", 4), ttl).unwrap();
            }
            shelf.works_for(calls);
            done = store(&shelf, 200).put(&scope(), HANDLE, "new", &pages("new", 3), 1000).is_ok();
            shelf.works_again();
            let held = store(&shelf, 201).fetch(&scope(), HANDLE, 0, 9);
            let old = Ok(("old".to_owned(), pages("old", 4)));
            let new = Ok(("new".to_owned(), pages("new", 3)));
            let allowed = match (done, before) {
                (true, _) => held == new,
                (false, Some(1000)) => held == old || held == new,
                (false, _) => held == Err(StoreError::NotFound) || held == new,
            };
            assert!(allowed, "before {before:?}, cut off after {calls} calls: {held:?}");
            // And nothing of it outlives a forget.
            store(&shelf, 202).forget(&Erasure::Run(scope())).unwrap();
            assert!(
                shelf.keys().iter().all(|key| key == "c1a1015e"),
                "cut off after {calls} calls: {:?}",
                shelf.keys()
            );
            if done && calls > 30 {
                break;
            }
        }
        assert!(done, "no put was let through");
    }
}

#[test]
fn a_forget_that_is_cut_off_leaves_whole_claims_or_none() {
    for calls in 0..40 {
        let shelf = Shelf::default();
        let handles: Vec<_> = (0..3).map(|n| format!("claim:{n:032x}")).collect();
        for handle in &handles {
            store(&shelf, 100).put(&scope(), handle, "m", &pages(handle, 2), 1000).unwrap();
        }
        shelf.works_for(calls);
        let done = store(&shelf, 200).forget(&Erasure::Tenant("acme".to_owned()));
        shelf.works_again();
        for handle in &handles {
            match store(&shelf, 201).fetch(&scope(), handle, 0, 9) {
                Ok((_, held)) => assert_eq!(held, pages(handle, 2), "cut off after {calls} calls"),
                Err(error) => assert_eq!(error, StoreError::NotFound, "cut off after {calls} calls"),
            }
        }
        if done.is_ok() {
            assert_eq!(done, Ok(3));
        }
        store(&shelf, 202).forget(&Erasure::Tenant("acme".to_owned())).unwrap();
        assert_eq!(shelf.keys(), ["c1a1015e"]);
    }
}
