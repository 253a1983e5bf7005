//! Components plugged into each other.

use anyhow::{Context, Result};
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, NodeId, PackageId};

/// One of the components that are composed.
pub(crate) struct Part<'a> {
    /// What it is called in the composition's own names.
    pub(crate) name: &'a str,
    /// Its bytes.
    pub(crate) component: &'a [u8],
}

/// The composition of parts, each of which gets what the parts before it export; it exports what the last one does,
/// and imports what is left over.
///
/// # Errors
/// Two parts speak of other types under one name, or one imports what nobody exports in another version.
pub(crate) fn compose(parts: &[Part]) -> Result<Vec<u8>> {
    let mut graph = CompositionGraph::new();
    let mut placed: Vec<(PackageId, NodeId)> = vec![];
    for part in parts {
        let package = Package::from_bytes(part.name, None, part.component, graph.types_mut())
            .with_context(|| format!("{} is no component that can be composed", part.name))?;
        let package = graph.register_package(package)?;
        let node = graph.instantiate(package);
        for name in names(&graph, package, |world| world.imports.keys()) {
            for &(other, other_node) in &placed {
                if names(&graph, other, |world| world.exports.keys()).contains(&name) {
                    let export = graph.alias_instance_export(other_node, &name)?;
                    graph
                        .set_instantiation_argument(node, &name, export)
                        .with_context(|| format!("{} does not take the {name} of the part before it", part.name))?;
                }
            }
        }
        placed.push((package, node));
    }
    let &(last, node) = placed.last().context("nothing to compose")?;
    for name in names(&graph, last, |world| world.exports.keys()) {
        let export = graph.alias_instance_export(node, &name)?;
        graph.export(export, &name)?;
    }
    Ok(graph.encode(EncodeOptions { define_components: true, validate: true, processor: None })?)
}

/// What a package imports or exports.
fn names<'g, I: Iterator<Item = &'g String>>(
    graph: &'g CompositionGraph,
    package: PackageId,
    of: impl FnOnce(&'g wac_graph::types::World) -> I,
) -> Vec<String> {
    of(&graph.types()[graph[package].ty()]).cloned().collect()
}
