//! How claims are named in the bucket.
//!
//! All names are lower-case hexadecimal, because that is what every platform takes in a key. A bucket may be shared: what
//! is no key of ours is left alone.
//!
//! ```text
//! c1a101  tenant (32)  run (32)  handle (32)                                          the header and the manifest
//! c1a101  tenant (32)  run (32)  handle (32)  expiry (16)  put (16)  page (6)          a page of one put
//! c1a101  5e                                                                          when the bucket was last swept
//! ```

use claim_check_store_layout::instant::hexadecimal;
use claim_check_store_layout::names::{self, is_name};
use claim_check_store_layout::{Erasure, Header, Instant, Scope};

/// What every key begins with; the last two digits change when the keys do.
const PREFIX: &str = "c1a101";

/// The key of the instant of the last sweep.
pub const SWEPT: &str = "c1a1015e";

/// The key of a claim's header; none where the handle is none.
#[must_use]
pub fn header(scope: &Scope, handle: &str) -> Option<String> {
    Some(format!("{}{}", run(scope), names::handle(handle)?))
}

/// The key of a page of the put that this header is of.
#[must_use]
pub fn page(header_key: &str, header: &Header, page: u32) -> String {
    format!("{header_key}{}{}{page:06x}", header.expiry, header.put)
}

/// What every key of a tenant or a run begins with.
#[must_use]
pub fn prefix(what: &Erasure) -> String {
    match what {
        Erasure::Tenant(tenant) => format!("{PREFIX}{}", names::tenant(tenant)),
        Erasure::Run(scope) => run(scope),
    }
}

fn run(scope: &Scope) -> String {
    format!("{PREFIX}{}{}", names::tenant(&scope.tenant), names::run(scope))
}

/// A key that was found in the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'a> {
    /// Of a header.
    Header(&'a str),
    /// Of a page.
    Page {
        /// The key of its claim's header.
        header: &'a str,
        /// When it is of no use any more, whichever put it is of.
        expiry: Instant,
    },
}

impl<'a> Key<'a> {
    /// The key as it is written here; none where it is another's.
    #[must_use]
    pub fn parse(key: &'a str) -> Option<Self> {
        let names = key.strip_prefix(PREFIX)?;
        let (tenant, rest) = names.split_at_checked(names::DIGITS)?;
        let (run, rest) = rest.split_at_checked(names::DIGITS)?;
        let (handle, rest) = rest.split_at_checked(names::DIGITS)?;
        if ![tenant, run, handle].into_iter().all(is_name) {
            return None;
        }
        let header = key.get(..PREFIX.len() + 3 * names::DIGITS)?;
        if rest.is_empty() {
            return Some(Self::Header(header));
        }
        let (expiry, rest) = rest.split_at_checked(16)?;
        let (put, page) = rest.split_at_checked(16)?;
        let expiry = Instant::parse(expiry)?;
        (Instant::parse(put).is_some() && hexadecimal(page, 6).is_some()).then_some(Self::Page { header, expiry })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HANDLE: &str = "claim:0123456789abcdef0123456789abcdef";

    #[test]
    fn keys_are_short_and_hexadecimal() {
        let header_key = header(&Scope::new("acme", "../x"), HANDLE).unwrap();
        let header = Header { expiry: Instant(u64::MAX), put: Instant(u64::MAX), pages: 16_384, manifest_bytes: 1 };
        let page_key = page(&header_key, &header, 16_383);
        assert_eq!((header_key.len(), page_key.len()), (102, 140));
        for key in [&header_key, &page_key, SWEPT] {
            assert!(key.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)), "{key}");
        }
        assert_eq!(Key::parse(SWEPT), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_found(tenant in ".{1,20}", run in ".{1,20}", expiry: u64, put: u64, number in 0..16_384_u32) {
            let scope = Scope::new(tenant, run);
            let header_key = header(&scope, HANDLE).unwrap();
            let instants = Header { expiry: Instant(expiry), put: Instant(put), pages: 1, manifest_bytes: 1 };
            let page_key = page(&header_key, &instants, number);
            prop_assert_eq!(Key::parse(&header_key), Some(Key::Header(&header_key)));
            prop_assert_eq!(Key::parse(&page_key), Some(Key::Page { header: &header_key, expiry: Instant(expiry) }));
            for what in [Erasure::Tenant(scope.tenant.clone()), Erasure::Run(scope)] {
                prop_assert!(header_key.starts_with(&prefix(&what)) && page_key.starts_with(&prefix(&what)));
            }
        }

        #[test]
        fn what_others_wrote_is_not_ours(key in "(c1a101)?[0-9a-zé/]{0,140}") {
            if let Some(found) = Key::parse(&key) {
                prop_assert!(key.len() == 102 || key.len() == 140, "{found:?}");
            }
        }
    }
}
