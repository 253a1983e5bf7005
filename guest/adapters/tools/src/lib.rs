//! Tools for hosts that make every exported function a tool of an agent: read a file, read on, find.
//!
//! There is no tool that takes the text itself, because a model that calls it would hold the text already; and none that
//! forgets, because that is not for a model to decide. Whose claims they are is said by the environment, never by an
//! argument.
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`scope`] | whose claims they are |
//! | [`path`] | which file in which granted folder is meant, and which are not to be read |
//! | [`document`] | what can be read |

// A test that panics is a test that fails.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing))]

#[cfg(feature = "component")]
mod component;
pub mod document;
pub mod path;
pub mod scope;
