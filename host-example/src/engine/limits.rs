//! What calls may take.

#[cfg(feature = "cache")]
use std::path::PathBuf;
use std::time::Duration;

use wasmtime::{Result, bail};

/// What calls may take of this machine. The defaults suit a server of a few cores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How many calls run at a time; more wait for their turn. A call that waits for the store is one of them. Each
    /// reserves 4 GiB of address space, and uses what its content needs. By default 64.
    pub pool_size: u32,
    /// How much memory one instance may use, in bytes; beyond it the call traps. Content of 64 MiB needs the default
    /// of 384 MiB.
    pub memory_bytes: usize,
    /// How much memory an idle instance keeps for the next call, in bytes: typical content and 1 MiB, by default
    /// 16 MiB. Only where the kernel can scan a process's pages (Linux 6.7 on); elsewhere nothing is kept.
    pub keep_resident_bytes: usize,
    /// For how long the component may compute in one call. By default 60 seconds, many times what 64 MiB of
    /// ordinary text take, and enough for 64 MiB of which every character has to be made harmless.
    /// Counted in stretches of 10 to 20 milliseconds, so a call may have up to twice as long; waiting for the store
    /// counts as at most 10 milliseconds each time, and waiting for a thread not at all.
    pub deadline: Duration,
    /// How long one call of the store may take; then it counts as unavailable. By default 30 seconds.
    pub store_timeout: Duration,
    /// Where the compiled component is kept for the next start. By default nowhere.
    #[cfg(feature = "cache")]
    pub cache_dir: Option<PathBuf>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pool_size: 64,
            memory_bytes: 384 << 20,
            keep_resident_bytes: 16 << 20,
            deadline: Duration::from_secs(60),
            store_timeout: Duration::from_secs(30),
            #[cfg(feature = "cache")]
            cache_dir: None,
        }
    }
}

impl Limits {
    pub(super) fn check(&self) -> Result<()> {
        if self.pool_size == 0 {
            bail!("pool_size is 0, so no call could ever run; use at least 1");
        }
        if self.deadline.is_zero() || self.store_timeout.is_zero() {
            bail!("deadline is {:?} and store_timeout {:?}; neither may be 0", self.deadline, self.store_timeout);
        }
        Ok(())
    }
}
