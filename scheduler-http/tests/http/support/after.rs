//! A network's side after publishing that hangs when told to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use scheduler_core::platform::Metric;
use scheduler_core::ports::{Access, AfterPublishing, Figures, LivePost, NetworkError};

/// Every post has three likes, and every account seven followers.
#[derive(Debug, Default)]
pub(crate) struct FakeAfter {
    pub(crate) hangs: AtomicBool,
    /// Calls that were answered.
    pub(crate) answered: AtomicUsize,
    pub(crate) in_flight: AtomicUsize,
    pub(crate) most_in_flight: AtomicUsize,
}

/// A call in flight, until it is dropped.
struct InFlight<'a>(&'a FakeAfter);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

impl FakeAfter {
    async fn answer(&self) {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        let _in_flight = InFlight(self);
        while self.hangs.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        self.answered.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl AfterPublishing for FakeAfter {
    async fn figures(
        &self,
        _: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        self.answer().await;
        Ok(vec![Some(Figures(BTreeMap::from([(Metric::Likes, 3.0)]))); posts.len()])
    }

    async fn followers(&self, _: &Access) -> Result<Option<u64>, NetworkError> {
        self.answer().await;
        Ok(Some(7))
    }
}
