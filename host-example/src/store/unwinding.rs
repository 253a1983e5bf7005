//! A future whose panic ends it, and nobody else.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// What a panic carries. Its message may hold content, and has gone to the panic hook already.
pub(super) type Panic = Box<dyn Any + Send>;

/// Runs the future to its end or its panic. What it borrows may be left half-changed by the latter.
pub(super) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Panic> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}
