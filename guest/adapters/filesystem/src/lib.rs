//! The store over `wasi:filesystem`: a file for every claim, in a folder of its own.
//!
//! A claim is written under a temporary name and renamed when it is whole and on the disk, so nobody ever sees a part of
//! it; several processes may use one folder. README.md says what a folder can't promise.
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`folder`] | what is asked of the platform |
//! | [`root`] | which of the granted folders is the store's |
//! | [`record`] | what a claim's file looks like, and what is believed of one |
//! | [`store`] | the order in which files are written, read and deleted |
//! | `sweep` | what has expired |

// A test that panics is a test that fails.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing))]

#[cfg(feature = "component")]
mod component;
pub mod folder;
pub mod record;
pub mod root;
pub mod store;
mod sweep;

pub use folder::{Fault, File, Folder};
pub use store::FolderStore;
