//! Stores that lie, through the component: never a wrong character, always a refusal, and a put makes the claim whole.

use std::sync::{Arc, LazyLock};

use claim_check_guest::claim::handle;
use claim_check_guest::{Absence, FetchError, FindError, RefusalCode, Scope, Settings, StoreError};
use claim_check_tests::content::characters;
use claim_check_tests::shelf::{Kept, Shelf};
use claim_check_tests::subject::{Component, Outcome, Subject};

static COMPONENT: LazyLock<Component> = LazyLock::new(|| Component::new().unwrap());
const DAMAGED: FetchError = FetchError::ClaimUnavailable(Absence::Damaged);

fn scope() -> Scope {
    Scope::new("acme", "run-1")
}

/// Three pages, no two alike, of one, two and three bytes a character.
fn content() -> String {
    (0..2000).map(|n| format!("line {n} é 文\n")).collect::<String>() + &"end ".repeat(4000)
}

/// A shelf with the content checked in, and its handle.
fn checked_in() -> (Arc<Shelf>, String) {
    let shelf = Shelf::new();
    let outcome = COMPONENT.check_in(&shelf, &Settings::default(), &scope(), "tool", &content()).unwrap();
    let Outcome::CheckedIn(ticket) = outcome else { panic!("not checked in: {outcome:?}") };
    assert_eq!(shelf.kept(&scope(), &ticket.handle).unwrap().pages.len(), 3, "the lies below are about three pages");
    (shelf, ticket.handle)
}

/// No way of reading gets past the lie: each refuses, and the refusal says nothing of the content.
fn refused(shelf: &Arc<Shelf>, handle: &str, offset: i32) {
    assert_eq!(COMPONENT.fetch(shelf, &scope(), handle, offset, 20_000), Err(DAMAGED));
    assert_eq!(COMPONENT.find(shelf, &scope(), handle, "no such text", offset, 0), Err(FindError::Fetch(DAMAGED)));
    // Windows as large as those above, so that a lie about any page is met.
    let settings = Settings { window_chars: 20_000, ..Settings::default() };
    let calls = [
        ("fetch_result", format!(r#"{{"handle":"{handle}","offset":{offset}}}"#)),
        ("find_in_result", format!(r#"{{"handle":"{handle}","text":"no such text","offset":{offset}}}"#)),
    ];
    for (tool, arguments) in calls {
        let refusal = COMPONENT.answer(shelf, &settings, &scope(), tool, &arguments).unwrap_err();
        assert_eq!((refusal.code, refusal.cause), (RefusalCode::ClaimUnavailable, Some(DAMAGED)), "{tool}");
    }
}

/// The claim as the store keeps it is changed for good; then it is checked in again, and redeems.
fn damaged_then_healed(change: impl Fn(&mut Kept)) {
    let (shelf, handle) = checked_in();
    let mut kept = shelf.kept(&scope(), &handle).unwrap();
    let honest = kept.clone();
    change(&mut kept);
    assert_ne!(kept, honest, "the lie is none");
    shelf.place_under(&scope(), &handle, kept);
    refused(&shelf, &handle, 0);

    let outcome = COMPONENT.check_in(&shelf, &Settings::default(), &scope(), "tool", &content()).unwrap();
    let Outcome::CheckedIn(ticket) = outcome else { panic!("not checked in: {outcome:?}") };
    assert_eq!(ticket.handle, handle, "the same content in the same scope has the same handle");
    let window = COMPONENT.fetch(&shelf, &scope(), &handle, 16_000, 1000).unwrap();
    assert_eq!(window.text, characters(&content(), 16_000, 1000));
    assert!(COMPONENT.find(&shelf, &scope(), &handle, "no such text", 0, 0).unwrap().matches.is_empty());
}

fn change_manifest(kept: &mut Kept, change: impl Fn(&str) -> String) {
    kept.manifest = change(&kept.manifest).into();
}

#[test]
fn another_scopes_claim_under_the_handle_that_was_asked_for() {
    let (shelf, handle) = checked_in();
    for other in [Scope::new("acme", "run-2"), Scope::new("other", "run-1")] {
        // The same content, and another one.
        for theirs in [content(), "theirs ".repeat(9000)] {
            let claim = Kept::of(&theirs);
            let their_handle = shelf.place(&other, &theirs);
            assert_ne!(their_handle, handle);
            let mixed_up = claim.clone();
            shelf.lie(move |_, first, count| Ok(mixed_up.part(first, count)));
            if theirs != content() {
                refused(&shelf, &handle, 0);
            }
            // Our scope, asking for their handle.
            refused(&shelf, &their_handle, 0);
        }
    }
    shelf.be_honest();
    assert!(COMPONENT.fetch(&shelf, &scope(), &handle, 0, 0).is_ok());
}

#[test]
fn a_changed_byte() {
    for page in 0..2 {
        damaged_then_healed(|kept| {
            let changed = kept.pages[page].replacen('e', "E", 1);
            assert_eq!(changed.len(), kept.pages[page].len());
            kept.pages[page] = changed.into();
        });
    }
    damaged_then_healed(|kept| change_manifest(kept, |manifest| manifest.replacen("bytes ", "bytes 1", 1)));
}

#[test]
fn the_last_page_changed_shortened_or_missing() {
    type Change = dyn Fn(&mut Vec<Arc<str>>);
    let changes: [&Change; 3] = [
        &|pages| pages[2] = format!("{}.", pages[2].strip_suffix(' ').unwrap()).into(),
        &|pages| pages[2] = pages[2].strip_suffix(' ').unwrap().into(),
        &|pages| drop(pages.pop()),
    ];
    for change in changes {
        let (shelf, handle) = checked_in();
        let mut kept = shelf.kept(&scope(), &handle).unwrap();
        change(&mut kept.pages);
        shelf.place_under(&scope(), &handle, kept);
        refused(&shelf, &handle, 32_768);
        refused(&shelf, &handle, 30_000);
        // A window that needs only whole pages is right, word for word.
        let window = COMPONENT.fetch(&shelf, &scope(), &handle, 100, 4096).unwrap();
        assert_eq!(window.text, characters(&content(), 100, 4096));
    }
}

#[test]
fn a_page_missing() {
    for page in 0..2 {
        damaged_then_healed(move |kept| drop(kept.pages.remove(page)));
    }
    damaged_then_healed(|kept| kept.pages.clear());
}

#[test]
fn a_page_too_many() {
    let (shelf, handle) = checked_in();
    // More than was asked for: the next one, the same one, an empty one.
    for extra in 0..3 {
        shelf.lie(move |kept, first, count| {
            let kept = kept.ok_or(StoreError::NotFound)?;
            let mut answer = kept.part(first, count);
            let one: Arc<str> = match extra {
                0 => Arc::clone(&kept.pages[(first + count) as usize % 3]),
                1 => Arc::clone(&answer.pages[0]),
                _ => "".into(),
            };
            answer.pages.push(one);
            Ok(answer)
        });
        refused(&shelf, &handle, 0);
    }
    shelf.be_honest();
    damaged_then_healed(|kept| kept.pages.insert(0, Arc::clone(&kept.pages[0])));
}

#[test]
fn two_pages_swapped() {
    damaged_then_healed(|kept| kept.pages.swap(0, 1));
    damaged_then_healed(|kept| kept.pages.swap(1, 2));
    // And their lines with them, so that every page has its digest beside it.
    damaged_then_healed(|kept| {
        kept.pages.swap(0, 1);
        change_manifest(kept, |manifest| {
            let mut lines: Vec<&str> = manifest.split_inclusive('\n').collect();
            lines.swap(5, 6);
            lines.concat()
        });
    });
}

#[test]
fn an_old_manifest_with_new_pages_and_the_other_way_round() {
    let old = Kept::of(&content().replacen("line 0", "line zero", 1));
    let (manifest, pages) = (old.manifest, old.pages);
    damaged_then_healed(move |kept| kept.manifest = manifest.clone());
    damaged_then_healed(move |kept| kept.pages = pages.clone());
    damaged_then_healed(|kept| *kept = Kept::of(&content().replacen("line 0", "line zero", 1)));
    damaged_then_healed(|kept| change_manifest(kept, |manifest| manifest.replacen("claim/1", "claim/0", 1)));
}

#[test]
fn a_manifest_that_is_spelled_in_another_way() {
    let chars = content().chars().count();
    let spelled: [&dyn Fn(&str) -> String; 9] = [
        &|manifest| manifest.replacen("chars ", "chars 0", 1),
        &|manifest| manifest.replacen(&format!("chars {chars}"), &format!("chars +{chars}"), 1),
        &|manifest| manifest.strip_suffix('\n').unwrap().to_owned(),
        &|manifest| format!("{manifest}\n"),
        &|manifest| manifest.replacen("page-chars 16384", "page-chars 32768", 1),
        &|manifest| manifest.replace('\n', "\r\n"),
        &|manifest| manifest.to_uppercase(),
        &|manifest| format!("\u{FEFF}{manifest}"),
        &|_| String::new(),
    ];
    for change in spelled {
        damaged_then_healed(|kept| change_manifest(kept, change));
    }
}

/// The strict form alone refuses these: their handle is made for them, as only someone could who knows the scope.
#[test]
fn a_forged_manifest_of_our_own_scope_that_is_not_strict() {
    let honest = Kept::of(&content());
    let forged = [
        honest.manifest.replacen("chars ", "chars 0", 1),
        honest.manifest.replacen("bytes ", "bytes 0", 1),
        honest.manifest.replacen("page-chars 16384", "page-chars 32768", 1),
        honest.manifest.replacen("page-chars 16384", "page-chars 016384", 1),
        honest.manifest.replacen("claim/1", "claim/2", 1),
        honest.manifest.strip_suffix('\n').unwrap().to_owned(),
        honest.manifest.replacen('\n', "\r\n", 4),
    ];
    for manifest in forged {
        let handle = handle(&scope(), &manifest);
        let shelf = Shelf::new();
        shelf.place_under(&scope(), &handle, Kept { manifest: manifest.into(), pages: honest.pages.clone() });
        refused(&shelf, &handle, 0);
    }
}

#[test]
fn a_store_that_changes_its_mind_in_the_middle_of_a_search() {
    // 130 pages are three calls of the store.
    let content = "nothing to see here. ".repeat(130 * 16384 / 21);
    let shelf = Shelf::new();
    let handle = shelf.place(&scope(), &content);
    let other = Kept::of(&content.replacen("nothing", "needle!", 1));
    shelf.lie(move |kept, first, count| {
        let kept = if first == 0 { kept.cloned() } else { Some(other.clone()) };
        Ok(kept.ok_or(StoreError::NotFound)?.part(first, count))
    });
    assert_eq!(COMPONENT.find(&shelf, &scope(), &handle, "needle", 0, 0), Err(FindError::Fetch(DAMAGED)));
    assert_eq!(shelf.take_calls().len(), 2);
}
