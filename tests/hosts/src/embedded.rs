//! wasmtime in this process: the composed components as a claim check, the adapters as stores.

pub mod adapter;
pub mod bucket;
pub mod claims;
pub mod folder;

/// The bindings of the contract.
pub(crate) mod bindings {
    /// What the composed components export.
    pub(crate) mod claim_check {
        wasmtime::component::bindgen!({ path: "../../wit", world: "claim-check" });
    }

    /// What the adapters export.
    pub(crate) mod store_provider {
        wasmtime::component::bindgen!({ path: "../../wit", world: "store-provider" });
    }
}
