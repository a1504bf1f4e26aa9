//! Tasks of the tokio runtime.

use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::ports::{Task, Tasks};
use tokio_util::task::TaskTracker;

/// Runs tasks on the tokio runtime that it is called from, and remembers those that have not
/// ended. Clones remember the same ones.
///
/// Outside of a runtime [`Tasks::spawn`] panics.
#[derive(Clone, Debug, Default)]
pub struct SystemTasks(TaskTracker);

impl SystemTasks {
    /// No tasks yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits until every task has ended, at most so long, and says how many have not. A process
    /// that stops waits for them: one may hold a token that its network gives only once.
    pub async fn finish(&self, within: Duration) -> usize {
        self.0.close();
        let _ = tokio::time::timeout(within, self.0.wait()).await;
        self.0.len()
    }
}

impl Tasks for SystemTasks {
    fn spawn(&self, task: Task) {
        self.0.spawn(task);
    }

    fn sleep(&self, time: TimeDelta) -> Task {
        let time = time.to_std().unwrap_or_default();
        Box::pin(tokio::time::sleep(time))
    }
}
