//! How tenants, runs and handles appear in keys and file names.
//!
//! A tenant or a run is any text, `../x` included, and may be somebody's name; so what is written is a hash of it: 32
//! lower-case hexadecimal digits, which every key-value store and file system takes, and tells apart.

use std::fmt::Write;

use crate::Scope;
use sha2::{Digest, Sha256};

/// How many hexadecimal digits each name has.
pub const DIGITS: usize = 32;

/// A tenant's name: the first half of a SHA-256, so that an accident can't join two tenants. If somebody made two that
/// are one (2^64 hashes), no claim of the one could be read by the other, because handles prove the scope; to forget one
/// would take the other's claims too.
#[must_use]
pub fn tenant(tenant: &str) -> String {
    half_of_hash(&[b"tenant", tenant.as_bytes()])
}

/// A run's name, which no other tenant's run of that name has.
#[must_use]
pub fn run(scope: &Scope) -> String {
    half_of_hash(&[b"run", scope.tenant.as_bytes(), scope.run.as_bytes()])
}

/// A handle's digits; none where it is no handle.
#[must_use]
pub fn handle(handle: &str) -> Option<&str> {
    handle.strip_prefix("claim:").filter(|digits| is_name(digits))
}

/// Whether this is a name as it is written here.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Every part with its length before it, so that no two lists of parts are one.
fn half_of_hash(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(DIGITS / 2).fold(String::with_capacity(DIGITS), |mut digits, byte| {
        // Writing to a String can't fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use crate::Scope;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_those_that_were_always_written() {
        // `printf '\x06\0\0\0\0\0\0\0tenant\x04\0\0\0\0\0\0\0acme' | sha256sum`
        assert_eq!(tenant("acme"), "c6ce0dc20fdf967c6356edf44041ea15");
        assert_eq!(run(&Scope::new("acme", "run-7f3a")), "5b5171963b9edd55577baa60cc766345");
    }

    #[test]
    fn only_handles_have_digits() {
        assert_eq!(handle("claim:0123456789abcdef0123456789abcdef"), Some("0123456789abcdef0123456789abcdef"));
        for wrong in [
            "",
            "claim:",
            "0123456789abcdef0123456789abcdef",
            "claim:0123456789abcdef0123456789abcde",
            "claim:0123456789abcdef0123456789abcdef0",
            "claim:0123456789ABCDEF0123456789ABCDEF",
            "claim:0123456789abcdef0123456789abcd/f",
            "claim:..23456789abcdef0123456789abcdef",
        ] {
            assert_eq!(handle(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn every_scope_has_names_and_no_two_share_a_run(a in ".{1,20}", b in ".{1,20}", c in ".{1,20}") {
            let scopes = [Scope::new(&a, &b), Scope::new(&b, &a), Scope::new(&a, &c), Scope::new(format!("{a}{b}"), &c)];
            for one in &scopes {
                prop_assert!(is_name(&tenant(&one.tenant)) && is_name(&run(one)));
                for other in &scopes {
                    prop_assert_eq!(run(one) == run(other), one == other);
                }
            }
        }
    }
}
