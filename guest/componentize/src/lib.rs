//! What the builds of the component, of the composed components and of the npm package's core share.

pub mod encode;
pub mod guest;
pub mod interface;
pub mod output;
pub mod toolchain;
