//! Telling an observer how the acts of a store went.

use std::any::type_name;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use scheduler_core::ports::{Observer, StoreCall, StoreError};

/// Who is told of the acts of a store, once there is somebody.
#[derive(Debug, Default)]
pub(crate) struct Observed(OnceLock<Arc<dyn Observer>>);

impl Observed {
    /// Tells this observer from now on; the first stays.
    pub(crate) fn by(&self, observer: Arc<dyn Observer>) {
        // A second one has no place, which its caller knows.
        let _ = self.0.set(observer);
    }

    /// Runs an act, and tells how it went under the name of the function that `F`, its statements,
    /// stands in. An act that nobody waits for any more counts as one that failed.
    pub(crate) async fn act<F, T, R>(&self, run: R) -> Result<T, StoreError>
    where
        R: Future<Output = Result<T, StoreError>>,
    {
        let Some(observer) = self.0.get() else { return run.await };
        let mut running = Running {
            observer: &**observer,
            act: act_name(type_name::<F>()),
            begun: Instant::now(),
            succeeded: false,
        };
        let result = run.await;
        running.succeeded = result.is_ok();
        result
    }
}

/// An act under way; told of when it is dropped.
struct Running<'a> {
    observer: &'a dyn Observer,
    act: &'static str,
    begun: Instant,
    succeeded: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.observer.called_store(&StoreCall {
            act: self.act,
            succeeded: self.succeeded,
            took: self.begun.elapsed(),
        });
    }
}

/// The name of the function around a closure, or of a function, from the name of its type. How
/// compilers write such names is not promised; a test finds out when that changes.
fn act_name(type_name: &'static str) -> &'static str {
    let mut path = type_name;
    while let Some(outer) = path.strip_suffix("::{{closure}}") {
        path = outer;
    }
    let path = without_arguments(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// The path of a function without its own generic arguments, such as `<'_, '_>`.
fn without_arguments(path: &'static str) -> &'static str {
    let mut depth = 0_u32;
    for (index, byte) in path.bytes().enumerate().rev() {
        match byte {
            b'>' => depth += 1,
            b'<' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let is_argument = byte == b'<' && index > 0;
            return if is_argument { path[..index].trim_end_matches(':') } else { path };
        }
    }
    path
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
            *self.0.lock().unwrap().entry((call.act, call.succeeded)).or_default() += 1;
        }
    }

    #[test]
    fn names() {
        for (of_type, want) in [
            (
                "scheduler_store::sqlite::both::work::<impl a::WorkQueue for b::SqliteStore>::claim::{{closure}}::{{closure}}",
                "claim",
            ),
            ("<b::SqliteStore as a::WorkQueue>::next_due::{{closure}}", "next_due"),
            ("<b::SqliteStore as a::WorkQueue>::claim<'_, '_>::{{closure}}::{{closure}}", "claim"),
            ("b::posts::save::<a::Post<u8>, c::D>::{{closure}}", "save"),
            ("scheduler_store::sqlite::both::posts::save", "save"),
            ("lonely", "lonely"),
        ] {
            assert_eq!(act_name(of_type), want);
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
        assert!(asked, "an act was left");
        assert_eq!(*noted.0.lock().unwrap(), want);
    }
}
