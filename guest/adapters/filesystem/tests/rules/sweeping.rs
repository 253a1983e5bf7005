//! Expired claims are removed without anyone asking.

use std::fs;

use claim_check_store_layout::Scope;

use super::disk::Disk;
use super::{HANDLE, pages, scope, store};

#[test]
fn a_put_takes_what_has_expired() {
    let disk = &Disk::new();
    for run in 0..5 {
        store(&disk, 100).put(&Scope::new("other", format!("run {run}")), HANDLE, "m", &pages("a", 4), 10).unwrap();
    }
    store(&disk, 100).put(&Scope::new("third", "lasts"), HANDLE, "m", &pages("a", 2), 1000).unwrap();
    // Within the minute nothing is looked for.
    store(&disk, 159).put(&scope(), HANDLE, "m", &[], 1000).unwrap();
    assert_eq!((disk.claims().len(), disk.folders()), (7, 3));
    store(&disk, 160).put(&scope(), HANDLE, "m", &[], 1000).unwrap();
    assert_eq!((disk.claims().len(), disk.folders()), (2, 2));
    assert!(store(&disk, 161).fetch(&Scope::new("third", "lasts"), HANDLE, 0, 9).is_ok());
}

#[test]
fn what_a_stopped_process_was_writing_goes_after_an_hour() {
    let disk = &Disk::new();
    store(&disk, 100).put(&scope(), HANDLE, "m", &[], 100_000).unwrap();
    let run = disk.claims()[0].parent().unwrap().to_owned();
    let begun = claim_check_store_layout::Instant(200 * super::SECOND);
    let temporary = run.join(format!("{}.{begun}.0", &HANDLE[6..]));
    fs::write(&temporary, "half").unwrap();
    fs::write(run.join("what is this"), "").unwrap();
    store(&disk, 200).put(&scope(), HANDLE, "m", &[], 10).unwrap();
    assert!(temporary.exists() && !run.join("what is this").exists());
    store(&disk, 3799).put(&scope(), HANDLE, "m", &[], 10).unwrap();
    assert!(temporary.exists());
    store(&disk, 3860).put(&scope(), HANDLE, "m", &[], 10).unwrap();
    assert!(!temporary.exists());
    assert_eq!(disk.claims().len(), 1);
}

#[test]
fn a_sweep_goes_on_where_the_last_one_stopped() {
    let disk = &Disk::new();
    for tenant in ["a", "b", "c"] {
        for n in 0..1100 {
            store(&disk, 100).put(&Scope::new(tenant, "run"), &format!("claim:{n:032x}"), "m", &[], 10).unwrap();
        }
    }
    // A tenant's files are more than one sweep looks at, so each ends with one tenant.
    for (seconds, left) in [(200, 2200), (260, 1100), (320, 0)] {
        store(&disk, seconds).put(&scope(), HANDLE, "m", &[], 1000).unwrap();
        assert_eq!(disk.claims().len(), left + 1, "at {seconds}");
    }
}
