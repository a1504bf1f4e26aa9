//! Rows of `reviews`.

use scheduler_core::assistant::Reviewed;
use scheduler_core::ids::TargetId;
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{from_json, row};
use crate::instant::Instant;

row! {
    /// A row of `reviews`, without the post.
    pub(crate) struct ReviewRow {
        target_id: Uuid,
        review: String,
        created_at: Instant,
    }
}

impl ReviewRow {
    pub(crate) fn read(self) -> Result<Reviewed, StoreError> {
        Ok(Reviewed {
            target_id: TargetId(self.target_id),
            review: from_json("reviews.review", &self.review)?,
            created_at: self.created_at.0,
        })
    }
}
