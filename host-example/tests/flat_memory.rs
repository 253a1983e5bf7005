//! One instance that is used again and again does not grow: the component frees what it takes.

#![allow(missing_docs, unreachable_pub, unused_qualifications, clippy::use_self, reason = "what bindgen! makes")]

use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{Config, Engine, ResourceLimiter, Result, Store};

wasmtime::component::bindgen!({ path: "wit", world: "claim-check" });

use claim_check::tool_results::store::{Claim, Host, StoreError};
use claim_check::tool_results::types::{self, Erasure, Policy, Scope, Settings};
use exports::claim_check::tool_results::check_in::Outcome;

const CALLS: usize = 10_000;
const WARM_UP: usize = 100;

/// Drops every claim, and notes how large the guest's memory has become.
#[derive(Default)]
struct Drain {
    memory_bytes: usize,
    puts: usize,
}

impl Host for Drain {
    fn put(&mut self, _: Scope, _: String, _: Claim, _: u32) -> Result<(), StoreError> {
        self.puts += 1;
        Ok(())
    }

    fn fetch(&mut self, _: Scope, _: String, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(StoreError::NotFound)
    }

    fn forget(&mut self, _: Erasure) -> Result<u32, StoreError> {
        Ok(0)
    }
}

impl types::Host for Drain {}

impl ResourceLimiter for Drain {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        self.memory_bytes = desired;
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> Result<bool> {
        Ok(true)
    }
}

#[test]
fn ten_thousand_check_ins_leave_the_memory_as_it_was() -> Result<()> {
    let engine = Engine::new(&Config::new())?;
    let component = Component::from_binary(&engine, claim_check_host::COMPONENT)?;
    let mut linker = Linker::new(&engine);
    ClaimCheck::add_to_linker::<_, HasSelf<_>>(&mut linker, |drain: &mut Drain| drain)?;
    let mut store = Store::new(&engine, Drain::default());
    store.limiter(|drain| drain);
    let instance = ClaimCheck::instantiate(&mut store, &component, &linker)?;

    let policy = Policy { threshold_chars: 4096, head_chars: 512, tail_chars: 200, ttl_seconds: 3600 };
    let settings = Settings {
        policy,
        per_tool: Vec::new(),
        fetch_tool: "fetch_result".into(),
        find_tool: Some("find_in_result".into()),
        window_chars: 4096,
        neutralise: true,
    };
    let scope = Scope { tenant: "acme".into(), run: "run".into() };
    // Clean and dirty in turns, so that the copy that neutralising makes is freed as well.
    let line = "A line of a log: größer, 大きい, and 12.4 ms.\n";
    let clean = line.repeat(100_000 / line.len());
    let dirty = clean.replace("12.4", "\u{1b}[31m12");

    let mut warm = 0;
    for call in 0..CALLS {
        let content = if call % 2 == 0 { &clean } else { &dirty };
        let check_in = instance.claim_check_tool_results_check_in();
        let outcome = check_in.call_check_in(&mut store, &settings, &scope, "tool", content)?;
        assert!(matches!(outcome, Ok(Outcome::CheckedIn(_))));
        if call == WARM_UP {
            warm = store.data().memory_bytes;
        }
    }
    assert_eq!(store.data().puts, CALLS);
    assert_eq!(store.data().memory_bytes, warm, "the guest's memory grew after {WARM_UP} of {CALLS} calls");
    Ok(())
}
