//! What happens when no more fits.

use super::stand::{LONG, Stand, broken, claim, claim_of_bytes, handle};
use super::{Bench, Checked, Violation};
use crate::store::{Claim, Scope, StoreError};

/// A tenant can't hold more than the bound: what exceeds it is refused as [`StoreError::Full`].
///
/// # Errors
/// Where the store breaks it.
pub async fn full_is_refused_as_full(bench: &Bench) -> Checked {
    match fill(&Stand::new(bench).await).await?.refusal {
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
    let filled = fill(&stand).await?;
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
    let filled = fill(&stand).await?;
    stand.is_gone("refused", &stand.scope, &handle(filled.kept.len())).await
}

/// What a refusal says holds nothing of what was to be kept.
///
/// # Errors
/// Where the store breaks it.
pub async fn refusals_hold_no_content(bench: &Bench) -> Checked {
    let filled = fill(&Stand::new(bench).await).await?;
    let text = filled.refusal.to_string();
    if text.contains(CONTENT) { broken("the error's text quotes the content".into()) } else { Ok(()) }
}

const CONTENT: &str = "what fills it";

struct Filled {
    kept: Vec<Claim>,
    refusal: StoreError,
}

async fn fill(stand: &Stand<'_>) -> Result<Filled, Violation> {
    let bound = stand.bench.bound().unwrap_or_default();
    let mut kept = vec![];
    for n in 0..9 {
        let claim = claim_of_bytes(&format!("{CONTENT}, number {n}"), bound / 8);
        match stand.store.put(&stand.scope, &handle(n), claim.clone(), LONG).await {
            Ok(()) => kept.push(claim),
            Err(refusal) if n > 0 => return Ok(Filled { kept, refusal }),
            Err(error) => return broken(format!("an eighth of the bound is refused at once: {error}")),
        }
    }
    broken(format!("9 claims of an eighth of {bound} bytes fit"))
}
