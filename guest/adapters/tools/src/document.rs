//! What can be read.

/// The largest file that is read: what can be checked in.
pub const MAX_BYTES: usize = 64 << 20;

/// What the files of the store begin with. A link in a granted folder may lead to one.
const STORE: &[u8] = b"claim-check store ";

/// The text of a file.
///
/// # Errors
/// It is no text, or not to be read; says why, for the model.
pub fn text(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("The file is larger than {} MiB, and can't be read with this tool.", MAX_BYTES >> 20));
    }
    if bytes.starts_with(STORE) {
        return Err("This file belongs to the claim store, and is not to be read.".to_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("The file is not UTF-8 text (byte {at} is not), and can't be read with this tool.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_is_read() {
        assert_eq!(text(b"na\xc3\xafve".to_vec()).as_deref(), Ok("naïve"));
        assert!(text(b"na\xefve".to_vec()).is_err_and(|why| why.contains("byte 2 ")));
        assert!(text(b"claim-check store 1\n0000".to_vec()).is_err());
        assert!(text(vec![b'a'; MAX_BYTES + 1]).is_err());
    }
}
