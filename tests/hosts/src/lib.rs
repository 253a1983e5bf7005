//! The composed components in real hosts: one driver for each, one list of cases.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`cases`] | what is tried on every host |
//! | [`host`] | what a driver does |
//! | [`hosts`] | the drivers |
//! | `embedded` | wasmtime in this process: the composed components, and the adapters as stores |
//! | [`kills`] | two instances at once, killed |
//! | [`published`] | what platforms publish of themselves, for those that can't be run here |
//! | [`table`] | what came of it, printed |
//! | [`programs`] | the hosts' programs, where they are, and how they are run |

pub mod cases;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod host;
pub mod hosts;
pub mod kills;
pub mod programs;
pub mod published;
pub mod replies;
pub mod table;
