//! Which components there are, and what each is made of.

use claim_check_componentize::encode::About;
use claim_check_componentize::guest::Crate;

/// A crate that becomes a component, by the name under which recipes speak of it.
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) built: Crate<'static>,
}

const ADAPTERS: &str = "guest/adapters";

/// Everything that is compiled.
pub(crate) const SOURCES: &[Source] = &[
    Source { name: "core", built: Crate { folder: "", name: "claim-check-guest", features: &["component"] } },
    source("keyvalue-draft", "claim-check-keyvalue", &["draft"]),
    source("keyvalue-draft2", "claim-check-keyvalue", &["draft2"]),
    source("filesystem", "claim-check-filesystem", &["component"]),
    source("tools", "claim-check-tools", &["component"]),
    source("edge-agent", "claim-check-edge-agent", &["component"]),
];

const fn source(name: &'static str, package: &'static str, features: &'static [&'static str]) -> Source {
    Source { name, built: Crate { folder: ADAPTERS, name: package, features } }
}

/// A file in `target/component/`.
pub(crate) struct Recipe {
    pub(crate) file: &'static str,
    /// Sources, each of which gets what those before it export.
    pub(crate) parts: &'static [&'static str],
    pub(crate) about: About<'static>,
    /// The world whose documentation it carries.
    pub(crate) world: &'static str,
    /// It may not become larger unnoticed.
    pub(crate) most_bytes: usize,
}

const CLAIM_CHECK: &str =
    "Checks oversized tool results in, leaves a head and a handle, and reads the rest back a window at a time";

/// Everything that is written.
pub(crate) const RECIPES: &[Recipe] = &[
    Recipe {
        file: "claim_check_keyvalue_draft",
        parts: &["keyvalue-draft", "core"],
        about: About { name: "claim-check-keyvalue-draft", description: CLAIM_CHECK },
        world: "claim-check",
        most_bytes: 500_000,
    },
    Recipe {
        file: "claim_check_keyvalue_draft2",
        parts: &["keyvalue-draft2", "core"],
        about: About { name: "claim-check-keyvalue-draft2", description: CLAIM_CHECK },
        world: "claim-check",
        most_bytes: 500_000,
    },
    Recipe {
        file: "claim_check_filesystem",
        parts: &["filesystem", "core"],
        about: About { name: "claim-check-filesystem", description: CLAIM_CHECK },
        world: "claim-check",
        most_bytes: 500_000,
    },
    Recipe {
        file: "claim_check_tools",
        parts: &["filesystem", "core", "tools"],
        about: About {
            name: "claim-check-tools",
            description: "Reads large text files a part at a time, and finds things in them",
        },
        world: "tools",
        most_bytes: 600_000,
    },
    Recipe {
        file: "store_keyvalue_draft",
        parts: &["keyvalue-draft"],
        about: About {
            name: "claim-check-store-keyvalue-draft",
            description: "Keeps claims in a bucket of wasi:keyvalue 0.2.0-draft",
        },
        world: "store-provider",
        most_bytes: 120_000,
    },
    Recipe {
        file: "store_keyvalue_draft2",
        parts: &["keyvalue-draft2"],
        about: About {
            name: "claim-check-store-keyvalue-draft2",
            description: "Keeps claims in a bucket of wasi:keyvalue 0.2.0-draft2",
        },
        world: "store-provider",
        most_bytes: 120_000,
    },
    Recipe {
        file: "store_filesystem",
        parts: &["filesystem"],
        about: About {
            name: "claim-check-store-filesystem",
            description: "Keeps claims in a folder of wasi:filesystem 0.2",
        },
        world: "store-provider",
        most_bytes: 120_000,
    },
    Recipe {
        file: "edge_agent",
        parts: &["edge-agent"],
        about: About {
            name: "claim-check-edge-agent",
            description: "Answers questions about documents over HTTP; an example",
        },
        world: "edge-agent",
        most_bytes: 200_000,
    },
    Recipe {
        file: "edge_agent_keyvalue_draft",
        parts: &["keyvalue-draft", "core", "edge-agent"],
        about: About {
            name: "claim-check-edge-agent-keyvalue-draft",
            description: "Answers questions about documents over HTTP; an example",
        },
        world: "edge-agent",
        most_bytes: 700_000,
    },
    Recipe {
        file: "edge_agent_filesystem",
        parts: &["filesystem", "core", "edge-agent"],
        about: About {
            name: "claim-check-edge-agent-filesystem",
            description: "Answers questions about documents over HTTP; an example",
        },
        world: "edge-agent",
        most_bytes: 700_000,
    },
];
