//! placeholder
#![warn(missing_debug_implementations)]

mod claims;
mod engine;
mod errors;
mod outcome;
mod settings;
mod store;
mod wire;

pub use async_trait::async_trait;
pub use claims::ClaimCheck;
pub use engine::{COMPONENT, Engine, Limits};
pub use errors::{AnswerError, CallError, CheckInError, FetchError, FindError, ForgetError, OpenError, Refusal};
pub use outcome::{Absence, Finding, Found, Outcome, RefusalCode, Reply, Ticket, ToolDefinition, Window};
pub use settings::{Policy, Settings, SettingsError, ToolPolicy};
pub use store::{Claim, Clock, Erasure, ManualClock, MemoryStore, Scope, Store, StoreError, SystemClock};
