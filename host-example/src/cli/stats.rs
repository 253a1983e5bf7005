//! `claim-check stats`

use claim_check_host::{StoreStats, TenantStats};
use serde::Serialize;

use super::Common;
use super::config::PolicyFlags;
use super::escaping::one_line;
use super::exit::{Exit, Failure};
use super::session::Place;

/// Show what the store holds: the tenant, and all tenants together
///
/// Claims that have expired are kept until they are swept, which every check-in does a bit of.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
JSON: store (the path), tenant (its name), of_tenant and of_all, each with live (claims that can be redeemed), claims \
(those waiting to be swept, too), held_bytes, bound_bytes; of_all also with tenants, file_bytes.")]
pub(crate) struct Stats {}

#[derive(Serialize)]
struct Json<'a> {
    store: String,
    tenant: &'a str,
    of_tenant: OfTenant,
    of_all: OfAll,
}

#[derive(Serialize)]
struct OfTenant {
    live: u64,
    claims: u64,
    held_bytes: u64,
    bound_bytes: u64,
}

#[derive(Serialize)]
struct OfAll {
    tenants: u64,
    live: u64,
    claims: u64,
    held_bytes: u64,
    bound_bytes: u64,
    file_bytes: u64,
}

pub(crate) async fn run(_: Stats, common: &Common) -> Result<Exit, Failure> {
    let place = Place::open(common, &PolicyFlags::default(), false)?;
    let failed = |error| Failure::store(&error);
    let tenant = place.store.tenant_stats(&place.tenant).await.map_err(failed)?;
    let all = place.store.stats().await.map_err(failed)?;
    let store = place.store.path().display().to_string();
    let terminal = place.terminal;
    if terminal.json {
        let TenantStats { live, claims, held_bytes, bound_bytes } = tenant;
        let of_tenant = OfTenant { live, claims, held_bytes, bound_bytes };
        let StoreStats { tenants, live, claims, held_bytes, bound_bytes, file_bytes } = all;
        let of_all = OfAll { tenants, live, claims, held_bytes, bound_bytes, file_bytes };
        terminal.json(&Json { store, tenant: &place.tenant, of_tenant, of_all })?;
        return Ok(Exit::Done);
    }
    let row = |whose: &str, live: u64, claims: u64, held: u64, bound: u64| {
        format!("{whose:<24}  {live:>10}  {:>10}  {held:>14}  {bound:>14}\n", claims - live.min(claims))
    };
    terminal.text(
        &[
            format!("{}: {} bytes, tenants: {}\n\n", one_line(&store), all.file_bytes, all.tenants),
            format!("{:<24}  {:>10}  {:>10}  {:>14}  {:>14}\n", "TENANT", "LIVE", "EXPIRED", "BYTES", "BOUND"),
            row(&place.tenant, tenant.live, tenant.claims, tenant.held_bytes, tenant.bound_bytes),
            row("all tenants", all.live, all.claims, all.held_bytes, all.bound_bytes),
        ]
        .concat(),
    )?;
    Ok(Exit::Done)
}
