//! What can be wrong with a store.

macro_rules! flaws {
    ($($(#[$doc:meta])* $flaw:ident breaks $rule:literal;)+) => {
        /// What is wrong with a store.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Flaw { $($(#[$doc])* $flaw,)+ }

        /// Every flaw.
        pub const FLAWS: &[Flaw] = &[$(Flaw::$flaw,)+];

        impl Flaw {
            /// The one rule that it breaks.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$flaw => $rule,)+ }
            }
        }
    };
}

flaws! {
    /// `\r\n` comes back as `\n`.
    ChangesLineEnds breaks "content_comes_back_exactly";
    /// A put that is dropped leaves the first page.
    WritesPageByPage breaks "all_or_nothing";
    /// What is held is never written again, though it be damaged.
    KeepsTheFirst breaks "put_over_damaged_makes_whole";
    /// A fetch past the end finds no claim.
    MissesPastTheEnd breaks "pages_past_the_end_are_none";
    /// A fetch past the end panics, with what is held in its message.
    PanicsPastTheEnd breaks "pages_past_the_end_are_none";
    /// The first page and the count are added in 32 bits.
    AddsIn32Bits breaks "page_ranges_are_exact";
    /// A fetch gives one page too many.
    GivesAPageMore breaks "page_ranges_are_exact";
    /// 64 MiB are too much.
    RefusesOver32Mib breaks "large_claims_are_kept";
    /// Of two puts at once one is lost.
    LosesRaces breaks "many_at_once_are_kept";
    /// A handle opens the claim of another run of the tenant.
    IgnoresRun breaks "foreign_scopes_see_nothing";
    /// A handle opens the claim of another tenant.
    IgnoresTenant breaks "foreign_scopes_see_nothing";
    /// The key is `tenant/run`.
    JoinsNames breaks "scopes_are_not_joined";
    /// The run is a path.
    ResolvesPaths breaks "runs_are_not_paths";
    /// `%` in a tenant's name is anything.
    MatchesPatterns breaks "names_are_not_patterns";
    /// Names are compared without regard to case.
    FoldsCase breaks "case_matters";
    /// Each handle of the store has claims of its own.
    SharesNothing breaks "two_handles_are_one_store";
    /// To forget a run forgets all of the tenant's.
    ForgetsTheWholeTenant breaks "forget_takes_one_run";
    /// To forget a tenant forgets one of its runs.
    ForgetsOneRun breaks "forget_takes_a_whole_tenant";
    /// To forget a tenant forgets those whose names begin so, too.
    ForgetsByPrefix breaks "forget_takes_a_whole_tenant";
    /// Expired claims are counted.
    CountsExpired breaks "forget_counts_live_claims";
    /// Puts are counted, and not claims.
    CountsPuts breaks "forget_counts_live_claims";
    /// To forget nothing is an error.
    ComplainsOfNothing breaks "forget_of_nothing_counts_none";
    /// The next put of a run brings back what was forgotten.
    RevivesForgotten breaks "forgotten_stays_forgotten";
    /// A forgotten claim's expiry counts for the next one under its handle.
    RemembersExpiry breaks "put_after_forget_is_new";
    /// Expiry is a second late.
    LivesASecondLonger breaks "expires_at_the_instant";
    /// The last put says when a claim expires.
    LastExpiryWins breaks "expires_at_the_later_of_two";
    /// The first put says when a claim expires.
    FirstExpiryWins breaks "expires_at_the_later_of_two";
    /// A fetch gives three seconds more.
    ProlongsOnFetch breaks "fetch_does_not_prolong";
    /// What has expired can't be put again.
    BuriesExpired breaks "put_after_expiry_is_new";
    /// Milliseconds in 32 bits.
    CountsMillisecondsIn32Bits breaks "longest_ttl_is_kept";
    /// A full tenant is told that the store has failed.
    RefusesAsFailed breaks "full_is_refused_as_full";
    /// A tenant who is full loses what was kept.
    LosesAllWhenFull breaks "full_loses_nothing";
    /// Of what is refused the first page is kept.
    KeepsPartOfRefused breaks "refused_leaves_nothing";
    /// The refusal quotes the content.
    QuotesContent breaks "refusals_hold_no_content";
    /// What has expired is never removed, and counts against the bound.
    NeverSweeps breaks "expired_makes_room";
}
