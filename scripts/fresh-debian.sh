#!/bin/sh
# Runs `make demo` and `make test` from a fresh clone on a bare Debian: scripts/fresh-debian.sh FOLDER [TARGET…]
#
# In FOLDER it keeps `base` (a Debian 12 with make, gcc and ca-certificates), makes `root` anew from it, with this
# machine's Rust and a clone of what is committed, and leaves `transcript.txt`. Needs root, debootstrap and Rust by
# rustup. How to reach package mirrors and registries is taken from this machine: apt's settings, the names that
# resolve, trusted certificates, proxies.
set -eu
folder=${1:?usage: scripts/fresh-debian.sh FOLDER [TARGET…]}
shift
[ $# -gt 0 ] || set -- demo test
suite=bookworm
[ "$(id -u)" = 0 ] || { echo "fresh-debian: run this as root; a chroot needs it" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "fresh-debian: install the package debootstrap" >&2; exit 1; }
repository=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
base=$folder/base
root=$folder/root

# What this machine's apt knows of the suite: one line `URI release component` each.
sources() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v suite="$suite" '$2 ~ "^" suite && $3 == "main"' | sort -u
}

in_chroot() {
    chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive RUSTUP_AUTO_INSTALL=0 \
        PATH=/root/.cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${SSL_CERT_FILE:+SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt} \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
        /bin/sh -c "$2"
}

network() {
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
    sources | sed 's/^/deb /' > "$1/etc/apt/sources.list"
    apt-config dump Acquire | grep -E '^Acquire::(http|https|Check-)' > "$1/etc/apt/apt.conf.d/99host" || true
}

if [ ! -f "$base/.made" ]; then
    mirror=$(sources | awk -v suite="$suite" '$2 == suite { print $1; exit }')
    echo "fresh-debian: debootstrap of $suite, a few minutes"
    rm -rf "$base"
    debootstrap --variant=minbase "$suite" "$base" "$mirror" > "$folder/debootstrap.log"
    network "$base"
    in_chroot "$base" 'apt-get update -q && apt-get install -y -q make gcc ca-certificates' > "$folder/install.log" 2>&1
    cp -L /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/ca-certificates.crt"
    touch "$base/.made"
fi

echo "fresh-debian: a new root, with Rust and a clone"
rm -rf --one-file-system "$root"
cp -a "$base" "$root"
network "$root"
toolchain=$(rustc --print sysroot)
name=$(basename "$(readlink -f "$toolchain")")
mkdir -p "$root/root/.rustup/toolchains" "$root/root/.cargo"
cp -aL "$toolchain" "$root/root/.rustup/toolchains/$name"
cp -a "${CARGO_HOME:-$HOME/.cargo}/bin" "$root/root/.cargo/bin"
printf 'version = "12"\ndefault_toolchain = "%s"\nprofile = "minimal"\n' "$name" > "$root/root/.rustup/settings.toml"
for config in "${CARGO_HOME:-$HOME/.cargo}/config.toml"; do
    [ ! -f "$config" ] || cp "$config" "$root/root/.cargo/"
done
git clone -q --no-hardlinks "$repository" "$root/root/claim-check"

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
trap 'umount -l "$root/dev" "$root/proc"' EXIT
# A trap of its own would let the script go on.
trap 'exit 130' INT
trap 'exit 143' TERM

transcript=$folder/transcript.txt
{
    echo "# $(cat "$root/etc/debian_version"), $(nproc) cores, $(git -C "$repository" rev-parse --short HEAD), $(in_chroot "$root" 'rustc --version')"
    in_chroot "$root" 'command -v git g++ c++ curl python3 node || true' | sed 's/^/# found: /'
} > "$transcript"
failed=0
for target in "$@"; do
    printf '\n$ make %s\n' "$target" >> "$transcript"
    start=$(date +%s)
    in_chroot "$root" "cd /root/claim-check && make $target 2>&1; echo \$? > /status" | tee -a "$transcript"
    echo "# make $target: exit status $(cat "$root/status"), $(($(date +%s) - start)) s" | tee -a "$transcript"
    [ "$(cat "$root/status")" = 0 ] || failed=1
done
echo "fresh-debian: the transcript is $transcript"
exit $failed
