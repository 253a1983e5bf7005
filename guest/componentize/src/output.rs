//! Where the builds write, and how.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Cargo's target folder, as the environment or the workspace has it.
#[must_use]
pub fn target(workspace: &Path) -> PathBuf {
    workspace.join(env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// Writes a file whole: two builds may write at once, and a reader must find the one's bytes or the other's.
///
/// # Errors
/// It can't be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let folder = path.parent().context("the path has no folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&partial, bytes))
        .and_then(|()| fs::rename(&partial, path))
        .with_context(|| format!("{} can't be written", path.display()))
}

/// The folder with the workspace's `Cargo.toml`: two above this crate's, wherever the repository lies now.
///
/// # Errors
/// There is none.
pub fn workspace() -> Result<PathBuf> {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    match manifest.ancestors().nth(2) {
        Some(workspace) if workspace.join("wit").is_dir() => Ok(workspace.to_owned()),
        _ => bail!("no workspace around {}: run this through cargo, in the repository", manifest.display()),
    }
}
