#!/bin/sh
# Builds the composed components, with the arguments of claim-check-components (--no-install, --write-golden); or, with
# --reproducible, builds them again in another folder and from nothing, and compares the bytes.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)
target=${CARGO_TARGET_DIR:-$here/target}
program=$target/componentize/debug/claim-check-components

build() {
    if [ ! -x "$program" ]; then
        echo "components: building the composer first, about 2 minutes, once" >&2
    fi
    # The folder is the one of scripts/component.sh: what both need is built once.
    cargo run --quiet --locked --manifest-path guest/componentize/Cargo.toml --target-dir "$target/componentize" \
        --features components --bin claim-check-components -- "$@"
}

if [ "${1:-}" != --reproducible ]; then
    build "$@"
    exit
fi
build
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT INT TERM
copy=$elsewhere/a/folder/of/another/depth
mkdir -p "$copy/tests/hosts"
# The files as they lie here, committed or not, and no build of theirs.
cp -R Cargo.toml Cargo.lock guest host-example wit "$copy"
cp -R tests/Cargo.toml tests/src "$copy/tests"
cp -R tests/hosts/interfaces "$copy/tests/hosts"
rm -rf "$copy/guest/fuzz"
echo "components: building once more, elsewhere and from nothing (about 4 minutes)"
(cd "$copy" && CARGO_TARGET_DIR=$elsewhere/target CARGO_MANIFEST_DIR=$copy/guest/componentize "$program" --no-install)
for component in "$elsewhere"/target/component/*.wasm; do
    cmp "$component" "$target/component/$(basename "$component")"
    for folder in "$here" "$elsewhere" "${CARGO_HOME:-$HOME/.cargo}" "$HOME/" /usr/; do
        if grep -aqF "$folder" "$component"; then
            echo "components: $(basename "$component") names the folder $folder" >&2
            exit 1
        fi
    done
done
echo "components: the same bytes from two folders, and no path of this machine in them"
