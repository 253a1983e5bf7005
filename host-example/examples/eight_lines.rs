//! The claim check in eight lines of an agent: `cargo run -p claim-check-host --example eight_lines`. The README shows
//! the lines between the two marks.

use claim_check_host::{ClaimCheck, Erasure, MemoryStore, ResultsBuilder, Scope, Settings};
use serde_json::json;
use std::sync::Arc;

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut conversation, mut tools) = (Vec::new(), Vec::new());
    let result = "A line that some tool returned.\n".repeat(2000);
    // Models paste what they have seen; a handle is found in the whole of a notice.
    let model_calls = |seen: &str| ("fetch_result", json!({"handle": seen, "offset": 512}).to_string());

    // README: begin
    let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
    tools.extend(claims.tool_definitions().to_vec()); // the model is told of fetch_result and find_in_result
    let results = ResultsBuilder::new(claims).open(&tools)?; // refused where handles would lead nowhere
    let scope = Scope::new("acme", "5e0f64a2-7b1c-4d7e-9c53-0f2a8f4f8f10"); // tenant and run, from your trusted context
    conversation.push(results.carry(&scope, "read_file", result).await.to_string()); // a tool's result, or its head and a handle
    let (tool, arguments) = model_calls(&conversation[0]); // when the model calls one of the two
    conversation.push(results.redeem(&scope, tool, &arguments).await.to_string()); // a window, word for word, or a refusal
    results.forget(Erasure::Run(scope)).await?; // when the run is over
    // README: end

    assert_eq!(tools.len(), 2);
    conversation.iter().for_each(|message| println!("{message}\n"));
    Ok(())
}
