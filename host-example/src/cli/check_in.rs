//! `claim-check check-in`

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use claim_check_host::{ClaimCheck, Outcome, Settings};
use serde::Serialize;

use super::Common;
use super::config::PolicyFlags;
use super::exit::{Exit, Failure};
use super::session::{Session, too_large};

/// Print what a conversation carries in place of a text
///
/// A text of at most --threshold-chars characters (4096 by default) is printed as it is. A larger one is stored, and
/// its beginning is printed with a notice that names its handle, for `claim-check fetch`. Either way turn markers,
/// terminal escapes and invisible characters are made harmless first.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
JSON: outcome (as_it_is, neutralised or checked_in), carried (what the conversation carries), chars (of the input), \
tenant, run, tool; and where outcome is checked_in: handle, next_offset (where reading on starts), \
ttl_seconds (the handle can be redeemed for at least so long, and longer where an earlier check-in of the same text \
promised it), head, notice, tail.")]
pub(crate) struct CheckIn {
    /// The text, in UTF-8; - is stdin
    #[arg(value_name = "FILE|-")]
    file: PathBuf,

    /// The tool whose result it is; chooses its policy in the settings file [default: cli]
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,

    #[command(flatten)]
    pub(crate) policy: PolicyFlags,
}

#[derive(Serialize)]
struct Json<'a> {
    outcome: &'a str,
    tenant: &'a str,
    run: &'a str,
    tool: &'a str,
    chars: usize,
    carried: &'a str,
    #[serde(flatten)]
    ticket: Option<TicketJson<'a>>,
}

#[derive(Serialize)]
struct TicketJson<'a> {
    handle: &'a str,
    next_offset: i32,
    ttl_seconds: u32,
    head: &'a str,
    notice: &'a str,
    tail: &'a str,
}

pub(crate) async fn run(args: CheckIn, common: &Common) -> Result<Exit, Failure> {
    let session = Session::open(common, &args.policy, true).await?;
    let content = read(&args.file)?;
    let tool = args.tool.as_deref().unwrap_or("cli");
    if args.tool.is_some() {
        note_unknown(tool, &session);
    }
    let outcome = session.claims.check_in(&session.scope, tool, &content).await;
    let outcome = outcome.map_err(|error| session.not_checked_in(&error))?;
    let carried = outcome.carried(&content);
    let chars = content.chars().count();

    let terminal = session.terminal;
    if terminal.json {
        let (outcome, ticket) = match &outcome {
            Outcome::AsItIs => ("as_it_is", None),
            Outcome::Neutralised(_) => ("neutralised", None),
            Outcome::CheckedIn(ticket) => ("checked_in", Some(ticket)),
        };
        let ticket = ticket.map(|ticket| TicketJson {
            handle: &ticket.handle,
            next_offset: ticket.next_offset,
            ttl_seconds: ticket.ttl_seconds,
            head: &ticket.head,
            notice: &ticket.notice,
            tail: &ticket.tail,
        });
        let (tenant, run) = (&session.scope.tenant, &session.scope.run);
        terminal.json(&Json { outcome, tenant, run, tool, chars, carried, ticket })?;
        return Ok(Exit::Done);
    }
    terminal.text(carried)?;
    let note = match &outcome {
        Outcome::AsItIs => format!("{chars} characters, carried as they are"),
        Outcome::Neutralised(_) => format!("{chars} characters, carried once made harmless"),
        Outcome::CheckedIn(ticket) => format!(
            "checked in, and can be redeemed for at least {}; `claim-check fetch{} {} --offset {}` reads on",
            seconds(ticket.ttl_seconds),
            common.scope_flags(),
            ticket.handle,
            ticket.next_offset
        ),
    };
    terminal.note_on(carried, note);
    Ok(Exit::Done)
}

/// A settings file that names tools, and not this one, may have it under another spelling.
fn note_unknown(tool: &str, session: &Session) {
    let Settings { per_tool, fetch_tool, find_tool, .. } = session.claims.settings();
    let redeems = tool == fetch_tool || Some(tool) == find_tool.as_deref();
    if per_tool.is_empty() || redeems || per_tool.iter().any(|own| own.tool == tool) {
        return;
    }
    let known: Vec<_> = per_tool.iter().map(|own| format!("{:?}", own.tool)).collect();
    session.terminal.note(format_args!(
        "the settings file has no policy for tool {tool:?}, so [policy] applies; [tools] has {}",
        known.join(", ")
    ));
}

fn seconds(count: u32) -> String {
    if count == 1 { "1 second".into() } else { format!("{count} seconds") }
}

pub(super) fn read(file: &Path) -> Result<String, Failure> {
    let name = if file == Path::new("-") { "stdin".into() } else { file.display().to_string() };
    let mut bytes = Vec::new();
    // One more than is taken, so that what is larger shows, and never all of what is endless.
    let limit = ClaimCheck::MAX_CONTENT_BYTES as u64 + 1;
    let read = match file == Path::new("-") {
        true => io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::failed(format!("{name} can't be read: {error}")))?;
    if bytes.len() > ClaimCheck::MAX_CONTENT_BYTES {
        return Err(too_large(&name));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        let hint = match error.as_bytes() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it looks like UTF-16: convert it with `iconv -f UTF-16 -t UTF-8`",
            _ => "text in another encoding can be converted with iconv; what is not text can't be checked in",
        };
        Failure::new(Exit::NotText, format!("{name} is not UTF-8: byte {at} is 0x{byte:02x}; {hint}"))
    })
}
