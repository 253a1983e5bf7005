//! The contract's error variants, as they come over the component's boundary. In the public ones a call that
//! failed altogether is one case more.

use wasmtime::component::{ComponentType, Lift};

use crate::errors::{AnswerError, CheckInError, FetchError, FindError, ForgetError, Refusal};
use crate::outcome::{Absence, RefusalCode};
use crate::settings::SettingsError;
use crate::store::StoreError;

#[derive(ComponentType, Lift)]
#[component(variant)]
pub(crate) enum CheckIn {
    #[component(name = "invalid-settings")]
    InvalidSettings(SettingsError),
    #[component(name = "invalid-scope")]
    InvalidScope(String),
    #[component(name = "too-large")]
    TooLarge,
    #[component(name = "store")]
    Store(StoreError),
}

impl From<CheckIn> for CheckInError {
    fn from(error: CheckIn) -> Self {
        match error {
            CheckIn::InvalidSettings(error) => Self::InvalidSettings(error),
            CheckIn::InvalidScope(why) => Self::InvalidScope(why),
            CheckIn::TooLarge => Self::TooLarge,
            CheckIn::Store(error) => Self::Store(error),
        }
    }
}

#[derive(ComponentType, Lift)]
#[component(variant)]
pub(crate) enum Fetch {
    #[component(name = "claim-unavailable")]
    ClaimUnavailable(Absence),
    #[component(name = "invalid-offset")]
    InvalidOffset(i32),
    #[component(name = "invalid-scope")]
    InvalidScope(String),
    #[component(name = "store")]
    Store(StoreError),
}

impl From<Fetch> for FetchError {
    fn from(error: Fetch) -> Self {
        match error {
            Fetch::ClaimUnavailable(absence) => Self::ClaimUnavailable(absence),
            Fetch::InvalidOffset(offset) => Self::InvalidOffset(offset),
            Fetch::InvalidScope(why) => Self::InvalidScope(why),
            Fetch::Store(error) => Self::Store(error),
        }
    }
}

#[derive(ComponentType, Lift)]
#[component(variant)]
pub(crate) enum Find {
    #[component(name = "invalid-needle")]
    InvalidNeedle,
    #[component(name = "fetch")]
    Fetch(Fetch),
}

impl From<Find> for FindError {
    fn from(error: Find) -> Self {
        match error {
            Find::InvalidNeedle => Self::InvalidNeedle,
            Find::Fetch(error) => Self::Fetch(error.into()),
        }
    }
}

#[derive(ComponentType, Lift)]
#[component(variant)]
pub(crate) enum Forget {
    #[component(name = "invalid-scope")]
    InvalidScope(String),
    #[component(name = "store")]
    Store(StoreError),
}

impl From<Forget> for ForgetError {
    fn from(error: Forget) -> Self {
        match error {
            Forget::InvalidScope(why) => Self::InvalidScope(why),
            Forget::Store(error) => Self::Store(error),
        }
    }
}

#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Refused {
    code: RefusalCode,
    message: String,
    cause: Option<Fetch>,
}

impl From<Refused> for AnswerError {
    fn from(refused: Refused) -> Self {
        Self::Refused(Refusal { code: refused.code, message: refused.message, cause: refused.cause.map(Into::into) })
    }
}
