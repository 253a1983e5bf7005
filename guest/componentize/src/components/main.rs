//! Builds the components that need no host of their own: the core with a store adapter plugged in, and more.
//!
//! Writes them into `target/component/`, prints each one's size, and compares what each imports and exports with its
//! golden file.

mod compose;
mod docs;
mod recipe;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use claim_check_componentize::{encode, guest, interface, output, toolchain};

use self::compose::{Part, compose};
use self::recipe::{RECIPES, Recipe, SOURCES};

const USAGE: &str = "\
Usage: claim-check-components [--no-install] [--write-golden]

  (nothing)       builds target/component/*.wasm, and compares their interfaces with tests/hosts/interfaces/*.wit
  --no-install    installs no compiler, and says which is missing
  --write-golden  builds, and writes those files";

fn main() -> ExitCode {
    let (mut may_install, mut write) = (true, false);
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--no-install" => may_install = false,
            "--write-golden" => write = true,
            other => {
                eprintln!("unknown argument '{other}'\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    match run(may_install, write) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("components: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(may_install: bool, write: bool) -> Result<()> {
    let workspace = output::workspace()?;
    let target = output::target(&workspace);
    let toolchain = toolchain::find(may_install)?;
    let mut parts = BTreeMap::new();
    for source in SOURCES {
        let module = guest::build(&source.built, &workspace, &target, &toolchain)?;
        parts.insert(source.name, encode::encode(&module)?);
    }
    println!("{:<32} {:>8}  made of", "target/component/", "bytes");
    for recipe in RECIPES {
        let component = make(recipe, &parts, &workspace)?;
        output::write_whole(&target.join("component").join(recipe.file).with_extension("wasm"), &component)?;
        println!("{:<32} {:>8}  {}", format!("{}.wasm", recipe.file), component.len(), recipe.parts.join(", "));
        if component.len() > recipe.most_bytes {
            bail!("{} has {} bytes, and {} at most are planned", recipe.file, component.len(), recipe.most_bytes);
        }
        let golden = workspace.join("tests/hosts/interfaces").join(recipe.file).with_extension("wit");
        if write {
            fs::write(&golden, interface::text(&component)?)
                .with_context(|| format!("{} can't be written", golden.display()))?;
        } else {
            interface::check(&component, &golden, "component-interfaces")?;
        }
    }
    Ok(())
}

fn make(recipe: &Recipe, parts: &BTreeMap<&str, Vec<u8>>, workspace: &Path) -> Result<Vec<u8>> {
    let part = |name: &&'static str| {
        let component = parts.get(name).with_context(|| format!("there is no source {name}"))?;
        Ok(Part { name, component })
    };
    let composed = match recipe.parts {
        [single] => part(single)?.component.to_vec(),
        several => compose(&several.iter().map(part).collect::<Result<Vec<_>>>()?)
            .with_context(|| format!("{} can't be composed", recipe.file))?,
    };
    let wit = match recipe.world {
        "claim-check" | "store-provider" => workspace.join("wit"),
        _ => workspace.join("guest/adapters/wit"),
    };
    encode::finish(&composed, &recipe.about, &docs::docs(&composed, &wit, recipe.world)?)
}
