//! Builds the component `claim-check`.
//!
//! Without an argument it writes `target/component/claim_check.wasm`: finds a compiler for WebAssembly (or installs
//! one where that may be done), builds the guest, and encodes it. The other uses need the component to be there.

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use claim_check_componentize::{encode, guest, interface, output, toolchain};

const USAGE: &str = "\
Usage: claim-check-componentize [--no-install] [--wit | --check]

  (nothing)      builds target/component/claim_check.wasm
  --no-install   installs no compiler, and says which is missing
  --wit          builds, and prints the imports and exports
  --check        builds, and compares them with tests/component/claim_check.wit";

enum Then {
    Nothing,
    Print,
    Check,
}

fn main() -> ExitCode {
    let (mut may_install, mut then) = (true, Then::Nothing);
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--no-install" => may_install = false,
            "--wit" => then = Then::Print,
            "--check" => then = Then::Check,
            other => {
                eprintln!("unknown argument '{other}'\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    match run(may_install, &then) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("component: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(may_install: bool, then: &Then) -> Result<()> {
    let workspace = output::workspace()?;
    let component = build(&workspace, &output::target(&workspace), may_install)?;
    if !matches!(then, Then::Nothing) {
        interface::imports_only_the_store(&component)?;
    }
    match then {
        Then::Nothing => Ok(()),
        Then::Print => {
            print!("{}", interface::text(&component)?);
            Ok(())
        }
        Then::Check => {
            interface::check(&component, &workspace.join("tests/component/claim_check.wit"), "interface")?;
            eprintln!("component: its interface is that of tests/component/claim_check.wit");
            Ok(())
        }
    }
}

fn build(workspace: &Path, target: &Path, may_install: bool) -> Result<Vec<u8>> {
    let start = Instant::now();
    let toolchain = toolchain::find(may_install)?;
    let how = if toolchain.build_std.is_some() {
        "the standard library first, about 80 s the first time"
    } else {
        "about 30 s the first time"
    };
    eprintln!(
        "component: building the guest for {} with {} ({how}, seconds after that)",
        toolchain::TARGET,
        toolchain.rustc.display()
    );
    let built = guest::Crate { folder: "", name: "claim-check-guest", features: &["component"] };
    let module = guest::build(&built, workspace, target, &toolchain)?;
    let component = encode::component(&module, &workspace.join("wit"))?;
    let path = target.join("component/claim_check.wasm");
    output::write_whole(&path, &component)?;
    eprintln!("component: {} ({} bytes, {:.0} s)", path.display(), component.len(), start.elapsed().as_secs_f64());
    Ok(component)
}
