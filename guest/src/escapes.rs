//! Terminal escapes: what a terminal would act on instead of showing.

use crate::boundary::Rewrite;
use crate::text;

const ESC: char = '\u{1B}';
/// How long the body of a control string may be, in characters.
const STRING_CHARS: u32 = 4096;

/// The text without its terminal escapes; those that move the cursor become a space, so that no words are joined.
/// An unfinished one loses its first character only. None where there is none.
pub(crate) fn remove(text: &str) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    let mut strings = StringEnds::new(text);
    let mut at = 0;
    while let Some(start) = next_introducer(text, at) {
        let rest = text::split(text, start).1;
        let Some(introducer) = rest.chars().next() else { break };
        let (length, with) = match control(introducer, rest) {
            Control::Sequence(body) => sequence(rest, body).unwrap_or((introducer.len_utf8(), "")),
            Control::String(body) => (strings.end(start + body).map_or(introducer.len_utf8(), |end| end - start), ""),
            Control::Whole(length) => (length, ""),
            Control::Unfinished => (introducer.len_utf8(), ""),
        };
        rewrite.replace(start..start + length, with);
        at = start + length;
    }
    rewrite.finish()
}

/// What an introducer starts, and at which byte its body begins.
enum Control {
    Sequence(usize),
    String(usize),
    Whole(usize),
    Unfinished,
}

fn control(introducer: char, rest: &str) -> Control {
    match introducer {
        '\u{9B}' => return Control::Sequence(2),
        '\u{9D}' | '\u{90}' | '\u{98}' | '\u{9E}' | '\u{9F}' => return Control::String(2),
        _ => {}
    }
    let mut next = rest.chars().skip(1);
    match next.next() {
        Some('[') => Control::Sequence(2),
        Some(']' | 'P' | 'X' | '^' | '_') => Control::String(2),
        Some('(' | ')' | '*' | '+' | '-' | '.' | '/' | '#' | '%') => match next.next() {
            Some('0'..='~') => Control::Whole(3),
            _ => Control::Unfinished,
        },
        Some('@'..='O' | 'Q'..='W' | 'Y' | 'Z' | '\\' | '7' | '8' | '=' | '>' | 'c') => Control::Whole(2),
        _ => Control::Unfinished,
    }
}

/// The length of a control sequence whose body begins at a byte, and what stays of it.
fn sequence(rest: &str, body: usize) -> Option<(usize, &'static str)> {
    let bytes = rest.as_bytes().get(body..)?;
    let parameters = bytes.iter().take_while(|byte| matches!(byte, b'0'..=b'?')).count();
    let intermediates = bytes.iter().skip(parameters).take_while(|byte| matches!(byte, b' '..=b'/')).count();
    let length = body + parameters + intermediates + 1;
    match bytes.get(parameters + intermediates)? {
        b'A'..=b'H' | b'd' | b'f' => Some((length, " ")),
        b'@'..=b'~' => Some((length, "")),
        _ => None,
    }
}

/// Where control strings end. Introducers may stand inside one another's bodies; what lies between a place and the
/// next character that can end or break a string is looked at once for all of them.
struct StringEnds<'a> {
    text: &'a str,
    /// From where on the text was looked at, up to where, and how many characters that are.
    from: usize,
    upto: usize,
    chars: u32,
}

impl<'a> StringEnds<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, from: 0, upto: 0, chars: 0 }
    }

    /// The end of the string whose body begins at a byte; none where it is unfinished.
    fn end(&mut self, body: usize) -> Option<usize> {
        if body > self.upto {
            (self.from, self.upto, self.chars) = (body, body, 0);
        }
        self.chars = self.chars.saturating_sub(text::count(self.text.get(self.from..body)?));
        self.from = body;
        for c in text::split(self.text, self.upto).1.chars() {
            let end = self.upto + c.len_utf8();
            match c {
                '\u{7}' | '\u{9C}' => return Some(end),
                ESC => return text::split(self.text, end).1.starts_with('\\').then_some(end + 1),
                '\n' | '\r' => return None,
                _ if self.chars == STRING_CHARS => return None,
                _ => {}
            }
            self.upto = end;
            self.chars += 1;
        }
        None
    }
}

/// The next ESC or C1 introducer.
fn next_introducer(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += memchr::memchr2(0x1B, 0xC2, bytes.get(at..)?)?;
        if bytes.get(at) == Some(&0x1B) || matches!(bytes.get(at + 1), Some(0x90 | 0x98 | 0x9B | 0x9D | 0x9E | 0x9F)) {
            return Some(at);
        }
        at += 1;
    }
}
