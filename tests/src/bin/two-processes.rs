//! Two processes check in to one file at once: `two-processes [--check-ins 10000] [--folder DIR]`.
//!
//! Each opens a claim check of its own over the file, and checks in as fast as it can. Then every ticket of both has to
//! open, whole, in this third process; and neither may have heard of a lock.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail};
use claim_check_host::{ClaimCheck, Outcome, Scope, Settings, SqliteStore};
use claim_check_tests::durable::{Folder, Found, Known, Tally, content, option};

const CHARS: usize = 5_000;

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let check_ins: usize = option("--check-ins", 10_000)?;
    if let Ok(writer) = option("--writer", -1_i32)?.try_into() {
        return check_in(writer, check_ins, option("--file", PathBuf::new())?).await;
    }
    let folder = Folder::new(&option("--folder", std::env::temp_dir())?, "two-processes")?;
    let file = folder.path().join("claims.db");
    let begin = Instant::now();
    // Both are heard at once: a full pipe would stop the one that is not.
    let writers = [0, 1].map(|writer| spawn(writer, check_ins, &file)).map(|child| thread::spawn(|| hear(child?)));
    let mut tally = Tally::default();
    let mut lines = vec![];
    for (writer, heard) in writers.into_iter().enumerate() {
        let (handles, said) = heard.join().map_err(|_| anyhow::anyhow!("a listener panicked"))??;
        tally.check(&format!("process {writer}"), said);
        lines.push(handles);
    }
    println!("{} check-ins took {:.1?}", 2 * check_ins, begin.elapsed());

    let store = SqliteStore::open(&file)?;
    for (writer, handles) in lines.iter().enumerate() {
        let mut whole = 0;
        for (n, handle) in handles.iter().enumerate() {
            let known = Known::new(&scope(writer), n, CHARS);
            whole += usize::from(known.handle == *handle && known.find(&store).await == Found::Whole);
        }
        let said = format!("{} acknowledged, {whole} whole", handles.len());
        let right = handles.len() == check_ins && whole == check_ins;
        tally.check(&format!("claims of process {writer}"), if right { Ok(said) } else { Err(said) });
    }
    let stats = store.stats().await?;
    let right = stats.live == 2 * check_ins as u64 && stats.claims == stats.live && stats.tenants == 1;
    tally.check("the books", if right { Ok } else { Err }(format!("{stats:?}")));
    Ok(tally.close())
}

fn scope(writer: usize) -> Scope {
    Scope::new("tenant", format!("run of process {writer}"))
}

fn spawn(writer: usize, check_ins: usize, file: &std::path::Path) -> anyhow::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--writer", &writer.to_string(), "--check-ins", &check_ins.to_string(), "--file"]).arg(file);
    Ok(command.stdout(Stdio::piped()).spawn()?)
}

/// The handles that the process printed, and whether it had nothing to complain of.
fn hear(mut child: Child) -> anyhow::Result<(Vec<String>, Result<String, String>)> {
    let lines = BufReader::new(child.stdout.take().context("no output")?).lines();
    let (handles, others): (Vec<_>, Vec<_>) =
        lines.collect::<Result<Vec<_>, _>>()?.into_iter().partition(|line| line.starts_with("claim:"));
    let status = child.wait()?;
    let said = match others.as_slice() {
        [slowest] if status.success() && slowest.starts_with("slowest") => Ok(format!("no error; {slowest}")),
        others => Err(format!("{status}, {} complaints: {:?}", others.len(), others.first())),
    };
    Ok((handles, said))
}

async fn check_in(writer: usize, check_ins: usize, file: PathBuf) -> anyhow::Result<ExitCode> {
    let store = Arc::new(SqliteStore::open(file)?);
    let claims = ClaimCheck::open(Settings::default(), store).await?;
    let scope = scope(writer);
    let (mut slowest, begin) = (std::time::Duration::ZERO, Instant::now());
    for n in 0..check_ins {
        let before = Instant::now();
        match claims.check_in(&scope, "tool", &content(&format!("{scope} {n}"), CHARS)).await {
            Ok(Outcome::CheckedIn(ticket)) => println!("{}", ticket.handle),
            Ok(_) => bail!("{CHARS} characters were carried"),
            Err(error) => println!("{error}"),
        }
        slowest = slowest.max(before.elapsed());
    }
    println!("slowest {slowest:.1?}, all {:.1?}", begin.elapsed());
    Ok(ExitCode::SUCCESS)
}
