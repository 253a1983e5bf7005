//! The time that several processes agree on.

use std::time::{Duration, SystemTime};

use crate::store::Clock;

/// The machine's time of day, since the Unix epoch: what a claim that outlives its process expires by.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Duration {
        // Before 1970 no claim has expired.
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }
}
