//! The lasting store's trials, small: the programs run the same with larger numbers.

use std::path::Path;
use std::process::Command;

fn passes(program: &str, arguments: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let output = Command::new(program).args(arguments).arg("--folder").arg(folder).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}\n{said}\n{complaints}");
    assert!(said.lines().last().is_some_and(|line| line.contains(" passed, 0 failed")), "{said}");
    said
}

#[test]
fn two_processes_share_a_file() {
    let said = passes(env!("CARGO_BIN_EXE_two-processes"), &["--check-ins", "100"]);
    assert!(said.contains("100 acknowledged, 100 whole"), "{said}");
}

#[test]
fn a_tenant_is_forgotten_under_fire() {
    let said = passes(env!("CARGO_BIN_EXE_forget-under-fire"), &["--rounds", "3"]);
    assert!(said.contains("text of the forgotten tenant in the raw bytes: 0 traces"), "{said}");
}

#[test]
fn bad_days_lose_nothing() {
    passes(env!("CARGO_BIN_EXE_crash"), &["--rounds", "10"]);
}
