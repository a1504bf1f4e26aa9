//! Telling an observer how the operations of a store went.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use scheduler_core::ports::{Observer, StoreCall, StoreError};

/// Who is told of the operations of a store, once there is somebody.
#[derive(Debug, Default)]
pub(crate) struct Observed(OnceLock<Arc<dyn Observer>>);

impl Observed {
    /// Tells this observer from now on; the first stays.
    pub(crate) fn by(&self, observer: Arc<dyn Observer>) {
        // A second one has no place, which its caller knows.
        let _ = self.0.set(observer);
    }

    /// Runs an operation, and tells how it went under its name. An operation that nobody waits for
    /// any more counts as one that failed.
    pub(crate) async fn observe<T, R>(
        &self,
        operation: &'static str,
        run: R,
    ) -> Result<T, StoreError>
    where
        R: Future<Output = Result<T, StoreError>>,
    {
        let Some(observer) = self.0.get() else { return run.await };
        let mut running =
            Running { observer: &**observer, operation, begun: Instant::now(), succeeded: false };
        let result = run.await;
        running.succeeded = result.is_ok();
        result
    }
}

/// An operation under way; told of when it is dropped.
struct Running<'a> {
    observer: &'a dyn Observer,
    operation: &'static str,
    begun: Instant,
    succeeded: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.observer.called_store(&StoreCall {
            operation: self.operation,
            succeeded: self.succeeded,
            took: self.begun.elapsed(),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use chrono::DateTime;

    use super::*;
    use crate::{Database, SealingKey};

    #[derive(Debug, Default)]
    struct Noted(Mutex<BTreeMap<(&'static str, bool), u32>>);

    impl Observer for Noted {
        fn called_store(&self, call: &StoreCall) {
            *self.0.lock().unwrap().entry((call.operation, call.succeeded)).or_default() += 1;
        }
    }

    #[tokio::test]
    async fn acts_are_told_of_by_the_names_of_their_port() {
        let key = SealingKey::from_bytes([7; 32]);
        let database = Database::open("sqlite::memory:", &key).await.unwrap();
        let noted = Arc::new(Noted::default());
        database.observe(noted.clone());
        let store = database.store();
        let at = DateTime::UNIX_EPOCH;
        store.workspaces().await.unwrap();
        store.accounts_expiring(at, 1).await.unwrap();
        store.backlog(at).await.unwrap();
        store.backlog(at).await.unwrap();
        drop(store.workspaces());
        let asked = {
            let mut asked = Box::pin(store.accounts_expiring(at, 1));
            futures_util::poll!(&mut asked).is_pending()
        };
        database.close().await;
        store.workspaces().await.unwrap_err();
        let want: BTreeMap<_, _> = [
            (("workspaces", true), 1),
            (("workspaces", false), 1),
            (("accounts_expiring", true), 1),
            (("accounts_expiring", false), u32::from(asked)),
            (("backlog", true), 2),
        ]
        .into();
        assert!(asked, "an operation was left");
        assert_eq!(*noted.0.lock().unwrap(), want);
    }
}
