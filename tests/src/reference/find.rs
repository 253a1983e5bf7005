//! Where a text stands, character by character.

/// SPEC.md, "Reading back": one character to one character.
#[must_use]
pub fn fold(c: char) -> char {
    let one = |text: String| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let upper = one(c.to_uppercase().collect());
    let by_upper = upper.and_then(|upper| one(upper.to_lowercase().collect()));
    by_upper.or_else(|| one(c.to_lowercase().collect())).unwrap_or(c)
}

/// Every offset of the needle from a character on, without overlap.
#[must_use]
pub fn find(content: &str, needle: &str, from: usize) -> Vec<usize> {
    let content: Vec<char> = content.chars().map(fold).collect();
    let needle: Vec<char> = needle.chars().map(fold).collect();
    let mut found = Vec::new();
    let mut at = from;
    while at + needle.len() <= content.len() {
        if content[at..].starts_with(&needle) {
            found.push(at);
            at += needle.len();
        } else {
            at += 1;
        }
    }
    found
}
