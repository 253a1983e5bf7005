//! The results of one turn, and their budget.

use std::sync::{Arc, Mutex, OnceLock};

use claim_check_host::{
    CallError, CheckInError, Claim, ClaimCheck, Engine, Erasure, Event, Limits, MemoryStore, Outcome, Policy,
    ResultsBuilder, Scope, Settings, Store, StoreError, ToolPolicy, ToolResult, async_trait,
};

use crate::{Counting, Down, claims, names, noting, road, scope, with_redeeming};

fn of(tool: &str, chars: usize) -> ToolResult {
    ToolResult::new(tool, text(tool, chars))
}

fn text(tool: &str, chars: usize) -> String {
    format!("{tool} ").repeat(chars).chars().take(chars).collect()
}

/// Which of the results `a` to `d` went to the store with that budget, and how much was carried.
async fn stored(sizes: [usize; 4], budget: Option<usize>) -> (String, usize) {
    let store = Counting::new(100);
    let (results, events) = road(store.clone()).await;
    let turn = ["a", "b", "c", "d"].into_iter().zip(sizes).map(|(tool, chars)| of(tool, chars)).collect();
    let carried = results.carry_many(&scope(), turn, budget).await;
    for (tool, carried) in ["a", "b", "c", "d"].into_iter().zip(&carried) {
        assert!(carried.as_str().starts_with(tool), "{carried}");
    }
    let stored: String = (events.lock().unwrap().iter())
        .filter_map(|event| match event {
            Event::ToolResultStored { tool, for_budget: true, .. } => Some(tool.clone()),
            Event::ToolResultStored { tool, .. } => Some(tool.to_uppercase()),
            _ => None,
        })
        .collect();
    // What is not worth it is not stored either.
    assert_eq!(store.puts(), stored.len());
    (stored, carried.iter().map(|carried| carried.as_str().chars().count()).sum())
}

#[tokio::test]
async fn the_largest_go_to_the_store_until_the_budget_is_met() {
    let sizes = [3000, 4000, 3000, 600];
    assert_eq!(stored(sizes, None).await, (String::new(), 10_600));
    assert_eq!(stored(sizes, Some(10_600)).await, (String::new(), 10_600));
    let (which, carried) = stored(sizes, Some(10_599)).await;
    assert_eq!(which, "b");
    let ticket = carried - 6600;
    assert!((500..660).contains(&ticket), "{ticket}");
    assert_eq!(stored(sizes, Some(carried)).await, ("b".into(), carried));
    // Of equal ones the first.
    assert_eq!(stored(sizes, Some(carried - 1)).await, ("ab".into(), 3600 + 2 * ticket));
    // The last one's ticket would be longer than it is, so no budget can be met with it.
    assert_eq!(stored(sizes, Some(0)).await, ("abc".into(), 600 + 3 * ticket));
    // What is over its threshold goes there anyhow, and may be enough.
    assert_eq!(stored([9000, 4000, 300, 300], Some(5300)).await, ("A".into(), 4600 + ticket));
}

#[tokio::test]
async fn never_is_never_and_a_policys_extracts_stay() {
    let policy = |threshold_chars, head_chars| Policy { threshold_chars, head_chars, ..Policy::default() };
    let per_tool = vec![
        ToolPolicy { tool: "a".into(), policy: policy(Policy::NEVER, 512) },
        ToolPolicy { tool: "b".into(), policy: policy(4000, 3000) },
        ToolPolicy { tool: "c".into(), policy: policy(4000, 0) },
    ];
    let claims = claims(Settings { per_tool, ..Settings::default() }, Arc::new(MemoryStore::new())).await;
    let contents = [text("a", 9000), text("b", 2000), text("c", 1000)];
    let turn: Vec<_> = ["a", "b", "c"].into_iter().zip(contents.iter().map(String::as_str)).collect();
    let outcomes = claims.check_in_many(&scope(), &turn, Some(0)).await;
    // The second one's head alone would be larger than it is.
    let [Ok(Outcome::AsItIs), Ok(Outcome::AsItIs), Ok(Outcome::CheckedIn(ticket))] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    assert_eq!((ticket.head.as_str(), ticket.chars), ("", 1000));
}

#[tokio::test]
async fn a_store_that_takes_no_more_is_asked_no_more() {
    let store = Counting::new(1);
    let (results, events) = road(store.clone()).await;
    let turn = vec![of("a", 2000), of("b", 4000), of("c", 3000), of("d", 9000)];
    let carried = results.carry_many(&scope(), turn, Some(100)).await;
    let sizes: Vec<_> = carried.iter().map(|carried| carried.as_str().chars().count()).collect();
    assert_eq!((sizes[0], sizes[1], sizes[2]), (2000, 4000, 3000));
    assert_eq!(names(&events)[..3], ["tool_result_carried"; 3]);
    assert_eq!((names(&events)[3], store.puts()), ("tool_result_stored", 2));

    let (results, events) = road(Arc::new(Down)).await;
    results.carry_many(&scope(), vec![of("a", 9000), of("b", 4000)], Some(11_000)).await;
    assert_eq!(names(&events), ["tool_result_cut", "tool_result_carried"]);
    assert!(results.carry_many(&scope(), Vec::new(), Some(0)).await.is_empty());
}

#[tokio::test]
async fn a_result_that_traps_takes_no_other_with_it() {
    let engine = Engine::new(&Limits { memory_bytes: 8 << 20, ..Limits::default() }).unwrap();
    let claims = ClaimCheck::open_in(&engine, Settings::default(), Arc::new(MemoryStore::new())).await.unwrap();
    let (small, large) = (text("a", 5000), text("b", 9_000_000));
    let turn = [("a", small.as_str()), ("b", &large), ("c", "text"), ("d", &small)];
    let outcomes = claims.check_in_many(&scope(), &turn, None).await;
    let [first, Err(CheckInError::Failed(CallError::Trapped(_))), Ok(Outcome::AsItIs), last] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    assert!(matches!((first, last), (Ok(Outcome::CheckedIn(a)), Ok(Outcome::CheckedIn(d))) if a == d));
    let tools = with_redeeming(&claims, &["a"]);
    let (results, events) = noting(ResultsBuilder::new(claims));
    let carried = results.open(&tools).unwrap().carry_many(&scope(), vec![ToolResult::new("b", large)], None).await;
    assert!(carried[0].as_str().chars().count() <= 8000);
    assert_eq!(names(&events), ["tool_result_cut"]);
}

/// While a turn's first claim is put, somebody else asks for an instance.
#[derive(Default)]
struct Crowded {
    puts: Arc<Mutex<Vec<String>>>,
    claims: Arc<OnceLock<ClaimCheck>>,
    other: Arc<Mutex<Option<tokio::task::JoinHandle<()>>>>,
}

#[async_trait]
impl Store for Crowded {
    async fn put(&self, scope: &Scope, _: &str, _: Claim, _: u32) -> Result<(), StoreError> {
        self.puts.lock().unwrap().push(scope.run.clone());
        if self.puts.lock().unwrap().len() == 1 {
            let claims = self.claims.get().unwrap().clone();
            let other = tokio::spawn(async move {
                claims.check_in(&Scope::new("acme", "other"), "a", &text("a", 5000)).await.unwrap();
            });
            *self.other.lock().unwrap() = Some(other);
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        Ok(())
    }

    async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(StoreError::NotFound)
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Ok(0)
    }
}

#[tokio::test]
async fn a_turn_keeps_its_instance_until_it_is_done() {
    let crowded = Crowded::default();
    let (puts, opened, other) = (crowded.puts.clone(), crowded.claims.clone(), crowded.other.clone());
    let engine = Engine::new(&Limits { pool_size: 1, ..Limits::default() }).unwrap();
    let claims = ClaimCheck::open_in(&engine, Settings::default(), Arc::new(crowded)).await.unwrap();
    opened.set(claims.clone()).unwrap();
    let contents = [text("a", 5000), text("b", 5000)];
    let outcomes = claims.check_in_many(&scope(), &[("a", &contents[0]), ("b", &contents[1])], None).await;
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(Outcome::CheckedIn(_)))), "{outcomes:?}");
    let other = other.lock().unwrap().take().unwrap();
    other.await.unwrap();
    // The other one waited in the queue from the first put on.
    assert_eq!(*puts.lock().unwrap(), ["run", "run", "other"]);
}
