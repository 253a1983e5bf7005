//! A store of one's own, here one around another that says what it is asked. The
//! documentation of `Store` has a whole one; the feature `store-suite` tests yours.
//! `cargo run -p claim-check-host --example own_store`

use claim_check_host::{Claim, ClaimCheck, Erasure, MemoryStore, Scope, Settings, Store, StoreError, async_trait};
use std::sync::Arc;

struct Audited(MemoryStore);

#[async_trait]
impl Store for Audited {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl_seconds: u32) -> Result<(), StoreError> {
        println!("put    {scope} {handle}: {} pages, for {ttl_seconds} seconds", claim.pages.len());
        self.0.put(scope, handle, claim, ttl_seconds).await
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first_page: u32, page_count: u32) -> Result<Claim, StoreError> {
        println!("fetch  {scope} {handle}: {page_count} from page {first_page} on");
        self.0.fetch(scope, handle, first_page, page_count).await
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        println!("forget {what:?}");
        self.0.forget(what).await
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let claims = ClaimCheck::open(Settings::default(), Arc::new(Audited(MemoryStore::new()))).await?;
    let (scope, log) = (Scope::new("acme", "5e0f64a2"), "A line of a long log.\n".repeat(5000));
    let outcome = claims.check_in(&scope, "read_log", &log).await?;
    let arguments = serde_json::json!({"handle": outcome.carried(&log), "offset": 60_000}).to_string();
    println!("{}", claims.answer(&scope, "fetch_result", &arguments).await?.note);
    assert_eq!(claims.forget(&Erasure::Run(scope)).await?, 1);
    Ok(())
}
