#!/bin/sh
# Fuzzes every target for so many seconds: scripts/fuzz.sh SECONDS
# Prints the executions of each, and a closing line. Inputs that broke a target are left in guest/fuzz/artifacts.
set -u

seconds=${1:?usage: scripts/fuzz.sh SECONDS}
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
fuzz=$root/guest/fuzz
log=$target/fuzz-log
mkdir -p "$target"
PATH=$PATH:$target/tools/bin:$root/target/tools/bin

# libFuzzer is C++, and its coverage is an unstable flag of rustc. Without a C++ compiler the same assertions are
# tried on mutated seeds, not guided by coverage.
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    guided=yes
    if ! command -v cargo-fuzz >/dev/null 2>&1; then
        echo "installing cargo-fuzz into $target/tools (once, about two minutes)"
        cargo install cargo-fuzz --locked --quiet --root "$target/tools" || exit 1
        PATH=$PATH:$target/tools/bin
    fi
    export RUSTC_BOOTSTRAP=1
    build() { cargo fuzz build --fuzz-dir "$fuzz" --target-dir "$target/fuzz" --sanitizer none; }
    run() {
        mkdir -p "$fuzz/corpus/$1"
        cargo fuzz run --fuzz-dir "$fuzz" --target-dir "$target/fuzz" --sanitizer none "$1" "$fuzz/corpus/$1" \
            "$fuzz/seeds/$1" -- -max_total_time="$seconds" -max_len=8192 -timeout=20 -print_final_stats=1
    }
else
    guided=no
    echo "no C++ compiler, so no libFuzzer: mutated seeds without coverage instead"
    blind() { cargo run --release --quiet --manifest-path "$fuzz/Cargo.toml" --target-dir "$target/fuzz" --no-default-features --example blind --locked -- "$@"; }
    build() { cargo build --release --manifest-path "$fuzz/Cargo.toml" --target-dir "$target/fuzz" --no-default-features --example blind --locked; }
    run() { blind "$1" "$seconds" "$fuzz/seeds/$1"; }
fi

echo "building the fuzz targets"
if ! build >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "0 passed, 1 failed"
    exit 1
fi

passed=0
failed=0
for name in check_in tool_arguments neutralise manifests; do
    if run "$name" >"$log" 2>&1; then
        passed=$((passed + 1))
        executions=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$log" | tail -n 1)
        echo "$name: ${executions:-0} executions in $seconds seconds"
    else
        failed=$((failed + 1))
        tail -n 40 "$log"
        echo "$name: FAILED"
    fi
done
echo "guided by coverage: $guided"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
