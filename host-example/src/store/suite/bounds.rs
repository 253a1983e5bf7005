//! What happens when no more fits.

use std::time::Instant;

use super::stand::{LONG, Stand, broken, claim, claim_of_bytes, handle};
use super::{Bench, Checked, Violation};
use crate::store::{Claim, Scope, StoreError};

/// A tenant can't hold more than the bound: what exceeds it is refused as [`StoreError::Full`].
///
/// # Errors
/// Where the store breaks it.
pub async fn full_is_refused_as_full(bench: &Bench) -> Checked {
    match fill(&Stand::new(bench).await, LONG).await?.refusal {
        StoreError::Full(_) => Ok(()),
        error => broken(format!("refused not as Full, but: {error}")),
    }
}

/// A full tenant keeps what it has, can put that again, hinders no other tenant, and has room again after a forget.
///
/// # Errors
/// Where the store breaks it.
pub async fn full_loses_nothing(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let filled = fill(&stand, LONG).await?;
    for (n, claim) in filled.kept.iter().enumerate() {
        stand.is_whole("kept by a tenant that is full", &stand.scope, &handle(n), claim).await?;
    }
    stand.put(&stand.scope, &handle(0), &filled.kept[0], LONG).await?;
    let other = Scope::new(bench.tenant(), "run");
    stand.put(&other, &handle(1), &claim("of another tenant", 2), LONG).await?;
    stand.forget(&stand.tenant()).await?;
    stand.put(&stand.scope, &handle(0), &filled.kept[0], LONG).await?;
    stand.is_whole("put after a full tenant was forgotten", &stand.scope, &handle(0), &filled.kept[0]).await
}

/// Nothing is kept of what was refused.
///
/// # Errors
/// Where the store breaks it.
pub async fn refused_leaves_nothing(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let filled = fill(&stand, LONG).await?;
    stand.is_gone("refused", &stand.scope, &handle(filled.kept.len())).await
}

/// What a refusal says holds nothing of what was to be kept.
///
/// # Errors
/// Where the store breaks it.
pub async fn refusals_hold_no_content(bench: &Bench) -> Checked {
    let filled = fill(&Stand::new(bench).await, LONG).await?;
    let text = filled.refusal.to_string();
    if text.contains(CONTENT) { broken("the error's text quotes the content".into()) } else { Ok(()) }
}

/// What has expired makes room: a tenant that was full can put again, at the latest with the eighth put, a second after
/// the one before. So a store may sweep a bit in every put or in a task, and may not wait to be asked.
///
/// # Errors
/// Where the store breaks it.
pub async fn expired_makes_room(bench: &Bench) -> Checked {
    let (stand, filled) = filled_and_expired(bench).await?;
    let number = filled.kept.len();
    let next = claim_of(number, bench);
    let mut refusal = filled.refusal;
    for _ in 0..MOST_PUTS {
        match stand.store.put(&stand.scope, &handle(number), next.clone(), LONG).await {
            Ok(()) => {
                return stand.is_whole("put after what filled it expired", &stand.scope, &handle(number), &next).await;
            }
            Err(error) => refusal = error,
        }
        stand.advance(1).await;
    }
    broken(format!(
        "all that was held has expired, and {MOST_PUTS} puts, a second apart, were refused; the last: {refusal}"
    ))
}

/// How many puts a store may refuse before what has expired has made room.
const MOST_PUTS: usize = 8;

/// A full tenant whose claims have all expired. In real time they may not do so before the tenant is full, and how long
/// that takes is found out first.
async fn filled_and_expired(bench: &Bench) -> Result<(Stand<'_>, Filled), Violation> {
    let seconds = if bench.is_exact() {
        60
    } else {
        let (trial, began) = (Stand::new(bench).await, Instant::now());
        fill(&trial, LONG).await?;
        trial.forget(&trial.tenant()).await?;
        2 + 2 * u32::try_from(began.elapsed().as_secs()).unwrap_or(LONG)
    };
    let stand = Stand::new(bench).await;
    let filled = fill(&stand, seconds).await?;
    stand.advance(seconds).await;
    Ok((stand, filled))
}

const CONTENT: &str = "what fills it";

struct Filled {
    kept: Vec<Claim>,
    refusal: StoreError,
}

fn claim_of(n: usize, bench: &Bench) -> Claim {
    claim_of_bytes(&format!("{CONTENT}, number {n}"), bench.bound().unwrap_or_default() / 8)
}

async fn fill(stand: &Stand<'_>, ttl_seconds: u32) -> Result<Filled, Violation> {
    let bound = stand.bench.bound().unwrap_or_default();
    let mut kept = vec![];
    for n in 0..9 {
        let claim = claim_of(n, stand.bench);
        match stand.store.put(&stand.scope, &handle(n), claim.clone(), ttl_seconds).await {
            Ok(()) => kept.push(claim),
            Err(refusal) if n > 0 => return Ok(Filled { kept, refusal }),
            Err(error) => return broken(format!("an eighth of the bound is refused at once: {error}")),
        }
    }
    broken(format!("9 claims of an eighth of {bound} bytes fit"))
}
