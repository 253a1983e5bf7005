//! What users of other systems complained about, as cases that must not happen here. The numbers are those of the
//! survey's list of complaints; each case runs natively and through the component.

#[path = "complaints/arguments.rs"]
mod arguments;
#[path = "complaints/extracts.rs"]
mod extracts;
#[path = "complaints/loops.rs"]
mod loops;
#[path = "complaints/notices.rs"]
mod notices;
#[path = "complaints/unicode.rs"]
mod unicode;

use std::sync::{Arc, LazyLock};

use claim_check_guest::{Policy, Reply, Scope, Settings, Ticket};
use claim_check_tests::shelf::Shelf;
use claim_check_tests::subject::{Component, Native, Outcome, Subject};

static COMPONENT: LazyLock<Component> = LazyLock::new(|| Component::new().unwrap());

/// One run of an agent, with one of the two ways to call the product.
struct Run {
    subject: &'static dyn Subject,
    shelf: Arc<Shelf>,
    settings: Settings,
    scope: Scope,
}

/// The same case both ways, each with an empty store.
fn both_ways(settings: &Settings, case: impl Fn(&Run)) {
    let subjects: [&'static dyn Subject; 2] = [&Native, &*COMPONENT];
    for subject in subjects {
        let (settings, scope) = (settings.clone(), Scope::new("acme", "run-1"));
        case(&Run { subject, shelf: Shelf::new(), settings, scope });
    }
}

fn with_policy(threshold_chars: u32, head_chars: u32, tail_chars: u32) -> Settings {
    let policy = Policy { threshold_chars, head_chars, tail_chars, ttl_seconds: 3600 };
    Settings { policy, ..Settings::default() }
}

impl Run {
    fn check_in(&self, tool: &str, content: &str) -> Outcome {
        self.subject.check_in(&self.shelf, &self.settings, &self.scope, tool, content).unwrap()
    }

    fn ticket(&self, content: &str) -> Ticket {
        match self.check_in("tool", content) {
            Outcome::CheckedIn(ticket) => ticket,
            other => panic!("not checked in: {other:?}"),
        }
    }

    fn ask(&self, tool: &str, arguments: &serde_json::Value) -> Reply {
        let reply = self.subject.answer(&self.shelf, &self.settings, &self.scope, tool, &arguments.to_string());
        reply.unwrap_or_else(|refusal| panic!("{arguments}: {refusal:?}"))
    }

    fn fetch(&self, handle: &str, offset: i32) -> Reply {
        self.ask("fetch_result", &serde_json::json!({"handle": handle, "offset": offset}))
    }

    fn find(&self, handle: &str, text: &str) -> Reply {
        self.ask("find_in_result", &serde_json::json!({"handle": handle, "text": text}))
    }

    /// Everything behind the handle, as a model reads it: by the offsets that the notes give.
    fn read_on(&self, handle: &str) -> String {
        let (mut text, mut offset) = (String::new(), 0);
        loop {
            let reply = self.fetch(handle, offset);
            text.push_str(&reply.text);
            match reply.note.split_once("and offset=") {
                Some((_, rest)) => offset = rest.split_once(' ').unwrap().0.parse().unwrap(),
                None => return text,
            }
        }
    }
}

/// 200 kB of JSON on one line, as many tools return it.
fn one_line_json() -> String {
    let items: Vec<String> = (0..3600)
        .map(|id| format!(r#"{{"id":{id},"name":"item {id}","price":{}.50,"tags":["a","b"]}}"#, id * 3))
        .collect();
    format!("[{}]", items.join(","))
}
