//! The road of a tool's result in a run, and the run loop around it.

#[path = "run_loop/agent.rs"]
mod agent;
#[path = "run_loop/carry.rs"]
mod carry;
#[cfg(feature = "schema")]
#[path = "run_loop/declared.rs"]
mod declared;
#[path = "run_loop/opening.rs"]
mod opening;
#[path = "run_loop/origin.rs"]
mod origin;
#[path = "run_loop/parallel.rs"]
mod parallel;
#[path = "run_loop/turn.rs"]
mod turn;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use claim_check_host::{
    Claim, ClaimCheck, Engine, Erasure, Event, Limits, MemoryStore, Results, ResultsBuilder, Scope, Settings, Store,
    StoreError, ToolDefinition, async_trait,
};

// Compiling is what takes its time here, so the tests share what it gives.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(&Limits::default()).unwrap());

type Events = Arc<Mutex<Vec<Event>>>;

fn scope() -> Scope {
    Scope::new("acme", "run")
}

async fn claims(settings: Settings, store: Arc<dyn Store>) -> ClaimCheck {
    ClaimCheck::open_in(&ENGINE, settings, store).await.unwrap()
}

/// A road that notes its events.
fn noting(results: ResultsBuilder) -> (ResultsBuilder, Events) {
    let events = Events::default();
    let told = events.clone();
    (results.on_event(move |event| told.lock().unwrap().push(event.clone())), events)
}

/// A road with the default settings, for tools `a`, `b`, `c`, `d` and `read_log`.
async fn road(store: Arc<dyn Store>) -> (Results, Events) {
    let claims = claims(Settings::default(), store).await;
    let tools = with_redeeming(&claims, &["a", "b", "c", "d", "read_log"]);
    let (results, events) = noting(ResultsBuilder::new(claims));
    (results.open(&tools).unwrap(), events)
}

fn tool(name: &str) -> ToolDefinition {
    ToolDefinition { name: name.into(), description: "A tool.".into(), input_schema: "{}".into() }
}

fn with_redeeming(claims: &ClaimCheck, names: &[&str]) -> Vec<ToolDefinition> {
    names.iter().map(|name| tool(name)).chain(claims.tool_definitions().to_vec()).collect()
}

fn names(events: &Mutex<Vec<Event>>) -> Vec<&'static str> {
    events.lock().unwrap().iter().map(Event::name).collect()
}

/// A store that is down.
struct Down;

#[async_trait]
impl Store for Down {
    async fn put(&self, _: &Scope, _: &str, _: Claim, _: u32) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("postgres://admin:secret@db is down".into()))
    }

    async fn fetch(&self, _: &Scope, _: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        Err(StoreError::Unavailable("postgres://admin:secret@db is down".into()))
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Ok(0)
    }
}

/// A store that counts what is put into it, and takes so many claims.
struct Counting {
    store: MemoryStore,
    puts: AtomicUsize,
    takes: usize,
}

impl Counting {
    fn new(takes: usize) -> Arc<Self> {
        Arc::new(Self { store: MemoryStore::new(), puts: AtomicUsize::new(0), takes })
    }

    fn puts(&self) -> usize {
        self.puts.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Store for Counting {
    async fn put(&self, scope: &Scope, handle: &str, claim: Claim, ttl: u32) -> Result<(), StoreError> {
        match self.puts.fetch_add(1, Ordering::SeqCst) < self.takes {
            true => self.store.put(scope, handle, claim, ttl).await,
            false => Err(StoreError::Full("enough".into())),
        }
    }

    async fn fetch(&self, scope: &Scope, handle: &str, first: u32, count: u32) -> Result<Claim, StoreError> {
        self.store.fetch(scope, handle, first, count).await
    }

    async fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        self.store.forget(what).await
    }
}
