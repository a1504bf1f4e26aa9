//! Reading the figures of an account's posts, its followers and its limits.

use super::Ran;
use crate::app::Scheduler;
use crate::ports::{Claim, StoreError};

impl Scheduler {
    pub(super) async fn read(&self, _claim: &Claim) -> Result<Ran, StoreError> {
        Ok(Ran::Lost)
    }
}
