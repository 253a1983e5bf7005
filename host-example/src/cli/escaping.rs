//! Text of others within a line of ours.

/// The text with what controls a terminal or ends a line written out (`\u{1b}`, `\n`): whatever is in it, it stays in
/// its line and moves nothing.
pub(crate) fn one_line(text: &str) -> String {
    escaped(text, is_control)
}

/// The same with its tabs kept, for text that is shown as it stands.
pub(crate) fn one_line_with_tabs(text: &str) -> String {
    escaped(text, |c| is_control(c) && c != '\t')
}

fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

fn escaped(text: &str, is_meant: impl Fn(char) -> bool) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match is_meant(c) {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    line
}
