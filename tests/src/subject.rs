//! The product as the tests see it, in the words of the pure crate: its functions, or the component in the host.

mod component;
mod native;
mod translate;

use std::sync::Arc;

use claim_check_guest::{
    Erasure, FetchError, FindError, Finding, Refusal, Reply, Scope, Settings, SettingsError, StoreError, Ticket, Window,
};

use crate::shelf::Shelf;

pub use component::{Component, OnShelf};
pub use native::Native;

/// What the conversation carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result as it came.
    AsItIs,
    /// The result, neutralised.
    Neutralised(String),
    /// The ticket.
    CheckedIn(Ticket),
}

/// Why a call that keeps or forgets did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The settings make no sense.
    Settings(SettingsError),
    /// No claim can have this scope.
    Scope(String),
    /// More than 64 MiB.
    TooLarge,
    /// The store refused.
    Store(StoreError),
}

/// Everything that the contract offers, over a store that the test holds.
pub trait Subject: Sync {
    /// The pure functions that the component does not offer alone, where the subject has them.
    fn extracts(&self) -> Option<Extracts>;

    /// `check-in.validate`.
    ///
    /// # Errors
    /// As the contract says.
    fn validate(&self, settings: &Settings) -> Result<(), SettingsError>;

    /// `check-in.check-in`.
    ///
    /// # Errors
    /// As the contract says.
    fn check_in(
        &self,
        shelf: &Arc<Shelf>,
        settings: &Settings,
        scope: &Scope,
        tool: &str,
        content: &str,
    ) -> Result<Outcome, Refused>;

    /// `fetch.fetch`.
    ///
    /// # Errors
    /// As the contract says.
    fn fetch(
        &self,
        shelf: &Arc<Shelf>,
        scope: &Scope,
        handle: &str,
        offset: i32,
        max_chars: u32,
    ) -> Result<Window, FetchError>;

    /// `fetch.find`.
    ///
    /// # Errors
    /// As the contract says.
    fn find(
        &self,
        shelf: &Arc<Shelf>,
        scope: &Scope,
        handle: &str,
        needle: &str,
        offset: i32,
        max_matches: u32,
    ) -> Result<Finding, FindError>;

    /// `fetch.answer`.
    ///
    /// # Errors
    /// As the contract says.
    fn answer(
        &self,
        shelf: &Arc<Shelf>,
        settings: &Settings,
        scope: &Scope,
        tool: &str,
        arguments: &str,
    ) -> Result<Reply, Refusal>;

    /// `forget.forget`.
    ///
    /// # Errors
    /// As the contract says.
    fn forget(&self, shelf: &Arc<Shelf>, what: &Erasure) -> Result<u32, Refused>;

    /// `boundary.neutralise`.
    fn neutralise(&self, text: &str) -> Option<String>;

    /// `boundary.truncate`.
    fn truncate(&self, text: &str, max_chars: u32) -> Option<String>;
}

/// Where a head ends and a tail starts.
#[derive(Clone, Copy, Debug)]
pub struct Extracts {
    /// Content and head-chars to head.
    pub head: fn(&str, u32) -> &str,
    /// Content, tail-chars and the head's length to tail.
    pub tail: fn(&str, u32, u32) -> &str,
}
