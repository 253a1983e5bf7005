//! What is tried on every host.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::host::{Host, Read};

type Case = fn(&mut dyn Host) -> Result<()>;

/// The cases by name, in the order in which they are tried.
pub const CASES: &[(&str, Case)] = &[
    ("windows", windows),
    ("find", find),
    ("foreign", foreign),
    ("forged", forged),
    ("forget", forget),
    ("expiry", expiry),
    ("restart", restart),
];

/// What is found in the document, and nowhere else in it.
pub const NEEDLE: &str = "the notice period is ninety days";

/// A document of about so many characters, of which some have more than one byte; no two are the same.
#[must_use]
pub fn document(name: &str, chars: usize) -> String {
    let line = |number: usize| format!("{number}. {name}: naïve 👩‍💻 lines, “quoted” \\ once,\tand with a tab.\n");
    let mut text = String::new();
    let mut number = 0;
    while text.chars().count() < chars {
        text += &line(number);
        number += 1;
        if number == 200 {
            text += &format!("In short, {NEEDLE}.\n");
        }
    }
    text
}

/// Windows laid end to end are the document.
fn windows(host: &mut dyn Host) -> Result<()> {
    let document = document("windows", 20_000);
    let handle = host.check_in("run-1", &document, 600)?;
    read_back(host, "run-1", &handle, &document)
}

/// A search says where the text stands, in characters.
fn find(host: &mut dyn Host) -> Result<()> {
    let document = document("find", 20_000);
    let handle = host.check_in("run-1", &document, 600)?;
    let at = document.find(NEEDLE).map(|at| document[..at].chars().count());
    let found = host.find("run-1", &handle, NEEDLE)?;
    ensure!(found == Read::There(at.map(|at| at as u32).into_iter().collect()), "found {found:?}, not {at:?}");
    Ok(())
}

/// Another run's handle opens nothing.
fn foreign(host: &mut dyn Host) -> Result<()> {
    let document = document("foreign", 20_000);
    let handle = host.check_in("run-1", &document, 600)?;
    is_gone(host, "run-2", &handle, "another run's")?;
    read_back(host, "run-1", &handle, &document)
}

/// A handle that nobody was given opens nothing.
fn forged(host: &mut dyn Host) -> Result<()> {
    let handle = host.check_in("run-1", &document("forged", 20_000), 600)?;
    let last = if handle.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &handle[..handle.len() - 1]);
    is_gone(host, "run-1", &forged, "one that differs in its last digit")?;
    is_gone(host, "run-1", "claim:../../etc/passwd", "a path")
}

/// What is forgotten is gone, and another run's is not.
fn forget(host: &mut dyn Host) -> Result<()> {
    let (one, other) = (document("forget one", 20_000), document("forget another", 20_000));
    let handles = [host.check_in("run-3", &one, 600)?, host.check_in("run-3", &other, 600)?];
    let kept = host.check_in("run-4", &one, 600)?;
    let forgotten = host.forget("run-3")?;
    ensure!(forgotten == 2, "{forgotten} forgotten, not 2");
    for handle in &handles {
        is_gone(host, "run-3", handle, "a forgotten one")?;
    }
    read_back(host, "run-4", &kept, &one)
}

/// What has expired is gone.
fn expiry(host: &mut dyn Host) -> Result<()> {
    let document = document("expiry", 20_000);
    let handle = host.check_in("run-5", &document, 1)?;
    sleep(Duration::from_millis(1500));
    is_gone(host, "run-5", &handle, "an expired one")?;
    let handle = host.check_in("run-5", &document, 600)?;
    read_back(host, "run-5", &handle, &document)
}

/// What was checked in is there after the host was stopped and started again.
fn restart(host: &mut dyn Host) -> Result<()> {
    let document = document("restart", 20_000);
    let handle = host.check_in("run-6", &document, 600)?;
    host.restart()?;
    read_back(host, "run-6", &handle, &document)
}

fn read_back(host: &mut dyn Host, run: &str, handle: &str, document: &str) -> Result<()> {
    let (mut text, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let Read::There(window) = host.fetch(run, handle, from)? else {
            anyhow::bail!("there is nothing to read at {from}");
        };
        ensure!(window.next.is_none_or(|next| next > from), "the window at {from} leads back");
        text += &window.text;
        offset = window.next;
    }
    ensure!(
        text == document,
        "what was read back has {} bytes, and another text than the {}",
        text.len(),
        document.len()
    );
    Ok(())
}

fn is_gone(host: &mut dyn Host, run: &str, handle: &str, whose: &str) -> Result<()> {
    ensure!(host.fetch(run, handle, 0)? == Read::Gone, "the handle is {whose}, and opens something");
    ensure!(host.find(run, handle, NEEDLE)? == Read::Gone, "the handle is {whose}, and is searched");
    Ok(())
}
