//! G. Arguments.

use claim_check_guest::{RefusalCode, Settings};
use claim_check_tests::content::characters;
use serde_json::json;

use crate::{both_ways, one_line_json};

/// 60, 62, 63: an offset may come as text; it is a number before anything is added to it.
#[test]
fn c060_an_offset_in_quotes_is_a_number() {
    both_ways(&Settings::default(), |run| {
        let (content, handle) = (one_line_json(), run.ticket(&one_line_json()).handle);
        for offset in [json!("380"), json!(380.0), json!(" 380 "), json!("+380"), json!(3.8e2)] {
            let reply = run.ask("fetch_result", &json!({"handle": handle, "offset": offset}));
            assert_eq!(reply.text, characters(&content, 380, 4096), "{offset}");
            assert!(reply.note.contains("and offset=4476 to read on"), "{}", reply.note);
        }
    });
}

/// 61: a bad argument is an answer, never a trap.
#[test]
fn c061_a_bad_argument_is_an_answer() {
    both_ways(&Settings::default(), |run| {
        let handle = run.ticket(&one_line_json()).handle;
        let _ = run.shelf.take_calls();
        for arguments in [
            "".to_owned(),
            "null".to_owned(),
            "[]".to_owned(),
            "{".repeat(100_000),
            "[".repeat(100_000),
            format!(r#"{{"handle":"{handle}","offset":"twelve"}}"#),
            format!(r#"{{"handle":"{handle}","offset":1.5}}"#),
            format!(r#"{{"handle":"{handle}","offset":{{}}}}"#),
            format!(r#"{{"handle":["{handle}"]}}"#),
            format!(r#"{{"handle":"{handle}","note":"\ud800"}}"#),
        ] {
            let refusal =
                run.subject.answer(&run.shelf, &run.settings, &run.scope, "fetch_result", &arguments).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::InvalidArguments, "{arguments:.80}");
        }
        let negative = format!(r#"{{"handle":"{handle}","offset":-1}}"#);
        let refusal = run.subject.answer(&run.shelf, &run.settings, &run.scope, "fetch_result", &negative).unwrap_err();
        assert_eq!(refusal.code, RefusalCode::InvalidOffset);
        assert_eq!(run.shelf.take_calls(), vec![]);
    });
}

/// 54, 62: a handle in quotes, in capitals, without its prefix, or with the whole notice around it; but not a part of
/// one, and not one with a "…" in it.
#[test]
fn c062_handles_as_models_write_them() {
    both_ways(&Settings::default(), |run| {
        let ticket = run.ticket(&one_line_json());
        let bare = ticket.handle.strip_prefix("claim:").unwrap();
        let spelled = [
            format!("'{}'", ticket.handle),
            format!("`{}`.", ticket.handle),
            ticket.handle.to_uppercase(),
            bare.to_owned(),
            format!("handle={bare}"),
            ticket.notice.clone(),
        ];
        for handle in spelled {
            assert_eq!(run.fetch(&handle, 0).text, run.fetch(&ticket.handle, 0).text, "{handle}");
        }
        for handle in [&bare[..20], &format!("{}…", &bare[..31]), &format!("{bare}0"), ""] {
            let arguments = json!({"handle": handle}).to_string();
            let refusal =
                run.subject.answer(&run.shelf, &run.settings, &run.scope, "fetch_result", &arguments).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::ClaimUnavailable, "{handle}");
        }
    });
}
