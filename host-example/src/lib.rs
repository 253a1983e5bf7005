//! What an agent does with a tool result that is too large to carry: it checks the result in. The content goes to a
//! [`Store`], an extractive head and a handle enter the conversation, and a tool redeems the handle a window at a time.
//!
//! ```
//! use claim_check_host::{ClaimCheck, MemoryStore, Scope, Settings};
//! use std::sync::Arc;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let claims = ClaimCheck::open(Settings::default(), Arc::new(MemoryStore::new())).await?;
//! let scope = Scope::new("acme", "5e0f64a2-run"); // from your own trusted context, never from the model
//!
//! // Every tool's result goes through it. Small ones come back as they are.
//! let result = "A line of a long log.\n".repeat(5000);
//! let outcome = claims.check_in(&scope, "read_log", &result).await?;
//! let carried = outcome.carried(&result); // what the model reads instead: about 600 characters of 110000
//! assert!(carried.contains("[110000 characters, ") && carried.len() < 700);
//!
//! // The model is told of two more tools, and its calls of them are answered.
//! let [fetch, _find] = claims.tool_definitions() else { panic!("two redeeming tools by default") };
//! let handle = &carried[carried.find("claim:").unwrap()..][..38];
//! let call = format!(r#"{{"handle": "{handle}", "offset": 512}}"#); // as the model wrote it
//! let reply = claims.answer(&scope, &fetch.name, &call).await?;
//! assert_eq!(reply.text, result[512..512 + 4096]);
//! # Ok(()) }
//! ```
//!
//! All rules are in a WebAssembly component ([`COMPONENT`], shipped with this crate), which asks its host for nothing
//! but a store. This crate runs it: every call has an instance of its own (the check-ins of one turn share one), with a
//! cap on its memory and its time.
//!
//! * [`ClaimCheck`] is the API; [`Settings`] say what is large, [`Limits`] and [`Engine`] what calls may take.
//! * [`Store`] is what to implement for a place of your own; [`MemoryStore`] is there.
//! * [`Results`] takes every tool result on its road (held to its declared type, checked in, or cut and said so) and tells
//!   of it in [`Event`]s; [`ResultsBuilder`] opens it.
//! * [`agent`] is a small run loop that shows where all of it belongs.

#![warn(missing_debug_implementations)]

pub mod agent;
mod caller;
mod claims;
mod engine;
mod errors;
mod events;
mod outcome;
mod results;
mod settings;
mod store;
mod wire;

pub use async_trait::async_trait;
pub use claims::ClaimCheck;
pub use engine::{COMPONENT, Engine, Limits};
pub use errors::{
    AnswerError, CallError, CheckInError, FetchError, FindError, ForgetError, OpenError, OpenResultsError, Refusal,
};
pub use events::Event;
pub use outcome::{Absence, Finding, Found, Outcome, RefusalCode, Reply, Ticket, ToolDefinition, Window};
pub use results::{Carried, Results, ResultsBuilder, ToolResult};
pub use settings::{Policy, Settings, SettingsError, ToolPolicy};
#[cfg(feature = "store-suite")]
pub use store::suite as store_suite;
pub use store::{Claim, Clock, Erasure, ManualClock, MemoryStore, Scope, Store, StoreError, SystemClock};
#[cfg(feature = "sqlite")]
pub use store::{Listed, OpenStoreError, SqliteOptions, SqliteStore, StoreStats, TenantStats, WallClock};
