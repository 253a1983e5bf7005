use claim_check_guest::claim::handle;
use claim_check_guest::{Absence, Claim, FetchError, PageRange, Scope, StoreError, WindowReading, read_with};

use crate::input::{Input, characters, count};

/// What a store returns is what was checked in, or it is refused; and a manifest has one spelling.
pub fn manifests(data: &[u8]) {
    let mut input = Input(data);
    let (edits, times, forged) = (input.byte() % 4, usize::from(input.byte()) * 16 + 1, input.byte() & 1 == 1);
    let (offset, size) = (i32::try_from(input.number()).expect("16 bits"), input.number());
    let edits: Vec<_> = (0..edits).map(|_| (input.byte(), input.number() as usize, input.byte())).collect();
    let content = input.text();
    let content =
        if content.is_empty() { "x".repeat(times) } else { content.repeat(times.min(200_000 / content.len() + 1)) };
    let scope = Scope::new("tenant", "run");

    let honest = Claim::of(&content);
    let mut manifest = honest.manifest.clone();
    let mut pages: Vec<String> = honest.pages.iter().map(|page| (*page).to_owned()).collect();
    for (what, at, with) in edits {
        edit(&mut manifest, &mut pages, what, at, with);
    }
    // A forged handle fits whatever header came of it: then only the strict form is left to refuse it.
    let asked = if forged { handle(&scope, &manifest) } else { honest.handle(&scope) };

    let reading = WindowReading::new(&scope, &asked, offset, size).expect("a handle and an offset");
    let read = read_with(reading, |_, PageRange { first, count }| {
        let range = pages.iter().skip(first as usize).take(count as usize);
        Ok::<_, StoreError>((manifest.clone(), range.collect::<Vec<_>>()))
    });
    match read {
        Ok(window) => {
            // A forged header may lie about sizes that this read has no page to hold against.
            assert!(is_strict(&manifest), "another spelling was taken");
            assert!(forged || manifest == honest.manifest, "another manifest was taken");
            let size = if size == 0 { 4096 } else { size };
            assert_eq!(window.text, characters(&content, offset as usize, size as usize));
            assert!(window.offset == offset && (forged || window.chars == count(&content)));
        }
        Err(error) => {
            assert_eq!(error, FetchError::ClaimUnavailable(Absence::Damaged));
            let untouched = manifest == honest.manifest && pages.iter().eq(honest.pages.iter());
            assert!(!untouched, "an honest claim was refused");
        }
    }
}

/// The one spelling that SPEC.md gives.
fn is_strict(manifest: &str) -> bool {
    let lines: Vec<&str> = manifest.split('\n').collect();
    let [version, chars, bytes, page_chars, root, digests @ .., end] = lines.as_slice() else { return false };
    let number = |line: &str, name: &str| {
        let digits = line.strip_prefix(name)?;
        digits.parse::<u32>().ok().filter(|number| number.to_string() == digits)
    };
    let is_digest = |text: &str| text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (*version, *page_chars, *end) == ("claim/1", "page-chars 16384", "")
        && number(bytes, "bytes ").is_some()
        && root.strip_prefix("root ").is_some_and(is_digest)
        && number(chars, "chars ").is_some_and(|chars| chars.div_ceil(16384) as usize == digests.len())
        && digests.iter().all(|digest| is_digest(digest))
}

fn edit(manifest: &mut String, pages: &mut Vec<String>, what: u8, at: usize, with: u8) {
    let with = char::from(with % 128);
    let place = |length: usize| if length == 0 { 0 } else { at % length };
    match what % 8 {
        0 => manifest.insert(place(manifest.len() + 1), with),
        1 if !manifest.is_empty() => drop(manifest.remove(place(manifest.len()))),
        2 if !manifest.is_empty() => {
            let place = place(manifest.len());
            manifest.replace_range(place..=place, with.encode_utf8(&mut [0; 4]));
        }
        3 => {
            let mut lines: Vec<&str> = manifest.split_inclusive('\n').collect();
            let place = place(lines.len());
            let line = lines.remove(place);
            lines.insert(usize::from(with as u8) % (lines.len() + 1), line);
            *manifest = lines.concat();
        }
        4 if !pages.is_empty() => drop(pages.remove(place(pages.len()))),
        5 if !pages.is_empty() => {
            let place = place(pages.len());
            let page = pages[place].clone();
            pages.insert(usize::from(with as u8) % (pages.len() + 1), page);
        }
        6 if !pages.is_empty() => {
            let (one, other) = (place(pages.len()), usize::from(with as u8) % pages.len());
            pages.swap(one, other);
        }
        7 if !pages.is_empty() => {
            let page = place(pages.len());
            let mut chars: Vec<char> = pages[page].chars().collect();
            let place = place(chars.len());
            if let Some(c) = chars.get_mut(place) {
                *c = with;
            }
            pages[page] = chars.into_iter().collect();
        }
        _ => {}
    }
}
