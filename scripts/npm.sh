#!/bin/sh
# Builds the npm package into npm/dist.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

. scripts/node.sh
if [ ! -f npm/node_modules/.package-lock.json ] || [ npm/package-lock.json -nt npm/node_modules/.package-lock.json ]; then
    echo "npm: installing the build's own packages, once" >&2
    (cd npm && npm ci --no-fund --no-audit)
fi
if [ ! -x "$target/componentize/debug/claim-check-npm-core" ]; then
    echo "npm: building wasm-bindgen's tool first, about 2 minutes, once" >&2
fi
# The folder is the one of scripts/component.sh: what both need is built once.
cargo run --quiet --locked --manifest-path guest/componentize/Cargo.toml --target-dir "$target/componentize" \
    --features npm --bin claim-check-npm-core -- "$target/npm-core"
node npm/build.mjs "$target/npm-core"
