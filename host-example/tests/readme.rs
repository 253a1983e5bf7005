//! The README's Rust is the examples' Rust, and the examples run.

use std::fs;
use std::path::Path;

#[path = "../examples/eight_lines.rs"]
mod eight_lines;
#[path = "../examples/many_tasks.rs"]
mod many_tasks;
#[path = "../examples/own_loop.rs"]
mod own_loop;
#[path = "../examples/own_store.rs"]
mod own_store;
#[path = "../examples/per_tool.rs"]
mod per_tool;
#[path = "../examples/raw_bindgen.rs"]
mod raw_bindgen;

/// Those of which the README shows a part.
const EXAMPLES: [&str; 2] = ["eight_lines", "raw_bindgen"];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The marked lines of an example, without their indentation.
fn marked(example: &str) -> String {
    let source = fs::read_to_string(here().join(format!("examples/{example}.rs"))).unwrap();
    let (_, rest) = source.split_once("// README: begin\n").expect("the first mark");
    let (marked, _) = rest.split_once("// README: end").expect("the second mark");
    let marked = marked.trim_end();
    let indentation = marked.len() - marked.trim_start_matches(' ').len();
    let lines = marked.lines().map(|line| line.get(indentation..).unwrap_or(""));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_readme_shows_the_examples() {
    let readme = fs::read_to_string(here().join("../README.md")).unwrap();
    let blocks: Vec<_> = readme
        .split("```rust\n")
        .skip(1)
        .map(|rest| rest.split_once("```").expect("the block's end").0.to_owned())
        .collect();
    for example in EXAMPLES {
        let marked = marked(example);
        assert!(
            blocks.contains(&marked),
            "README.md should have this block, from examples/{example}.rs:\n```rust\n{marked}```"
        );
    }
    assert_eq!(blocks.len(), EXAMPLES.len(), "README.md has Rust that no example compiles");
}

#[test]
fn the_examples_run() {
    eight_lines::main().unwrap();
    raw_bindgen::main().unwrap();
    own_store::main().unwrap();
    many_tasks::main().unwrap();
    per_tool::main().unwrap();
    own_loop::main().unwrap();
}
