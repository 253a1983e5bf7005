//! What holds for every text, scope and size, on the pure functions.

#[path = "properties/texts.rs"]
mod texts;

#[path = "properties/extracts.rs"]
mod extracts;
#[path = "properties/neutralising.rs"]
mod neutralising;
#[path = "properties/reading.rs"]
mod reading;
#[path = "properties/tools.rs"]
mod tools;
