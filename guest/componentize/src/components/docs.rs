//! The documentation that a composed component carries.

use std::path::Path;

use anyhow::{Context, Result, bail};
use wit_component::DecodedWasm;
use wit_parser::{PackageMetadata, Resolve, WorldItem};

/// What stands in the WIT of a world, for the component that was made of it: of the world itself, and of the functions
/// that it exports directly. Hosts that make tools of those show it to the model.
pub(crate) fn docs(component: &[u8], wit: &Path, world: &str) -> Result<Vec<(String, PackageMetadata)>> {
    let mut written = Resolve::default();
    let (package, _) = written.push_dir(wit).with_context(|| format!("the WIT in {} is not valid", wit.display()))?;
    let world = written.select_world(&[package], Some(world))?;
    let DecodedWasm::Component(mut decoded, root) = wit_component::decode(component)? else {
        bail!("this is a WIT package, and a component is asked for");
    };
    decoded.worlds[root].docs = written.worlds[world].docs.clone();
    for (name, item) in &written.worlds[world].exports {
        if let (WorldItem::Function(function), Some(WorldItem::Function(exported))) =
            (item, decoded.worlds[root].exports.get_mut(name))
        {
            exported.docs = function.docs.clone();
        }
    }
    let package = decoded.worlds[root].package.context("the component's world is in no package")?;
    Ok(vec![(PackageMetadata::SECTION_NAME.to_owned(), PackageMetadata::extract(&decoded, package))])
}
