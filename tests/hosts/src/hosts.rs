//! The drivers.

mod cli;
mod http;
pub mod python;
pub mod wassette;

pub use cli::Cli;
pub use http::{Caller, Http, Served};
pub use python::Python;
pub use wassette::Wassette;
