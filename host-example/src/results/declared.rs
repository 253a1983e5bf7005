//! The type that a tool declares for its results, as a JSON Schema.

use std::collections::HashSet;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::distinct::Distinct;
use crate::claims::ClaimCheck;

/// A constraint of the schema that is longer than this, in characters, is named and not quoted.
const QUOTED_CHARS: usize = 80;

/// From this size on, in bytes, a result is looked at in a thread of its own, so that no other task waits for it.
const LARGE_BYTES: usize = 64 << 10;

pub(super) struct DeclaredType {
    schema: Value,
    validator: Validator,
    /// Every property that the schema names. A place is told in these alone: other names are the result's content.
    names: HashSet<String>,
}

impl DeclaredType {
    /// The type, or why the schema is none. References are followed within the schema and to the metaschemas only:
    /// nothing is fetched from a network or a file. Patterns run in linear time, so look-around is refused.
    pub(super) fn compile(schema: &str) -> Result<Self, String> {
        let schema: Value = serde_json::from_str(schema).map_err(|error| format!("it is not JSON: {error}"))?;
        let options = jsonschema::options().offline().with_pattern_options(PatternOptions::regex());
        let validator = options.build(&schema).map_err(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            place => format!("at {place}: {error}"),
        })?;
        let mut names = HashSet::new();
        collect_names(&schema, &mut names);
        Ok(Self { schema, validator, names })
    }

    /// The content, if it is of this type; else the content and why it is not: a place, and what the schema asks for
    /// there.
    pub(super) async fn hold(self: Arc<Self>, content: String) -> Result<String, (String, String)> {
        let small = content.len() < LARGE_BYTES;
        let hold = move || match self.check(&content) {
            Ok(()) => Ok(content),
            Err(why) => Err((content, why)),
        };
        if small {
            return hold();
        }
        // One that panicked took the content with it.
        let lost = || (String::new(), "it could not be looked at".into());
        tokio::task::spawn_blocking(hold).await.unwrap_or_else(|_| Err(lost()))
    }

    fn check(&self, content: &str) -> Result<(), String> {
        if content.len() > ClaimCheck::MAX_CONTENT_BYTES {
            return Err("it is larger than 64 MiB of UTF-8, too large to be held to its type".into());
        }
        // The parser's own words are left out, so that no version of it can put content into them.
        let not_json = |error: serde_json::Error| format!("line {}, column {}: not JSON", error.line(), error.column());
        let value: Value = serde_json::from_str(content).map_err(not_json)?;
        let twice = |error: serde_json::Error| {
            format!("line {}, column {}: an object names a property twice", error.line(), error.column())
        };
        serde_json::from_str::<Distinct>(content).map_err(twice)?;
        self.validator.validate(&value).map_err(|error| {
            let place = self.place(&value, error.instance_path().as_str());
            format!("{place}: {}", self.expected(&error))
        })
    }

    /// Where in the result, as a JSON pointer, with `*` in place of every name that the schema does not name.
    fn place(&self, value: &Value, pointer: &str) -> String {
        let (mut place, mut at) = (String::new(), Some(value));
        for segment in pointer.split('/').skip(1) {
            let name = segment.replace("~1", "/").replace("~0", "~");
            let index = at.is_some_and(Value::is_array);
            let shown = if index || self.names.contains(&name) { segment } else { "*" };
            place = place + "/" + shown;
            at = match at {
                Some(Value::Array(items)) => name.parse().ok().and_then(|nth: usize| items.get(nth)),
                Some(Value::Object(properties)) => properties.get(&name),
                _ => None,
            };
        }
        if place.is_empty() { "at its root".into() } else { place }
    }

    /// What the schema asks for, in its own words.
    fn expected(&self, error: &ValidationError<'_>) -> String {
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                return format!("the required property {property} is missing");
            }
            ValidationErrorKind::FalseSchema => return "the schema allows nothing here".into(),
            _ => {}
        }
        let keyword = error.kind().keyword();
        let constraint = self.schema.pointer(error.schema_path().as_str()).map(Value::to_string);
        match constraint.filter(|constraint| constraint.chars().count() <= QUOTED_CHARS) {
            Some(constraint) => format!("the schema's \"{keyword}\": {constraint} is not met"),
            None => format!("the schema's \"{keyword}\" is not met"),
        }
    }
}

fn collect_names(schema: &Value, names: &mut HashSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                names.extend(properties.keys().cloned());
            }
            members.values().for_each(|member| collect_names(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        _ => {}
    }
}
