//! The agent's own tools. They do what they say.

use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use claim_check_host::ClaimCheck;
use claim_check_host::agent::Tool;
use serde_json::Value;

/// Reads a file under `root`.
pub(crate) fn read_file(root: PathBuf) -> Tool {
    let schema = r#"{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false}"#;
    Tool::new("read_file", "The text of a file.", schema, move |arguments| {
        let root = root.clone();
        async move {
            let arguments: Value = serde_json::from_str(&arguments).map_err(|error| error.to_string())?;
            let path = arguments["path"].as_str().ok_or("the argument path is missing")?;
            read(&root.join(path))
        }
    })
}

/// Runs `cargo metadata` in `folder`.
pub(crate) fn cargo_metadata(folder: PathBuf) -> Tool {
    let schema = r#"{"type": "object", "additionalProperties": false}"#;
    let description =
        "The packages that the project resolves to, as one line of JSON (cargo metadata --format-version 1).";
    Tool::new("cargo_metadata", description, schema, move |_| {
        let folder = folder.clone();
        async move {
            let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let output = tokio::process::Command::new(cargo)
                .args(["metadata", "--format-version", "1"])
                .current_dir(folder)
                .output()
                .await
                .map_err(|error| format!("cargo did not start: {error}"))?;
            match output.status.success() {
                true => String::from_utf8(output.stdout).map_err(|error| error.to_string()),
                false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            }
        }
    })
}

/// A whole text file, or what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let failed = |error: std::io::Error| format!("{shown} can't be read: {error}");
    let file = fs::File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(format!("{shown} is a folder; name a file in it"));
    }
    // Not by the size that is told: a device or a pipe has none.
    let mut bytes = Vec::new();
    file.take(ClaimCheck::MAX_CONTENT_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > ClaimCheck::MAX_CONTENT_BYTES {
        return Err(format!("{shown} has more than 64 MiB (67108864 bytes), the most that a claim holds"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{shown} is not UTF-8 text: byte {at} begins no character; convert it first, with iconv say")
    })
}
