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

# What a stage counts: the sums that cargo test prints, else the last line `N passed, N failed`, else the stage itself.
count() {
    awk -v status="$2" '
        /^test result: / { tests = 1; passed += $4; failed += $6; skipped += $8 }
        /^[0-9]+ passed, [0-9]+ failed/ { line = 1; last_passed = $1; last_failed = $3; last_skipped = $5 + 0 }
        END {
            if (line && !tests) { passed = last_passed; failed = last_failed; skipped = last_skipped }
            if (!line && !tests && status == 0) passed = 1
            if (status != 0 && failed + 0 == 0) failed = 1
            print passed + 0, failed + 0, skipped + 0
        }' "$1"
}

stage() {
    name=$1
    shift
    log=$logs/$name.log
    printf '%-22s ' "$name"
    start=$(date +%s)
    "$@" > "$log" 2>&1 < /dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    why=-
    if [ $status -eq 77 ]; then
        numbers="0 0 1"
        why=$(tail -n 1 "$log")
    else
        numbers=$(count "$log" $status)
        case $numbers in *" 0") ;; *) why=$(grep -m 1 -oE '\.\.\. ignored, .*' "$log" | sed 's/^\.\.\. ignored, //'); why=${why:-"see $log"} ;; esac
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
format() { cargo fmt --all --check && cargo fmt --manifest-path guest/componentize/Cargo.toml --check; }
# shellcheck disable=SC2086
encoder() { cargo test $encoder; }
# shellcheck disable=SC2086
lint() {
    cargo clippy --locked --workspace --all-targets -- -D warnings &&
        cargo clippy $encoder --all-targets -- -D warnings &&
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
