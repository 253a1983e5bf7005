//! The rules of claim-check for JavaScript: converts what comes in, calls them, and converts what goes out. No logic.
//!
//! Nothing here waits. A check-in and a read are steps, and the lines of TypeScript between them call the store: so
//! no object of this module is borrowed while a store is slow, and its memory is free again before the store is asked.
//! What the caller got wrong about JavaScript itself (a number where a text belongs, a lone surrogate) was refused
//! before it came here; what is refused here is thrown as a plain object with a `code`, and TypeScript makes an error
//! of it.

mod check_in;
mod fault;
mod reading;
mod record;
mod settings;
mod text;
