#!/bin/sh
# Builds the component, with the arguments of claim-check-componentize (--wit, --check, --no-install).
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

if [ ! -x "$target/componentize/debug/claim-check-componentize" ]; then
    echo "component: building the encoder first, about 60 s, once" >&2
fi
# The folder is the one that the host's build script uses, so that the encoder is built once.
exec cargo run --quiet --locked --manifest-path guest/componentize/Cargo.toml --target-dir "$target/componentize" -- "$@"
