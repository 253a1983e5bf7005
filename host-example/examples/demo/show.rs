//! What the demo prints.

use std::time::Duration;

use claim_check_host::agent::{Ledger, Message, Said};
use claim_check_host::{Event, ToolDefinition};

/// Lines and characters of a message that are printed. The model reads all of it.
const SHOWN_LINES: usize = 12;
const SHOWN_CHARS: usize = 900;

const WIDTH: usize = 100;

/// A reader who has seen enough, and closes the pipe, is no reason to panic.
macro_rules! println {
    ($($arg:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($arg)*);
    }};
}

/// What the model sees that it has not seen before.
pub(crate) fn seen(tools: &[ToolDefinition], messages: &[Message], from: usize) {
    let turn = messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count() + 1;
    heading(&format!("Turn {turn}: the model sees"));
    if from == 0 {
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        line("tools", &names.join(", "));
    }
    for message in &messages[from..] {
        match message {
            Message::User(text) => line("user", text),
            Message::ToolResult { call, carried } => line(&call.tool, carried.as_str()),
            Message::Assistant(_) => {}
        }
    }
}

/// What the model said.
pub(crate) fn said(said: &Said) {
    println!();
    line("model", &said.text);
    for call in &said.calls {
        line("", &format!("→ {}({})", call.tool, call.arguments));
    }
}

/// What the claim check did.
pub(crate) fn event(event: &Event) {
    let what = match event {
        Event::ToolResultCarried { chars, .. } => format!("{} characters, as they are", number(*chars)),
        Event::ToolResultStored { chars, carried_chars, handle, .. } => format!(
            "{} characters went to the store, {} to the model, as {}",
            number(*chars),
            number(*carried_chars),
            handle
        ),
        Event::ToolResultCut { chars, carried_chars, why, .. } => {
            format!("{} characters cut to {}: {why}", number(*chars), number(*carried_chars))
        }
        Event::ToolResultRefused { chars, why, .. } => format!("{} characters refused: {why}", number(*chars)),
        Event::ClaimFetched { chars, offset, .. } => {
            format!("{} characters from {} on", number(*chars), number(*offset))
        }
        Event::ClaimFound { matches, .. } => format!("{matches} match{}", if *matches == 1 { "" } else { "es" }),
        Event::ClaimRefused { code, why, .. } => format!("{code} ({})", why.as_deref().unwrap_or("no more to say")),
        _ => String::new(),
    };
    let duration = match event {
        Event::ToolResultCarried { duration, .. }
        | Event::ToolResultStored { duration, .. }
        | Event::ToolResultCut { duration, .. }
        | Event::ToolResultRefused { duration, .. }
        | Event::ClaimFetched { duration, .. }
        | Event::ClaimFound { duration, .. }
        | Event::ClaimRefused { duration, .. } => *duration,
        _ => Duration::ZERO,
    };
    line("event", &format!("{}: {what} ({:.1} ms)", event.name(), duration.as_secs_f64() * 1e3));
}

/// What was sent, turn by turn.
pub(crate) fn table(ledger: &Ledger) {
    heading("Characters sent to the model: tools, and the conversation so far");
    println!("  {:<8}{:>22}{:>22}", "turn", "with claim check", "without");
    for (n, turn) in ledger.turns().iter().enumerate() {
        let whole = turn.whole.map_or("not needed".into(), number);
        println!("  {:<8}{:>22}{:>22}", n + 1, number(turn.sent), whole);
    }
    println!("  {:<8}{:>22}{:>22}", "all", number(ledger.sent()), number(ledger.whole()));
    let (sent, whole) = (ledger.sent() as f64, ledger.whole() as f64);
    let saved = (1.0 - sent / whole) * 100.0;
    match whole / sent {
        2.0.. => println!("\n  {saved:.1} % saved: {:.0} times less is sent.", whole / sent),
        1.0.. => println!("\n  {saved:.1} % saved. Results barely over the threshold hardly pay."),
        _ => println!(
            "\n  Nothing saved: {:.1} times as much is sent. Results barely over the threshold do not pay.",
            sent / whole
        ),
    }
    println!(
        "  And it stays in the conversation: each further turn sends the whole result again without a claim check."
    );
}

/// Why there is nothing to show.
pub(crate) fn too_small(path: &str, chars: usize, threshold: usize) {
    println!(
        "{path} has {} characters. A result of up to {} is carried as it is, so there is nothing to check in: \
         try a larger file.",
        number(chars),
        number(threshold)
    );
}

/// What reading the whole claim back came to.
pub(crate) fn proof(windows: usize, equal: bool, neutralised: bool, took: Duration) {
    heading("The whole claim, read back");
    let same = if equal { "are the file, byte for byte" } else { "are NOT the file: this is a bug, please report it" };
    let file = match neutralised {
        true => " (as it was stored: terminal escapes, turn markers and invisible signs in it made harmless)",
        false => "",
    };
    let windows_per_second = windows as f64 / took.as_secs_f64();
    println!("  {} windows of 4096 characters, laid end to end, {same}{file}.", number(windows));
    println!("  It took {took:.1?}: {windows_per_second:.0} windows a second.");
}

/// 1234567 as 1,234,567.
pub(crate) fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn heading(text: &str) {
    println!("\n── {text} {}", "─".repeat(WIDTH.saturating_sub(text.chars().count() + 4)));
}

/// A label and a text, cut to what is pleasant to read. Where it is cut stands how much is not printed.
fn line(label: &str, text: &str) {
    let (mut shown, mut lines) = (0, 0);
    let chars = text.chars().count();
    let tail = notice(text);
    let room = SHOWN_CHARS.saturating_sub(tail.chars().count());
    let body = &text[..text.len() - tail.len()];
    let mut label = label;
    for paragraph in body.lines() {
        for row in rows(paragraph) {
            if lines == SHOWN_LINES || shown > room {
                break;
            }
            println!("  {label:<15} {row}");
            (shown, lines, label) = (shown + row.chars().count() + 1, lines + 1, "");
        }
    }
    if shown < body.trim_end().chars().count() {
        println!("  {label:<15} … ({} characters in all; the model reads all of them)", number(chars));
        label = "";
    }
    for row in tail.lines().flat_map(rows) {
        println!("  {label:<15} {row}");
        label = "";
    }
}

/// The note or notice at a text's end, which should always be seen.
fn notice(text: &str) -> &str {
    match text.rfind("\n\n[") {
        Some(at) if text.ends_with(']') => &text[at + 1..],
        _ => "",
    }
}

/// A paragraph in rows, broken at spaces where there are some.
fn rows(paragraph: &str) -> Vec<String> {
    let room = WIDTH - 18;
    let mut rows = vec![String::new()];
    for piece in paragraph.split_inclusive(' ') {
        let mut piece: Vec<char> = piece.chars().collect();
        while let Some(row) = rows.last_mut() {
            let free = room.saturating_sub(row.chars().count());
            if piece.len() <= free || row.is_empty() {
                let rest = piece.split_off(piece.len().min(room));
                row.extend(piece);
                piece = rest;
                if piece.is_empty() {
                    break;
                }
            }
            rows.push(String::new());
        }
    }
    rows
}
