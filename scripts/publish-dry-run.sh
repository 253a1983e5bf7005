#!/bin/sh
# Packs both crates as for a registry, and builds the host's package where there is no compiler for WebAssembly.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
target=${CARGO_TARGET_DIR:-$root/target}
shipped=host-example/component/claim_check.wasm
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked" "$root/host-example/component"' EXIT INT TERM

scripts/component.sh
mkdir -p "$(dirname "$shipped")"
cp "$target/component/claim_check.wasm" "$shipped"

# The component is built, not committed, and cargo counts it among the changes that were not.
echo "publish: cargo publish --dry-run of both, about 5 minutes the first time"
cargo publish --dry-run --locked --allow-dirty --package claim-check-guest
cargo publish --dry-run --locked --allow-dirty --package claim-check-host

# A dry run leaves no package behind.
cargo package --quiet --no-verify --locked --allow-dirty --package claim-check-host
tar -xzf "$target"/package/claim-check-host-*.crate -C "$unpacked"
package=$(echo "$unpacked"/claim-check-host-*)
# Left there, it would be embedded in place of what the guest has become.
rm -r host-example/component
cmp "$target/component/claim_check.wasm" "$package/component/claim_check.wasm"

# A PATH with a C compiler and this Rust alone; the target for WebAssembly is hidden by a compiler that denies it.
tools=$unpacked/bin
mkdir "$tools"
for tool in sh cc gcc ld as ar; do
    if found=$(command -v $tool); then ln -s "$found" "$tools/$tool"; fi
done
sysroot=$(rustc --print sysroot)
ln -s "$sysroot/bin/cargo" "$tools/cargo"
cat > "$tools/rustc" <<END
#!/bin/sh
case "\$*" in *wasm32-unknown-unknown*) echo "there is no compiler for WebAssembly here" >&2; exit 1 ;; esac
exec "$sysroot/bin/rustc" "\$@"
END
chmod +x "$tools/rustc"
echo "publish: building the unpacked package with no WebAssembly toolchain on the PATH"
(cd "$package" && env -u RUSTC -u CARGO PATH="$tools" CARGO_TARGET_DIR="$target" "$tools/cargo" build --locked)
echo "publish: both crates pack, and the host's package builds on its own"
