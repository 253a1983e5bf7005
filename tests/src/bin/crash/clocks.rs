//! A clock that is set back.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use claim_check_host::{ManualClock, Scope, SqliteStore};
use claim_check_tests::durable::{Found, Known, Tally};

use super::options;

pub(super) async fn run(folder: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let file = folder.join("clocks.db");
    let clock = Arc::new(ManualClock::new());
    let at = |seconds| clock.set(Duration::from_secs(seconds));
    let open = || options().clock(clock.clone()).open(&file);
    let known = |n| Known::new(&Scope::new("tenant", "run"), n, 20_000);
    let (first, seen, unseen, late) = (known(1), known(2), known(3), known(4));
    let store = open()?;
    let mut expect = async |store: &SqliteStore, what: &str, known: &Known, expected: Found| {
        let found = known.find(store).await;
        tally.check(what, if found == expected { Ok(format!("{found:?}")) } else { Err(format!("{found:?}")) });
    };

    at(100_000);
    first.put(&store, 3_600).await?;
    seen.put(&store, 60).await?;
    unseen.put(&store, 60).await?;
    at(50_000);
    expect(&store, "set back by hours, what was acknowledged", &first, Found::Whole).await;
    at(100_060);
    expect(&store, "at its expiry", &seen, Found::Nothing).await;
    at(100_000);
    expect(&store, "set back after its expiry was seen", &seen, Found::Nothing).await;
    expect(&open()?, "and opened anew", &seen, Found::Nothing).await;
    expect(&store, "expired at an instant that something else saw", &unseen, Found::Nothing).await;
    expect(&store, "not yet expired at any instant", &first, Found::Whole).await;

    at(90_000);
    late.put(&store, 60).await?;
    expect(&store, "put after the clock was set back", &late, Found::Whole).await;
    at(90_059);
    expect(&open()?, "put after the clock was set back, a second before its expiry", &late, Found::Whole).await;
    at(90_060);
    expect(&store, "put after the clock was set back, at its expiry", &late, Found::Nothing).await;
    expect(&store, "put before, and still promised", &first, Found::Whole).await;
    at(103_600);
    expect(&store, "put before, at its expiry", &first, Found::Nothing).await;
    Ok(())
}
