#!/bin/sh
# Builds the component in this folder and in a copy elsewhere, and compares the bytes.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)
target=${CARGO_TARGET_DIR:-$here/target}
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT INT TERM

scripts/component.sh
# The files as they lie here, committed or not, and no build of theirs.
copy=$elsewhere/a/folder/of/another/depth
mkdir -p "$copy"
cp -R Cargo.toml Cargo.lock guest host-example tests wit "$copy"
rm -rf "$copy/guest/fuzz"
echo "reproducible: building once more, elsewhere and from nothing (about 2 minutes)"
(cd "$copy" && CARGO_TARGET_DIR=$elsewhere/target CARGO_MANIFEST_DIR=$copy/guest/componentize \
    "$target/componentize/debug/claim-check-componentize" --no-install)

if ! cmp "$target/component/claim_check.wasm" "$elsewhere/target/component/claim_check.wasm"; then
    echo "reproducible: the same sources gave other bytes in another folder" >&2
    exit 1
fi
leaks=0
for folder in "$here" "$elsewhere" "${CARGO_HOME:-$HOME/.cargo}" "$HOME/" "$(rustc --print sysroot)" /usr/; do
    if grep -aqF "$folder" "$target/component/claim_check.wasm"; then
        echo "reproducible: the component names the folder $folder" >&2
        leaks=1
    fi
done
[ "$leaks" -eq 0 ] || exit 1
echo "reproducible: the same bytes from two folders, and no path of this machine in them"
if command -v sha256sum >/dev/null 2>&1; then sha256sum "$target/component/claim_check.wasm"; fi
