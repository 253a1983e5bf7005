#!/bin/sh
# Every test. A stage that fails does not end the run; each has its log in target/test-logs.
set -u
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
logs=$target/test-logs
mkdir -p "$logs"
rm -f "$logs"/*.log
table=$logs/table
: > "$table"
export CARGO_TERM_COLOR=never

. scripts/counting.sh

stage() {
    name=$1
    shift
    log=$logs/$name.log
    printf '%-22s ' "$name"
    start=$(date +%s)
    "$@" > "$log" 2>&1 < /dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    numbers=$(counts "$log" $status)
    why=-
    if [ $status -eq 77 ]; then
        why=$(tail -n 1 "$log")
    elif [ "${numbers##* }" -ne 0 ]; then
        why=$(grep -m 1 -oE '(\.\.\. ignored, |SKIPPED: ).*' "$log" | sed -E 's/^(\.\.\. ignored, |SKIPPED: )//')
        why=${why:-"see $log"}
    fi
    # shellcheck disable=SC2086
    set -- $numbers
    printf '%s|%s|%s|%s|%s|%s\n' "$name" "$1" "$2" "$3" "$why" "$seconds" >> "$table"
    if [ "$2" -ne 0 ]; then
        echo "FAILED after $seconds s; the end of $log:"
        tail -n 25 "$log" | sed 's/^/    /'
    else
        echo "$1 passed, $seconds s"
    fi
}

encoder="--locked --manifest-path guest/componentize/Cargo.toml --target-dir $target/componentize"
adapters="--locked --manifest-path guest/adapters/Cargo.toml --target-dir $target/adapters"
# The workspaces besides the root's.
format() {
    cargo fmt --all --check &&
        for one in guest/adapters guest/componentize npm tests/hosts; do
            cargo fmt --all --manifest-path "$one/Cargo.toml" --check || return 1
        done
}
# shellcheck disable=SC2086
encoder() { cargo test $encoder; }
# shellcheck disable=SC2086
adapters() { cargo test $adapters --no-fail-fast; }
# shellcheck disable=SC2086
lint() {
    cargo clippy --locked --workspace --all-targets -- -D warnings &&
        cargo clippy $encoder --all-targets -- -D warnings &&
        cargo clippy $adapters --all-targets -- -D warnings &&
        cargo clippy --locked --manifest-path npm/Cargo.toml --target-dir "$target/npm-lint" --all-targets -- -D warnings &&
        cargo clippy --locked --package claim-check-guest --features component -- -D warnings
}
documentation() { RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps; }
vectors() { cargo run --quiet --locked --package claim-check-tests --bin vectors -- tests/vectors --through "$1"; }
isolation() { cargo run --quiet --locked --package claim-check-tests --bin isolation -- --runs 64 --tenants 3; }

echo "test: the first run builds the component and wasmtime, about 40 minutes on 2 cores; after that about 15"
stage setup scripts/setup.sh
stage format format
stage component scripts/component.sh
stage interface scripts/component.sh --check
stage encoder encoder
stage adapters adapters
stage rust cargo test --locked --workspace --no-fail-fast
stage vectors-native vectors native
stage vectors-component vectors component
stage isolation isolation
stage demo scripts/demo.sh
stage lint lint
stage documentation documentation
stage reproducible scripts/reproducible.sh
stage npm-build scripts/npm.sh
stage npm scripts/npm-test.sh
stage fuzz scripts/fuzz.sh 5

echo
awk -F'|' '
    BEGIN { format = "%-20s %8s %8s %8s %8s  %s\n"; printf format, "stage", "passed", "failed", "skipped", "seconds", "why skipped" }
    { printf format, $1, $2, $3, $4, $6, ($5 == "-" ? "" : $5) }' "$table"
echo
awk -F'|' '
    { passed += $2; failed += $3; skipped += $4 }
    END { printf "%d passed, %d failed", passed, failed; if (skipped) printf ", %d skipped", skipped; print ""; exit failed > 0 }' "$table"
