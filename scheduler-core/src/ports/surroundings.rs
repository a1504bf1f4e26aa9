//! Time, ids, randomness, and the notifier that wakes the engine.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Tells the time.
///
/// ```
/// use chrono::{DateTime, Utc};
/// use scheduler_core::ports::Clock;
///
/// struct SystemClock;
///
/// impl Clock for SystemClock {
///     fn now(&self) -> DateTime<Utc> {
///         scheduler_core::timing::to_micros(std::time::SystemTime::now().into())
///     }
/// }
/// assert_eq!(SystemClock.now().timestamp_subsec_nanos() % 1_000, 0);
/// ```
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present instant, in whole microseconds.
    fn now(&self) -> DateTime<Utc>;
}

/// Makes ids.
///
/// ```
/// use scheduler_core::memory::CountedIds;
/// use scheduler_core::ports::Ids;
///
/// let ids = CountedIds::default();
/// let (earlier, later) = ("2026-12-01T09:00:00Z".parse()?, "2026-12-01T09:00:01Z".parse()?);
/// assert!(ids.next(earlier) < ids.next(later));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Ids: Send + Sync {
    /// A new id, unique over all nodes, that sorts by `at` (UUID v7).
    fn next(&self, at: DateTime<Utc>) -> Uuid;
}

/// Gives random bytes fit for secrets.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Random: Send + Sync {
    /// 32 random bytes.
    fn bytes(&self) -> [u8; 32];
}

/// Wakes the engine because work has become due.
///
/// ```
/// use std::sync::mpsc::{SyncSender, sync_channel};
///
/// use scheduler_core::ports::Wake;
///
/// /// Notifies at most once until the engine has looked.
/// struct Notifier(SyncSender<()>);
///
/// impl Wake for Notifier {
///     fn wake(&self) {
///         // A full channel means that it was notified.
///         let _ = self.0.try_send(());
///     }
/// }
///
/// let (sender, receiver) = sync_channel(1);
/// let notifier = Notifier(sender);
/// notifier.wake();
/// notifier.wake();
/// assert!(receiver.recv().is_ok() && receiver.try_recv().is_err());
/// ```
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Wake: Send + Sync {
    /// Wakes the engine of this node; called after the work is stored. Costs next to nothing.
    fn wake(&self);
}
