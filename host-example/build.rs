//! Says where the component lies that the crate embeds: the one that a published crate ships, or in the workspace
//! one built from the guest.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What the component is made of, from the workspace's root.
const SOURCES: [&str; 6] = ["Cargo.toml", "Cargo.lock", "guest/Cargo.toml", "guest/src", "guest/componentize", "wit"];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    match component() {
        Ok(path) => {
            println!("cargo::rustc-env=CLAIM_CHECK_COMPONENT={}", path.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn component() -> Result<PathBuf, String> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR; it did not")?);
    let workspace = here.parent().filter(|folder| folder.join("guest/componentize").is_dir());
    let shipped = here.join("component/claim_check.wasm");
    if shipped.is_file() {
        println!("cargo::rerun-if-changed={}", shipped.display());
        if workspace.is_some() {
            println!("cargo::warning=embedding {}; remove it to build the guest instead", shipped.display());
        }
        return Ok(shipped);
    }
    let workspace = workspace.ok_or_else(|| {
        format!(
            "there is neither a built component at {} nor a workspace around this crate to build it from: \
             take the crate from a registry, which ships it, or clone the whole repository",
            shipped.display()
        )
    })?;
    build(workspace)
}

fn build(workspace: &Path) -> Result<PathBuf, String> {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", workspace.join(source).display());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let target = workspace.join(target);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The settings of this build are not that one's: another package, other flags, perhaps clippy as compiler.
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "TARGET",
        "CARGO_MAKEFLAGS",
    ] {
        cargo.env_remove(name);
    }
    // A folder of its own, because the cargo that waits for this script holds the lock of the other.
    let output = cargo
        .current_dir(workspace)
        .args(["run", "--quiet", "--locked", "--manifest-path", "guest/componentize/Cargo.toml", "--target-dir"])
        .arg(target.join("componentize"))
        .args(["--", "--no-install"])
        .env("CARGO_TARGET_DIR", &target)
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("cargo did not start to build the component: {error}"))?;
    if !output.status.success() {
        return Err(format!("the component was not built:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    // A copy, so that the path is this build's alone, whatever is built next.
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR; it did not")?;
    let (built, copy) = (target.join("component/claim_check.wasm"), Path::new(&out).join("claim_check.wasm"));
    let bytes = fs::read(&built).map_err(|error| format!("{} can't be read: {error}", built.display()))?;
    // Written only when it changed: what embeds it is compiled again after every write.
    if fs::read(&copy).ok().as_ref() != Some(&bytes) {
        fs::write(&copy, bytes).map_err(|error| format!("{} can't be written: {error}", copy.display()))?;
    }
    Ok(copy)
}
