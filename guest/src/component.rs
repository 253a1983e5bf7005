//! The WIT shell: converts what comes in, calls the rules and the store, and converts what goes out. No logic.

use self::claim_check::tool_results::store::{self, ClaimParam};
use self::claim_check::tool_results::types;
use self::exports::claim_check::tool_results::{boundary, check_in, fetch, forget};
use crate::{
    Absence, Call, CheckInError, Erasure, FetchError, FindError, Finding, Intake, Policy, Reading, Refusal,
    RefusalCode, Reply, Scope, Search, Settings, SettingsError, StoreError, Ticket, ToolDefinition, ToolPolicy, Window,
    WindowReading,
};

// `Borrowing`: pages are lowered from where they lie; owned parameters would copy each of them first.
wit_bindgen::generate!({
    path: "wit",
    world: "claim-check",
    ownership: Borrowing { duplicate_if_necessary: true },
});

// Takes the memory that the module starts with before it asks for more: a call of ordinary size never grows the
// memory, which a host pays for with a change of page protection. What is freed is used again.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

struct Component;

export!(Component);

impl boundary::Guest for Component {
    fn neutralise(text: String) -> Option<String> {
        crate::neutralise(&text)
    }

    fn truncate(text: String, max_chars: u32) -> Option<String> {
        crate::truncate(&text, max_chars)
    }
}

impl check_in::Guest for Component {
    fn validate(settings: types::SettingsResult) -> Result<(), types::SettingsError> {
        Ok(Settings::from(settings).validate()?)
    }

    fn check_in(
        settings: types::SettingsResult,
        scope: types::ScopeResult,
        tool: String,
        content: String,
    ) -> Result<check_in::Outcome, check_in::CheckInError> {
        let scope = scope.into();
        let deposit = match crate::receive(&settings.into(), &scope, &tool, &content)? {
            Intake::AsItIs => return Ok(check_in::Outcome::AsItIs),
            Intake::Neutralised(text) => return Ok(check_in::Outcome::Neutralised(text)),
            Intake::Deposit(deposit) => deposit,
        };
        let claim = ClaimParam { manifest: deposit.manifest(), pages: &deposit.pages() };
        store::put(lower(&scope), deposit.handle(), claim, deposit.ttl_seconds())
            .map_err(check_in::CheckInError::Store)?;
        Ok(check_in::Outcome::CheckedIn(deposit.into_ticket().into()))
    }
}

impl fetch::Guest for Component {
    fn fetch(
        scope: types::ScopeResult,
        handle: String,
        offset: i32,
        max_chars: u32,
    ) -> Result<fetch::Window, fetch::FetchError> {
        let scope = scope.into();
        Ok(read(&scope, WindowReading::new(&scope, &handle, offset, max_chars)?)?.into())
    }

    fn find(
        scope: types::ScopeResult,
        handle: String,
        needle: String,
        offset: i32,
        max_matches: u32,
    ) -> Result<fetch::Finding, fetch::FindError> {
        let scope = scope.into();
        Ok(read(&scope, Search::new(&scope, &handle, &needle, offset, max_matches)?)?.into())
    }

    fn tool_definitions(settings: types::SettingsResult) -> Result<Vec<fetch::ToolDefinition>, types::SettingsError> {
        Ok(crate::definitions(&settings.into())?.into_iter().map(Into::into).collect())
    }

    fn answer(
        settings: types::SettingsResult,
        scope: types::ScopeResult,
        tool: String,
        arguments_json: String,
    ) -> Result<fetch::Reply, fetch::Refusal> {
        let scope = scope.into();
        Ok(read(&scope, Call::parse(&settings.into(), &scope, &tool, &arguments_json)?)?.into())
    }
}

impl forget::Guest for Component {
    fn forget(what: types::ErasureResult) -> Result<u32, forget::ForgetError> {
        let what = Erasure::from(what);
        what.validate().map_err(|invalid| forget::ForgetError::InvalidScope(invalid.0))?;
        let lowered = match &what {
            Erasure::Tenant(tenant) => types::ErasureParam::Tenant(tenant),
            Erasure::Run(scope) => types::ErasureParam::Run(lower(scope)),
        };
        store::forget(lowered).map_err(forget::ForgetError::Store)
    }
}

/// Drives a read over the store that the host provides.
fn read<R: Reading>(scope: &Scope, reading: R) -> Result<R::Answer, R::Error> {
    crate::read_with(reading, |handle, range| {
        let claim = store::fetch(lower(scope), handle, range.first, range.count)?;
        Ok((claim.manifest, claim.pages))
    })
}

fn lower(scope: &Scope) -> types::ScopeParam<'_> {
    types::ScopeParam { tenant: &scope.tenant, run: &scope.run }
}

impl From<types::ScopeResult> for Scope {
    fn from(scope: types::ScopeResult) -> Self {
        Self { tenant: scope.tenant, run: scope.run }
    }
}

impl From<types::ErasureResult> for Erasure {
    fn from(what: types::ErasureResult) -> Self {
        match what {
            types::ErasureResult::Tenant(tenant) => Self::Tenant(tenant),
            types::ErasureResult::Run(scope) => Self::Run(scope.into()),
        }
    }
}

impl From<types::Policy> for Policy {
    fn from(policy: types::Policy) -> Self {
        let types::Policy { threshold_chars, head_chars, tail_chars, ttl_seconds } = policy;
        Self { threshold_chars, head_chars, tail_chars, ttl_seconds }
    }
}

impl From<types::SettingsResult> for Settings {
    fn from(settings: types::SettingsResult) -> Self {
        let per_tool = settings.per_tool.into_iter();
        Self {
            policy: settings.policy.into(),
            per_tool: per_tool.map(|one| ToolPolicy { tool: one.tool, policy: one.policy.into() }).collect(),
            fetch_tool: settings.fetch_tool,
            find_tool: settings.find_tool,
            window_chars: settings.window_chars,
            neutralise: settings.neutralise,
        }
    }
}

impl From<SettingsError> for types::SettingsError {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::ZeroThreshold(tool) => Self::ZeroThreshold(tool),
            SettingsError::ExtractNotBelowThreshold(tool) => Self::ExtractNotBelowThreshold(tool),
            SettingsError::ZeroTtl(tool) => Self::ZeroTtl(tool),
            SettingsError::ZeroWindow => Self::ZeroWindow,
            SettingsError::DuplicateTool(tool) => Self::DuplicateTool(tool),
            SettingsError::PolicyForRedeemingTool(tool) => Self::PolicyForRedeemingTool(tool),
            SettingsError::BadToolName(name) => Self::BadToolName(name),
        }
    }
}

impl From<store::StoreError> for StoreError {
    fn from(error: store::StoreError) -> Self {
        match error {
            store::StoreError::NotFound => Self::NotFound,
            store::StoreError::Unavailable(why) => Self::Unavailable(why),
            store::StoreError::Full(why) => Self::Full(why),
            store::StoreError::Failed(why) => Self::Failed(why),
        }
    }
}

impl From<StoreError> for store::StoreError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::NotFound,
            StoreError::Unavailable(why) => Self::Unavailable(why),
            StoreError::Full(why) => Self::Full(why),
            StoreError::Failed(why) => Self::Failed(why),
        }
    }
}

impl From<CheckInError> for check_in::CheckInError {
    fn from(error: CheckInError) -> Self {
        match error {
            CheckInError::InvalidSettings(error) => Self::InvalidSettings(error.into()),
            CheckInError::InvalidScope(why) => Self::InvalidScope(why),
            CheckInError::TooLarge => Self::TooLarge,
        }
    }
}

impl From<Ticket> for check_in::Ticket {
    fn from(ticket: Ticket) -> Self {
        let Ticket { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds } = ticket;
        Self { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds }
    }
}

impl From<FetchError> for fetch::FetchError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::ClaimUnavailable(Absence::Malformed) => Self::ClaimUnavailable(fetch::Absence::Malformed),
            FetchError::ClaimUnavailable(Absence::Missing) => Self::ClaimUnavailable(fetch::Absence::Missing),
            FetchError::ClaimUnavailable(Absence::Damaged) => Self::ClaimUnavailable(fetch::Absence::Damaged),
            FetchError::InvalidOffset(offset) => Self::InvalidOffset(offset),
            FetchError::InvalidScope(why) => Self::InvalidScope(why),
            FetchError::Store(error) => Self::Store(error.into()),
        }
    }
}

impl From<FindError> for fetch::FindError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::InvalidNeedle => Self::InvalidNeedle,
            FindError::Fetch(error) => Self::Fetch(error.into()),
        }
    }
}

impl From<Window> for fetch::Window {
    fn from(window: Window) -> Self {
        let Window { text, offset, next_offset, chars } = window;
        Self { text, offset, next_offset, chars }
    }
}

impl From<Finding> for fetch::Finding {
    fn from(finding: Finding) -> Self {
        let matches = finding.matches.into_iter().map(|found| fetch::Found {
            offset: found.offset,
            snippet: found.snippet,
            snippet_offset: found.snippet_offset,
        });
        Self { matches: matches.collect(), next_offset: finding.next_offset }
    }
}

impl From<ToolDefinition> for fetch::ToolDefinition {
    fn from(definition: ToolDefinition) -> Self {
        let ToolDefinition { name, description, input_schema } = definition;
        Self { name, description, input_schema }
    }
}

impl From<Refusal> for fetch::Refusal {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal.code {
            RefusalCode::ClaimUnavailable => fetch::RefusalCode::ClaimUnavailable,
            RefusalCode::InvalidOffset => fetch::RefusalCode::InvalidOffset,
            RefusalCode::InvalidArguments => fetch::RefusalCode::InvalidArguments,
            RefusalCode::StoreUnavailable => fetch::RefusalCode::StoreUnavailable,
        };
        Self { code, message: refusal.message, cause: refusal.cause.map(Into::into) }
    }
}

impl From<Reply> for fetch::Reply {
    fn from(reply: Reply) -> Self {
        Self { text: reply.text, note: reply.note }
    }
}
