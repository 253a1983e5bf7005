//! Slow, obvious versions of rules, written from SPEC.md alone: they share no code with the product.

mod find;
mod neutralise;

pub use find::{find, fold};
pub use neutralise::neutralise;
