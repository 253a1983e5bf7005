//! The composed components against what platforms publish of themselves, for platforms that can't be run here.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::programs::{Places, output};

/// What a platform publishes.
#[derive(Debug, Clone, Copy)]
pub struct Published {
    /// The folder of its sources, and the file in `worlds/`.
    pub source: &'static str,
    /// The world's file in `worlds/`.
    pub world: &'static str,
    /// The component that it takes.
    pub takes: &'static str,
    /// The component that it does not take: a check that takes everything checks nothing.
    pub refuses: &'static str,
}

/// The platforms.
pub const PLATFORMS: [Published; 2] = [
    Published {
        source: "spin-sdk-7.0.0",
        world: "spin",
        takes: "claim_check_keyvalue_draft2",
        refuses: "claim_check_keyvalue_draft",
    },
    Published {
        source: "wash-runtime-0.1.0",
        world: "wasmcloud",
        takes: "claim_check_keyvalue_draft",
        refuses: "claim_check_keyvalue_draft2",
    },
];

/// Whether the platform's sources could be had.
#[must_use]
pub fn found(places: &Places, platform: Published) -> bool {
    places.programs.join("../published").join(platform.source).is_dir() && places.program("wasm-tools").is_some()
}

/// The platform takes the one component and not the other.
///
/// # Errors
/// It is the other way round.
pub fn check(places: &Places, platform: Published) -> Result<()> {
    let folder = TempDir::new()?;
    let world = places.sources.join("worlds").join(platform.world).with_extension("wit");
    fs::copy(&world, folder.path().join("world.wit"))?;
    let source = places.programs.join("../published").join(platform.source).join("wit");
    copy(&source.join("deps"), &folder.path().join("deps"))?;
    if source.join("world.wit").is_file() {
        // A package of its own, which the world includes.
        copy_files(&source, &folder.path().join("deps/platform"))?;
    }
    copy_files(&places.sources.join("../../wit"), &folder.path().join("deps/tool-results"))?;
    targets(places, folder.path(), platform.takes).with_context(|| format!("{} is refused", platform.takes))?;
    match targets(places, folder.path(), platform.refuses) {
        Err(error) if format!("{error:#}").contains("missing import") => Ok(()),
        Err(error) => Err(error.context(format!("{} is refused for another reason", platform.refuses))),
        Ok(()) => bail!("{} is taken, which asks for what the platform does not have", platform.refuses),
    }
}

fn targets(places: &Places, wit: &Path, component: &str) -> Result<()> {
    let program = places.program("wasm-tools").context("wasm-tools was not installed")?;
    let mut command = Command::new(program);
    command.args(["component", "targets", "--world", "platform"]).arg(wit).arg(places.component(component));
    output(&mut command).map(|_| ())
}

/// A folder of packages.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for package in fs::read_dir(from)? {
        let package = package?;
        copy_files(&package.path(), &to.join(package.file_name()))?;
    }
    Ok(())
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        if file.path().extension().is_some_and(|extension| extension == "wit") {
            fs::copy(file.path(), to.join(file.file_name()))?;
        }
    }
    Ok(())
}
