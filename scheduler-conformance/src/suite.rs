use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::ports::Store;

/// A store that the suite is run on. Each case opens one of its own and closes it.
pub trait StoreUnderTest: Sized {
    /// Opens an empty store; `None` leaves the case out, where what the store needs is not there.
    fn open() -> impl Future<Output = Option<Self>>;

    /// The store that is open.
    fn store(&self) -> Arc<dyn Store>;

    /// Whether the store goes by a clock of its own, as a database server does, and not by the
    /// instants that it is given.
    fn has_clock(&self) -> bool {
        false
    }

    /// Has the store's own clock say, at the next heartbeat, that it was set back by so much.
    fn set_clock_back(&self, by: TimeDelta) -> impl Future<Output = ()> {
        let _ = by;
        async {}
    }

    /// Closes the store once its case has passed.
    fn close(self) -> impl Future<Output = ()> {
        async {}
    }
}

/// Runs a case on a store of its own, on several threads.
///
/// # Panics
///
/// When the case fails, or the store cannot be opened.
pub fn run<S: StoreUnderTest>(case: impl AsyncFnOnce(&S)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let Some(subject) = S::open().await else { return };
        case(&subject).await;
        subject.close().await;
    });
}
