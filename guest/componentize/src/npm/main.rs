//! Builds the core of the npm package: `npm/src` to WebAssembly, and the JavaScript that loads it.
//!
//! Writes `core_bg.wasm` and `core_bg.js` into the folder that is named.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use claim_check_componentize::{guest, output, toolchain};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("Usage: claim-check-npm-core FOLDER");
        return ExitCode::from(2);
    };
    match run(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("npm core: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path) -> Result<()> {
    let workspace = output::workspace()?;
    same_versions(&workspace)?;
    let toolchain = toolchain::find(true)?;
    eprintln!("npm core: building for {} with {}", toolchain::TARGET, toolchain.rustc.display());
    let built = guest::Crate { folder: "npm", name: "claim-check-npm", features: &[] };
    let module = guest::build(&built, &workspace, &output::target(&workspace), &toolchain)?;

    fs::create_dir_all(folder).with_context(|| format!("{} can't be made", folder.display()))?;
    Bindgen::new()
        .input_bytes("core", module)
        // Glue that leaves loading the module to us: each runtime has its own way.
        .bundler(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("wasm-bindgen can't make the glue")
}

/// The rules are the same on both sides only if their dependencies are: Unicode's tables, JSON's numbers.
fn same_versions(workspace: &Path) -> Result<()> {
    let (ours, theirs) = (locked(&workspace.join("npm"))?, locked(workspace)?);
    let only_here = ["claim-check-npm", "js-sys", "wasm-bindgen"];
    let strays: Vec<_> = ours
        .iter()
        .filter(|(name, _)| !only_here.iter().any(|start| name.starts_with(start)))
        .filter(|(name, _)| theirs.iter().any(|(other, _)| other == name))
        .filter(|package| !theirs.contains(package))
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    if !strays.is_empty() {
        bail!("npm/Cargo.lock has other versions than Cargo.lock: {}; make them the same", strays.join(", "));
    }
    Ok(())
}

/// The names and versions in a lock file.
fn locked(folder: &Path) -> Result<Vec<(String, String)>> {
    let path = folder.join("Cargo.lock");
    let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
    let field =
        |line: &str, name: &str| Some(line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned());
    let mut lines = text.lines();
    let mut packages = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(name) = field(line, "name")
            && let Some(version) = lines.next().and_then(|line| field(line, "version"))
        {
            packages.push((name, version));
        }
    }
    Ok(packages)
}
