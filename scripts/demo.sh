#!/bin/sh
# Runs the demo, on the workspace itself or on the file that is named.
set -eu
file=${1:-}
if [ -n "$file" ]; then
    [ -r "$file" ] || { echo "demo: there is no file to read at '$file': check FILE=…" >&2; exit 1; }
    file=$(cd "$(dirname "$file")" && pwd)/$(basename "$file")
fi
cd "$(dirname "$0")/.."

if [ ! -f "${CARGO_TARGET_DIR:-target}/component/claim_check.wasm" ]; then
    echo "demo: the first time builds the component (about 3 minutes on 2 cores) and wasmtime (about 4); then it starts in seconds"
fi
scripts/component.sh
echo "demo: building the host and the demo"
if [ -n "$file" ]; then set -- "$file"; else set --; fi
exec cargo run --quiet --locked --package claim-check-host --example demo -- "$@"
