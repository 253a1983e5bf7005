//! What time it is for a store.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What time it is for a store. It only has to advance; where it starts does not matter.
pub trait Clock: Send + Sync {
    /// How long ago this clock started.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock: nobody's change of the time of day makes a claim live longer or shorter.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that stands still until it is told to advance, for tests.
#[derive(Debug, Default)]
pub struct ManualClock(Mutex<Duration>);

impl ManualClock {
    /// A clock that stands at zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let mut now = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *now = now.saturating_add(by);
    }

    /// Sets the clock, backwards too.
    pub fn set(&self, to: Duration) {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = to;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
