//! From the core module to the component: encoded, validated, documented, named.

use std::path::Path;

use anyhow::{Context, Result};
use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Source, Version};
use wit_component::ComponentEncoder;
use wit_parser::{PackageMetadata, Resolve};

/// The component that `module` is the core of.
pub(crate) fn component(module: &[u8], wit: &Path) -> Result<Vec<u8>> {
    let encoded = ComponentEncoder::default()
        .validate(true)
        .reject_legacy_names(false)
        .module(module)
        .context("the module says nothing of its world: was it built with the feature `component`?")?
        .encode()
        .context("the module does not fit the world `claim-check`")?;

    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set("claim-check".to_owned());
    metadata.version = AddMetadataField::Set(Version::new(env!("CARGO_PKG_VERSION")));
    metadata.description = AddMetadataField::Set(Description::new(
        "Checks oversized tool results in, leaves a head and a handle, and reads the rest back a window at a time",
    ));
    metadata.licenses = AddMetadataField::Set(Licenses::new(env!("CARGO_PKG_LICENSE"))?);
    metadata.source = AddMetadataField::Set(Source::new(env!("CARGO_PKG_REPOSITORY"))?);
    let mut component = metadata.to_wasm(&encoded)?;

    // Encoding drops the doc comments; hosts that describe exports to a model look for them in this section.
    let mut resolve = Resolve::default();
    let (package, _) =
        resolve.push_dir(wit).with_context(|| format!("the contract in {} is not valid", wit.display()))?;
    let docs = PackageMetadata::extract(&resolve, package).encode()?;
    append_custom_section(&mut component, PackageMetadata::SECTION_NAME, &docs);
    Ok(component)
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
