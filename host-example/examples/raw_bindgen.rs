//! The component with nothing but wasmtime's bindings and a store of one's own:
//! `cargo run -p claim-check-host --example raw_bindgen`. The README shows the lines between the two marks.

#![allow(missing_docs, unreachable_pub, unused_qualifications, clippy::use_self, reason = "what bindgen! makes")]

use std::collections::HashMap;
use std::path::Path;

use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{Engine, Store};

// README: begin
wasmtime::component::bindgen!({ path: "wit", world: "claim-check" });
use claim_check::tool_results::{store, store::Claim, store::StoreError, types, types::Erasure, types::Scope};
struct Shelf(HashMap<[String; 3], Claim>); // yours: a table, a bucket, a folder
impl types::Host for Shelf {}
impl store::Host for Shelf {
    fn put(&mut self, scope: Scope, handle: String, claim: Claim, _ttl_seconds: u32) -> Result<(), StoreError> {
        self.0.insert([scope.tenant, scope.run, handle], claim);
        Ok(())
    }
    fn fetch(&mut self, scope: Scope, handle: String, first: u32, count: u32) -> Result<Claim, StoreError> {
        let mut claim = self.0.get(&[scope.tenant, scope.run, handle]).ok_or(StoreError::NotFound)?.clone();
        claim.pages = claim.pages.into_iter().skip(first as usize).take(count as usize).collect();
        Ok(claim)
    }
    fn forget(&mut self, what: Erasure) -> Result<u32, StoreError> {
        let covers = |[tenant, run, _]: &[String; 3]| match &what {
            Erasure::Tenant(whose) => whose == tenant,
            Erasure::Run(scope) => (&scope.tenant, &scope.run) == (tenant, run),
        };
        Ok(self.0.extract_if(|key, _| covers(key)).count() as u32)
    }
}
fn instantiate(wasm: &Path) -> wasmtime::Result<(Store<Shelf>, ClaimCheck)> {
    let (engine, shelf) = (Engine::default(), Shelf(HashMap::new()));
    let mut linker = Linker::new(&engine);
    ClaimCheck::add_to_linker::<_, HasSelf<_>>(&mut linker, |shelf| shelf)?;
    let mut store = Store::new(&engine, shelf);
    let claims = ClaimCheck::instantiate(&mut store, &Component::from_file(&engine, wasm)?, &linker)?;
    Ok((store, claims))
}
// README: end

pub(crate) fn main() -> wasmtime::Result<()> {
    use exports::claim_check::tool_results::check_in::Outcome;

    // Yours comes from a release, or from `make component`.
    let wasm = std::env::temp_dir().join(format!("claim_check-{}.wasm", std::process::id()));
    std::fs::write(&wasm, claim_check_host::COMPONENT)?;
    let instantiated = instantiate(&wasm);
    std::fs::remove_file(&wasm)?;
    let (mut store, claims) = instantiated?;

    let settings = types::Settings {
        policy: types::Policy { threshold_chars: 4096, head_chars: 512, tail_chars: 0, ttl_seconds: 3600 },
        per_tool: Vec::new(),
        fetch_tool: "fetch_result".into(),
        find_tool: Some("find_in_result".into()),
        window_chars: 4096,
        neutralise: true,
    };
    let scope = Scope { tenant: "acme".into(), run: "5e0f64a2-7b1c-4d7e-9c53-0f2a8f4f8f10".into() };
    let result = "A line that some tool returned.\n".repeat(2000);
    let check_in = claims.claim_check_tool_results_check_in();
    let outcome = check_in.call_check_in(&mut store, &settings, &scope, "read_file", &result)?;
    let Ok(Outcome::CheckedIn(ticket)) = outcome else { panic!("{outcome:?}") };
    println!("{}\n", ticket.rendered);

    let fetch = claims.claim_check_tool_results_fetch();
    let window = fetch.call_fetch(&mut store, &scope, &ticket.handle, ticket.next_offset, 100)?;
    println!("{}", window.expect("the claim is held").text);

    let forget = claims.claim_check_tool_results_forget();
    let forgotten = forget.call_forget(&mut store, &Erasure::Run(scope))?;
    println!("{} forgotten", forgotten.expect("a map forgets"));
    Ok(())
}
