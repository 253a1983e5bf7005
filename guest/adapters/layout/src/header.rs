//! The line that stands before a claim, and what is believed of it.

use super::instant::{Instant, hexadecimal};
use super::limits::{PAGES, VALUE_BYTES};

/// How long a header is, in bytes.
pub const BYTES: usize = MAGIC.len() + 16 + 1 + 16 + 1 + 8 + 1 + 8 + 1;

/// What a header begins with; its number changes when anything that follows is written in another way.
pub const MAGIC: &str = "claim-check store 1\n";

/// What is known of a claim before its texts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// From this instant on the claim is gone.
    pub expiry: Instant,
    /// When it was put; no two puts of a claim have one.
    pub put: Instant,
    /// How many pages it has, at most [`PAGES`].
    pub pages: u32,
    /// How long its manifest is, in bytes, less than [`VALUE_BYTES`].
    pub manifest_bytes: u32,
}

impl Header {
    /// The header at the beginning of `bytes`, and what follows it; none where there is none, or one that nothing here
    /// can have written.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (line, rest) = bytes.split_at_checked(BYTES)?;
        let line = str::from_utf8(line).ok()?.strip_prefix(MAGIC)?.strip_suffix('\n')?;
        let mut fields = line.split(' ');
        let header = Self {
            expiry: Instant::parse(fields.next()?)?,
            put: Instant::parse(fields.next()?)?,
            pages: u32::try_from(hexadecimal(fields.next()?, 8)?).ok()?,
            manifest_bytes: u32::try_from(hexadecimal(fields.next()?, 8)?).ok()?,
        };
        let plausible = header.pages <= PAGES && usize::try_from(header.manifest_bytes).ok()? < VALUE_BYTES;
        (plausible && fields.next().is_none()).then_some((header, rest))
    }

    /// Whether the claim is there at this instant.
    #[must_use]
    pub fn is_live(&self, now: Instant) -> bool {
        now < self.expiry
    }
}

/// As it is written: [`MAGIC`], then a line of numbers.
impl std::fmt::Display for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{MAGIC}{} {} {:08x} {:08x}", self.expiry, self.put, self.pages, self.manifest_bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header() -> impl Strategy<Value = Header> {
        (any::<u64>(), any::<u64>(), 0..=PAGES, 0..524_288_u32).prop_map(|(expiry, put, pages, manifest_bytes)| {
            Header { expiry: Instant(expiry), put: Instant(put), pages, manifest_bytes }
        })
    }

    #[test]
    fn a_header_is_this_line() {
        let header = Header { expiry: Instant(255), put: Instant(16), pages: 3, manifest_bytes: 10 };
        assert_eq!(header.to_string(), "claim-check store 1\n00000000000000ff 0000000000000010 00000003 0000000a\n");
    }

    #[test]
    fn what_is_too_large_is_not_believed() {
        let header = Header { expiry: Instant(255), put: Instant(16), pages: PAGES, manifest_bytes: 524_287 };
        assert!(Header::parse(header.to_string().as_bytes()).is_some());
        for header in [Header { pages: PAGES + 1, ..header }, Header { manifest_bytes: 524_288, ..header }] {
            assert_eq!(Header::parse(header.to_string().as_bytes()), None, "{header:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(header in header(), rest: Vec<u8>) {
            let bytes = [header.to_string().as_bytes(), &rest].concat();
            prop_assert_eq!(Header::parse(&bytes), Some((header, &rest[..])));
        }

        #[test]
        fn what_is_cut_is_no_header(header in header(), cut in 0..BYTES) {
            let written = header.to_string();
            prop_assert_eq!(Header::parse(&written.as_bytes()[..cut]), None);
        }

        #[test]
        fn what_is_changed_is_no_header_or_another(header in header(), at in 0..BYTES, to: u8) {
            let mut bytes = header.to_string().into_bytes();
            let changed = bytes[at] != to;
            bytes[at] = to;
            if let Some((read, _)) = Header::parse(&bytes) {
                prop_assert_eq!(read != header, changed);
            }
        }
    }
}
