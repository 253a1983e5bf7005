//! A process that is cut off, after any number of calls of the platform.

use claim_check_store_layout::{Erasure, StoreError};

use super::disk::Disk;
use super::{HANDLE, pages, scope, store};

#[test]
fn a_put_that_is_cut_off_leaves_a_whole_claim_or_none() {
    // What was there before: nothing, a live claim, an expired one.
    for before in [None, Some(1000), Some(10)] {
        for calls in 0..60 {
            let disk = &Disk::new();
            if let Some(ttl) = before {
                store(&disk, 100).put(&scope(), HANDLE, "old", &pages("old", 4), ttl).unwrap();
            }
            disk.works_for(calls);
            let done = store(&disk, 200).put(&scope(), HANDLE, "new", &pages("new", 3), 1000).is_ok();
            disk.works_again();
            assert!(done || calls < 50, "no put was let through");
            let held = store(&disk, 201).fetch(&scope(), HANDLE, 0, 9);
            let old = Ok(("old".to_owned(), pages("old", 4)));
            let new = Ok(("new".to_owned(), pages("new", 3)));
            let allowed = match (done, before) {
                (true, _) => held == new,
                (false, Some(1000)) => held == old || held == new,
                (false, _) => held == Err(StoreError::NotFound) || held == new,
            };
            assert!(allowed, "before {before:?}, cut off after {calls} calls: {held:?}");
            // And nothing of it outlives a forget.
            store(&disk, 202).forget(&Erasure::Run(scope())).unwrap();
            assert_eq!((disk.claims().len(), disk.folders()), (0, 0), "cut off after {calls} calls");
        }
    }
}

#[test]
fn a_forget_that_is_cut_off_leaves_whole_claims_or_none() {
    for calls in 0..60 {
        let disk = &Disk::new();
        let handles: Vec<_> = (0..3).map(|n| format!("claim:{n:032x}")).collect();
        for handle in &handles {
            store(&disk, 100).put(&scope(), handle, "m", &pages(handle, 2), 1000).unwrap();
        }
        disk.works_for(calls);
        let done = store(&disk, 200).forget(&Erasure::Tenant("acme".to_owned()));
        disk.works_again();
        assert!(done.is_ok() || calls < 50, "no forget was let through");
        for handle in &handles {
            match store(&disk, 201).fetch(&scope(), handle, 0, 9) {
                Ok((_, held)) => assert_eq!(held, pages(handle, 2), "cut off after {calls} calls"),
                Err(error) => assert_eq!(error, StoreError::NotFound, "cut off after {calls} calls"),
            }
        }
        if done.is_ok() {
            assert_eq!(done, Ok(3));
        }
        store(&disk, 202).forget(&Erasure::Tenant("acme".to_owned())).unwrap();
        assert_eq!((disk.claims().len(), disk.folders()), (0, 0));
    }
}
