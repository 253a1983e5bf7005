#!/bin/sh
# Builds the composed components, with the arguments of claim-check-components (--no-install, --write-golden).
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

if [ ! -x "$target/componentize/debug/claim-check-components" ]; then
    echo "components: building the composer first, about 2 minutes, once" >&2
fi
# The folder is the one of scripts/component.sh: what both need is built once.
exec cargo run --quiet --locked --manifest-path guest/componentize/Cargo.toml --target-dir "$target/componentize" \
    --features components --bin claim-check-components -- "$@"
