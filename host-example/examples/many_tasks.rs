//! One claim check for a whole server: every request has a task and a scope of its own, as the handlers of a web
//! framework have, and all of them share one engine and one store. Make it once, and clone it into your state.
//! `cargo run -p claim-check-host --example many_tasks`

use claim_check_host::{ClaimCheck, Erasure, MemoryStore, Scope, Settings};
use std::{sync::Arc, time::Instant};

/// One request of a tenant: a tool returns something large, and the model reads the end of it.
async fn handle(claims: ClaimCheck, tenant: String, run: usize) -> String {
    let (scope, last) = (Scope::new(tenant, format!("run-{run}")), format!("the end of run {run}"));
    let log = "A line of a long log.\n".repeat(5000) + &last;
    let outcome = claims.check_in(&scope, "read_log", &log).await.expect("a store that works");
    let arguments = serde_json::json!({"handle": outcome.carried(&log), "offset": 110_000}).to_string();
    let reply = claims.answer(&scope, "fetch_result", &arguments).await.expect("this run's handle");
    assert_eq!(reply.text, last);
    reply.note
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
    let (started, mut requests) = (Instant::now(), tokio::task::JoinSet::new());
    for run in 0..200 {
        requests.spawn(handle(claims.clone(), format!("tenant-{}", run % 4), run));
    }
    let notes = requests.join_all().await;
    println!("{} requests in {:.1?}; one of them read {}", notes.len(), started.elapsed(), notes[0]);
    let forgotten = claims.forget(&Erasure::Tenant("tenant-0".into())).await?;
    println!("tenant-0 is forgotten: {forgotten} claims");
    assert_eq!(forgotten, 50);
    Ok(())
}
