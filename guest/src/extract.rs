//! Where a head ends and a tail starts, word for word; and the cut of a run that keeps no claims.
//!
//! Both choose among cluster boundaries, so that no user-perceived character is torn, and prefer the end of a line
//! or a sentence (natural) over a gap between words (firm) over any gap (soft).

use crate::clusters::{boundaries, boundaries_from};
use crate::text;

// Patterns and not texts to search in: every character of a head is asked all of these.
fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '»' | '”' | '’' | '」' | '』' | '）' | '】' | '》')
}

fn is_full_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।' | '॥' | '։')
}

/// A stop of a script that puts no space behind it.
fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '\u{104B}' | '\u{17D4}' | '\u{1362}')
}

fn is_tight_gap(c: char) -> bool {
    matches!(c, ',' | ';' | '}' | ']' | ')' | '>')
}

fn is_wide_gap(c: char) -> bool {
    matches!(c, '、' | '，' | '；')
}

/// A prefix of the content of at most `head_chars` characters, cut where a reader would, trailing white space trimmed.
#[must_use]
pub fn head(content: &str, head_chars: u32) -> &str {
    // One character more than the budget: whether the last place is a boundary depends on what follows it.
    let budget = text::byte_of(content, head_chars);
    let shown = text::split(content, budget).0;
    let seen = text::split(content, text::byte_of(content, head_chars.saturating_add(1))).0;
    let upper = head_chars.div_ceil(2);

    let (mut in_upper, mut anywhere) = (Latest::default(), Latest::default());
    let mut any = None;
    let mut stop = Stop::None;
    let (mut chars, mut blank) = (0u32, true);
    let mut places = boundaries(seen).take_while(|at| *at <= budget).peekable();
    let mut walk = seen.char_indices().peekable();
    while let Some((at, c)) = walk.next() {
        chars = chars.saturating_add(1);
        let end = at + c.len_utf8();
        let is_place = places.next_if_eq(&end).is_some();
        if is_place {
            any = Some(end);
        }
        let next = walk.peek().map(|(_, next)| *next);
        // Between two letters of a word, where most of a text is, there is nothing to ask.
        if c.is_ascii_alphanumeric() && next.is_some_and(|next| next.is_ascii_alphanumeric()) {
            (blank, stop) = (false, Stop::None);
            continue;
        }
        blank &= c.is_whitespace();
        stop = stop.after(c);
        if blank || !is_place {
            continue;
        }
        let gap = head_gap(c, next, stop);
        anywhere.note(gap, end);
        if chars >= upper {
            in_upper.note(gap, end);
        }
    }
    let cut = in_upper.best().or_else(|| anywhere.best()).or(any).unwrap_or(budget);
    text::split(shown, cut).0.trim_end()
}

/// A suffix of the content, but for the white space at its end, of at most `tail_chars` characters and none of the
/// first `after_chars`; it starts where a reader would start.
#[must_use]
pub fn tail(content: &str, tail_chars: u32, after_chars: u32) -> &str {
    if tail_chars == 0 {
        return "";
    }
    let content = content.trim_end();
    let total = text::count(content);
    let start = total.saturating_sub(tail_chars).max(after_chars);
    if start >= total {
        return "";
    }
    let from = text::byte_of(content, start);
    let half = tail_chars.div_ceil(2);

    let (mut leaving_half, mut anywhere) = (Earliest::default(), Earliest::default());
    let mut any = None;
    let mut places = boundaries_from(content, from).peekable();
    let mut last = text::split(content, from).0.chars().next_back();
    for (chars, (at, c)) in (start..).zip(text::split(content, from).1.char_indices()) {
        let at = from + at;
        if places.next_if_eq(&at).is_some() {
            any = any.or(Some(at));
            if let Some(last) = last.filter(|_| !c.is_whitespace()) {
                let gap = tail_gap(last, c);
                anywhere.note(gap, at);
                if total - chars >= half {
                    leaving_half.note(gap, at);
                }
            }
        }
        last = Some(c);
    }
    let cut = leaving_half.best().or_else(|| anywhere.best()).or(any).unwrap_or(from);
    text::split(content, cut).1
}

/// What a run without a claim check, or with a store that failed, carries: a head and a line that says that the rest
/// was not kept, together at most `max_chars` characters, or that line alone where it does not fit. None where the
/// text fits.
#[must_use]
pub fn truncate(text: &str, max_chars: u32) -> Option<String> {
    let total = text::count(text);
    if total <= max_chars {
        return None;
    }
    let line = |shown: u32| format!("[{total} characters, cut after {shown}. The rest was not kept.]");
    let widest = u32::try_from(line(max_chars).len()).unwrap_or(u32::MAX);
    let shown = head(text, max_chars.saturating_sub(2).saturating_sub(widest));
    Some(if shown.is_empty() { line(0) } else { format!("{shown}\n\n{}", line(text::count(shown))) })
}

/// How good a place to cut is, from worst to best.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Soft,
    Firm,
    Natural,
}

fn head_gap(last: char, next: Option<char>, stop: Stop) -> Gap {
    let natural = match stop {
        Stop::Full => next.is_some_and(char::is_whitespace),
        Stop::Wide => next.is_none_or(|next| !is_closer(next)),
        Stop::None => false,
    };
    if natural || next.is_some_and(is_line_end) {
        Gap::Natural
    } else if (next.is_some_and(char::is_whitespace) && !last.is_whitespace()) || is_gap(last) {
        next.map_or(Gap::Firm, |next| firmness(last, next))
    } else {
        Gap::None
    }
}

fn tail_gap(last: char, next: char) -> Gap {
    if is_line_end(last) {
        Gap::Natural
    } else if last.is_whitespace() || is_gap(last) || is_wide_stop(last) {
        firmness(last, next)
    } else {
        Gap::None
    }
}

/// Soft rather than firm: the inside of a number, a path or a call.
fn firmness(last: char, next: char) -> Gap {
    if is_tight_gap(last) && (next.is_alphanumeric() || matches!(next, '_' | '/' | '.' | '-')) {
        Gap::Soft
    } else {
        Gap::Firm
    }
}

fn is_gap(c: char) -> bool {
    is_tight_gap(c) || is_wide_gap(c)
}

fn is_line_end(c: char) -> bool {
    c == '\n' || c == '\r'
}

/// The sentence stop behind which the walk stands, past any closers; carried forward, so that a run of closers is
/// never looked back over.
#[derive(Clone, Copy)]
enum Stop {
    None,
    Full,
    Wide,
}

impl Stop {
    fn after(self, c: char) -> Self {
        if is_closer(c) {
            self
        } else if is_full_stop(c) {
            Self::Full
        } else if is_wide_stop(c) {
            Self::Wide
        } else {
            Self::None
        }
    }
}

/// The last place of each kind.
#[derive(Default)]
struct Latest(Places);

impl Latest {
    fn note(&mut self, gap: Gap, at: usize) {
        self.0.each(gap, |place| *place = Some(at));
    }

    fn best(&self) -> Option<usize> {
        self.0.best()
    }
}

/// The first place of each kind.
#[derive(Default)]
struct Earliest(Places);

impl Earliest {
    fn note(&mut self, gap: Gap, at: usize) {
        self.0.each(gap, |place| *place = place.or(Some(at)));
    }

    fn best(&self) -> Option<usize> {
        self.0.best()
    }
}

#[derive(Default)]
struct Places {
    natural: Option<usize>,
    firm: Option<usize>,
    soft: Option<usize>,
}

impl Places {
    /// A firm place is a soft one too; a natural one is only that.
    fn each(&mut self, gap: Gap, note: impl Fn(&mut Option<usize>)) {
        match gap {
            Gap::Natural => note(&mut self.natural),
            Gap::Firm => {
                note(&mut self.firm);
                note(&mut self.soft);
            }
            Gap::Soft => note(&mut self.soft),
            Gap::None => {}
        }
    }

    fn best(&self) -> Option<usize> {
        self.natural.or(self.firm).or(self.soft)
    }
}

#[cfg(test)]
mod tests {
    use super::{head, tail, truncate};

    #[test]
    fn a_head_ends_where_a_reader_would_stop() {
        let cases = [
            ("One two. Three four five six", 16, "One two."),
            ("One. Two three four five six", 20, "One. Two three four"),
            ("{\"id\":12,\"name\":\"value\"}", 12, "{\"id\":12,"),
            ("日本語の文。次の文は長い", 10, "日本語の文。"),
            ("xxxxxxxxxxxxxxxxxxxx", 8, "xxxxxxxx"),
            ("            x", 8, ""),
            ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}"),
            ("a\r\nb", 2, "a"),
            ("anything", 0, ""),
        ];
        for (content, chars, expected) in cases {
            assert_eq!(head(content, chars), expected, "{content:?} in {chars}");
        }
    }

    #[test]
    fn a_tail_starts_where_a_reader_would_start() {
        let cases = [
            ("one\ntwo three\nfour five\n", 16, 0, "four five"),
            ("one two three", 9, 0, "two three"),
            ("one two three", 9, 10, "ree"),
            ("one two three", 0, 0, ""),
            ("🇫🇷🇩🇪🇯🇵", 3, 0, "🇯🇵"),
        ];
        for (content, chars, after, expected) in cases {
            assert_eq!(tail(content, chars, after), expected, "{content:?} in {chars} after {after}");
        }
    }

    #[test]
    fn a_cut_never_exceeds_its_budget_unless_the_line_alone_does() {
        let text = "word ".repeat(100);
        let line = "[500 characters, cut after 0. The rest was not kept.]";
        assert_eq!(truncate(&text, 500), None);
        assert_eq!(truncate(&text, 10).as_deref(), Some(line));
        let cut = truncate(&text, 100).unwrap_or_default();
        assert_eq!(
            cut,
            format!("{}\n\n[500 characters, cut after 39. The rest was not kept.]", "word ".repeat(8).trim_end())
        );
    }
}
