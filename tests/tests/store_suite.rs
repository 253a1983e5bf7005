//! The store suite is worth what it notices: every broken store breaks its own rule, and no other.

use claim_check_host::store_suite::{self, RULES};
use claim_check_tests::broken_store::{FLAWS, bench};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_flaw_breaks_its_rule_alone() {
    for flaw in FLAWS {
        let report = store_suite::run(&bench(*flaw)).await;
        assert_eq!(report.broken(), [flaw.rule()], "{flaw:?}\n{report}");
    }
}

#[test]
fn every_rule_is_broken_by_a_flaw() {
    for rule in RULES {
        assert!(FLAWS.iter().any(|flaw| flaw.rule() == rule.name), "{} is broken by none", rule.name);
    }
}
