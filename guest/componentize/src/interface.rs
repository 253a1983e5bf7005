//! What the component imports and exports, as text, and held against the golden file.

use std::path::Path;

use anyhow::{Context, Result, bail};
use wit_component::{DecodedWasm, WitPrinter};
use wit_parser::WorldItem;

/// The only interfaces that the component may import: what it asks of its host, and types without functions.
const IMPORTS: [&str; 2] = ["claim-check:tool-results/store@0.1.0", "claim-check:tool-results/types@0.1.0"];

/// Refuses a component that imports anything but `store`.
///
/// # Errors
/// Says what it imports.
pub fn imports_only_the_store(component: &[u8]) -> Result<()> {
    let decoded = wit_component::decode(component).context("the component can't be decoded")?;
    let DecodedWasm::Component(resolve, world) = &decoded else {
        bail!("this is a WIT package, and a component is asked for");
    };
    for (key, item) in &resolve.worlds[*world].imports {
        let name = resolve.name_world_key(key);
        let allowed = IMPORTS.contains(&name.as_str())
            && (!name.contains("/types@")
                || matches!(item, WorldItem::Interface { id, .. } if resolve.interfaces[*id].functions.is_empty()));
        if !allowed {
            bail!("the component imports {name}; it may import functions of `store` and nothing else");
        }
    }
    Ok(())
}

/// A component's interface as WIT text.
///
/// # Errors
/// It is no component that can be decoded.
pub fn text(component: &[u8]) -> Result<String> {
    let decoded = wit_component::decode(component).context("the component can't be decoded")?;
    let DecodedWasm::Component(resolve, _) = &decoded else {
        bail!("this is a WIT package, and a component is asked for");
    };
    let main = decoded.package();
    let others: Vec<_> = resolve.packages.iter().map(|(id, _)| id).filter(|id| *id != main).collect();
    let mut printer = WitPrinter::default();
    printer.emit_docs(false).print(resolve, main, &others)?;
    Ok(printer.output.to_string())
}

/// Compares a component's interface with the golden file, which `make TARGET` writes again.
///
/// # Errors
/// They differ, and how.
pub fn check(component: &[u8], golden: &Path, target: &str) -> Result<()> {
    let actual = text(component)?;
    let expected =
        std::fs::read_to_string(golden).with_context(|| format!("no golden file at {}", golden.display()))?;
    if actual == expected {
        return Ok(());
    }
    bail!(
        "the component's interface is not that of {}:\n{}If the change is meant, write the file again with \
         `make {target}`, and review the difference.",
        golden.display(),
        difference(&expected, &actual)
    )
}

/// The lines that differ, from the first to the last, with `-` for the golden file's and `+` for the component's.
fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = expected.iter().zip(&actual).take_while(same).count();
    let end = expected[start..].iter().rev().zip(actual[start..].iter().rev()).take_while(same).count();
    let lines = |sign: char, lines: &[&str]| lines.iter().map(|line| format!("  {sign} {line}\n")).collect::<String>();
    format!(
        "  from line {}:\n{}{}",
        start + 1,
        lines('-', &expected[start..expected.len() - end]),
        lines('+', &actual[start..actual.len() - end])
    )
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_shows_only_the_lines_that_changed() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "  from line 2:\n  - b\n  + x\n  + y\n");
        assert_eq!(difference("a\n", "a\na\n"), "  from line 2:\n  + a\n");
    }
}
