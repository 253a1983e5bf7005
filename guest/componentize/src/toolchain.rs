//! Which compiler builds the guest: one that has the WebAssembly target, or one that can build it from source.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The target without any system interface, so that the component can import nothing but `store`.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's compiler that can build the WebAssembly target from source.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// The oldest compiler that builds the workspace (`rust-version` in `Cargo.toml`), as its minor version.
const OLDEST: u32 = 95;

/// A compiler for the guest.
pub struct Toolchain {
    /// The cargo to call.
    pub cargo: PathBuf,
    /// The compiler that this cargo calls.
    pub rustc: PathBuf,
    /// The linker for a standard library built from source; none where the target is installed.
    pub build_std: Option<PathBuf>,
    /// Where the compiler and the source of its standard library lie.
    pub sysroot: PathBuf,
}

/// Finds a compiler, and installs what is missing where that may be done.
///
/// # Errors
/// There is none, and none may be installed; says how to get one.
pub fn find(may_install: bool) -> Result<Toolchain> {
    if let Some(found) = installed_target() {
        return Ok(found);
    }
    if may_install && rustup_may_install() {
        eprintln!("component: rustup adds the target {TARGET}");
        let added = Command::new("rustup").args(["target", "add", TARGET]).status();
        if added.is_ok_and(|status| status.success())
            && let Some(found) = installed_target()
        {
            return Ok(found);
        }
        eprintln!("component: rustup could not add the target; looking for another way");
    }
    if let Some(found) = packaged()? {
        return Ok(found);
    }
    if may_install && is_debian() && is_root() {
        install_packages()?;
        if let Some(found) = packaged()? {
            return Ok(found);
        }
    }
    let how = if !may_install && (rustup_may_install() || (is_debian() && is_root())) {
        "run `make component`, which installs what is missing".to_owned()
    } else if is_debian() {
        format!("run, as root, `apt-get install --no-install-recommends {}`", PACKAGES.join(" "))
    } else {
        format!("run `rustup target add {TARGET}`")
    };
    bail!("no Rust compiler here can build for {TARGET}: {how} (Rust 1.{OLDEST} or newer)")
}

fn installed_target() -> Option<Toolchain> {
    let rustc = PathBuf::from(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let libraries = output_of(&rustc, &["--print", "target-libdir", "--target", TARGET])?;
    if !Path::new(&libraries).is_dir() {
        return None;
    }
    let cargo = PathBuf::from(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let sysroot = PathBuf::from(output_of(&rustc, &["--print", "sysroot"])?);
    Some(Toolchain { cargo, rustc, build_std: None, sysroot })
}

fn packaged() -> Result<Option<Toolchain>> {
    let (cargo, rustc) = (PathBuf::from("/usr/bin/cargo"), PathBuf::from("/usr/bin/rustc"));
    let Some(sysroot) = output_of(&rustc, &["--print", "sysroot"]).map(PathBuf::from) else { return Ok(None) };
    let new_enough = minor_version(&rustc).is_some_and(|minor| minor >= OLDEST);
    if !new_enough || !cargo.is_file() || !sysroot.join("lib/rustlib/src/rust/library/std").is_dir() {
        return Ok(None);
    }
    let linker = linker(&[Path::new("rustc"), &rustc]).context(
        "the Rust compiler of the system can build the WebAssembly target, but there is no linker for it: \
         install Rust with rustup, whose rust-lld serves, or the package `lld`",
    )?;
    Ok(Some(Toolchain { cargo, rustc, build_std: Some(linker), sysroot }))
}

/// The LLVM linker that ships with one of the compilers, or that of the system.
fn linker(compilers: &[&Path]) -> Option<PathBuf> {
    let shipped = compilers.iter().filter_map(|rustc| {
        let sysroot = output_of(rustc, &["--print", "sysroot"])?;
        let version = output_of(rustc, &["-vV"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "))?;
        Some(Path::new(&sysroot).join("lib/rustlib").join(host).join("bin/rust-lld"))
    });
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| env::split_paths(&path).collect::<Vec<_>>());
    shipped.chain(on_path.map(|folder| folder.join("wasm-ld"))).find(|linker| linker.is_file())
}

fn install_packages() -> Result<()> {
    eprintln!("component: apt-get installs {}", PACKAGES.join(", "));
    let apt = |arguments: &[&str]| {
        Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()).status()
    };
    // Package lists that are there may be old, and then name versions that the mirror no longer has.
    apt(&["update", "-q"]).context("apt-get did not start")?;
    let status = apt(&[&["install", "-y", "-q", "--no-install-recommends"], &PACKAGES[..]].concat())?;
    if !status.success() {
        bail!("apt-get could not install {} ({status}); its own message stands above", PACKAGES.join(" "));
    }
    if let Some(minor) = minor_version(Path::new("/usr/bin/rustc"))
        && minor < OLDEST
    {
        bail!(
            "the package mirror has Rust 1.{minor}, and 1.{OLDEST} is needed: add the distribution's security suite \
             to apt's sources, or install Rust with rustup and run `rustup target add {TARGET}`"
        );
    }
    Ok(())
}

fn rustup_may_install() -> bool {
    env::var("RUSTUP_AUTO_INSTALL").as_deref() != Ok("0") && output_of(Path::new("rustup"), &["--version"]).is_some()
}

fn is_debian() -> bool {
    Path::new("/etc/debian_version").is_file()
}

fn is_root() -> bool {
    output_of(Path::new("id"), &["-u"]).as_deref() == Some("0")
}

fn minor_version(rustc: &Path) -> Option<u32> {
    output_of(rustc, &["--version"])?.split(['.', ' ']).nth(2)?.parse().ok()
}

/// What a program prints; none where it is not there or fails.
fn output_of(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
