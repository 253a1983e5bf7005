//! A folder that holds anything: no panic, and no claim that nobody put.

use std::fs;

use claim_check_store_layout::{Erasure, StoreError};
use proptest::prelude::*;

use super::disk::Disk;
use super::{HANDLE, pages, scope, store};

proptest! {
    #[test]
    fn a_changed_file_is_an_absent_claim_or_changed_text(at: prop::sample::Index, to: u8, change in 0..3) {
        let disk = &Disk::new();
        store(&disk, 100).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
        let path = disk.claims().remove(0);
        let mut bytes = fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        match change {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, to),
            _ => bytes[at] = to,
        }
        fs::write(&path, &bytes).unwrap();
        match store(&disk, 105).fetch(&scope(), HANDLE, 0, u32::MAX) {
            Ok((manifest, held)) => prop_assert!(change == 2 && held.len() == 3 && manifest.len() == 8),
            Err(error) => prop_assert_eq!(error, StoreError::NotFound),
        }
        // Whatever was there, a put makes it whole and a forget takes it.
        store(&disk, 106).put(&scope(), HANDLE, "manifest", &pages("a", 3), 10).unwrap();
        prop_assert_eq!(store(&disk, 107).fetch(&scope(), HANDLE, 0, 9).unwrap().1, pages("a", 3));
        prop_assert_eq!(store(&disk, 107).forget(&Erasure::Run(scope())), Ok(1));
        prop_assert_eq!(disk.folders(), 0);
    }

    #[test]
    fn any_file_is_read_without_a_panic(bytes: Vec<u8>, sizes: [u32; 2], tail: Vec<u8>) {
        let disk = &Disk::new();
        store(&disk, 100).put(&scope(), HANDLE, "manifest", &pages("a", 1), 10).unwrap();
        let path = disk.claims().remove(0);
        let header = format!("claim-check store 1\nffffffffffffffff 0000000000000000 {:08x} {:08x}\n", sizes[0] % 20_000, sizes[1] % 600_000);
        for content in [bytes, [header.as_bytes(), &tail].concat()] {
            fs::write(&path, &content).unwrap();
            prop_assert_eq!(store(&disk, 105).fetch(&scope(), HANDLE, 0, u32::MAX), Err(StoreError::NotFound));
        }
    }
}
