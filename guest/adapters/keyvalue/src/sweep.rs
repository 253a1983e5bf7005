//! What has expired.

use std::collections::BTreeMap;

use claim_check_store_layout::{Instant, StoreError};

use crate::bucket::Bucket;
use crate::key::{Key, SWEPT};
use crate::store::read_header;

/// The bucket is swept by the first put after so many seconds: a sweep lists all of it.
const EVERY_SECONDS: u32 = 60;
/// One sweep deletes at most so many keys, and remembers at most four times as many, so that no put takes for ever.
const MOST: usize = 1024;

/// Deletes some of what has expired, if it is time. What can't be done now is done by a later put.
pub(crate) fn sweep<B: Bucket>(bucket: &B, now: Instant) {
    let _ = try_sweep(bucket, now);
}

fn try_sweep<B: Bucket>(bucket: &B, now: Instant) -> Result<(), StoreError> {
    let last = bucket.get(SWEPT)?.and_then(|value| Instant::parse(str::from_utf8(&value).ok()?));
    // A last sweep in the future is a clock that was set back.
    if last.is_some_and(|last| last <= now && now < last.after(EVERY_SECONDS)) {
        return Ok(());
    }
    bucket.set(SWEPT, now.to_string().as_bytes())?;
    let mut pages = vec![];
    // Which headers there are, and whether they have a page that has not expired: then they have not either.
    let mut headers = BTreeMap::<String, bool>::new();
    bucket.list(&mut |key| match Key::parse(key) {
        Some(Key::Page { expiry, .. }) if expiry <= now && pages.len() < MOST => pages.push(key.to_owned()),
        Some(Key::Page { header, expiry }) if expiry > now && headers.len() < 4 * MOST => {
            headers.insert(header.to_owned(), true);
        }
        Some(Key::Header(key)) if headers.len() < 4 * MOST => {
            headers.entry(key.to_owned()).or_insert(false);
        }
        _ => {}
    })?;
    // Headers first, so that no part of a claim is ever left.
    for (key, _) in headers.into_iter().filter(|(_, live)| !live).take(MOST) {
        let gone =
            bucket.get(&key)?.is_some_and(|value| read_header(&value).is_none_or(|(header, _)| !header.is_live(now)));
        if gone {
            bucket.delete(&key)?;
        }
    }
    pages.into_iter().try_for_each(|key| bucket.delete(&key))
}
