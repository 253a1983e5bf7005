//! What a request asks for.

/// What a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Something about the document in the body.
    Ask {
        /// The words to look for.
        about: String,
        /// For how many seconds the document is kept.
        keep: u32,
    },
    /// A window of what an earlier request checked in.
    Read {
        /// As the earlier answer gave it.
        handle: String,
        /// In characters.
        offset: u32,
    },
    /// Where words stand in what an earlier request checked in.
    Find {
        /// As the earlier answer gave it.
        handle: String,
        /// The words.
        text: String,
    },
    /// That everything of this run is forgotten.
    Forget,
    /// Something that there is not; the text says what there is.
    Nothing(&'static str),
}

/// The methods that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Gives something in.
    Post,
    /// Reads something.
    Get,
    /// Takes something away.
    Delete,
    /// Any other.
    Other,
}

impl Wanted {
    /// What this method and path ask for.
    #[must_use]
    pub fn new(verb: Verb, path: &str) -> Self {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query = Query(query);
        let number = |name: &str, default: u32| query.get(name).map_or(Some(default), |number| number.parse().ok());
        let wanted = match (verb, path) {
            (Verb::Post, "/ask") => {
                query.get("about").zip(number("keep", 3600)).map(|(about, keep)| Self::Ask { about, keep })
            }
            (Verb::Get, "/read") => {
                query.get("handle").zip(number("offset", 0)).map(|(handle, offset)| Self::Read { handle, offset })
            }
            (Verb::Get, "/find") => {
                query.get("handle").zip(query.get("text")).map(|(handle, text)| Self::Find { handle, text })
            }
            (Verb::Delete, "/run") => Some(Self::Forget),
            _ => None,
        };
        wanted.unwrap_or(Self::Nothing(
            "there is POST /ask?about=WORDS&keep=SECONDS with a document as the body, GET /read?handle=HANDLE&offset=NUMBER, \
             GET /find?handle=HANDLE&text=WORDS, and DELETE /run",
        ))
    }
}

/// The part of a path after its question mark.
#[derive(Debug)]
pub struct Query<'a>(pub &'a str);

impl Query<'_> {
    /// The first value of this name, decoded; none where it is missing or is no UTF-8.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        let pairs = self.0.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).find_map(|(_, value)| decoded(value))
    }
}

/// `+` is a space, and `%` with two hexadecimal digits a byte.
fn decoded(value: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_says_what_is_wanted() {
        let ask = Wanted::Ask { about: "notice period?".to_owned(), keep: 3600 };
        assert_eq!(Wanted::new(Verb::Post, "/ask?about=notice+period%3F"), ask);
        let read = Wanted::Read { handle: "claim:00".to_owned(), offset: 7 };
        assert_eq!(Wanted::new(Verb::Get, "/read?handle=claim%3A00&offset=7"), read);
        assert_eq!(Wanted::new(Verb::Delete, "/run"), Wanted::Forget);
        for (verb, path) in [
            (Verb::Get, "/ask?about=x"),
            (Verb::Post, "/ask"),
            (Verb::Post, "/ask?about=%ff"),
            (Verb::Post, "/ask?about=x&keep=long"),
            (Verb::Get, "/read"),
            (Verb::Get, "/read?handle=x&offset=-1"),
            (Verb::Get, "/find?handle=x"),
            (Verb::Other, "/run"),
            (Verb::Get, "/"),
        ] {
            assert!(matches!(Wanted::new(verb, path), Wanted::Nothing(_)), "{path}");
        }
    }
}
