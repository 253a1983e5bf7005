//! What the fuzz targets assert. A target panics where the rules are broken, however it is driven: by libFuzzer
//! (`fuzz_targets`) or by `blind`, which needs nothing but Rust.

mod check_in;
mod input;
mod manifests;
mod neutralise;
// Written from SPEC.md alone, and shared with the property tests.
#[path = "../../../tests/src/reference/neutralise.rs"]
mod reference;
mod tool_arguments;

pub use check_in::check_in;
pub use manifests::manifests;
pub use neutralise::neutralise;
pub use tool_arguments::tool_arguments;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 4] =
    [("check_in", check_in), ("tool_arguments", tool_arguments), ("neutralise", neutralise), ("manifests", manifests)];
