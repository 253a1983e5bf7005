//! The WIT shell: HTTP in, HTTP out, and the claim check between. No logic.

use serde_json::{Value, json};

use self::claim_check::tool_results::check_in::{self, Outcome};
use self::claim_check::tool_results::fetch;
use self::claim_check::tool_results::forget;
use self::claim_check::tool_results::types::{Erasure, Policy, Scope, Settings};
use self::exports::wasi::http::incoming_handler::Guest;
use self::wasi::http::types::{Fields, IncomingRequest, Method, OutgoingBody, OutgoingResponse, ResponseOutparam};
use self::wasi::io::streams::StreamError;
use crate::agent::{Agent, Claims, FETCH, FIND, Reply};
use crate::request::{Verb, Wanted};

wit_bindgen::generate!({ path: "../wit", world: "edge-agent", generate_all });

struct Component;

export!(Component);

/// The largest document that is read.
const BODY_BYTES: usize = 32 << 20;

impl Guest for Component {
    fn handle(request: IncomingRequest, response_out: ResponseOutparam) {
        let (status, body) = match respond(&request) {
            Ok(body) => (200, body),
            Err((status, why)) => (status, json!({ "error": why })),
        };
        send(response_out, status, &format!("{body}\n"));
    }
}

fn respond(request: &IncomingRequest) -> Result<Value, (u16, String)> {
    let path = request.path_with_query().unwrap_or_default();
    // Who asks is for the gateway in front to say, which knows; an agent of yours takes it from where it authenticates.
    let run = request.headers().get("x-run").into_iter().find_map(|run| String::from_utf8(run).ok());
    let run = run.ok_or((401, "the gateway did not say whose run it is (x-run)".to_owned()))?;
    let scope = Scope { tenant: "edge".to_owned(), run };
    let verb = match request.method() {
        Method::Post => Verb::Post,
        Method::Get => Verb::Get,
        Method::Delete => Verb::Delete,
        _ => Verb::Other,
    };
    let redeem = |tool, arguments| {
        let reply = Redeemed { scope: scope.clone(), keep: 1 }.answer(tool, &arguments).map_err(|why| (404, why))?;
        Ok(json!({ "text": reply.text, "note": reply.note }))
    };
    match Wanted::new(verb, &path) {
        Wanted::Ask { about, keep } => {
            let document = read_body(request)?;
            let document_chars = document.chars().count();
            let answer = Agent::new(Redeemed { scope, keep }).ask(&about, &document).map_err(|why| (502, why))?;
            Ok(json!({
                "answer": answer.text,
                "handle": answer.handle,
                "document_chars": document_chars,
                "conversation_chars": answer.conversation_chars,
            }))
        }
        Wanted::Read { handle, offset } => redeem(FETCH, json!({ "handle": handle, "offset": offset })),
        Wanted::Find { handle, text } => redeem(FIND, json!({ "handle": handle, "text": text })),
        Wanted::Forget => match forget::forget(&Erasure::Run(scope)) {
            Ok(forgotten) => Ok(json!({ "forgotten": forgotten })),
            Err(error) => Err((502, error.to_string())),
        },
        Wanted::Nothing(why) => Err((400, why.to_owned())),
    }
}

fn read_body(request: &IncomingRequest) -> Result<String, (u16, String)> {
    let unreadable = |()| (400, "the body can't be read".to_owned());
    let body = request.consume().map_err(unreadable)?;
    let stream = body.stream().map_err(unreadable)?;
    let mut bytes = vec![];
    loop {
        match stream.blocking_read(64 << 10) {
            Ok(part) => bytes.extend(part),
            Err(StreamError::Closed) => break,
            Err(StreamError::LastOperationFailed(_)) => return Err(unreadable(())),
        }
        if bytes.len() > BODY_BYTES {
            return Err((413, format!("a document has at most {BODY_BYTES} bytes")));
        }
    }
    String::from_utf8(bytes).map_err(|_| (400, "the document is not UTF-8".to_owned()))
}

fn send(response_out: ResponseOutparam, status: u16, text: &str) {
    let response = OutgoingResponse::new(Fields::new());
    // Can fail for a number that is no status alone; these are.
    let _ = response.set_status_code(status);
    let Ok(body) = response.body() else { return };
    ResponseOutparam::set(response_out, Ok(response));
    if let Ok(stream) = body.write() {
        for part in text.as_bytes().chunks(4096) {
            // A client that has gone away hears nothing, and there is nobody to tell.
            if stream.blocking_write_and_flush(part).is_err() {
                return;
            }
        }
    }
    let _ = OutgoingBody::finish(body, None);
}

/// The claim check of one run.
struct Redeemed {
    scope: Scope,
    keep: u32,
}

impl Claims for Redeemed {
    fn check_in(&self, tool: &str, result: &str) -> Result<(String, Option<String>), String> {
        match check_in::check_in(&settings(self.keep), &self.scope, tool, result) {
            Ok(Outcome::AsItIs) => Ok((result.to_owned(), None)),
            Ok(Outcome::Neutralised(text)) => Ok((text, None)),
            Ok(Outcome::CheckedIn(ticket)) => Ok((ticket.rendered, Some(ticket.handle))),
            Err(error) => Err(error.to_string()),
        }
    }

    fn answer(&self, tool: &str, arguments: &Value) -> Result<Reply, String> {
        match fetch::answer(&settings(self.keep), &self.scope, tool, &arguments.to_string()) {
            Ok(reply) => Ok(Reply { text: reply.text, note: reply.note }),
            Err(refusal) => Err(refusal.message),
        }
    }
}

fn settings(keep: u32) -> Settings {
    Settings {
        policy: Policy { threshold_chars: 4096, head_chars: 512, tail_chars: 0, ttl_seconds: keep },
        per_tool: vec![],
        fetch_tool: FETCH.to_owned(),
        find_tool: Some(FIND.to_owned()),
        window_chars: 4096,
        neutralise: true,
    }
}
