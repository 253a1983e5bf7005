//! When a claim expires.

/// Nanoseconds since the beginning of 1970, as the platform's wall clock has it. What is kept outlives the process, so
/// no monotonic clock would do; whoever sets the clock back lets claims live longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub u64);

/// How many hexadecimal digits an instant is written with.
pub const DIGITS: usize = 16;

impl Instant {
    /// The instant of a clock's answer; the last one there is (in the year 2554) where it lies beyond.
    #[must_use]
    pub fn new(seconds: u64, nanoseconds: u32) -> Self {
        Self(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds.into()))
    }

    /// So many seconds later.
    #[must_use]
    pub fn after(self, seconds: u32) -> Self {
        Self(self.0.saturating_add(u64::from(seconds).saturating_mul(1_000_000_000)))
    }

    /// The instant that was written, in exactly 16 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(digits: &str) -> Option<Self> {
        hexadecimal(digits, DIGITS).map(Self)
    }
}

/// 16 hexadecimal digits.
impl std::fmt::Display for Instant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The number of exactly so many lower-case hexadecimal digits: one way to write each number, so that a name that was
/// parsed is the name that is written.
#[must_use]
pub fn hexadecimal(text: &str, digits: usize) -> Option<u64> {
    let written = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != digits || !text.bytes().all(written) {
        return None;
    }
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn instants_beyond_the_last_are_the_last() {
        assert_eq!(Instant::new(1, 5), Instant(1_000_000_005));
        assert_eq!(Instant::new(u64::MAX, u32::MAX), Instant(u64::MAX));
        assert_eq!(Instant(u64::MAX - 1).after(u32::MAX), Instant(u64::MAX));
    }

    #[test]
    fn an_instant_is_written_one_way() {
        for wrong in ["", "0", "+000000000000001", "00000000000000_1", "000000000000000A", "00000000000000001"] {
            assert_eq!(Instant::parse(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(nanoseconds: u64) {
            let instant = Instant(nanoseconds);
            prop_assert_eq!(Instant::parse(&instant.to_string()), Some(instant));
        }

        #[test]
        fn later_is_never_earlier(nanoseconds: u64, seconds: u32) {
            prop_assert!(Instant(nanoseconds).after(seconds) >= Instant(nanoseconds));
        }
    }
}
