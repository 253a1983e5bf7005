//! Characters (Unicode scalar values) in UTF-8: how many there are, and at which byte each one starts.

use std::ops::Range;

/// How many characters a text has.
pub(crate) fn count(text: &str) -> u32 {
    u32::try_from(bytecount::num_chars(text.as_bytes())).unwrap_or(u32::MAX)
}

/// At which byte the character number `chars` starts; the text's length where it has no more characters.
pub(crate) fn byte_of(text: &str, chars: u32) -> usize {
    let bytes = text.as_bytes();
    let mut left = usize::try_from(chars).unwrap_or(usize::MAX);
    let mut at = 0usize;
    // A character has at least one byte, so `left` bytes can be passed at once without passing the place;
    // counted at memory speed, this is tens of times faster than walking the characters.
    while left > 0 {
        let Some(block) = bytes.get(at..at.saturating_add(left)) else { return bytes.len() };
        at += left;
        left -= bytecount::num_chars(block);
    }
    at + bytes.iter().skip(at).take_while(|byte| is_continuation(**byte)).count()
}

/// The characters of a range; fewer, or none, past the end.
pub(crate) fn slice(text: &str, chars: Range<u32>) -> &str {
    let (_, rest) = split(text, byte_of(text, chars.start));
    split(rest, byte_of(rest, chars.end.saturating_sub(chars.start))).0
}

/// The text before and after a byte offset that lies between two characters.
pub(crate) fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// An offset or a size as the contract carries it. A content has at most 64 MiB, so nothing is lost.
pub(crate) fn signed(chars: u32) -> i32 {
    i32::try_from(chars).unwrap_or(i32::MAX)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_of_every_character_is_the_one_that_walking_finds() {
        let text = "a\u{301}é文\u{1F3F4}\r\n".repeat(40);
        for (n, (byte, _)) in (0u32..).zip(text.char_indices()) {
            assert_eq!(byte_of(&text, n), byte, "character {n}");
        }
        assert_eq!(count(&text), 7 * 40);
        assert_eq!(
            (byte_of(&text, 280), byte_of(&text, 281), byte_of(&text, u32::MAX)),
            (text.len(), text.len(), text.len())
        );
    }

    #[test]
    fn a_slice_past_the_end_is_shorter_or_empty() {
        assert_eq!(
            (slice("é文x", 1..2), slice("é文x", 2..9), slice("é文x", 3..9), slice("é文x", 7..9)),
            ("文", "x", "", "")
        );
    }
}
