//! The rules of a store, over a folder on this machine's disk.

// A test that panics is a test that fails.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic, unreachable_pub)]

mod crashes;
mod disk;
mod lies;
mod sweeping;

use std::fs;

use claim_check_filesystem::{FolderStore, root};
use claim_check_store_layout::{Erasure, Instant, Scope, StoreError};

use disk::Disk;

pub(crate) const HANDLE: &str = "claim:0123456789abcdef0123456789abcdef";
pub(crate) const SECOND: u64 = 1_000_000_000;

pub(crate) fn scope() -> Scope {
    Scope::new("acme", "run-7f3a")
}

pub(crate) fn store<'a>(disk: &'a &'a Disk, seconds: u64) -> FolderStore<'a, &'a Disk> {
    FolderStore::new(disk, Instant(seconds * SECOND))
}

pub(crate) fn pages(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{name}, page {number}")).collect()
}

#[test]
fn a_claim_is_what_was_put_until_it_expires() {
    let disk = &Disk::new();
    store(&disk, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
    assert_eq!(
        store(&disk, 109).fetch(&scope(), HANDLE, 1, 9),
        Ok(("manifest".to_owned(), pages("a", 3)[1..].to_vec()))
    );
    assert_eq!(store(&disk, 110).fetch(&scope(), HANDLE, 0, 9), Err(StoreError::NotFound));
    assert_eq!(store(&disk, 109).fetch(&Scope::new("acme", "run-8"), HANDLE, 0, 9), Err(StoreError::NotFound));
}

#[test]
fn a_claim_that_is_put_again_expires_at_the_later_instant() {
    let disk = &Disk::new();
    store(&disk, 100).put(&scope(), HANDLE, "manifest", &pages("a", 5), 100).unwrap();
    store(&disk, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
    assert_eq!(store(&disk, 199).fetch(&scope(), HANDLE, 0, 9).unwrap().1, pages("a", 3));
    assert_eq!(disk.claims().len(), 1);
}

#[test]
fn a_large_claim_is_read_a_page_at_a_time() {
    let disk = &Disk::new();
    let large: Vec<_> = (0..200).map(|number| format!("{number:05}").repeat(13_000)).collect();
    store(&disk, 100).put(&scope(), HANDLE, &"m".repeat(100_000), &large, 10).unwrap();
    let (manifest, held) = store(&disk, 101).fetch(&scope(), HANDLE, 150, 2).unwrap();
    assert_eq!((manifest.len(), &held[..]), (100_000, &large[150..152]));
}

#[test]
fn the_last_forget_leaves_no_folder() {
    let disk = &Disk::new();
    for run in ["a", "b", "c"] {
        store(&disk, 100).put(&Scope::new("acme", run), HANDLE, "m", &pages(run, 2), 100).unwrap();
    }
    assert_eq!(store(&disk, 101).forget(&Erasure::Run(Scope::new("acme", "b"))), Ok(1));
    assert_eq!((disk.claims().len(), disk.folders()), (2, 1));
    assert_eq!(store(&disk, 101).forget(&Erasure::Tenant("acme".to_owned())), Ok(2));
    assert_eq!((disk.claims().len(), disk.folders()), (0, 0));
    assert_eq!(store(&disk, 101).forget(&Erasure::Tenant("acme".to_owned())), Ok(0));
}

#[test]
fn a_folder_that_is_somebody_elses_is_refused() {
    let disk = &Disk::new();
    fs::remove_file(disk.path(root::MARK)).unwrap();
    fs::write(disk.path("thesis.txt"), "three years of work").unwrap();
    assert!(matches!(root::claim(&disk), Err(StoreError::Failed(why)) if why.contains("empty")));
    fs::remove_file(disk.path("thesis.txt")).unwrap();
    root::claim(&disk).unwrap();
    fs::write(disk.path(root::MARK), "claim-check store 2\n").unwrap();
    assert!(matches!(root::claim(&disk), Err(StoreError::Failed(why)) if why.contains("version")));
    // As a process leaves it that was stopped between making the file and writing it.
    fs::write(disk.path(root::MARK), "").unwrap();
    root::claim(&disk).unwrap();
}

#[test]
fn what_is_no_handle_is_never_a_path() {
    let disk = &Disk::new();
    assert!(matches!(store(&disk, 1).put(&scope(), "claim:../../x", "m", &[], 10), Err(StoreError::Failed(_))));
    assert_eq!(store(&disk, 1).fetch(&scope(), "../claim-check-store", 0, 1), Err(StoreError::NotFound));
    assert_eq!(disk.folders(), 0);
}
