//! What is refused before anything is written, and what is not read back.

use crate::StoreError;
use crate::contract::MAX_CONTENT_BYTES;

/// The longest value: what every platform that is known takes, and more than a page (64 KiB) or a manifest (136 KiB for
/// the largest content) needs.
pub const VALUE_BYTES: usize = 512 << 10;

/// The most pages a claim may have: four times what the largest content has.
pub const PAGES: u32 = 16_384;

/// Refuses a claim that is larger than anything the claim check makes.
///
/// # Errors
/// [`StoreError::Full`], and which limit it is.
pub fn check(manifest: &str, pages: &[String]) -> Result<(), StoreError> {
    let longest = pages.iter().map(String::len).max().unwrap_or(0);
    if u32::try_from(pages.len()).is_ok_and(|count| count <= PAGES)
        && longest <= VALUE_BYTES
        && manifest.len() <= VALUE_BYTES - super::header::BYTES
        && pages.iter().map(String::len).sum::<usize>() <= MAX_CONTENT_BYTES
    {
        return Ok(());
    }
    Err(StoreError::Full(format!(
        "a claim has at most {PAGES} pages, {MAX_CONTENT_BYTES} bytes, and {VALUE_BYTES} bytes in a page or in its manifest"
    )))
}

/// The pages that are there, of those that were asked for.
#[must_use]
pub fn page_range(pages: u32, first: u32, count: u32) -> std::ops::Range<u32> {
    let first = first.min(pages);
    first..first.saturating_add(count).min(pages)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_too_large_is_full() {
        assert_eq!(check("m", &["p".repeat(VALUE_BYTES)]), Ok(()));
        assert!(matches!(check("m", &["p".repeat(VALUE_BYTES + 1)]), Err(StoreError::Full(_))));
        assert!(matches!(check(&"m".repeat(VALUE_BYTES), &[]), Err(StoreError::Full(_))));
        assert!(matches!(check("m", &vec![String::new(); 16_385]), Err(StoreError::Full(_))));
        assert!(matches!(check("m", &vec!["p".repeat(1 << 19); 129]), Err(StoreError::Full(_))));
    }

    proptest! {
        #[test]
        fn a_range_is_what_skip_and_take_give(pages in 0..50_u32, first: u32, count: u32, near in 0..60_u32) {
            for first in [first, near] {
                let expected: Vec<_> = (0..pages).skip(first as usize).take(count as usize).collect();
                prop_assert_eq!(page_range(pages, first, count).collect::<Vec<_>>(), expected);
            }
        }
    }
}
