//! The arguments of the redeeming tools, as models write them.

use serde_json::Value;

use crate::find;

/// What a model asked for. Only what can be understood in one way is: nothing is guessed.
pub(super) struct Arguments {
    /// The handle in its exact form; none where the text holds none, or two different ones.
    pub(super) handle: Option<String>,
    /// 0 where none is given; beyond the ends of the type, its ends.
    pub(super) offset: i32,
    /// What to search for, where the tool searches.
    pub(super) text: Option<String>,
}

impl Arguments {
    /// None where this is no JSON object with a `handle` string, a `text` where the tool searches, and a whole offset,
    /// if any.
    pub(super) fn parse(json: &str, searches: bool) -> Option<Self> {
        // Not `from_str`, which is generic: it would be compiled in this crate, for speed, and large.
        let arguments: Value = json.parse().ok()?;
        let Value::Object(arguments) = arguments else { return None };
        let handle = arguments.get("handle")?.as_str()?;
        let text = match arguments.get("text") {
            Some(Value::String(text)) if searches && find::is_needle(text) => Some(text.clone()),
            _ if searches => return None,
            _ => None,
        };
        let offset = match arguments.get("offset") {
            None | Some(Value::Null) => 0,
            Some(Value::Number(number)) => match number.as_i64() {
                Some(whole) => clamp(whole),
                None => clamp_double(number.as_f64()?)?,
            },
            Some(Value::String(text)) => digits(text)?,
            Some(_) => return None,
        };
        Some(Self { handle: handle_in(handle), offset, text })
    }
}

/// The one run of ASCII letters and digits that is exactly 32 hexadecimal digits.
fn handle_in(text: &str) -> Option<String> {
    let runs = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut handles = runs.filter(|run| run.len() == 32 && run.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let first = handles.next()?.to_ascii_lowercase();
    handles.all(|other| other.eq_ignore_ascii_case(&first)).then(|| format!("claim:{first}"))
}

fn clamp(whole: i64) -> i32 {
    i32::try_from(whole).unwrap_or(if whole < 0 { i32::MIN } else { i32::MAX })
}

fn clamp_double(number: f64) -> Option<i32> {
    if number.fract() != 0.0 {
        return None;
    }
    // The cast saturates, and what is not whole is gone already.
    #[expect(clippy::cast_possible_truncation)]
    let whole = number as i64;
    Some(clamp(whole))
}

/// An optional sign and ASCII digits, with white space around.
fn digits(text: &str) -> Option<i32> {
    let text = text.trim();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Digits alone, so all that can fail is the size.
    let whole = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(clamp(if is_negative { -whole } else { whole }))
}
