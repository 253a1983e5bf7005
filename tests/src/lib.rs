//! What crosses the crates of claim-check.
