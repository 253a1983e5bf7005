//! From a core module to a component: encoded, validated, documented, named.

use std::path::Path;

use anyhow::{Context, Result};
use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Source, Version};
use wit_component::ComponentEncoder;
use wit_parser::{PackageMetadata, Resolve};

/// What a component says of itself, to registries and to the hosts that list components.
pub struct About<'a> {
    /// Its name.
    pub name: &'a str,
    /// One sentence.
    pub description: &'a str,
}

/// The component `claim-check`, whose core is `module`.
///
/// # Errors
/// The module was built for another world, or the contract in `wit` is not valid.
pub fn component(module: &[u8], wit: &Path) -> Result<Vec<u8>> {
    let about = About {
        name: "claim-check",
        description: "Checks oversized tool results in, leaves a head and a handle, and reads the rest back a window at a time",
    };
    finish(&encode(module)?, &about, &docs(wit)?)
}

/// The component that `module` is the core of, which says nothing of itself yet.
///
/// # Errors
/// The module names no world, or does not fit the one that it names.
pub fn encode(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .validate(true)
        .reject_legacy_names(false)
        .module(module)
        .context("the module says nothing of its world: was it built with the feature of its WIT shell?")?
        .encode()
        .context("the module does not fit its world")
}

/// The component with its name, its version and its documentation.
///
/// # Errors
/// It is no component that can be decoded.
pub fn finish(encoded: &[u8], about: &About, docs: &[(String, PackageMetadata)]) -> Result<Vec<u8>> {
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set(about.name.to_owned());
    metadata.version = AddMetadataField::Set(Version::new(env!("CARGO_PKG_VERSION")));
    metadata.description = AddMetadataField::Set(Description::new(about.description.to_owned()));
    metadata.licenses = AddMetadataField::Set(Licenses::new(env!("CARGO_PKG_LICENSE"))?);
    metadata.source = AddMetadataField::Set(Source::new(env!("CARGO_PKG_REPOSITORY"))?);
    let mut component = metadata.to_wasm(encoded)?;
    for (section, docs) in docs {
        append_custom_section(&mut component, section, &docs.encode()?);
    }
    // What can't be decoded can be neither transpiled nor inspected, though it runs.
    wit_component::decode(&component).context("the finished component can't be decoded")?;
    Ok(component)
}

/// The contract's doc comments, which encoding drops.
///
/// Decoders look for everything in the section `package-docs` in the world that they call `root:component/root`, and
/// refuse a component whose section names anything else. So that section has the world's own text alone, and the whole
/// documentation stands in the same format in a section that carries the package's name too.
fn docs(wit: &Path) -> Result<[(String, PackageMetadata); 2]> {
    let mut contract = Resolve::default();
    let (package, _) =
        contract.push_dir(wit).with_context(|| format!("the contract in {} is not valid", wit.display()))?;
    let world = contract.select_world(&[package], Some("claim-check"))?;

    let mut decoded = Resolve::default();
    let root = decoded.push_str("root.wit", "package root:component;\nworld root {}")?;
    let root_world = decoded.select_world(&[root], Some("root"))?;
    decoded.packages[root].docs = contract.packages[package].docs.clone();
    decoded.worlds[root_world].docs = contract.worlds[world].docs.clone();

    let section = PackageMetadata::SECTION_NAME;
    let name = &contract.packages[package].name;
    Ok([
        (section.to_owned(), PackageMetadata::extract(&decoded, root)),
        (format!("{section}:{name}"), PackageMetadata::extract(&contract, package)),
    ])
}

fn append_custom_section(component: &mut Vec<u8>, name: &str, data: &[u8]) {
    let body = [&leb128(name.len())[..], name.as_bytes(), data].concat();
    component.push(0);
    component.extend(leb128(body.len()));
    component.extend(body);
}

fn leb128(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let seven = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            bytes.push(seven);
            return bytes;
        }
        bytes.push(seven | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::leb128;

    #[test]
    fn lengths_are_written_as_the_binary_format_asks() {
        assert_eq!(leb128(0), [0]);
        assert_eq!(leb128(127), [127]);
        assert_eq!(leb128(128), [0x80, 1]);
        assert_eq!(leb128(624_485), [0xe5, 0x8e, 0x26]);
    }
}
