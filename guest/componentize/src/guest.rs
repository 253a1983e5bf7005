//! A crate as a core WebAssembly module.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::toolchain::{TARGET, Toolchain};

/// What is built.
pub struct Crate<'a> {
    /// The folder of its manifest, from the workspace's root.
    pub folder: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its features, beside the default ones.
    pub features: &'a [&'a str],
}

/// Builds a crate, the rules and a shell around them, and returns the module.
///
/// # Errors
/// It can't be built; the compiler's message was printed.
pub fn build(built: &Crate, workspace: &Path, target: &Path, toolchain: &Toolchain) -> Result<Vec<u8>> {
    let own_target = target.join("guest-wasm");
    let mut cargo = Command::new(&toolchain.cargo);
    // Whoever runs this may itself run under a cargo whose settings are for another build.
    for (name, _) in env::vars_os() {
        if is_of_another_build(&name.to_string_lossy()) {
            cargo.env_remove(name);
        }
    }
    cargo
        .current_dir(workspace.join(built.folder))
        .env("RUSTC", &toolchain.rustc)
        .env("CARGO_ENCODED_RUSTFLAGS", flags(workspace, toolchain).join("\x1f"))
        .args(["rustc", "--locked", "--package", built.name, "--lib", "--crate-type", "cdylib"])
        .arg(format!("--features={}", built.features.join(",")))
        .args(["--profile", "guest", "--target", TARGET, "--target-dir"])
        .arg(&own_target);
    if let Some(linker) = &toolchain.build_std {
        cargo.args(["-Zbuild-std=std,panic_abort"]);
        cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    let status = cargo.status().with_context(|| format!("{} did not start", toolchain.cargo.display()))?;
    if !status.success() {
        bail!("{} was not built ({status}); the compiler's message stands above", built.name);
    }
    let module = own_target.join(TARGET).join("guest").join(built.name.replace('-', "_")).with_extension("wasm");
    fs::read(&module).with_context(|| format!("the compiler left no module at {}", module.display()))
}

fn is_of_another_build(name: &str) -> bool {
    let settings =
        ["RUSTFLAGS", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_LINKER", "RUSTC_BOOTSTRAP"];
    let packages = [
        "CARGO_PKG_",
        "CARGO_CFG_",
        "CARGO_FEATURE_",
        "CARGO_MANIFEST_",
        "CARGO_PROFILE_",
        "CARGO_BUILD_",
        "CARGO_TARGET_",
    ];
    settings.contains(&name)
        || packages.iter().any(|start| name.starts_with(start))
        || ["TARGET", "HOST", "OUT_DIR", "PROFILE", "OPT_LEVEL", "DEBUG", "NUM_JOBS"].contains(&name)
}

/// The compiler's flags: the target's vectors, memory that holds a call of ordinary size from the start, and paths
/// that are the same on every machine.
fn flags(workspace: &Path, toolchain: &Toolchain) -> Vec<String> {
    let mut flags: Vec<String> =
        ["-C", "target-feature=+simd128", "-C", "link-arg=--initial-memory=2097152"].map(String::from).to_vec();
    let mut remap = |from: &Path, to: &str| flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    // The last that matches counts, so the widest goes first.
    if let Some(home) = env::var_os("HOME") {
        remap(Path::new(&home), "home");
    }
    remap(&cargo_home(), "cargo");
    // One folder for each registry, named after the host it was reached by.
    for registry in fs::read_dir(cargo_home().join("registry/src")).into_iter().flatten().flatten() {
        remap(&registry.path(), "crates");
    }
    remap(&toolchain.sysroot.join("lib/rustlib/src/rust"), "rust");
    remap(workspace, ".");
    flags
}

fn cargo_home() -> PathBuf {
    let home = || Path::new(&env::var_os("HOME").unwrap_or_else(|| OsString::from("/"))).join(".cargo");
    env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}
