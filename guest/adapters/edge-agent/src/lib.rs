//! An agent that answers over HTTP: the example of a component that uses a claim check.
//!
//! `POST /ask?about=WORDS` with a document as its body: the agent's tool returns the document, which is checked in; the
//! agent finds the words in it, reads there, and answers. The document never enters its conversation whole, and the
//! answer's JSON says how many characters did. `GET /read?handle=HANDLE&offset=N` and `GET /find?handle=HANDLE&text=WORDS`
//! go back to it in another request, which is another instance; `DELETE /run` forgets the run.
//!
//! The model is a script, so that the example needs none. Everything else is as an agent does it.

// A test that panics is a test that fails.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing))]

mod agent;
#[cfg(feature = "component")]
mod component;
mod request;

pub use agent::{Agent, Answer, Claims, Reply};
pub use request::{Query, Verb, Wanted};
