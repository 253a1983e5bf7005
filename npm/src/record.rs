//! What goes out: plain objects, with the contract's names in the spelling of JavaScript.

use claim_check_guest::{Call, Finding, Found, Policy, Reply, Settings, Ticket, ToolDefinition, Window};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;

/// A plain object of these fields.
pub(crate) fn record<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Can't fail on an object that was made here.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

pub(crate) fn ticket(ticket: Ticket) -> JsValue {
    let Ticket { handle, chars, head, notice, tail, rendered, next_offset, ttl_seconds } = ticket;
    record([
        ("handle", handle.into()),
        ("chars", chars.into()),
        ("head", head.into()),
        ("notice", notice.into()),
        ("tail", tail.into()),
        ("rendered", rendered.into()),
        ("nextOffset", next_offset.into()),
        ("ttlSeconds", ttl_seconds.into()),
    ])
}

pub(crate) fn window(window: Window) -> JsValue {
    let Window { text, offset, next_offset, chars } = window;
    record([
        ("text", text.into()),
        ("offset", offset.into()),
        ("nextOffset", next_offset.into()),
        ("chars", chars.into()),
    ])
}

pub(crate) fn finding(finding: Finding) -> JsValue {
    let matches = finding.matches.into_iter().map(|found| {
        let Found { offset, snippet, snippet_offset } = found;
        record([("offset", offset.into()), ("snippet", snippet.into()), ("snippetOffset", snippet_offset.into())])
    });
    record([("matches", matches.collect::<Array>().into()), ("nextOffset", finding.next_offset.into())])
}

/// A reply, and what an event tells of the call: from where it read, and how many matches it found.
pub(crate) fn reply(reply: Reply, call: &Call) -> JsValue {
    let Reply { text, note } = reply;
    let (offset, matches) = (call.offset().into(), u32::try_from(call.matches()).unwrap_or(u32::MAX).into());
    record([("text", text.into()), ("note", note.into()), ("offset", offset), ("matches", matches)])
}

pub(crate) fn tool_definition(definition: ToolDefinition) -> JsValue {
    let ToolDefinition { name, description, input_schema } = definition;
    record([("name", name.into()), ("description", description.into()), ("inputSchema", input_schema.into())])
}

pub(crate) fn settings(settings: Settings) -> JsValue {
    let Settings { policy, fetch_tool, find_tool, window_chars, neutralise, .. } = settings;
    let Policy { threshold_chars, head_chars, tail_chars, ttl_seconds } = policy;
    let policy = record([
        ("thresholdChars", threshold_chars.into()),
        ("headChars", head_chars.into()),
        ("tailChars", tail_chars.into()),
        ("ttlSeconds", ttl_seconds.into()),
    ]);
    record([
        ("policy", policy),
        ("fetchTool", fetch_tool.into()),
        ("findTool", find_tool.into()),
        ("windowChars", window_chars.into()),
        ("neutralise", neutralise.into()),
    ])
}
