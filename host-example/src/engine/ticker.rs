//! The thread that makes a running call look at the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use wasmtime::{Engine, Result, format_err};

/// Computing is counted in these. A call has its thread for itself for at most two.
pub(super) const TICK: Duration = Duration::from_millis(10);
/// So many ticks without a call, and the thread goes to sleep. Waking it costs a call as much as a tenth of a small
/// check-in, so it should not sleep between two.
const IDLE_TICKS: u32 = 100;

pub(super) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    running: AtomicUsize,
    asleep: AtomicBool,
    stopped: AtomicBool,
}

/// The engine's epoch advances while one of these is held.
pub(super) struct Ticking<'a>(&'a Shared);

impl Ticker {
    pub(super) fn start(engine: &Engine) -> Result<Self> {
        let shared = Arc::<Shared>::default();
        let (engine, of_thread) = (engine.weak(), shared.clone());
        let thread = thread::Builder::new().name("claim-check-ticks".into()).spawn(move || {
            let mut idle = 0;
            while !of_thread.stopped.load(SeqCst) {
                thread::park_timeout(TICK);
                match engine.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => return,
                }
                idle = if of_thread.running.load(SeqCst) > 0 { 0 } else { idle + 1 };
                if idle >= IDLE_TICKS {
                    of_thread.sleep();
                    idle = 0;
                }
            }
        });
        Ok(Self {
            shared,
            thread: Some(
                thread.map_err(|cause| format_err!("the thread that keeps deadlines did not start: {cause}"))?,
            ),
        })
    }

    pub(super) fn tick(&self) -> Ticking<'_> {
        self.shared.running.fetch_add(1, SeqCst);
        if self.shared.asleep.load(SeqCst) {
            self.wake();
        }
        Ticking(&self.shared)
    }

    fn wake(&self) {
        self.shared.asleep.store(false, SeqCst);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Shared {
    fn sleep(&self) {
        self.asleep.store(true, SeqCst);
        // A call that began before it could see that flag has been counted by now.
        while self.asleep.load(SeqCst) && self.running.load(SeqCst) == 0 && !self.stopped.load(SeqCst) {
            thread::park();
        }
        self.asleep.store(false, SeqCst);
    }
}

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, SeqCst);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.stopped.store(true, SeqCst);
        self.wake();
        if let Some(thread) = self.thread.take() {
            // It has no panic to report: it only counts.
            let _ = thread.join();
        }
    }
}
