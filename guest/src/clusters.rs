//! Cluster boundaries: between which characters a text may be cut without tearing what a reader sees as one.

use unicode_segmentation::{GraphemeCursor, GraphemeIndices, UnicodeSegmentation};

use crate::text;

/// The cluster boundaries of a text that starts at one, but for that: the text's end is the last.
///
/// Most characters join with nothing, and the place between two of those is told without asking for the classes of
/// either, which in a head of 512 characters takes longer than all the rest of a small check-in.
pub(crate) fn boundaries(text: &str) -> Boundaries<'_> {
    Boundaries { text, at: 0, joined: None }
}

/// The cluster boundaries of the whole content from a byte offset on, without walking all that stands before it.
pub(crate) fn boundaries_from(content: &str, from: usize) -> impl Iterator<Item = usize> {
    let mut cursor = GraphemeCursor::new(from, content.len(), true);
    let anchor = if cursor.is_boundary(content, 0).unwrap_or(true) {
        from
    } else {
        cursor.prev_boundary(content, 0).ok().flatten().unwrap_or(0)
    };
    let after = boundaries(text::split(content, anchor).1).map(move |at| anchor + at);
    std::iter::once(anchor).chain(after).filter(move |at| *at >= from)
}

pub(crate) struct Boundaries<'a> {
    text: &'a str,
    /// The last boundary that was told without the library.
    at: usize,
    /// What may be joined, from a boundary to a boundary, as the library divides it, and where it starts.
    joined: Option<(usize, GraphemeIndices<'a>)>,
}

impl Iterator for Boundaries<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if let Some((from, clusters)) = &mut self.joined {
            if let Some((start, cluster)) = clusters.next() {
                return Some(*from + start + cluster.len());
            }
            self.joined = None;
        }
        // In ASCII a byte is a character, and need not be decoded.
        if let Some([c, next, ..]) = self.text.as_bytes().get(self.at..)
            && is_alone_byte(*c)
            && is_alone_byte(*next)
        {
            self.at += 1;
            return Some(self.at);
        }
        let rest = text::split(self.text, self.at).1;
        let (mut walk, mut length) = (rest.chars().peekable(), 0);
        let mut is_single = true;
        while let Some(c) = walk.next() {
            length += c.len_utf8();
            if is_alone(c) && walk.peek().is_none_or(|next| is_alone(*next)) {
                break;
            }
            is_single = false;
        }
        if length == 0 {
            return None;
        }
        let from = self.at;
        self.at += length;
        if is_single {
            return Some(self.at);
        }
        let mut clusters = text::split(rest, length).0.grapheme_indices(true);
        let first = clusters.next().map(|(start, cluster)| from + start + cluster.len());
        self.joined = Some((from, clusters));
        first
    }
}

fn is_alone_byte(byte: u8) -> bool {
    byte.is_ascii() && is_alone(char::from(byte))
}

/// Whether a character joins with no other of this kind: of the class Other, or the newline. Others may be too; the
/// common letters of the common scripts are enough.
fn is_alone(c: char) -> bool {
    matches!(c,
        '\n' | ' '..='~' | 'À'..='\u{24F}' | '\u{400}'..='\u{482}' | '\u{2010}'..='\u{2027}' | '、'..='\u{3029}'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{FF01}'..='\u{FF60}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_alone_join_with_no_other() {
        let alone = ('\0'..=char::MAX).filter(|c| is_alone(*c));
        for c in alone {
            for text in [format!("a{c}a"), format!("{c}{c}{c}")] {
                assert_eq!(text.graphemes(true).count(), 3, "{c:?} in {text:?}");
            }
        }
    }

    #[test]
    fn the_boundaries_are_those_of_the_library() {
        let pieces = [
            "a",
            "é",
            "e\u{301}",
            "文",
            "\r\n",
            "\n",
            "\r",
            "🇫🇷",
            "🇫",
            "👩\u{200D}👩",
            "\u{200D}",
            "क\u{94D}ष",
            "한",
            "각",
            " ",
            "、",
        ];
        for (one, two, three) in pieces
            .iter()
            .flat_map(|a| pieces.iter().map(move |b| (a, b)))
            .flat_map(|(a, b)| pieces.iter().map(move |c| (a, b, c)))
        {
            let text = [one, two, three, two, one, *three].concat();
            let expected: Vec<_> = text.grapheme_indices(true).map(|(at, cluster)| at + cluster.len()).collect();
            assert_eq!(boundaries(&text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }
}
