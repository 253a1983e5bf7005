//! Check-in up to the store's door, and what needs no store.

use claim_check_guest as guest;
use guest::claim::MAX_CONTENT_BYTES;
use guest::{Deposit, Erasure, Intake, Scope};
use js_sys::{Array, JsString};
use wasm_bindgen::prelude::*;

use crate::fault::Fault;
use crate::record::{self, record};
use crate::settings::Settings;
use crate::text;

/// What is to be done with a result: `text` where it was neutralised, `deposit` where it goes to the store, neither
/// where it is carried as it is; and its size in characters.
#[wasm_bindgen]
pub fn receive(
    settings: &Settings,
    tenant: String,
    run: String,
    tool: &str,
    content: &JsString,
) -> Result<JsValue, JsValue> {
    let (settings, scope) = (&settings.0, Scope { tenant, run });
    // A unit of UTF-16 is at least a byte of UTF-8: this is too large, and is refused before it is copied.
    let is_oversized = usize::try_from(content.length()).is_ok_and(|units| units > MAX_CONTENT_BYTES);
    if is_oversized && !settings.redeems(tool) {
        guest::receive(settings, &scope, tool, "").map_err(Fault::from)?;
        return Err(Fault::from(guest::CheckInError::TooLarge).into());
    }
    let copy = text::take(content);
    let (text, deposit) = match guest::receive(settings, &scope, tool, &copy).map_err(Fault::from)? {
        Intake::AsItIs => (None, JsValue::UNDEFINED),
        Intake::Neutralised(text) => (Some(text), JsValue::UNDEFINED),
        Intake::Deposit(deposit) => (None, handed_over(deposit, &copy, content)),
    };
    Ok(record([("chars", characters(&copy).into()), ("text", text.into()), ("deposit", deposit)]))
}

/// What the store is to keep, and the ticket, which TypeScript gives to nobody before the store has acknowledged: so
/// that nothing of a result is left in this module's memory while the store takes its time.
fn handed_over(deposit: Deposit<'_>, copy: &str, content: &JsString) -> JsValue {
    let pages = deposit.pages();
    // Where nothing had to be neutralised they are slices of the caller's own string, uncopied: decoding them again
    // would take longer than everything else together as soon as the text is not ASCII.
    let is_unchanged = pages.first().is_some_and(|page| page.as_ptr() == copy.as_ptr());
    let pages: Array = if is_unchanged {
        let mut end = 0;
        let slices = pages.iter().map(|page| {
            let start = end;
            end += text::units(page);
            JsValue::from(content.slice(start, end))
        });
        slices.collect()
    } else {
        pages.into_iter().map(JsValue::from).collect()
    };
    record([
        ("handle", deposit.handle().into()),
        ("manifest", deposit.manifest().into()),
        ("pages", pages.into()),
        ("ttlSeconds", deposit.ttl_seconds().into()),
        ("ticket", record::ticket(deposit.into_ticket())),
    ])
}

/// What is carried where there is no claim check to do it: neutralised where the settings say so, and cut. `text` is
/// none where it is the content as it is; `chars` and `carriedChars` are the sizes before and after.
#[wasm_bindgen]
pub fn cut(settings: &Settings, content: &JsString, max_chars: u32) -> JsValue {
    let copy = text::take(content);
    let neutral = if settings.0.neutralise { guest::neutralise(&copy) } else { None };
    let (is_neutralised, whole) = (neutral.is_some(), neutral.as_deref().unwrap_or(&copy));
    let shortened = guest::truncate(whole, max_chars);
    let is_cut = shortened.is_some();
    let text = shortened.or(neutral);
    record([
        ("chars", characters(&copy).into()),
        ("carriedChars", characters(text.as_deref().unwrap_or(&copy)).into()),
        ("isNeutralised", is_neutralised.into()),
        ("isCut", is_cut.into()),
        ("text", text.into()),
    ])
}

/// The text made harmless; none where it is already.
#[wasm_bindgen]
#[must_use]
pub fn neutralise(content: &JsString) -> Option<String> {
    guest::neutralise(&text::take(content))
}

/// The head of the text and a line that says that the rest was not kept; none where it fits.
#[wasm_bindgen]
#[must_use]
pub fn truncate(content: &JsString, max_chars: u32) -> Option<String> {
    guest::truncate(&text::take(content), max_chars)
}

/// Throws where this is nothing that a claim can belong to; without a run, a whole tenant is meant.
#[wasm_bindgen(js_name = validateErasure)]
pub fn validate_erasure(tenant: String, run: Option<String>) -> Result<(), JsValue> {
    let what = match run {
        Some(run) => Erasure::Run(Scope { tenant, run }),
        None => Erasure::Tenant(tenant),
    };
    Ok(what.validate().map_err(Fault::from)?)
}

fn characters(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}
