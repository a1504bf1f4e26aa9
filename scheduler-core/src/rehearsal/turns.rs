//! Turns for other tasks while a rehearsal works.

use std::future::poll_fn;
use std::task::Poll;

/// How many pieces of work are done before others have a turn.
const AT_ONCE: u32 = 64;

/// Counts pieces of work, and lets other tasks have a turn after each [`AT_ONCE`] of them.
#[derive(Default)]
pub(super) struct Turns(u32);

impl Turns {
    /// Counts a piece of work that is done.
    pub(super) async fn one_is_done(&mut self) {
        self.0 = self.0.wrapping_add(1);
        if self.0.is_multiple_of(AT_ONCE) {
            others_have_a_turn().await;
        }
    }
}

/// Lets other tasks of the thread go on.
async fn others_have_a_turn() {
    let mut is_second = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
