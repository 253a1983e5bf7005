#!/bin/sh
# Builds the npm package into npm/dist.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

. scripts/node.sh
for folder in npm npm/jco; do
    if [ ! -f $folder/node_modules/.package-lock.json ] || [ $folder/package-lock.json -nt $folder/node_modules/.package-lock.json ]; then
        echo "npm: installing the packages of $folder, which the build needs, once" >&2
        (cd $folder && npm ci --no-fund --no-audit)
    fi
done
if [ ! -x "$target/componentize/debug/claim-check-npm-core" ]; then
    echo "npm: building wasm-bindgen's tool first, about 2 minutes, once" >&2
fi
# The folder is the one of scripts/component.sh: what both need is built once.
cargo run --quiet --locked --manifest-path guest/componentize/Cargo.toml --target-dir "$target/componentize" \
    --features npm --bin claim-check-npm-core -- "$target/npm-core"
scripts/component.sh
node npm/build.mjs "$target/npm-core" "$target/component/claim_check.wasm"
