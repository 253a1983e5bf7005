//! A folder of this machine as `wasi:filesystem`, and a clock; and wasmtime's own key-value provider.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{Clock, ManualClock};
use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::{FsPerms, HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_keyvalue::{WasiKeyValue, WasiKeyValueCtx, WasiKeyValueCtxBuilder};

/// What one instance sees.
pub struct Wasi {
    context: WasiCtx,
    table: ResourceTable,
    keyvalue: WasiKeyValueCtx,
}

impl Wasi {
    /// No folder, the machine's clock, and an empty bucket that nobody else sees.
    #[must_use]
    pub fn new() -> Self {
        Self::with(WasiCtxBuilder::new())
    }

    /// A folder that is granted as `/claims`, and the time that a test says it is, if it says one.
    ///
    /// # Errors
    /// The folder can't be opened.
    pub fn over(folder: &Path, clock: Option<Arc<ManualClock>>) -> wasmtime::Result<Self> {
        let mut builder = WasiCtxBuilder::new();
        builder.preopened_dir(folder, "/claims", FsPerms::ReadWrite)?.allow_blocking_current_thread(true);
        if let Some(clock) = clock {
            builder.wall_clock(Told(clock));
        }
        Ok(Self::with(builder))
    }

    fn with(mut builder: WasiCtxBuilder) -> Self {
        Self { context: builder.build(), table: ResourceTable::new(), keyvalue: WasiKeyValueCtxBuilder::new().build() }
    }

    /// Gives instances what is here.
    ///
    /// # Errors
    /// wasmtime's.
    pub fn link(linker: &mut Linker<Self>) -> wasmtime::Result<()> {
        wasmtime_wasi::p2::add_to_linker_sync(linker)?;
        wasmtime_wasi_keyvalue::add_to_linker(linker, |wasi: &mut Self| {
            WasiKeyValue::new(&wasi.keyvalue, &mut wasi.table)
        })
    }
}

impl Default for Wasi {
    fn default() -> Self {
        Self::new()
    }
}

impl WasiView for Wasi {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.context, table: &mut self.table }
    }
}

struct Told(Arc<ManualClock>);

impl HostWallClock for Told {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        self.0.now()
    }
}
