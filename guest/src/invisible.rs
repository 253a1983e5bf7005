//! Characters that a reader does not see but a model reads: controls, bidirectional and zero-width characters, tags,
//! doubled selectors and joiners. Single joiners and selectors stay: emoji, Persian and Indic scripts need them.

use crate::boundary::Rewrite;
use crate::text;

const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// Whether there is anything for this step or for the removal of escapes, whose introducers are controls too.
pub(crate) fn has_suspects(text: &str) -> bool {
    Suspects { bytes: text.as_bytes(), singly: 0 }.next(0).is_some()
}

/// The text without what can't be seen, some of it replaced by a space or a newline so that nothing is joined. None
/// where there is none.
pub(crate) fn remove(text: &str) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    let mut suspects = Suspects { bytes: text.as_bytes(), singly: 0 };
    let mut at = 0;
    while let Some(start) = suspects.next(at) {
        let Some(c) = text.get(start..).and_then(|rest| rest.chars().next()) else { break };
        at = start + c.len_utf8();
        match c {
            '\u{B}' | '\u{C}' | '\u{85}' => rewrite.replace(start..at, "\n"),
            '\0' | '\u{1C}'..='\u{1F}' => rewrite.replace(start..at, " "),
            '\t' | '\n' | '\r' => {}
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{206F}' | '\u{2060}'..='\u{2064}' => {
                rewrite.replace(start..at, "")
            }
            '\u{200B}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' => rewrite.replace(start..at, ""),
            '\u{E0000}'..='\u{E007F}' => match flag(text, start) {
                Some(length) => at = start + length,
                None => rewrite.replace(start..at, ""),
            },
            _ if c.is_control() => rewrite.replace(start..at, ""),
            _ if is_doubled(c, rewrite.last_kept(start)) => rewrite.replace(start..at, ""),
            _ => {}
        }
    }
    rewrite.finish()
}

fn is_doubled(c: char, last: Option<char>) -> bool {
    let is_selector = |c| matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}');
    let is_joiner = |c| matches!(c, '\u{200C}' | '\u{200D}');
    (is_selector(c) && last.is_some_and(is_selector)) || (is_joiner(c) && last.is_some_and(is_joiner))
}

/// The length of the tags from a place on, where they spell the flag that stands before them.
fn flag(text: &str, start: usize) -> Option<usize> {
    let (before, tags) = text::split(text, start);
    let spelled = tags.chars().take(11).take_while(|c| matches!(c, '\u{E0020}'..='\u{E007E}')).count();
    let is_flag =
        before.ends_with(BLACK_FLAG) && (1..=10).contains(&spelled) && tags.chars().nth(spelled) == Some(CANCEL_TAG);
    is_flag.then_some((spelled + 1) * CANCEL_TAG.len_utf8())
}

/// How many bytes are looked at in one go.
const BLOCK: usize = 64;

/// The places where a character may stand that this step changes. Most text has none, and is passed at the speed of
/// memory: the tests of a block have no branch, so that the compiler takes many bytes at a time.
struct Suspects<'a> {
    bytes: &'a [u8],
    /// Up to here every byte is looked at by itself: suspects come in swarms, and the tests of a block would be made
    /// again for each.
    singly: usize,
}

impl Suspects<'_> {
    fn next(&mut self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            while at < self.singly {
                if self.is_suspect(at) {
                    return Some(at);
                }
                at += 1;
            }
            // Three bytes tell a suspect, so a block overlaps the next by two.
            let block = self.bytes.get(at..at + BLOCK + 2).and_then(|block| <&[u8; BLOCK + 2]>::try_from(block).ok());
            match block {
                Some(block) if is_plain(block) || !may_have_suspect(block) => at += BLOCK,
                Some(_) => self.singly = at + BLOCK,
                None if at >= self.bytes.len() => return None,
                None => self.singly = self.bytes.len(),
            }
        }
    }

    fn is_suspect(&self, at: usize) -> bool {
        let byte = |n: usize| self.bytes.get(at + n).copied().unwrap_or(b'a');
        // One at a time, most are told by their first byte.
        let first = byte(0);
        (is_control(first) || is_suspect_lead(first)) && suspicion(first, byte(1), byte(2)) != 0
    }
}

/// True only where no character of the block can be suspect by its first byte: the quicker of the two tests, and
/// enough for most text of any script.
#[inline(never)]
fn is_plain(block: &[u8; BLOCK + 2]) -> bool {
    let leads = block.iter().take(BLOCK);
    leads.fold(0u8, |so_far, byte| so_far | u8::from(is_control(*byte) | is_suspect_lead(*byte))) == 0
}

/// False only where no three bytes of the block are suspect.
#[inline(never)]
fn may_have_suspect(block: &[u8; BLOCK + 2]) -> bool {
    let [Some(first), Some(second), Some(third)] = [0, 1, 2].map(|start| block.get(start..start + BLOCK)) else {
        return true;
    };
    first.iter().zip(second).zip(third).fold(0u8, |so_far, ((a, b), c)| so_far | suspicion(*a, *b, *c)) != 0
}

/// A control character of one byte, but for tab, newline and carriage return. Without a branch, as all below.
fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7F)
}

/// The first bytes of the longer characters that this step may change.
fn is_suspect_lead(byte: u8) -> bool {
    (byte & 0xDF == 0xC2) | (byte == 0xEF) | (byte == 0xF3)
}

/// Not 0 where a character that starts with these bytes may be one that this step changes.
fn suspicion(a: u8, b: u8, c: u8) -> u8 {
    let c1 = (a == 0xC2) & (b < 0xA0);
    // U+2000 to U+206F, without the quotes and dashes that ordinary text is full of.
    let general = (a == 0xE2)
        & ((b == 0x80) & ((c < 0x8E) & (c > 0x8A) | (c > 0xA9) & (c < 0xAF)) | (b == 0x81) & (c > 0x9F) & (c < 0xB0));
    let selector = (a == 0xEF) & (b == 0xB8) & (c < 0x90);
    let special = (a == 0xEF) & ((b == 0xBB) & (c == 0xBF) | (b == 0xBF) & (c > 0xB8) & (c < 0xBC));
    let tag = (a == 0xF3) & (b == 0xA0);
    u8::from(is_control(a) | c1 | general | selector | special | tag)
}
