//! Policies of single tools: a build's end matters as much as its beginning, a search is only worth checking in when it
//! is long, and what a calculator returns is never checked in. `cargo run -p claim-check-host --example per_tool`

use claim_check_host::{ClaimCheck, MemoryStore, Policy, Scope, Settings, ToolPolicy};
use std::sync::Arc;

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A policy applies whole; what it does not say is the default, and not the policy for all the others.
    let build = Policy { head_chars: 100, tail_chars: 300, ..Policy::default() };
    let search = Policy { threshold_chars: 20_000, ttl_seconds: 600, ..Policy::default() };
    let never = Policy { threshold_chars: Policy::NEVER, ..Policy::default() };
    let per_tool = [("build", build), ("search", search), ("calculate", never)];
    let per_tool = per_tool.map(|(tool, policy)| ToolPolicy { tool: tool.into(), policy }).into();
    let settings = Settings { per_tool, ..Settings::default() };
    let claims = ClaimCheck::open(settings, Arc::new(MemoryStore::new())).await?;

    let scope = Scope::new("acme", "5e0f64a2");
    let result = "   Compiling one crate of many\n".repeat(500) + "error[E0308]: mismatched types in src/lib.rs\n";
    for tool in ["build", "search", "calculate", "any other"] {
        let carried = claims.check_in(&scope, tool, &result).await?.carried(&result).to_owned();
        println!("{tool}: {} of {} characters are carried", carried.chars().count(), result.len());
        assert_eq!(carried.contains("E0308"), tool != "any other");
        assert_eq!(carried == result, tool == "search" || tool == "calculate");
    }
    println!("\n{}", claims.check_in(&scope, "build", &result).await?.carried(&result));
    Ok(())
}
