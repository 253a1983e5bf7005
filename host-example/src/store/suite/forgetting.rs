//! What is forgotten is gone, and nothing else.

use super::stand::{LONG, Stand, claim, equal, handle};
use super::{Bench, Checked};
use crate::store::{Erasure, Scope};

/// To forget a run leaves the tenant's other runs and other tenants' runs of that name alone.
///
/// # Errors
/// Where the store breaks it.
pub async fn forget_takes_one_run(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let other_run = Scope::new(&stand.scope.tenant, "run2");
    let other_tenant = Scope::new(bench.tenant(), &stand.scope.run);
    for (n, scope) in [&stand.scope, &stand.scope, &other_run, &other_tenant].into_iter().enumerate() {
        stand.put(scope, &handle(n), &claim("to forget", 2), LONG).await?;
    }
    equal("claims of the run", stand.forget(&Erasure::Run(stand.scope.clone())).await?, 2)?;
    stand.is_gone("after its run was forgotten", &stand.scope, &handle(0)).await?;
    stand.is_gone("after its run was forgotten", &stand.scope, &handle(1)).await?;
    let when = "after another run was forgotten";
    stand.is_whole(when, &other_run, &handle(2), &claim("to forget", 2)).await?;
    stand.is_whole(when, &other_tenant, &handle(3), &claim("to forget", 2)).await
}

/// To forget a tenant takes all of its runs, and leaves other tenants alone, whatever their names begin with.
///
/// # Errors
/// Where the store breaks it.
pub async fn forget_takes_a_whole_tenant(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let tenant = &stand.scope.tenant;
    let longer = Scope::new(format!("{tenant}longer"), &stand.scope.run);
    bench.will_use(longer.tenant.clone());
    let shorter = Scope::new(&tenant[..tenant.len() - 1], &stand.scope.run);
    bench.will_use(shorter.tenant.clone());
    let runs = ["run", "run2", "../run"].map(|run| Scope::new(tenant, run));
    for (n, scope) in runs.iter().chain([&longer, &shorter]).enumerate() {
        stand.put(scope, &handle(n), &claim("to forget", 2), LONG).await?;
    }
    equal("claims of the tenant", stand.forget(&stand.tenant()).await?, 3)?;
    for (n, scope) in runs.iter().enumerate() {
        stand.is_gone("after its tenant was forgotten", scope, &handle(n)).await?;
    }
    let when = "after a tenant of similar name was forgotten";
    stand.is_whole(when, &longer, &handle(3), &claim("to forget", 2)).await?;
    stand.is_whole(when, &shorter, &handle(4), &claim("to forget", 2)).await
}

/// `forget` counts the claims that were live: once if they were put twice, not at all if they had expired.
///
/// # Errors
/// Where the store breaks it.
pub async fn forget_counts_live_claims(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    stand.put(&stand.scope, &handle(1), &claim("once", 2), LONG).await?;
    stand.put(&stand.scope, &handle(2), &claim("twice", 2), LONG).await?;
    stand.put(&stand.scope, &handle(2), &claim("twice", 2), LONG).await?;
    stand.put(&stand.scope, &handle(3), &claim("expired", 2), 1).await?;
    stand.advance(3).await;
    equal("live claims, of 2 and an expired one", stand.forget(&stand.tenant()).await?, 2)
}

/// To forget what is not there is no error.
///
/// # Errors
/// Where the store breaks it.
pub async fn forget_of_nothing_counts_none(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    equal("claims of an unknown tenant", stand.forget(&stand.tenant()).await?, 0)?;
    equal("claims of an unknown run", stand.forget(&Erasure::Run(stand.scope.clone())).await?, 0)?;
    stand.put(&stand.scope, &handle(1), &claim("to forget", 2), LONG).await?;
    stand.forget(&stand.tenant()).await?;
    equal("claims of a forgotten tenant", stand.forget(&stand.tenant()).await?, 0)
}

/// Nothing brings back what was forgotten: no time, no other put, no new handle of the store.
///
/// # Errors
/// Where the store breaks it.
pub async fn forgotten_stays_forgotten(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    stand.put(&stand.scope, &handle(1), &claim("to forget", 2), LONG).await?;
    stand.forget(&stand.tenant()).await?;
    stand.is_gone("after it was forgotten", &stand.scope, &handle(1)).await?;
    stand.put(&stand.scope, &handle(2), &claim("later", 2), LONG).await?;
    stand.is_gone("forgotten, and another one put", &stand.scope, &handle(1)).await?;
    stand.advance(2).await;
    stand.is_gone("forgotten, some time ago", &stand.scope, &handle(1)).await?;
    let again = Stand { bench, store: bench.open().await, scope: stand.scope.clone() };
    again.is_gone("forgotten, and asked for by another handle of the store", &stand.scope, &handle(1)).await
}

/// A claim that is put after a forget is a new one, and expires as it says itself.
///
/// # Errors
/// Where the store breaks it.
pub async fn put_after_forget_is_new(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    stand.put(&stand.scope, &handle(1), &claim("old", 4), LONG).await?;
    stand.forget(&stand.tenant()).await?;
    stand.put(&stand.scope, &handle(1), &claim("new", 2), 2).await?;
    stand.is_whole("put after a forget", &stand.scope, &handle(1), &claim("new", 2)).await?;
    stand.advance(4).await;
    stand.is_gone("put after a forget, and expired", &stand.scope, &handle(1)).await
}
