//! Many runs of several tenants at once on one claim check and one store: `isolation --runs 64 --tenants 3`.
//!
//! Every run checks documents in, reads each back window by window, and tries the handles of every other run. Then one
//! tenant is forgotten, and everything is read again. Any count that is not exactly what it has to be is a failure.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use claim_check_host::{
    Absence, AnswerError, ClaimCheck, Engine, Erasure, FetchError, FindError, Limits, MemoryStore, Outcome, Scope,
    Settings, Ticket,
};
use claim_check_tests::isolation::{Document, documents};
use tokio::task::JoinSet;

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (runs, tenants) = arguments()?;
    let engine = Engine::new(&Limits::default())?;
    let store = Arc::new(MemoryStore::new());
    let claims = ClaimCheck::open_in(&engine, Settings::default(), store).await?;
    let scopes: Vec<Scope> =
        (0..runs).map(|run| Scope::new(format!("tenant-{}", run % tenants), format!("run-{run}"))).collect();

    let checked_in = together(&scopes, |run, scope| check_in(claims.clone(), run, scope)).await?;
    let tickets: Arc<Vec<Vec<Ticket>>> = Arc::new(checked_in);
    let read = together(&scopes, |run, scope| read(claims.clone(), run, scope, Arc::clone(&tickets))).await?;
    let foreign = together(&scopes, |run, scope| foreign(claims.clone(), run, scope, Arc::clone(&tickets))).await?;

    let forgotten = claims.forget(&Erasure::Tenant("tenant-0".to_owned())).await? as usize;
    let left = together(&scopes, |run, scope| left(claims.clone(), run, scope, Arc::clone(&tickets))).await?;

    let all: Vec<Document> = (0..runs).flat_map(documents).collect();
    let per_run = all.len() / runs;
    let of_tenant_0 = (0..runs).filter(|run| run % tenants == 0).count() * per_run;
    let windows = |document: &Document| document.chars().div_ceil(Document::WINDOW);
    let mut tally = (0, 0);
    for (what, expected, got) in [
        ("checked in", all.len(), tickets.iter().map(Vec::len).sum()),
        ("handles, all different", all.len(), different(&tickets)),
        ("windows read back", all.iter().map(windows).sum(), read.iter().map(|read| read.windows).sum()),
        ("characters read back", all.iter().map(Document::chars).sum(), read.iter().map(|read| read.chars).sum()),
        ("wrong characters", 0, read.iter().map(|read| read.wrong).sum()),
        ("foreign handles refused", all.len() * (runs - 1), foreign.iter().map(|foreign| foreign.refused).sum()),
        ("crossings", 0, foreign.iter().map(|foreign| foreign.crossed).sum()),
        ("forgotten with tenant-0", of_tenant_0, forgotten),
        ("left of the other tenants", all.len() - of_tenant_0, left.iter().map(|left| left.readable).sum()),
        ("gone with tenant-0", of_tenant_0, left.iter().map(|left| left.gone).sum()),
    ] {
        let verdict = if expected == got { "ok" } else { "FAILED" };
        println!("{what}: {got} of {expected} {verdict}");
        if expected == got { tally.0 += 1 } else { tally.1 += 1 }
    }
    println!("{} passed, {} failed", tally.0, tally.1);
    Ok(if tally.1 == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn arguments() -> anyhow::Result<(usize, usize)> {
    const USAGE: &str = "usage: isolation --runs N --tenants N";
    let (mut runs, mut tenants) = (64, 3);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let number = arguments.next().and_then(|number| number.parse().ok()).context(USAGE)?;
        match argument.as_str() {
            "--runs" => runs = number,
            "--tenants" => tenants = number,
            _ => bail!(USAGE),
        }
    }
    ensure!(runs >= 2 && tenants >= 2 && runs >= tenants, "with fewer than two runs or tenants nothing can cross");
    Ok((runs, tenants))
}

/// What every run does, all at once; the results in the order of the runs.
async fn together<T, F>(scopes: &[Scope], work: impl Fn(usize, Scope) -> F) -> anyhow::Result<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = anyhow::Result<T>> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for (run, scope) in scopes.iter().enumerate() {
        let work = work(run, scope.clone());
        tasks.spawn(async move { work.await.map(|result| (run, result)) });
    }
    let mut results = Vec::new();
    while let Some(result) = tasks.join_next().await {
        results.push(result??);
    }
    results.sort_by_key(|(run, _)| *run);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

async fn check_in(claims: ClaimCheck, run: usize, scope: Scope) -> anyhow::Result<Vec<Ticket>> {
    let mut tickets = Vec::new();
    for document in documents(run) {
        match claims.check_in(&scope, "tool", document.text()).await? {
            Outcome::CheckedIn(ticket) => tickets.push(ticket),
            other => bail!("run {run}: not checked in: {other:?}"),
        }
    }
    Ok(tickets)
}

fn different(tickets: &[Vec<Ticket>]) -> usize {
    tickets.iter().flatten().map(|ticket| &ticket.handle).collect::<std::collections::HashSet<_>>().len()
}

#[derive(Default)]
struct Read {
    windows: usize,
    chars: usize,
    wrong: usize,
}

async fn read(claims: ClaimCheck, run: usize, scope: Scope, tickets: Arc<Vec<Vec<Ticket>>>) -> anyhow::Result<Read> {
    let mut read = Read::default();
    for (document, ticket) in documents(run).iter().zip(&tickets[run]) {
        let (mut text, mut next) = (String::new(), Some(0));
        while let Some(offset) = next {
            let window = claims.fetch(&scope, &ticket.handle, offset, Document::WINDOW.try_into()?).await?;
            read.windows += 1;
            text.push_str(&window.text);
            next = window.next_offset;
        }
        read.chars += text.chars().count();
        let longer = text.chars().count().abs_diff(document.chars());
        read.wrong +=
            longer + text.chars().zip(document.text().chars()).filter(|(got, expected)| got != expected).count();
    }
    Ok(read)
}

#[derive(Default)]
struct Foreign {
    refused: usize,
    crossed: usize,
}

async fn foreign(
    claims: ClaimCheck,
    run: usize,
    scope: Scope,
    tickets: Arc<Vec<Vec<Ticket>>>,
) -> anyhow::Result<Foreign> {
    let mut foreign = Foreign::default();
    let others = tickets.iter().enumerate().filter(|(other, _)| *other != run).flat_map(|(_, tickets)| tickets);
    // By turns, the three ways to read: each handle is tried by every other run, in one of them.
    for (turn, ticket) in others.enumerate() {
        let handle = &ticket.handle;
        let refused = match turn % 3 {
            0 => claims.fetch(&scope, handle, 0, 64).await.map(|_| ()),
            1 => match claims.find(&scope, handle, "the", 0, 1).await {
                Ok(_) => Ok(()),
                Err(FindError::Fetch(error)) => Err(error),
                Err(other) => return Err(other.into()),
            },
            _ => match claims.answer(&scope, "fetch_result", &format!(r#"{{"handle":"{handle}"}}"#)).await {
                Ok(_) => Ok(()),
                Err(AnswerError::Refused(refusal)) => Err(refusal.cause.context("a refusal without a cause")?),
                Err(other) => return Err(other.into()),
            },
        };
        match refused {
            Ok(()) => foreign.crossed += 1,
            Err(FetchError::ClaimUnavailable(Absence::Missing)) => foreign.refused += 1,
            Err(other) => return Err(other.into()),
        }
    }
    Ok(foreign)
}

#[derive(Default)]
struct Left {
    readable: usize,
    gone: usize,
}

async fn left(claims: ClaimCheck, run: usize, scope: Scope, tickets: Arc<Vec<Vec<Ticket>>>) -> anyhow::Result<Left> {
    let mut left = Left::default();
    for ticket in &tickets[run] {
        match claims.fetch(&scope, &ticket.handle, 0, 1).await {
            Ok(_) => left.readable += 1,
            Err(FetchError::ClaimUnavailable(Absence::Missing)) => left.gone += 1,
            Err(other) => return Err(other.into()),
        }
    }
    Ok(left)
}
