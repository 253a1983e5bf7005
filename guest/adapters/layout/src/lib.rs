//! What the store adapters write and believe: names without secrets, instants of expiry, headers of claims.
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`contract`] | the words of the interface `store` |
//! | [`names`] | how tenants, runs and handles appear in keys and file names |
//! | [`instant`] | when a claim expires |
//! | [`header`] | the line that stands before a claim, and what is believed of it |
//! | [`limits`] | what is refused before anything is written, and what is not read back |

// A test that panics is a test that fails.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing))]

pub mod contract;
pub mod header;
pub mod instant;
pub mod limits;
pub mod names;

pub use contract::{Erasure, Scope, StoreError};
pub use header::Header;
pub use instant::Instant;
