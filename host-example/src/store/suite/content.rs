//! What is put is what is fetched.

use std::future::{Future, poll_fn};
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::task::JoinSet;

use super::stand::{LONG, Stand, broken, claim, claim_of_bytes, equal, handle, same};
use super::{Bench, Boxed, Checked, Violation};
use crate::store::{Claim, StoreError};

/// Manifest and pages come back byte for byte: line ends, spaces, NUL, combining characters, an empty page.
///
/// # Errors
/// Where the store breaks it.
pub async fn content_comes_back_exactly(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let pages = [
        "two\r\nlines, and a tab\t \n\n",
        "  spaces around  ",
        "",
        "a\0b",
        "e\u{301} \u{e9} \u{1f469}\u{200d}\u{1f4bb} \u{fe0f} \u{feff} \u{2028} \u{10ffff}",
        "'; DROP TABLE claim; -- \\ \" % _ * {} $1 ?1",
    ];
    let claim = Claim::new("claim/1\r\nchars 7\n \n", pages);
    stand.put(&stand.scope, &handle(1), &claim, LONG).await?;
    stand.is_whole("after put", &stand.scope, &handle(1), &claim).await
}

/// A put that is dropped half-way leaves the whole claim or nothing, and nobody sees a part of it on the way.
///
/// # Errors
/// Where the store breaks it.
pub async fn all_or_nothing(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let claim = claim("all or nothing", 5);
    let whole_or_none = |when: String, held: Result<Claim, StoreError>| match held {
        Err(StoreError::NotFound) => Ok(()),
        Ok(held) => same(&when, &held, &claim),
        Err(error) => broken(format!("{when}: fetch was refused: {error}")),
    };
    for polls in 1..=8 {
        let handle = handle(polls);
        polled(stand.store.put(&stand.scope, &handle, claim.clone(), LONG), polls).await;
        for _ in 0..4 {
            let held = stand.store.fetch(&stand.scope, &handle, 0, u32::MAX).await;
            whole_or_none(format!("put was dropped after {polls} steps"), held)?;
        }
        stand.put(&stand.scope, &handle, &claim, LONG).await?;
        stand.is_whole("put again after it was dropped", &stand.scope, &handle, &claim).await?;
    }
    for n in 100..120 {
        let (store, scope, put) = (Arc::clone(&stand.store), stand.scope.clone(), claim.clone());
        let putting = tokio::spawn(async move { store.put(&scope, &handle(n), put, LONG).await });
        while !putting.is_finished() {
            let held = stand.store.fetch(&stand.scope, &handle(n), 0, u32::MAX).await;
            whole_or_none("while it is put".into(), held)?;
            tokio::task::yield_now().await;
        }
        let put = putting.await.unwrap_or_else(|error| resume_unwind(error.into_panic()));
        put.map_err(|error| Violation(format!("put was refused: {error}")))?;
        stand.is_whole("after put", &stand.scope, &handle(n), &claim).await?;
    }
    Ok(())
}

/// A put over a live claim whose pages are not what they were makes it whole.
///
/// # Errors
/// Where the store breaks it.
pub async fn put_over_damaged_makes_whole(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let whole = claim("whole", 4);
    let mut changed = whole.clone();
    changed.pages[1] = "damaged".into();
    let mut shortened = whole.clone();
    shortened.pages.truncate(2);
    let mut lengthened = whole.clone();
    lengthened.pages.push("one too many".into());
    let mut other_manifest = whole.clone();
    other_manifest.manifest = "damaged".into();
    let damages =
        [("changed", changed), ("lost", shortened), ("added", lengthened), ("given a manifest", other_manifest)];
    for (n, (damage, damaged)) in damages.into_iter().enumerate() {
        stand.put(&stand.scope, &handle(n), &damaged, LONG).await?;
        stand.put(&stand.scope, &handle(n), &whole, LONG).await?;
        let when = format!("put over a claim of which something was {damage}");
        stand.is_whole(&when, &stand.scope, &handle(n), &whole).await?;
    }
    Ok(())
}

/// Past the last page there is the manifest and no page, whatever the numbers.
///
/// # Errors
/// Where the store breaks it.
pub async fn pages_past_the_end_are_none(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let claim = claim("short", 3);
    stand.put(&stand.scope, &handle(1), &claim, LONG).await?;
    for (first, count) in [(3, 1), (3, u32::MAX), (4, 2), (u32::MAX, 1), (u32::MAX, u32::MAX)] {
        let when = format!("{count} pages from {first} on, of 3");
        let held = stand.store.fetch(&stand.scope, &handle(1), first, count).await;
        let held = held.map_err(|error| Violation(format!("{when}: fetch was refused: {error}")))?;
        same(&when, &held, &Claim { pages: vec![], ..claim.clone() })?;
    }
    Ok(())
}

/// A fetch gives the pages that it was asked for, and no others; beyond the end, fewer.
///
/// # Errors
/// Where the store breaks it.
pub async fn page_ranges_are_exact(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let claim = claim("ranges", 5);
    stand.put(&stand.scope, &handle(1), &claim, LONG).await?;
    for (first, count) in [(0, 0), (0, 1), (0, 2), (1, 2), (2, 1), (4, 1), (2, 0), (3, 9), (4, u32::MAX), (0, 5)] {
        let when = format!("{count} pages from {first} on, of 5");
        let held = stand.store.fetch(&stand.scope, &handle(1), first, count).await;
        let held = held.map_err(|error| Violation(format!("{when}: fetch was refused: {error}")))?;
        same(&when, &held, &claim.part(first, count))?;
    }
    Ok(())
}

/// A claim of 64 MiB is kept, in 4096 pages.
///
/// # Errors
/// Where the store breaks it.
pub async fn large_claims_are_kept(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let large = claim_of_bytes("large", 64 << 20);
    stand.put(&stand.scope, &handle(1), &large, LONG).await?;
    stand.is_whole("64 MiB", &stand.scope, &handle(1), &large).await
}

/// Puts from many tasks at once are all kept.
///
/// # Errors
/// Where the store breaks it.
pub async fn many_at_once_are_kept(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    let put = |n| {
        let (store, scope) = (Arc::clone(&stand.store), stand.scope.clone());
        async move { store.put(&scope, &handle(n), claim(&format!("{n} of many"), 2), LONG).await }
    };
    // In one task every put begins before any goes on; several tasks may run in parallel.
    let mut outcomes = in_turns((0..16).map(|n| Box::pin(put(n)) as Boxed<'_, _>).collect()).await;
    let puts: JoinSet<_> = (16..32).map(put).collect();
    outcomes.extend(puts.join_all().await);
    for outcome in outcomes {
        outcome.map_err(|error| Violation(format!("one of many puts at once was refused: {error}")))?;
    }
    for n in 0..32 {
        let claim = claim(&format!("{n} of many"), 2);
        stand.is_whole("one of many puts at once", &stand.scope, &handle(n), &claim).await?;
    }
    equal("forgotten of 32", stand.forget(&stand.tenant()).await?, 32)
}

/// Polls a future at most so many times, and drops it.
async fn polled<T>(future: impl Future<Output = T>, times: usize) -> Option<T> {
    let mut future = pin!(future);
    let mut left = times;
    poll_fn(move |cx| match future.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending if left <= 1 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

/// Polls all of them, again and again, until all are done.
async fn in_turns<T>(mut futures: Vec<Boxed<'_, T>>) -> Vec<T> {
    let mut done = vec![];
    poll_fn(|cx| {
        futures.retain_mut(|future| match future.as_mut().poll(cx) {
            Poll::Ready(value) => {
                done.push(value);
                false
            }
            Poll::Pending => true,
        });
        if futures.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done
}
