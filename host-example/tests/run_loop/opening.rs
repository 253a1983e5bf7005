//! What is refused when a road is opened.

use std::sync::Arc;

use claim_check_host::{MemoryStore, OpenResultsError, Policy, ResultsBuilder, Settings, ToolPolicy};

use crate::{ENGINE, claims, tool, with_redeeming};

fn threshold(threshold_chars: u32) -> Policy {
    Policy { threshold_chars, ..Policy::default() }
}

fn settings(all: u32, of_logs: u32) -> Settings {
    let per_tool = vec![ToolPolicy { tool: "read_log".into(), policy: threshold(of_logs) }];
    Settings { policy: threshold(all), per_tool, ..Settings::default() }
}

#[tokio::test]
async fn results_that_nobody_could_read_are_dead_ends() {
    let never = Policy::NEVER;
    for (settings, whose) in [
        (settings(4096, never), Some("any tool")),
        (settings(never, 4096), Some(r#"tool "read_log""#)),
        (settings(never, never), None),
    ] {
        let claims = claims(settings, Arc::new(MemoryStore::new())).await;
        let results = ResultsBuilder::new(claims.clone());
        let opened = results.clone().open(&[tool("read_log")]);
        // Without the other one nothing can be searched, but everything can be read.
        results.open(&[tool("read_log"), claims.tool_definitions()[0].clone()]).unwrap();
        assert_eq!(opened.is_err(), whose.is_some());
        if let Some(whose) = whose {
            let expected = format!(
                "results of {whose} can be checked in, and the model has no tool \"fetch_result\" to read them; add what \
                 ClaimCheck::tool_definitions gives to its tools, or set threshold_chars to 4294967295 (never)"
            );
            assert_eq!(opened.unwrap_err().to_string(), expected);
        }
    }
    ResultsBuilder::without_claims(&ENGINE).open(&[tool("read_log")]).unwrap();
}

#[tokio::test]
async fn a_name_belongs_to_one_tool() {
    let claims = claims(Settings::default(), Arc::new(MemoryStore::new())).await;
    let open = |tools: &[_]| ResultsBuilder::new(claims.clone()).open(tools).map(|_| ());
    let taken = |name: &str| Err(OpenResultsError::NameTaken(name.into()));
    // A foreign one could answer in the place of ours, whether or not ours is there too.
    assert_eq!(open(&[tool("fetch_result")]), taken("fetch_result"));
    assert_eq!(open(&with_redeeming(&claims, &["find_in_result"])), taken("find_in_result"));
    assert_eq!(open(&with_redeeming(&claims, &["read_log", "read_log"])), taken("read_log"));
    assert_eq!(open(&with_redeeming(&claims, &["read_log", "Fetch_Result"])), Ok(()));
    // Written another way, it is the same schema.
    let mut tools = claims.tool_definitions().to_vec();
    let schema: serde_json::Value = serde_json::from_str(&tools[0].input_schema).unwrap();
    tools[0].input_schema = format!("{schema:#}");
    assert_eq!(open(&tools), Ok(()));
}
