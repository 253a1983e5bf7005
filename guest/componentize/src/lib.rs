//! What the builds of the component and of the npm package's core share.

pub mod guest;
pub mod output;
pub mod toolchain;
