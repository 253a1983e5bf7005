//! The rules of claim-check: what is checked in, what stays in the conversation, and what a handle proves.
//!
//! Everything here is a pure function of its arguments: it says what to store or which pages to read, and turns
//! what comes back into an answer. No I/O, no clock, no bindings types. Two thin shells do the I/O: `component`
//! (feature `component`) through the WIT import `store`, and the npm package through JavaScript promises.
//!
//! ```
//! use claim_check_guest::{Intake, Scope, Settings, StoreError, WindowReading, read_with, receive};
//!
//! let (settings, scope) = (Settings::default(), Scope::new("acme", "run-7f3a"));
//! let contract = "The parties agree. ".repeat(1000);
//!
//! let Intake::Deposit(deposit) = receive(&settings, &scope, "read_contract", &contract)? else { unreachable!() };
//! // What a store keeps under the handle, in this scope:
//! let (manifest, pages) = (deposit.manifest().to_owned(), deposit.pages().iter().map(|p| p.to_string()).collect::<Vec<_>>());
//! let ticket = deposit.into_ticket();
//! assert!(ticket.rendered.ends_with("to read the rest.]"));
//!
//! let reading = WindowReading::new(&scope, &ticket.handle, 18_990, 4096)?;
//! let window = read_with(reading, |_handle, range| {
//!     let pages = pages.iter().skip(range.first as usize).take(range.count as usize).cloned().collect();
//!     Ok::<_, StoreError>((manifest.clone(), pages))
//! })?;
//! assert_eq!((window.text.as_str(), window.next_offset), (" parties agree. ".get(6..).unwrap(), None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`settings`] | policies, and what is refused |
//! | [`claim`] | scopes, pages, manifest, handle: what is kept and what it proves |
//! | [`extract`] | where a head ends and a tail starts; the cut of a run without a claim check |
//! | [`boundary`] | what a tool returned is made harmless |
//! | [`ticket`] | check-in, and what the model reads instead |
//! | [`reading`] | the steps that fetch, find and answer share |
//! | [`window`] | which pages a window needs, and the exact characters in them |
//! | [`find`] | literal search, some pages at a time |
//! | [`tools`] | the redeeming tools: definitions, forgiving arguments, replies, refusals |

pub mod boundary;
pub mod claim;
mod clusters;
#[cfg(feature = "component")]
mod component;
mod escapes;
pub mod extract;
pub mod find;
mod invisible;
mod manifest;
mod markers;
pub mod reading;
pub mod settings;
mod text;
pub mod ticket;
pub mod tools;
pub mod window;

pub use boundary::neutralise;
pub use claim::{Claim, Erasure, InvalidScope, Scope, StoreError};
pub use extract::truncate;
pub use find::{FindError, Finding, Found, Search};
pub use reading::{Absence, FetchError, PageRange, Reading, read_with};
pub use settings::{Policy, Settings, SettingsError, ToolPolicy};
pub use ticket::{CheckInError, Deposit, Intake, Ticket, receive};
pub use tools::{Call, Refusal, RefusalCode, Reply, ToolDefinition, definitions};
pub use window::{Window, WindowReading};
