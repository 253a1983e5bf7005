//! Long text into the module's memory.
//!
//! The glue's own way in looks at one character after the other, and takes several times as long as everything that
//! is done with the text; `TextEncoder` writes it at memory speed.

use js_sys::JsString;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;

    #[wasm_bindgen(method, js_name = encodeInto)]
    fn encode_into(this: &TextEncoder, source: &JsString, destination: &mut [u8]) -> Progress;

    type Progress;

    /// In UTF-16 units.
    #[wasm_bindgen(method, getter)]
    fn read(this: &Progress) -> u32;

    /// In bytes.
    #[wasm_bindgen(method, getter)]
    fn written(this: &Progress) -> u32;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// The text as UTF-8. It is well-formed: whoever calls this module has looked.
pub(crate) fn take(text: &JsString) -> String {
    let units = text.length();
    // Enough for ASCII, which most text is; else three bytes for every unit that is left are.
    let mut bytes = vec![0; index(units)];
    let (mut read, mut written) = (0, 0);
    while read < units {
        let (rest, room) = (text.slice(read, units), bytes.get_mut(written..).unwrap_or_default());
        let progress = ENCODER.with(|encoder| encoder.encode_into(&rest, room));
        read += progress.read();
        written += index(progress.written());
        bytes.resize(if read < units { written + index(units - read) * 3 } else { written }, 0);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// How long a text is in JavaScript, in UTF-16 units.
pub(crate) fn units(text: &str) -> u32 {
    let bytes = text.as_bytes();
    // A character has a byte that begins it, and one of four bytes is two units. Summed up in bytes, which takes
    // sixteen of them at a time.
    let block =
        |block: &[u8]| block.iter().map(|byte| u8::from(byte & 0xC0 != 0x80) + u8::from(*byte >= 0xF0)).sum::<u8>();
    let count: usize = bytes.chunks(127).map(|bytes| usize::from(block(bytes))).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn index(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn units_are_those_of_utf_16() {
        for text in ["", "a", "é文🏴x", &"🏴".repeat(500), &"文a".repeat(333)] {
            assert_eq!(units(text), u32::try_from(text.encode_utf16().count()).unwrap_or_default(), "{text:?}");
        }
    }
}
