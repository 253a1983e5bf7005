//! The rules of `Store`, on `MemoryStore`.

use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{Claim, Erasure, ManualClock, MemoryStore, Scope, Store, StoreError};

const HANDLE: &str = "claim:00000000000000000000000000000000";

fn claim(text: &str) -> Claim {
    Claim::new("manifest", [text, "second", "third"])
}

fn pages(claim: &Claim) -> Vec<&str> {
    claim.pages.iter().map(|page| &**page).collect()
}

fn clocked() -> (Arc<ManualClock>, MemoryStore) {
    let clock = Arc::new(ManualClock::new());
    (clock.clone(), MemoryStore::with_clock(clock))
}

#[tokio::test]
async fn pages_are_answered_up_to_the_end() {
    let store = MemoryStore::new();
    let scope = Scope::new("t", "r");
    store.put(&scope, HANDLE, claim("first"), 60).await.unwrap();
    let fetched = store.fetch(&scope, HANDLE, 1, 2).await.unwrap();
    assert_eq!((&*fetched.manifest, pages(&fetched)), ("manifest", vec!["second", "third"]));
    assert_eq!(pages(&store.fetch(&scope, HANDLE, 2, u32::MAX).await.unwrap()), ["third"]);
    assert!(store.fetch(&scope, HANDLE, u32::MAX, u32::MAX).await.unwrap().pages.is_empty());
    assert!(store.fetch(&scope, HANDLE, 0, 0).await.unwrap().pages.is_empty());
}

#[tokio::test]
async fn scopes_are_opaque_and_apart() {
    let store = MemoryStore::new();
    let scopes = [("t", "r"), ("T", "r"), ("t", "R"), ("t", "../r"), ("t/r", "r"), ("tr", "r")];
    for (n, (tenant, run)) in scopes.iter().enumerate() {
        store.put(&Scope::new(*tenant, *run), HANDLE, claim(&n.to_string()), 60).await.unwrap();
    }
    for (n, (tenant, run)) in scopes.iter().enumerate() {
        let fetched = store.fetch(&Scope::new(*tenant, *run), HANDLE, 0, 1).await.unwrap();
        assert_eq!(pages(&fetched), [n.to_string()]);
    }
    let foreign = store.fetch(&Scope::new("t", "r2"), HANDLE, 0, 1).await;
    assert_eq!(foreign, Err(StoreError::NotFound));
}

#[tokio::test]
async fn claims_expire_at_the_instant_and_the_later_expiry_wins() {
    let (clock, store) = clocked();
    let scope = Scope::new("t", "r");
    store.put(&scope, HANDLE, claim("a"), 10).await.unwrap();
    clock.advance(Duration::from_secs(4));
    store.put(&scope, HANDLE, claim("a"), 3).await.unwrap();
    clock.set(Duration::from_nanos(9_999_999_999));
    store.fetch(&scope, HANDLE, 0, 1).await.unwrap();
    clock.advance(Duration::from_nanos(1));
    assert_eq!(store.fetch(&scope, HANDLE, 0, 1).await, Err(StoreError::NotFound));
    assert_eq!(store.forget(&Erasure::Tenant("t".into())).await, Ok(0));
}

#[tokio::test]
async fn a_put_makes_a_damaged_claim_whole() {
    let store = MemoryStore::new();
    let scope = Scope::new("t", "r");
    store.put(&scope, HANDLE, Claim::new("manifest", ["fir"]), 60).await.unwrap();
    store.put(&scope, HANDLE, claim("first"), 10).await.unwrap();
    assert_eq!(store.fetch(&scope, HANDLE, 0, 9).await, Ok(claim("first")));
}

#[tokio::test]
async fn what_is_forgotten_is_counted_and_gone() {
    let (clock, store) = clocked();
    let (one, two, other) = (Scope::new("t", "1"), Scope::new("t", "2"), Scope::new("other", "1"));
    for (scope, ttl) in [(&one, 5), (&two, 60), (&other, 60)] {
        store.put(scope, HANDLE, claim("a"), ttl).await.unwrap();
        store.put(scope, "claim:11111111111111111111111111111111", claim("b"), 60).await.unwrap();
    }
    clock.advance(Duration::from_secs(5));
    assert_eq!(store.forget(&Erasure::Run(one.clone())).await, Ok(1));
    assert_eq!(store.forget(&Erasure::Run(one.clone())).await, Ok(0));
    assert_eq!(store.fetch(&one, HANDLE, 0, 1).await, Err(StoreError::NotFound));
    store.fetch(&two, HANDLE, 0, 1).await.unwrap();
    assert_eq!(store.forget(&Erasure::Tenant("t".into())).await, Ok(2));
    store.fetch(&other, HANDLE, 0, 1).await.unwrap();
    assert_eq!(store.forget(&Erasure::Tenant("other".into())).await, Ok(2));
    assert_eq!(store.held_bytes(), 0);
}

#[tokio::test]
async fn bounds_hold_per_tenant_and_in_all() {
    let (clock, store) = clocked();
    let store = store.bounds(10_000, 15_000);
    let large = || Claim::new("m", ["x".repeat(4000)]);
    let key = |n: usize| (Scope::new(format!("t{}", n / 2), format!("r{n}")), HANDLE);
    for n in 0..2 {
        let (scope, handle) = key(n);
        store.put(&scope, handle, large(), 10).await.unwrap();
    }
    let (third, handle) = (Scope::new("t0", "r9"), HANDLE);
    let full = |answer| matches!(answer, Err(StoreError::Full(_)));
    assert!(full(store.put(&third, handle, large(), 10).await));
    // What is held already may be put again, and replaced by something of its size.
    let (first, _) = key(0);
    store.put(&first, handle, large(), 10).await.unwrap();
    let (other, _) = key(2);
    store.put(&other, handle, large(), 10).await.unwrap();
    assert!(full(store.put(&Scope::new("t2", "r"), handle, large(), 10).await));
    // Expired claims make room without anyone asking.
    clock.advance(Duration::from_secs(10));
    store.put(&third, handle, large(), 10).await.unwrap();
    assert!(store.held_bytes() < 6000);
}

#[tokio::test]
async fn expired_claims_are_swept_by_later_puts() {
    let (clock, store) = clocked();
    let scope = Scope::new("t", "r");
    for n in 0..1000 {
        store.put(&scope, &format!("claim:{n:032}"), claim("a"), 10).await.unwrap();
    }
    let held = store.held_bytes();
    clock.advance(Duration::from_secs(10));
    for n in 0..50 {
        store.put(&scope, &format!("claim:{n:032x}f"), claim("a"), 10).await.unwrap();
    }
    assert!(store.held_bytes() < held / 10, "{} of {held} bytes are held", store.held_bytes());
}

#[tokio::test]
async fn a_claim_that_exceeds_the_bound_alone_is_told_so() {
    let store = MemoryStore::new().bounds(1_000, 1_000);
    let full = store.put(&Scope::new("t", "r"), HANDLE, claim(&"x".repeat(1_000)), 60).await;
    // 1000 characters, 19 of the other texts, and 512 for the claim itself.
    let words = "this claim takes 1531 bytes, and a tenant may hold 1000; raise the bound, or split the text";
    assert_eq!(full, Err(StoreError::Full(words.into())));
}
