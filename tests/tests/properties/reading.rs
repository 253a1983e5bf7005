//! Windows laid end to end are the text, a search finds what a naive one finds, and handles keep scopes apart.

use claim_check_guest::{Absence, FetchError, Scope};
use claim_check_tests::content::characters;
use claim_check_tests::reference;
use claim_check_tests::shelf::{Kept, Shelf, StoreCall};
use claim_check_tests::subject::{Native, Subject};
use proptest::prelude::*;

use crate::texts::{pages, scope, text};

/// The windows that reading on from the start gives, and how many there were.
fn laid_end_to_end(shelf: &std::sync::Arc<Shelf>, scope: &Scope, handle: &str, sizes: &[u32]) -> (String, usize) {
    let (mut all, mut offset, mut windows) = (String::new(), 0, 0);
    loop {
        let window = Native.fetch(shelf, scope, handle, offset, sizes[windows % sizes.len()]).expect("a window");
        all.push_str(&window.text);
        windows += 1;
        match window.next_offset {
            Some(next) => {
                assert!(next > offset, "reading on gets on");
                offset = next;
            }
            None => return (all, windows),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn windows_laid_end_to_end_are_the_text(text in pages(), sizes in prop::collection::vec(1u32..50_000, 1..4), scope in scope()) {
        prop_assume!(!text.is_empty());
        // Windows of a few characters are for short texts: 60,000 calls prove nothing that 600 don't.
        let sizes: Vec<u32> = sizes.iter().map(|size| (*size).max(u32::try_from(text.len() / 300).unwrap())).collect();
        let shelf = Shelf::new();
        let handle = shelf.place(&scope, &text);
        let (all, windows) = laid_end_to_end(&shelf, &scope, &handle, &sizes);
        prop_assert_eq!(all, text);
        prop_assert_eq!(shelf.take_calls().len(), windows, "one call of the store for a window");
    }

    #[test]
    fn windows_of_a_short_text_laid_end_to_end_are_the_text(text in text(30), sizes in prop::collection::vec(1u32..8, 1..4)) {
        prop_assume!(!text.is_empty());
        let (shelf, scope) = (Shelf::new(), Scope::new("t", "r"));
        let handle = shelf.place(&scope, &text);
        prop_assert_eq!(laid_end_to_end(&shelf, &scope, &handle, &sizes).0, text);
    }

    #[test]
    fn a_window_is_exactly_the_characters_asked_for(text in pages(), offset in 0i32..70_000, size in 0u32..50_000) {
        prop_assume!(!text.is_empty());
        let (shelf, scope) = (Shelf::new(), Scope::new("t", "r"));
        let handle = shelf.place(&scope, &text);
        let window = Native.fetch(&shelf, &scope, &handle, offset, size).unwrap();
        let size = if size == 0 { 4096 } else { size };
        prop_assert_eq!(&window.text, &characters(&text, offset as usize, size as usize));
        let total = text.chars().count();
        prop_assert_eq!(window.chars as usize, total);
        let end = offset as usize + size as usize;
        prop_assert_eq!(window.next_offset, (end < total).then(|| i32::try_from(end).unwrap()));
        let calls = shelf.take_calls();
        let [StoreCall::Fetch { count, .. }] = calls.as_slice() else { panic!("one fetch, not {calls:?}") };
        prop_assert!(size > 16384 || *count <= 2, "{} pages for {} characters", count, size);
    }

    #[test]
    fn a_search_finds_what_a_naive_one_finds(
        text in pages(), short in text(3), from in 0usize..30_000, length in 1usize..40, offset in 0i32..50_000, most in 0u32..120
    ) {
        prop_assume!(!text.is_empty());
        let (shelf, scope) = (Shelf::new(), Scope::new("t", "r"));
        let handle = shelf.place(&scope, &text);
        let part = characters(&text, from, length);
        let chars: Vec<char> = text.chars().collect();
        // Found once for all snippets: counting from the start for each of them takes minutes.
        let characters = |from: usize, count: usize| chars[from..from + count].iter().collect::<String>();
        for needle in [short, part.to_uppercase().chars().take(256).collect(), part] {
            if needle.is_empty() {
                continue;
            }
            let all = reference::find(&text, &needle, offset as usize);
            let finding = Native.find(&shelf, &scope, &handle, &needle, offset, most).unwrap();
            let most = if most == 0 { 20 } else { most.min(100) } as usize;
            let offsets: Vec<usize> = finding.matches.iter().map(|found| found.offset as usize).collect();
            prop_assert_eq!(&offsets, &all.iter().copied().take(most).collect::<Vec<_>>());
            prop_assert_eq!(finding.next_offset.map(|next| next as usize), all.get(most).copied());
            for found in &finding.matches {
                let (start, length) = (found.snippet_offset as usize, found.snippet.chars().count());
                prop_assert_eq!(&found.snippet, &characters(start, length), "the snippet is word for word");
                let before = found.offset as usize - start;
                prop_assert!(before <= 80 && length >= needle.chars().count());
                let around = characters(start, before) + &characters(found.offset as usize + needle.chars().count(), length - before - needle.chars().count());
                prop_assert!(!around.contains(['\n', '\r']), "the snippet stays in its line");
            }
        }
    }

    #[test]
    fn no_two_of_tenant_run_and_content_share_a_handle(
        one in ("[ab]{1,3}", "[ab]{1,3}", "[ab]{1,3}"), other in ("[ab]{1,3}", "[ab]{1,3}", "[ab]{1,3}")
    ) {
        let handle = |(tenant, run, content): &(String, String, String)| {
            claim_check_guest::Claim::of(content).handle(&Scope::new(tenant, run))
        };
        prop_assert_eq!(handle(&one) == handle(&other), one == other);
    }

    #[test]
    fn another_scope_reads_nothing(text in text(20), mine in scope(), other in scope()) {
        prop_assume!(mine != other && !text.is_empty());
        let shelf = Shelf::new();
        let handle = shelf.place(&mine, &text);
        let foreign = Native.fetch(&shelf, &other, &handle, 0, 0);
        prop_assert_eq!(foreign, Err(FetchError::ClaimUnavailable(Absence::Missing)));
        // Not even where the store mixes the scopes up.
        let kept = Kept::of(&text);
        shelf.lie(move |_, first, count| Ok(kept.part(first, count)));
        let mixed_up = Native.fetch(&shelf, &other, &handle, 0, 0);
        prop_assert_eq!(mixed_up, Err(FetchError::ClaimUnavailable(Absence::Damaged)));
    }

    #[test]
    fn what_a_store_makes_up_is_never_read(manifest in "(claim/1\n)?[a-z0-9 \n-]{0,80}", pages in prop::collection::vec(text(4), 0..3), offset in 0i32..40_000) {
        let (shelf, scope) = (Shelf::new(), Scope::new("t", "r"));
        let handle = shelf.place(&scope, "what was checked in");
        let answer = Kept { manifest: manifest.into(), pages: pages.into_iter().map(Into::into).collect() };
        shelf.lie(move |_, _, _| Ok(answer.clone()));
        let read = Native.fetch(&shelf, &scope, &handle, offset, 0);
        prop_assert_eq!(read, Err(FetchError::ClaimUnavailable(Absence::Damaged)));
    }

    #[test]
    fn one_changed_character_of_a_page_is_noticed(text in pages(), at in any::<prop::sample::Index>(), with in any::<char>()) {
        prop_assume!(!text.is_empty());
        let at = at.index(text.chars().count());
        let changed: String = text.chars().enumerate().map(|(n, c)| if n == at { with } else { c }).collect();
        prop_assume!(changed != text);
        let (shelf, scope) = (Shelf::new(), Scope::new("t", "r"));
        let handle = shelf.place(&scope, &text);
        let (honest, changed) = (Kept::of(&text), Kept::of(&changed));
        let mixed = Kept { manifest: honest.manifest, pages: changed.pages.clone() };
        shelf.place_under(&scope, &handle, mixed);
        let read = Native.fetch(&shelf, &scope, &handle, i32::try_from(at).unwrap(), 1);
        prop_assert_eq!(&read, &Err(FetchError::ClaimUnavailable(Absence::Damaged)));
        shelf.place_under(&scope, &handle, changed);
        let read = Native.fetch(&shelf, &scope, &handle, i32::try_from(at).unwrap(), 1);
        prop_assert_eq!(&read, &Err(FetchError::ClaimUnavailable(Absence::Damaged)));
    }
}
