#!/bin/sh
# Installs what the tests need beyond a C compiler and Rust, where that may be done; only what is missing.
set -eu

if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    exit 0
fi
if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
    echo "setup: apt-get installs g++, for the fuzzer's runtime"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >/dev/null
    apt-get install -y -q --no-install-recommends g++ >/dev/null
else
    echo "setup: there is no C++ compiler, and coverage-guided fuzzing needs one: install g++ or clang++ (without, inputs are mutated blindly)"
fi
