//! What crosses the crates of claim-check: the same rules, asked natively and through the component.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`subject`] | the product, as the tests see it: the pure functions, or the component in the wasmtime host |
//! | [`shelf`] | a store that keeps, counts, fails and lies as a test tells it to |
//! | [`broken_store`] | stores that each break one rule, to try the store suite on |
//! | [`vectors`] | the runner for any folder of conformance vectors |
//! | [`durable`] | claims whose content is known, to be found again in a store that lasts |
//! | [`isolation`] | what the runs of the isolation test check in |
//! | [`mod@reference`] | slow, obvious versions of rules, written from SPEC.md alone |

pub mod broken_store;
pub mod content;
pub mod durable;
pub mod isolation;
pub mod reference;
pub mod shelf;
pub mod subject;
pub mod vectors;
