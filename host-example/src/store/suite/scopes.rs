//! Scopes are opaque, and see nothing of each other.

use super::stand::{LONG, Stand, claim, handle};
use super::{Bench, Checked};
use crate::store::{Erasure, Scope};

/// A handle opens nothing in another run or another tenant, and one handle in two scopes is two claims.
///
/// # Errors
/// Where the store breaks it.
pub async fn foreign_scopes_see_nothing(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let other_run = Scope::new(&stand.scope.tenant, "other-run");
    let other_tenant = Scope::new(bench.tenant(), &stand.scope.run);
    stand.put(&stand.scope, &handle(1), &claim("mine", 2), LONG).await?;
    stand.is_gone("asked for in another run", &other_run, &handle(1)).await?;
    stand.is_gone("asked for in another tenant", &other_tenant, &handle(1)).await?;
    stand.put(&other_run, &handle(1), &claim("the other run's", 3), LONG).await?;
    stand.put(&other_tenant, &handle(1), &claim("the other tenant's", 4), LONG).await?;
    stand.is_whole("one handle in three scopes", &stand.scope, &handle(1), &claim("mine", 2)).await?;
    stand.is_whole("one handle in three scopes", &other_run, &handle(1), &claim("the other run's", 3)).await?;
    stand.is_whole("one handle in three scopes", &other_tenant, &handle(1), &claim("the other tenant's", 4)).await
}

/// No two pairs of tenant and run are one, whatever a store would join them by.
///
/// # Errors
/// Where the store breaks it.
pub async fn scopes_are_not_joined(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let tenant = &stand.scope.tenant;
    let mut scopes = vec![];
    for joint in ["/", ":", "|", "-", ".", "_", ",", " ", "\u{1f}", ""] {
        scopes.push(Scope::new(tenant, format!("a{joint}b")));
        scopes.push(Scope::new(format!("{tenant}{joint}a"), "b"));
    }
    each_keeps_its_own(&stand, scopes).await
}

/// `../x` is a run like any other, and so are its kin.
///
/// # Errors
/// Where the store breaks it.
pub async fn runs_are_not_paths(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let runs = [
        "x",
        "../x",
        "./x",
        "/x",
        "x/",
        "y/../x",
        "//x",
        "..",
        ".",
        "/",
        "../../etc/passwd",
        "..\\x",
        "C:\\x",
        "%2e%2e/x",
        "x ",
        " x",
        "x.",
        "~/x",
        "CON",
        "x\u{2215}y",
    ];
    let scopes = runs.map(|run| Scope::new(&stand.scope.tenant, run));
    each_keeps_its_own(&stand, scopes.into()).await
}

/// A tenant whose name looks like a pattern is forgotten alone.
///
/// # Errors
/// Where the store breaks it.
pub async fn names_are_not_patterns(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let tenant = &stand.scope.tenant;
    let bystander = Scope::new(format!("{tenant}bystander"), "run");
    bench.will_use(bystander.tenant.clone());
    stand.put(&bystander, &handle(1), &claim("bystander", 2), LONG).await?;
    for pattern in ["%", "*", "_________", "?????????", ".*", "[a-z]*"] {
        let named = Scope::new(format!("{tenant}{pattern}"), "run");
        bench.will_use(named.tenant.clone());
        stand.put(&named, &handle(2), &claim("named like a pattern", 2), LONG).await?;
        stand.forget(&Erasure::Tenant(named.tenant.clone())).await?;
        let when = format!("after the tenant …{pattern} was forgotten");
        stand.is_gone(&when, &named, &handle(2)).await?;
        stand.is_whole(&when, &bystander, &handle(1), &claim("bystander", 2)).await?;
    }
    Ok(())
}

/// Names that differ in case, or look alike, are different.
///
/// # Errors
/// Where the store breaks it.
pub async fn case_matters(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let tenant = &stand.scope.tenant;
    let scopes = [
        (format!("{tenant}a"), "run"),
        (format!("{tenant}A"), "run"),
        (format!("{tenant}a"), "Run"),
        (format!("{tenant}A"), "RUN"),
        (format!("{tenant}a"), "stra\u{df}e"),
        (format!("{tenant}a"), "strasse"),
        (format!("{tenant}a"), "\u{e9}"),
        (format!("{tenant}a"), "e\u{301}"),
        (format!("{tenant}a"), "\u{c9}"),
    ];
    each_keeps_its_own(&stand, scopes.map(|(tenant, run)| Scope::new(tenant, run)).into()).await
}

/// What one handle of the store has put or forgotten, the other one sees.
///
/// # Errors
/// Where the store breaks it.
pub async fn two_handles_are_one_store(bench: &Bench) -> Checked {
    let one = Stand::new(bench).await;
    let other = Stand { bench, store: bench.open().await, scope: one.scope.clone() };
    one.put(&one.scope, &handle(1), &claim("shared", 2), LONG).await?;
    other.is_whole("put by another handle of the store", &one.scope, &handle(1), &claim("shared", 2)).await?;
    other.forget(&other.tenant()).await?;
    one.is_gone("forgotten by another handle of the store", &one.scope, &handle(1)).await
}

async fn each_keeps_its_own(stand: &Stand<'_>, mut scopes: Vec<Scope>) -> Checked {
    scopes.sort();
    scopes.dedup();
    let name = |scope: &Scope| {
        let differs = scope.tenant.rsplit('.').next().unwrap_or_default();
        format!("of run {:?} in tenant …{differs:?}", scope.run)
    };
    for scope in &scopes {
        stand.bench.will_use(scope.tenant.clone());
        stand.put(scope, &handle(1), &claim(&name(scope), 2), LONG).await?;
    }
    for scope in &scopes {
        stand.is_whole(&format!("the claim {}", name(scope)), scope, &handle(1), &claim(&name(scope), 2)).await?;
    }
    Ok(())
}
