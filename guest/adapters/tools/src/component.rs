//! The WIT shell: files and the claim check below, tools above. No logic.

use serde_json::{Value, json};

use self::claim_check::tool_results::boundary;
use self::claim_check::tool_results::check_in::{self, CheckInError, Outcome};
use self::claim_check::tool_results::fetch;
use self::claim_check::tool_results::types::{Policy, Scope, Settings};
use self::wasi::cli::environment;
use self::wasi::filesystem::preopens;
use self::wasi::filesystem::types::{DescriptorFlags, ErrorCode, OpenFlags, PathFlags};
use crate::document::MAX_BYTES;
use crate::{document, path, scope};

wit_bindgen::generate!({ path: "../wit", world: "tools", generate_all });

const READ: &str = "claim-check-read";
const FETCH: &str = "claim-check-fetch";
const FIND: &str = "claim-check-find";

/// What is carried of a file that could not be kept.
const CUT_CHARS: u32 = 8000;
/// Hosts copy what is read, and some have a limit for one call.
const CALL_BYTES: u64 = 512 << 10;

struct Component;

export!(Component);

impl Guest for Component {
    fn claim_check_read(path: String) -> Result<String, String> {
        // First, so that a host that was not set up says so whatever is asked of it.
        let scope = read_scope()?;
        let text = document::text(read_file(&path)?)?;
        match check_in::check_in(&settings(), &scope, READ, &text) {
            Ok(Outcome::AsItIs) => Ok(text),
            Ok(Outcome::Neutralised(text)) => Ok(text),
            Ok(Outcome::CheckedIn(ticket)) => Ok(ticket.rendered),
            Err(CheckInError::InvalidScope(why)) => Err(format!("Not set up: {why}. Tell the user.")),
            // The model gets the beginning, and is told that the rest was not kept.
            Err(_) => {
                let text = boundary::neutralise(&text).unwrap_or(text);
                Ok(boundary::truncate(&text, CUT_CHARS).unwrap_or(text))
            }
        }
    }

    fn claim_check_fetch(handle: String, offset: u32) -> Result<String, String> {
        answer(FETCH, &json!({ "handle": handle, "offset": offset }))
    }

    fn claim_check_find(handle: String, text: String, offset: u32) -> Result<String, String> {
        answer(FIND, &json!({ "handle": handle, "text": text, "offset": offset }))
    }
}

fn answer(tool: &str, arguments: &Value) -> Result<String, String> {
    match fetch::answer(&settings(), &read_scope()?, tool, &arguments.to_string()) {
        Ok(reply) => Ok(format!("{}\n\n{}", reply.text, reply.note)),
        Err(refusal) => Err(refusal.message),
    }
}

fn read_scope() -> Result<Scope, String> {
    let environment = environment::get_environment();
    let (tenant, run) = scope::scope(&environment)?;
    Ok(Scope { tenant: tenant.to_owned(), run: run.to_owned() })
}

/// One byte more than can be checked in, where there is more.
fn read_file(path: &str) -> Result<Vec<u8>, String> {
    let granted = preopens::get_directories();
    let (place, rest) = path::locate(granted.iter().map(|(_, path)| path.as_str()), path)?;
    let (folder, _) = granted.get(place).ok_or_else(|| unreadable(ErrorCode::NoEntry))?;
    // A link is followed as far as the host lets it: never out of the folder that was granted.
    let file = folder.open_at(PathFlags::SYMLINK_FOLLOW, &rest, OpenFlags::empty(), DescriptorFlags::READ);
    let file = file.map_err(unreadable)?;
    let mut bytes = vec![];
    while bytes.len() <= MAX_BYTES {
        let (part, ended) = file.read(CALL_BYTES, bytes.len() as u64).map_err(unreadable)?;
        let nothing = part.is_empty();
        bytes.extend(part);
        if ended || nothing {
            break;
        }
    }
    Ok(bytes)
}

fn unreadable(code: ErrorCode) -> String {
    match code {
        ErrorCode::NoEntry => "There is no such file.".to_owned(),
        ErrorCode::IsDirectory => "This is a folder: give the path of a file in it.".to_owned(),
        ErrorCode::Access | ErrorCode::NotPermitted => {
            "This file may not be read. Ask the user for access, or for another path.".to_owned()
        }
        other => format!("The file can't be read ({}).", other.name()),
    }
}

fn settings() -> Settings {
    Settings {
        policy: Policy { threshold_chars: 4096, head_chars: 512, tail_chars: 0, ttl_seconds: 3600 },
        per_tool: vec![],
        fetch_tool: FETCH.to_owned(),
        find_tool: Some(FIND.to_owned()),
        window_chars: 4096,
        neutralise: true,
    }
}
