use crate::{input::Input, reference};

/// What SPEC.md says, word by word; and twice is once.
pub fn neutralise(data: &[u8]) {
    let text = Input(data).text();
    let result = claim_check_guest::neutralise(&text);
    assert_eq!(result, reference::neutralise(&text));
    if let Some(neutral) = result {
        assert_ne!(neutral, text, "changed, but the same");
        assert_eq!(claim_check_guest::neutralise(&neutral), None, "twice is not once");
    }
}
