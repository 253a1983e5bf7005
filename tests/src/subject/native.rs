//! The pure functions, over the shelf.

use std::sync::Arc;

use claim_check_guest::{
    Call, CheckInError, Erasure, FetchError, FindError, Finding, Intake, PageRange, Reading, Refusal, Reply, Scope,
    Search, Settings, SettingsError, StoreError, Window, WindowReading, extract, read_with, receive,
};

use super::{Extracts, Outcome, Refused, Subject};
use crate::shelf::{Kept, Shelf};

/// The crate `claim-check-guest`, called directly.
#[derive(Clone, Copy, Debug)]
pub struct Native;

fn read<R: Reading>(shelf: &Shelf, scope: &Scope, reading: R) -> Result<R::Answer, R::Error> {
    read_with(reading, |handle, PageRange { first, count }| {
        let kept = shelf.fetch(scope, handle, first, count)?;
        Ok::<_, StoreError>((kept.manifest.to_string(), kept.pages))
    })
}

impl Subject for Native {
    fn extracts(&self) -> Option<Extracts> {
        Some(Extracts { head: extract::head, tail: extract::tail })
    }

    fn validate(&self, settings: &Settings) -> Result<(), SettingsError> {
        settings.validate()
    }

    fn check_in(
        &self,
        shelf: &Arc<Shelf>,
        settings: &Settings,
        scope: &Scope,
        tool: &str,
        content: &str,
    ) -> Result<Outcome, Refused> {
        let intake = receive(settings, scope, tool, content).map_err(|error| match error {
            CheckInError::InvalidSettings(error) => Refused::Settings(error),
            CheckInError::InvalidScope(why) => Refused::Scope(why),
            CheckInError::TooLarge => Refused::TooLarge,
        })?;
        match intake {
            Intake::AsItIs => Ok(Outcome::AsItIs),
            Intake::Neutralised(text) => Ok(Outcome::Neutralised(text)),
            Intake::Deposit(deposit) => {
                let pages = deposit.pages().into_iter().map(Into::into).collect();
                let claim = Kept { manifest: deposit.manifest().into(), pages };
                shelf.put(scope, deposit.handle(), claim, deposit.ttl_seconds()).map_err(Refused::Store)?;
                Ok(Outcome::CheckedIn(deposit.into_ticket()))
            }
        }
    }

    fn fetch(
        &self,
        shelf: &Arc<Shelf>,
        scope: &Scope,
        handle: &str,
        offset: i32,
        max_chars: u32,
    ) -> Result<Window, FetchError> {
        read(shelf, scope, WindowReading::new(scope, handle, offset, max_chars)?)
    }

    fn find(
        &self,
        shelf: &Arc<Shelf>,
        scope: &Scope,
        handle: &str,
        needle: &str,
        offset: i32,
        max_matches: u32,
    ) -> Result<Finding, FindError> {
        read(shelf, scope, Search::new(scope, handle, needle, offset, max_matches)?)
    }

    fn answer(
        &self,
        shelf: &Arc<Shelf>,
        settings: &Settings,
        scope: &Scope,
        tool: &str,
        arguments: &str,
    ) -> Result<Reply, Refusal> {
        read(shelf, scope, Call::parse(settings, scope, tool, arguments)?)
    }

    fn forget(&self, shelf: &Arc<Shelf>, what: &Erasure) -> Result<u32, Refused> {
        what.validate().map_err(|invalid| Refused::Scope(invalid.0))?;
        shelf.forget(what).map_err(Refused::Store)
    }

    fn neutralise(&self, text: &str) -> Option<String> {
        claim_check_guest::neutralise(text)
    }

    fn truncate(&self, text: &str, max_chars: u32) -> Option<String> {
        claim_check_guest::truncate(text, max_chars)
    }
}
