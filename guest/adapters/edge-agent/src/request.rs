//! What a request asks for.

/// What a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Something about the document in the body.
    Ask(String),
    /// A window of what was checked in by an earlier request.
    Read {
        /// As the earlier answer gave it.
        handle: String,
        /// In characters.
        offset: u32,
    },
    /// Something that there is not; the text says what there is.
    Nothing(&'static str),
}

impl Wanted {
    /// What this method and path ask for.
    #[must_use]
    pub fn new(is_post: bool, path: &str) -> Self {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query = Query(query);
        match (is_post, path) {
            (true, "/ask") => match query.get("about") {
                Some(about) if !about.is_empty() => Self::Ask(about),
                _ => Self::Nothing("say what to look for: POST /ask?about=WORDS"),
            },
            (false, "/read") => match (query.get("handle"), query.get("offset").unwrap_or("0".to_owned()).parse()) {
                (Some(handle), Ok(offset)) => Self::Read { handle, offset },
                _ => Self::Nothing("say what to read: GET /read?handle=HANDLE&offset=NUMBER"),
            },
            _ => Self::Nothing(
                "there is POST /ask?about=WORDS, with a document as the body, and GET /read?handle=HANDLE&offset=N",
            ),
        }
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
        assert_eq!(Wanted::new(true, "/ask?about=notice+period%3F"), Wanted::Ask("notice period?".to_owned()));
        let read = Wanted::Read { handle: "claim:00".to_owned(), offset: 7 };
        assert_eq!(Wanted::new(false, "/read?handle=claim%3A00&offset=7"), read);
        for (is_post, path) in
            [(false, "/ask?about=x"), (true, "/ask"), (true, "/ask?about=%ff"), (false, "/read"), (false, "/")]
        {
            assert!(matches!(Wanted::new(is_post, path), Wanted::Nothing(_)), "{path}");
        }
        assert!(matches!(Wanted::new(false, "/read?handle=x&offset=-1"), Wanted::Nothing(_)));
    }
}
