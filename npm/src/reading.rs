//! A read, step by step: which pages it asks for, and what it makes of them.

use claim_check_guest as guest;
use guest::{Call, PageRange, Scope, Search, StoreError, WindowReading};
use js_sys::{Array, JsString};
use wasm_bindgen::prelude::*;

use crate::fault::Fault;
use crate::record;
use crate::settings::Settings;
use crate::text;

/// A read under way. It belongs to one call, which frees it.
#[wasm_bindgen]
pub struct Reading(Kind);

enum Kind {
    Window(WindowReading),
    Search(Box<Search>),
    Call(Box<Call>),
}

/// The read of one window.
#[wasm_bindgen(js_name = readWindow)]
pub fn read_window(tenant: String, run: String, handle: &str, offset: i32, max_chars: u32) -> Result<Reading, JsValue> {
    let reading = WindowReading::new(&Scope { tenant, run }, handle, offset, max_chars).map_err(Fault::from)?;
    Ok(Reading(Kind::Window(reading)))
}

/// A search.
#[wasm_bindgen(js_name = readMatches)]
pub fn read_matches(
    tenant: String,
    run: String,
    handle: &str,
    needle: &str,
    offset: i32,
    max_matches: u32,
) -> Result<Reading, JsValue> {
    let search = Search::new(&Scope { tenant, run }, handle, needle, offset, max_matches).map_err(Fault::from)?;
    Ok(Reading(Kind::Search(Box::new(search))))
}

/// One call of a redeeming tool, with the arguments as the model wrote them.
#[wasm_bindgen(js_name = readCall)]
pub fn read_call(
    settings: &Settings,
    tenant: String,
    run: String,
    tool: &str,
    arguments: &JsString,
) -> Result<Reading, JsValue> {
    let arguments = text::take(arguments);
    let call = Call::parse(&settings.0, &Scope { tenant, run }, tool, &arguments).map_err(Fault::from)?;
    Ok(Reading(Kind::Call(Box::new(call))))
}

#[wasm_bindgen]
impl Reading {
    /// The handle to ask the store for.
    #[must_use]
    pub fn handle(&self) -> String {
        match &self.0 {
            Kind::Window(reading) => guest::Reading::handle(reading),
            Kind::Search(reading) => guest::Reading::handle(&**reading),
            Kind::Call(reading) => guest::Reading::handle(&**reading),
        }
        .to_owned()
    }

    /// The first page to ask for.
    #[must_use]
    pub fn first(&self) -> u32 {
        self.range().first
    }

    /// How many pages to ask for.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.range().count
    }

    fn range(&self) -> PageRange {
        match &self.0 {
            Kind::Window(reading) => guest::Reading::range(reading),
            Kind::Search(reading) => guest::Reading::range(&**reading),
            Kind::Call(reading) => guest::Reading::range(&**reading),
        }
    }

    /// Proves what the store returned, and gives the answer, or none where more pages are asked for now.
    pub fn accept(&mut self, manifest: &JsString, pages: &Array) -> Result<JsValue, JsValue> {
        let manifest = text::take(manifest);
        let pages: Vec<String> = pages.iter().map(|page| text::take(page.unchecked_ref())).collect();
        let answer = match &mut self.0 {
            Kind::Window(reading) => step(reading, &manifest, &pages)?.map(record::window),
            Kind::Search(reading) => step(&mut **reading, &manifest, &pages)?.map(record::finding),
            Kind::Call(call) => {
                let reply = step(&mut **call, &manifest, &pages)?;
                reply.map(|reply| record::reply(reply, call))
            }
        };
        Ok(answer.unwrap_or_default())
    }

    /// Throws what the read comes to where the store failed with this code.
    pub fn refuse(&self, code: &str, message: String) -> Result<(), JsValue> {
        let error = match code {
            "not-found" => StoreError::NotFound,
            "unavailable" => StoreError::Unavailable(message),
            "full" => StoreError::Full(message),
            _ => StoreError::Failed(message),
        };
        let fault: Fault = match &self.0 {
            Kind::Window(reading) => guest::Reading::refuse(reading, error).into(),
            Kind::Search(reading) => guest::Reading::refuse(&**reading, error).into(),
            Kind::Call(reading) => guest::Reading::refuse(&**reading, error).into(),
        };
        Err(fault.into())
    }
}

fn step<R: guest::Reading>(reading: &mut R, manifest: &str, pages: &[String]) -> Result<Option<R::Answer>, JsValue>
where
    Fault: From<R::Error>,
{
    Ok(reading.accept(manifest, pages).map_err(Fault::from)?)
}
