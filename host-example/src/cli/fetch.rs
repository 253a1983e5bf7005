//! `claim-check fetch`

use std::path::PathBuf;

use claim_check_host::Window;
use serde::Serialize;

use super::config::PolicyFlags;
use super::exit::{Exit, Failure};
use super::new_file::NewFile;
use super::session::Session;
use super::{Common, handle, signals};

/// How much of a whole claim is in memory at a time: some pages, so that each is read and proven once.
const STRIDE_CHARS: u32 = 64 * 16384;

/// Read a part of a claim, or all of it
///
/// Prints exactly the characters from --offset on, so that windows laid end to end are the text, byte for byte.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
JSON: handle, tenant, run, offset, next_offset (null at the end), chars (of the whole claim), text; with --output \
in place of text: output (the path), written_chars, written_bytes.")]
pub(crate) struct Fetch {
    /// The handle; the notice around it, quotes, or a missing `claim:` do no harm
    handle: String,

    /// The first character, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(0..), conflicts_with = "all")]
    offset: i32,

    /// At most so many characters [default: window_chars of the settings, 4096]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "all")]
    chars: Option<u32>,

    /// The whole claim, some windows at a time
    #[arg(long)]
    all: bool,

    /// Write to a file, which appears whole or not at all and is yours alone to read; - is stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    handle: &'a str,
    tenant: &'a str,
    run: &'a str,
    offset: i32,
    next_offset: Option<i32>,
    chars: u32,
    #[serde(flatten)]
    read: Read<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Read<'a> {
    Text { text: &'a str },
    File { output: String, written_chars: u64, written_bytes: u64 },
}

pub(crate) async fn run(args: Fetch, common: &Common) -> Result<Exit, Failure> {
    let output = args.output.clone().filter(|path| path.as_os_str() != "-");
    if args.all && common.json && output.is_none() {
        return Err(Failure::refused("--json with --all needs --output FILE: a claim may hold 64 MiB"));
    }
    match output {
        None => {
            let session = Session::open(common, &PolicyFlags::default(), false).await?;
            let handle = handle::read(&session, &args.handle).await?;
            to_stdout(&args, &session, &handle).await
        }
        Some(path) => tokio::select! {
            // Listens before there is a file: a signal that finds no listener ends the process, and leaves the file.
            biased;
            stopped = signals::stopped() => Err(stopped),
            // When it is dropped, its unfinished file goes with it.
            done = to_file(&args, common, path) => done,
        },
    }
}

async fn window(args: &Fetch, session: &Session, handle: &str, offset: i32) -> Result<Window, Failure> {
    let chars = match args.all {
        true => STRIDE_CHARS,
        false => args.chars.unwrap_or(session.claims.settings().window_chars),
    };
    let window = session.claims.fetch(&session.scope, handle, offset, chars).await;
    window.map_err(|error| session.not_read(&error))
}

async fn to_stdout(args: &Fetch, session: &Session, handle: &str) -> Result<Exit, Failure> {
    let terminal = session.terminal;
    let mut read = window(args, session, handle, args.offset).await?;
    if terminal.json {
        terminal.json(&json(session, handle, &read, Read::Text { text: &read.text }))?;
        return Ok(Exit::Done);
    }
    terminal.text(&read.text)?;
    while let (true, Some(next)) = (args.all, read.next_offset) {
        read = window(args, session, handle, next).await?;
        terminal.text(&read.text)?;
    }
    match args.all {
        true => terminal.note_on(&read.text, format_args!("all of {} characters", read.chars)),
        false => terminal.note_on(&read.text, note(&read)),
    }
    Ok(Exit::Done)
}

async fn to_file(args: &Fetch, common: &Common, path: PathBuf) -> Result<Exit, Failure> {
    // Before anything is read, so that a name that is taken costs no time.
    let mut file = NewFile::create(path, args.force)?;
    let session = &Session::open(common, &PolicyFlags::default(), false).await?;
    let handle = &handle::read(session, &args.handle).await?;
    let mut progress = session.terminal.progress();
    let (mut offset, mut written_chars) = (args.offset, 0);
    let read = loop {
        let read = window(args, session, handle, offset).await?;
        file.write(&read.text)?;
        written_chars += read.text.chars().count() as u64;
        progress.at(written_chars, read.chars.into());
        match read.next_offset {
            Some(next) if args.all => offset = next,
            _ => break read,
        }
    };
    drop(progress);
    let (path, written_bytes) = file.finish()?;
    let terminal = session.terminal;
    if terminal.json {
        let output = path.display().to_string();
        let first = Window { offset: args.offset, ..read };
        terminal.json(&json(session, handle, &first, Read::File { output, written_chars, written_bytes }))?;
    } else {
        let path = path.display();
        terminal.note(format_args!("{written_chars} characters ({written_bytes} bytes) written to {path}"));
    }
    Ok(Exit::Done)
}

fn json<'a>(session: &'a Session, handle: &'a str, window: &Window, read: Read<'a>) -> Json<'a> {
    Json {
        handle,
        tenant: &session.scope.tenant,
        run: &session.scope.run,
        offset: window.offset,
        next_offset: window.next_offset,
        chars: window.chars,
        read,
    }
}

/// Where the text stands in the whole, for a person.
fn note(window: &Window) -> String {
    let Window { text, offset, next_offset, chars } = window;
    match next_offset {
        Some(next) => format!("characters {offset} to {next} of {chars}; --offset {next} reads on"),
        None if text.is_empty() => format!("offset {offset} is past the end: {chars} characters in all"),
        None => format!("characters {offset} to {chars} of {chars}; this is the end"),
    }
}
