//! The claim check in eight lines of an agent: `cargo run -p claim-check-host --example eight_lines`. The README shows
//! the lines between the two marks.

use claim_check_host::{ClaimCheck, Erasure, MemoryStore, Scope, Settings};
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
    let scope = Scope::new("acme", "5e0f64a2-7b1c-4d7e-9c53-0f2a8f4f8f10"); // tenant and run, from your trusted context
    tools.extend(claims.tool_definitions().to_vec()); // the model is told of fetch_result and find_in_result
    let outcome = claims.check_in(&scope, "read_file", &result).await?; // every result of every other tool
    conversation.push(outcome.carried(&result).to_owned()); // the result, or its head and a handle
    let (tool, arguments) = model_calls(&conversation[0]); // when the model calls one of the two
    conversation.push(claims.answer(&scope, tool, &arguments).await?.to_string()); // a window, word for word
    claims.forget(&Erasure::Run(scope)).await?; // when the run is over
    // README: end

    assert_eq!(tools.len(), 2);
    conversation.iter().for_each(|message| println!("{message}\n"));
    Ok(())
}
