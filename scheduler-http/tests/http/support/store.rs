//! A store in memory that can be made to fail or to hang.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::{Line, StoreError, Stores};

#[derive(Debug, Default)]
pub(crate) struct FaultyStore {
    pub(crate) inner: Arc<MemoryStore>,
    /// Every operation fails.
    pub(crate) is_broken: AtomicBool,
    /// There is no room: every operation fails.
    pub(crate) is_full: AtomicBool,
    /// Every operation is refused.
    pub(crate) refuses: AtomicBool,
    /// No operation ends.
    pub(crate) hangs: AtomicBool,
    /// What the readings of an account need cannot be read.
    pub(crate) has_unreadable: AtomicBool,
    /// No click can be counted.
    pub(crate) counts_no_clicks: AtomicBool,
    /// Operations that failed.
    pub(crate) failed: AtomicU32,
    /// Claims that were asked for.
    pub(crate) claims: AtomicU32,
}

impl FaultyStore {
    /// The store as the program sees it.
    pub(crate) fn stores(self: &Arc<Self>) -> Arc<Stores> {
        Arc::new(Stores::of(self.inner.clone()).over(self.clone()))
    }

    async fn gate(&self, operation: &str) -> Result<(), StoreError> {
        if operation == "claim" {
            self.claims.fetch_add(1, Ordering::SeqCst);
        }
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if self.is_broken.load(Ordering::SeqCst) {
            self.failed.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Unavailable("password=hunter2".into()));
        }
        for (fails, error) in
            [(&self.is_full, StoreError::Full as fn(_) -> _), (&self.refuses, StoreError::Refused)]
        {
            if fails.load(Ordering::SeqCst) {
                self.failed.fetch_add(1, Ordering::SeqCst);
                return Err(error("password=hunter2".into()));
            }
        }
        if operation == "count_click" && self.counts_no_clicks.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("password=hunter2".into()));
        }
        if operation == "reading_context" && self.has_unreadable.load(Ordering::SeqCst) {
            self.failed.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Corrupt { what: "targets.options", source: "no JSON".into() });
        }
        Ok(())
    }
}

#[async_trait]
impl Line for FaultyStore {
    async fn carry(
        &self,
        operation: &'static str,
        run: BoxFuture<'_, bool>,
    ) -> Result<(), StoreError> {
        self.gate(operation).await?;
        run.await;
        Ok(())
    }
}
