//! The host's words in those of the pure crate (`_in`), and the other way round (`_out`).

use claim_check_guest as guest;
use claim_check_host as host;

use super::{Outcome, Refused};

pub(super) fn scope_in(scope: &host::Scope) -> guest::Scope {
    guest::Scope::new(&scope.tenant, &scope.run)
}

pub(super) fn scope_out(scope: &guest::Scope) -> host::Scope {
    host::Scope::new(&scope.tenant, &scope.run)
}

pub(super) fn erasure_in(what: &host::Erasure) -> guest::Erasure {
    match what {
        host::Erasure::Tenant(tenant) => guest::Erasure::Tenant(tenant.clone()),
        host::Erasure::Run(scope) => guest::Erasure::Run(scope_in(scope)),
    }
}

pub(super) fn erasure_out(what: &guest::Erasure) -> host::Erasure {
    match what {
        guest::Erasure::Tenant(tenant) => host::Erasure::Tenant(tenant.clone()),
        guest::Erasure::Run(scope) => host::Erasure::Run(scope_out(scope)),
    }
}

fn policy_out(policy: guest::Policy) -> host::Policy {
    let guest::Policy { threshold_chars, head_chars, tail_chars, ttl_seconds } = policy;
    host::Policy { threshold_chars, head_chars, tail_chars, ttl_seconds }
}

pub(super) fn settings_out(settings: &guest::Settings) -> host::Settings {
    let per_tool = settings.per_tool.iter();
    host::Settings {
        policy: policy_out(settings.policy),
        per_tool: per_tool
            .map(|entry| host::ToolPolicy { tool: entry.tool.clone(), policy: policy_out(entry.policy) })
            .collect(),
        fetch_tool: settings.fetch_tool.clone(),
        find_tool: settings.find_tool.clone(),
        window_chars: settings.window_chars,
        neutralise: settings.neutralise,
    }
}

pub(super) fn open_error_in(error: host::OpenError) -> guest::SettingsError {
    match error {
        host::OpenError::InvalidSettings(error) => settings_error_in(error),
        other @ host::OpenError::Failed(_) => panic!("opening failed: {other:?}"),
    }
}

fn settings_error_in(error: host::SettingsError) -> guest::SettingsError {
    use guest::SettingsError as Guest;
    use host::SettingsError as Host;
    match error {
        Host::ZeroThreshold(tool) => Guest::ZeroThreshold(tool),
        Host::ExtractNotBelowThreshold(tool) => Guest::ExtractNotBelowThreshold(tool),
        Host::ZeroTtl(tool) => Guest::ZeroTtl(tool),
        Host::ZeroWindow => Guest::ZeroWindow,
        Host::DuplicateTool(tool) => Guest::DuplicateTool(tool),
        Host::PolicyForRedeemingTool(tool) => Guest::PolicyForRedeemingTool(tool),
        Host::BadToolName(name) => Guest::BadToolName(name),
    }
}

fn store_error_in(error: host::StoreError) -> guest::StoreError {
    match error {
        host::StoreError::NotFound => guest::StoreError::NotFound,
        host::StoreError::Unavailable(why) => guest::StoreError::Unavailable(why),
        host::StoreError::Full(why) => guest::StoreError::Full(why),
        host::StoreError::Failed(why) => guest::StoreError::Failed(why),
    }
}

pub(super) fn store_error_out(error: guest::StoreError) -> host::StoreError {
    match error {
        guest::StoreError::NotFound => host::StoreError::NotFound,
        guest::StoreError::Unavailable(why) => host::StoreError::Unavailable(why),
        guest::StoreError::Full(why) => host::StoreError::Full(why),
        guest::StoreError::Failed(why) => host::StoreError::Failed(why),
    }
}

pub(super) fn check_in_error_in(error: host::CheckInError) -> Refused {
    match error {
        host::CheckInError::InvalidSettings(error) => Refused::Settings(settings_error_in(error)),
        host::CheckInError::InvalidScope(why) => Refused::Scope(why),
        host::CheckInError::TooLarge => Refused::TooLarge,
        host::CheckInError::Store(error) => Refused::Store(store_error_in(error)),
        other @ host::CheckInError::Failed(_) => panic!("check-in failed: {other:?}"),
    }
}

pub(super) fn forget_error_in(error: host::ForgetError) -> Refused {
    match error {
        host::ForgetError::InvalidScope(why) => Refused::Scope(why),
        host::ForgetError::Store(error) => Refused::Store(store_error_in(error)),
        other @ host::ForgetError::Failed(_) => panic!("forget failed: {other:?}"),
    }
}

pub(super) fn fetch_error_in(error: host::FetchError) -> guest::FetchError {
    match error {
        host::FetchError::ClaimUnavailable(absence) => guest::FetchError::ClaimUnavailable(match absence {
            host::Absence::Malformed => guest::Absence::Malformed,
            host::Absence::Missing => guest::Absence::Missing,
            host::Absence::Damaged => guest::Absence::Damaged,
        }),
        host::FetchError::InvalidOffset(offset) => guest::FetchError::InvalidOffset(offset),
        host::FetchError::InvalidScope(why) => guest::FetchError::InvalidScope(why),
        host::FetchError::Store(error) => guest::FetchError::Store(store_error_in(error)),
        other @ host::FetchError::Failed(_) => panic!("fetch failed: {other:?}"),
    }
}

pub(super) fn find_error_in(error: host::FindError) -> guest::FindError {
    match error {
        host::FindError::InvalidNeedle => guest::FindError::InvalidNeedle,
        host::FindError::Fetch(error) => guest::FindError::Fetch(fetch_error_in(error)),
        other @ host::FindError::Failed(_) => panic!("find failed: {other:?}"),
    }
}

pub(super) fn answer_error_in(error: host::AnswerError) -> guest::Refusal {
    let refusal = match error {
        host::AnswerError::Refused(refusal) => refusal,
        other @ host::AnswerError::Failed(_) => panic!("answer failed: {other:?}"),
    };
    let code = match refusal.code {
        host::RefusalCode::ClaimUnavailable => guest::RefusalCode::ClaimUnavailable,
        host::RefusalCode::InvalidOffset => guest::RefusalCode::InvalidOffset,
        host::RefusalCode::InvalidArguments => guest::RefusalCode::InvalidArguments,
        host::RefusalCode::StoreUnavailable => guest::RefusalCode::StoreUnavailable,
    };
    guest::Refusal { code, message: refusal.message, cause: refusal.cause.map(fetch_error_in) }
}

pub(super) fn outcome_in(outcome: host::Outcome) -> Outcome {
    match outcome {
        host::Outcome::AsItIs => Outcome::AsItIs,
        host::Outcome::Neutralised(text) => Outcome::Neutralised(text),
        host::Outcome::CheckedIn(ticket) => {
            let host::Ticket { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds } = ticket;
            Outcome::CheckedIn(guest::Ticket { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds })
        }
    }
}

pub(super) fn window_in(window: host::Window) -> guest::Window {
    let host::Window { text, offset, next_offset, chars } = window;
    guest::Window { text, offset, next_offset, chars }
}

pub(super) fn finding_in(finding: host::Finding) -> guest::Finding {
    let found = |host::Found { offset, snippet, snippet_offset }| guest::Found { offset, snippet, snippet_offset };
    guest::Finding { matches: finding.matches.into_iter().map(found).collect(), next_offset: finding.next_offset }
}
