//! What the model is told of the redeeming tools.

use crate::settings::{Settings, SettingsError};

/// One redeeming tool, as the model is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// The name from the settings.
    pub name: String,
    /// Says what the tool does, how offsets count, and for how long a handle can be redeemed.
    pub description: String,
    /// A JSON Schema object.
    pub input_schema: String,
}

macro_rules! handle {
    () => {
        r#"{"description":"The handle from the notice: claim: and 32 hexadecimal digits, copied exactly.","type":"string"}"#
    };
}

// As text, since nothing in them depends on the settings: code that writes JSON would be an eighth of the npm core.

const FETCH_SCHEMA: &str = concat!(
    r#"{"properties":{"handle":"#,
    handle!(),
    r#","offset":{"default":0,"description":"Where to start, in characters from 0.","minimum":0,"type":"integer"}"#,
    r#"},"required":["handle"],"type":"object"}"#,
);

const FIND_SCHEMA: &str = concat!(
    r#"{"properties":{"handle":"#,
    handle!(),
    r#","offset":{"default":0,"description":"Where to start searching, in characters from 0.","minimum":0,"#,
    r#""type":"integer"},"text":{"description":"What to find, literally; upper and lower case are the same.","#,
    r#""maxLength":256,"minLength":1,"type":"string"}},"required":["handle","text"],"type":"object"}"#,
);

/// The redeeming tools' definitions: the fetch tool, and the find tool where the settings name one.
///
/// # Errors
/// As [`Settings::validate`].
pub fn definitions(settings: &Settings) -> Result<Vec<ToolDefinition>, SettingsError> {
    settings.validate()?;
    let mut definitions = vec![fetch(settings)];
    definitions.extend(settings.find_tool.as_ref().map(|name| find(name, settings)));
    Ok(definitions)
}

fn fetch(settings: &Settings) -> ToolDefinition {
    let find =
        settings.find_tool.as_ref().map(|name| format!(" To find a place first, call {name}.")).unwrap_or_default();
    let description = format!(
        "Reads on in a tool result that was too large to show whole. Where a notice such as [92104 characters, 91592 not shown. …] \
         stands in place of the rest, pass its handle. Returns up to {window} characters, exactly as the tool returned them, from the \
         offset on. Offsets count characters (Unicode scalar values) from 0. The notice tells where the head stopped: at its offset=, or \
         else at the first number minus the second, here 512. Each reply says where it stands and which offset reads on.{find} A handle \
         can be redeemed for at least {ttl} after the tool ran; after that, run the tool again.",
        window = settings.window_chars,
        ttl = shortest_ttl(settings),
    );
    ToolDefinition { name: settings.fetch_tool.clone(), description, input_schema: FETCH_SCHEMA.to_owned() }
}

fn find(name: &str, settings: &Settings) -> ToolDefinition {
    let description = format!(
        "Finds where a text stands in a tool result that was too large to show whole: literally, ignoring case; not a pattern. Returns \
         up to 20 matches, one per line as offset: the line around the match. Offsets count characters (Unicode scalar values) from 0 \
         and can be passed to {fetch} to read there. A handle can be redeemed for at least {ttl} after the tool ran.",
        fetch = settings.fetch_tool,
        ttl = shortest_ttl(settings),
    );
    ToolDefinition { name: name.to_owned(), description, input_schema: FIND_SCHEMA.to_owned() }
}

/// The shortest time that any policy gives, in the largest unit that says it exactly.
fn shortest_ttl(settings: &Settings) -> String {
    let policies = settings.per_tool.iter().map(|entry| &entry.policy).chain([&settings.policy]);
    let seconds = policies.map(|policy| policy.ttl_seconds).min().unwrap_or_default();
    let (count, unit) = match seconds {
        _ if seconds.is_multiple_of(86400) => (seconds / 86400, "day"),
        _ if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{FETCH_SCHEMA, FIND_SCHEMA};

    #[test]
    fn schemas_are_json_without_a_space_too_many() {
        let handle = json!({
            "type": "string",
            "description": "The handle from the notice: claim: and 32 hexadecimal digits, copied exactly.",
        });
        let offset = |start: &str| {
            let description = format!("Where to start{start}, in characters from 0.");
            json!({"type": "integer", "minimum": 0, "default": 0, "description": description})
        };
        let text = json!({
            "type": "string",
            "minLength": 1,
            "maxLength": 256,
            "description": "What to find, literally; upper and lower case are the same.",
        });
        let object = |properties: Value, required: Value| {
            json!({"type": "object", "properties": properties, "required": required}).to_string()
        };
        let fetch = object(json!({"handle": handle, "offset": offset("")}), json!(["handle"]));
        assert_eq!(FETCH_SCHEMA, fetch);
        let find =
            object(json!({"handle": handle, "offset": offset(" searching"), "text": text}), json!(["handle", "text"]));
        assert_eq!(FIND_SCHEMA, find);
    }
}
