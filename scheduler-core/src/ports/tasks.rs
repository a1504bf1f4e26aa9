//! Running futures to their end, and waiting.

use std::pin::Pin;

use chrono::TimeDelta;

/// A future that somebody else runs.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The runtime of the process, as far as the core needs one.
///
/// ```
/// use std::time::Duration;
///
/// use chrono::TimeDelta;
/// use scheduler_core::ports::{Task, Tasks};
///
/// /// Each task on a thread of its own: enough for a program without a runtime.
/// struct Threads;
///
/// impl Tasks for Threads {
///     fn spawn(&self, task: Task) {
///         std::thread::spawn(move || futures_executor_of_yours(task));
///     }
///
///     fn sleep(&self, time: TimeDelta) -> Task {
///         Box::pin(async move { std::thread::sleep(time.to_std().unwrap_or_default()) })
///     }
/// }
/// # fn futures_executor_of_yours(task: Task) { drop(task) }
/// # Threads.spawn(Threads.sleep(TimeDelta::zero()));
/// ```
pub trait Tasks: Send + Sync {
    /// Runs a task to its end, whoever stops waiting for it.
    fn spawn(&self, task: Task);

    /// Ends after so much time, which passes evenly whatever becomes of the wall clock.
    fn sleep(&self, time: TimeDelta) -> Task;
}
