//! The store over `wasi:keyvalue`: claims in a bucket that can get, set, delete and list keys, and nothing else.
//!
//! A claim is a value for every page and one for its header with the manifest, which is written last: a put that is
//! cut off leaves pages that nothing refers to, and never a part of a claim. Every put writes pages of its own, under
//! its own expiry and instant, so none is changed while another instance reads it. README.md says what such a bucket
//! can't promise.
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`key`] | how claims are named in the bucket |
//! | [`store`] | the order in which values are written, read and deleted |
//! | `sweep` | what has expired |

// A test that panics is a test that fails.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing))]

pub mod bucket;
#[cfg(any(feature = "draft", feature = "draft2"))]
mod component;
pub mod key;
pub mod store;
mod sweep;

pub use bucket::Bucket;
pub use key::Key;
pub use store::KeyvalueStore;
