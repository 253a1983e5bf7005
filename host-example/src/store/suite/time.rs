//! When a claim is there, and when it is gone.

use std::time::Duration;

use super::stand::{Stand, claim, handle};
use super::{Bench, Checked};

/// A claim is served until `ttl_seconds` after its put, and not from that instant on, though nothing has swept it.
///
/// # Errors
/// Where the store breaks it.
pub async fn expires_at_the_instant(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    // One is read and one is not: what a store does about being read is another rule's business.
    for n in [1, 2] {
        stand.put(&stand.scope, &handle(n), &claim("short-lived", 2), 2).await?;
    }
    if bench.is_exact() {
        bench.advance(Duration::from_nanos(1_999_999_999)).await;
        stand.is_whole("a nanosecond before", &stand.scope, &handle(1), &claim("short-lived", 2)).await?;
        bench.advance(Duration::from_nanos(1)).await;
        stand.is_gone("at the instant of its expiry", &stand.scope, &handle(2)).await
    } else {
        stand.is_whole("before it expires", &stand.scope, &handle(1), &claim("short-lived", 2)).await?;
        stand.advance(2).await;
        stand.is_gone("after it expired", &stand.scope, &handle(2)).await
    }
}

/// A claim that is put twice expires at the later of the two instants, whichever put promised it.
///
/// # Errors
/// Where the store breaks it.
pub async fn expires_at_the_later_of_two(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    for (n, ttls) in [(1, [6, 2]), (2, [2, 6])] {
        for ttl in ttls {
            stand.put(&stand.scope, &handle(n), &claim("put twice", 2), ttl).await?;
        }
    }
    stand.advance(4).await;
    let when = "put for 6 seconds, then for 2, after 4";
    stand.is_whole(when, &stand.scope, &handle(1), &claim("put twice", 2)).await?;
    let when = "put for 2 seconds, then for 6, after 4";
    stand.is_whole(when, &stand.scope, &handle(2), &claim("put twice", 2)).await?;
    stand.advance(4).await;
    stand.is_gone("put for 6 seconds and for 2, after 8", &stand.scope, &handle(1)).await?;
    stand.is_gone("put for 2 seconds and for 6, after 8", &stand.scope, &handle(2)).await
}

/// A claim does not live longer for being read.
///
/// # Errors
/// Where the store breaks it.
pub async fn fetch_does_not_prolong(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    stand.put(&stand.scope, &handle(1), &claim("read", 2), 4).await?;
    stand.advance(3).await;
    stand.is_whole("after 3 of its 4 seconds", &stand.scope, &handle(1), &claim("read", 2)).await?;
    stand.advance(2).await;
    stand.is_gone("fetched after 3 of its 4 seconds, after 5", &stand.scope, &handle(1)).await
}

/// A put over an expired claim is a new claim: its own content, its own expiry.
///
/// # Errors
/// Where the store breaks it.
pub async fn put_after_expiry_is_new(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    stand.put(&stand.scope, &handle(1), &claim("old", 4), 1).await?;
    stand.advance(3).await;
    stand.put(&stand.scope, &handle(1), &claim("new", 2), 4).await?;
    stand.is_whole("put over an expired one", &stand.scope, &handle(1), &claim("new", 2)).await?;
    stand.advance(2).await;
    stand.is_whole("put over an expired one, 2 of 4 seconds ago", &stand.scope, &handle(1), &claim("new", 2)).await?;
    stand.advance(4).await;
    stand.is_gone("put over an expired one, and expired", &stand.scope, &handle(1)).await
}

/// The longest life that can be asked for is given: 4294967295 seconds.
///
/// # Errors
/// Where the store breaks it.
pub async fn longest_ttl_is_kept(bench: &Bench) -> Checked {
    let stand = Stand::new(bench).await;
    stand.put(&stand.scope, &handle(1), &claim("long-lived", 2), u32::MAX).await?;
    stand.is_whole("put for 4294967295 seconds", &stand.scope, &handle(1), &claim("long-lived", 2)).await?;
    if bench.is_exact() {
        // A century, which is more milliseconds than 32 bits hold, and more seconds than 31 bits do.
        stand.advance(3_155_760_000).await;
        stand.is_whole("put for 136 years, after 100", &stand.scope, &handle(1), &claim("long-lived", 2)).await?;
    }
    Ok(())
}
