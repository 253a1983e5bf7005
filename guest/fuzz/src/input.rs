//! Bytes of the fuzzer as numbers and text.

use std::borrow::Cow;

pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub(crate) fn number(&mut self) -> u32 {
        u32::from(self.byte()) << 8 | u32::from(self.byte())
    }

    /// All that is left, as text.
    pub(crate) fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }
}

pub(crate) fn characters(text: &str, from: usize, count: usize) -> String {
    text.chars().skip(from).take(count).collect()
}

pub(crate) fn count(text: &str) -> u32 {
    text.chars().count().try_into().expect("a text of the fuzzer is small")
}
