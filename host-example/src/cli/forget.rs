//! `claim-check forget`

use claim_check_host::{Erasure, ForgetError, Scope};
use serde::Serialize;

use super::config::PolicyFlags;
use super::exit::{Exit, Failure};
use super::session::Place;
use super::{Common, quoted};

/// Erase the claims of a run, or of a whole tenant, for good
///
/// Nothing is erased by a default: name the tenant, and either the run or --all-runs. Stop what is still checking in
/// there first: what comes after a forget is a new claim.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "claim-check forget --tenant <TENANT> (--run <RUN> | --all-runs) [OPTIONS]",
    after_long_help = "JSON: tenant, run (null with --all-runs), forgotten (how many claims could still be redeemed)."
)]
pub(crate) struct Forget {
    // Those of every command, which have no default here.
    /// Whose claims are erased
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,

    /// The run whose claims are erased
    #[arg(long, value_name = "RUN")]
    run: Option<String>,

    /// Every run of the tenant
    #[arg(long, conflicts_with = "run")]
    all_runs: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    tenant: &'a str,
    run: Option<&'a str>,
    forgotten: u32,
}

pub(crate) async fn run(args: Forget, common: &Common) -> Result<Exit, Failure> {
    let Some(tenant) = args.tenant else {
        return Err(Failure::refused(
            "whose claims? Name the tenant: --tenant TENANT (`local` unless you named one at check-in)",
        ));
    };
    let what = match (&args.run, args.all_runs) {
        (Some(_), true) => {
            // Where one stands before the command and one after it, clap does not see it.
            return Err(Failure::refused(
                "--run and --all-runs cannot be used together; name one run, or erase all of them",
            ));
        }
        (Some(run), false) => Erasure::Run(Scope::new(tenant.clone(), run)),
        (None, true) => Erasure::Tenant(tenant.clone()),
        (None, false) => {
            return Err(Failure::refused(format!(
                "which run? Name it with --run RUN (`claim-check list --tenant {} --all-runs` shows them), \
                 or erase everything of this tenant with --all-runs",
                quoted(&tenant)
            )));
        }
    };
    let place = Place::open(common, &PolicyFlags::default(), false)?;
    // What is erased is named in full, so no run is needed.
    let session = place.session(String::new()).await?;
    let forgotten = session.claims.forget(&what).await.map_err(|error| match &error {
        ForgetError::InvalidScope(reason) => Failure::scope(reason),
        ForgetError::Store(error) => {
            let failure = Failure::store(error);
            let part = "part of what was to be erased may be left";
            Failure { message: failure.message.map(|message| format!("{message}; {part}")), ..failure }
        }
        ForgetError::Failed(error) => Failure::call(error),
    })?;
    let terminal = session.terminal;
    if terminal.json {
        terminal.json(&Json { tenant: &tenant, run: args.run.as_deref(), forgotten })?;
        return Ok(Exit::Done);
    }
    let claims = if forgotten == 1 { "claim" } else { "claims" };
    match &what {
        Erasure::Run(scope) => {
            terminal.note(format_args!("forgot {forgotten} {claims} of tenant {tenant:?}, run {:?}", scope.run))
        }
        Erasure::Tenant(_) => terminal.note(format_args!("forgot {forgotten} {claims} of tenant {tenant:?}, all runs")),
    }
    Ok(Exit::Done)
}
