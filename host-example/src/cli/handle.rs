//! The handle in what a user pasted, as the component reads it.

use std::sync::{Arc, Mutex, PoisonError};

use claim_check_host::{
    AnswerError, Claim, ClaimCheck, Erasure, FetchError, Scope, Settings, Store, StoreError, async_trait,
};
use serde_json::json;

use super::exit::{Exit, Failure, chain};
use super::session::Session;

/// How much of a refused handle an error repeats.
const SHOWN_CHARS: usize = 60;

/// Holds nothing, and remembers under which handle it was asked for it.
#[derive(Default)]
struct Asked(Mutex<Option<String>>);

#[async_trait]
impl Store for Asked {
    async fn put(&self, _: &Scope, _: &str, _: Claim, _: u32) -> Result<(), StoreError> {
        Err(StoreError::Failed("nothing is kept here".into()))
    }

    async fn fetch(&self, _: &Scope, handle: &str, _: u32, _: u32) -> Result<Claim, StoreError> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle.into());
        Err(StoreError::NotFound)
    }

    async fn forget(&self, _: &Erasure) -> Result<u32, StoreError> {
        Err(StoreError::Failed("nothing is kept here".into()))
    }
}

/// The handle in `pasted`. What a model may write the component forgives, and a user may paste the same: so it is the
/// component that looks, as if a model had asked a store that holds nothing.
pub(crate) async fn read(session: &Session, pasted: &str) -> Result<String, Failure> {
    let asked = Arc::new(Asked::default());
    let settings = Settings::default();
    let tool = settings.fetch_tool.clone();
    let reader = ClaimCheck::open_in(&session.engine, settings, asked.clone())
        .await
        .map_err(|error| Failure::failed(chain(&error)))?;
    match reader.answer(&session.scope, &tool, &json!({ "handle": pasted }).to_string()).await {
        Err(AnswerError::Failed(error)) => return Err(Failure::call(&error)),
        Err(AnswerError::Refused(refusal)) => {
            if let Some(FetchError::InvalidScope(reason)) = refusal.cause {
                return Err(Failure::scope(&reason));
            }
        }
        Ok(_) => {}
    }
    let handle = asked.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    handle.ok_or_else(|| {
        let mut shown: String = pasted.chars().take(SHOWN_CHARS).collect();
        if shown.len() < pasted.len() {
            shown.push('…');
        }
        Failure::new(
            Exit::ClaimUnavailable,
            format!(
                "{shown:?} holds no handle, or several: a handle is claim: and 32 hexadecimal digits. Paste the one that \
                 check-in printed, or the notice around it, and quote it for the shell"
            ),
        )
    })
}
