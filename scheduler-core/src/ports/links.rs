//! What is kept of short links.

use async_trait::async_trait;
use chrono::NaiveDate;

use super::StoreError;
use crate::ids::WorkspaceId;
use crate::links::{Clicks, ShortLink};

/// The short links of workspaces, and how often they were followed.
///
/// [`PostStore::create_post`](super::PostStore::create_post) and
/// [`save_post`](super::PostStore::save_post) store the short links of a post's targets
/// ([`Post::short_links`](crate::post::Post::short_links)) with the post; one that is there stays as
/// it is. They outlive the post, since they stand in what is live. A code that leads elsewhere, or is
/// another workspace's, is an error, and nothing is stored.
#[async_trait]
pub trait LinkStore: Send + Sync {
    /// The short link of this code.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn short_link(&self, _code: &str) -> Result<Option<ShortLink>, StoreError> {
        Ok(None)
    }

    /// Counts that a short link was followed on a day of UTC; nothing where there is none.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn count_click(&self, _code: &str, _day: NaiveDate) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The short links of a workspace, those that were made last first, of one instant by their
    /// codes backwards; those after `before` in this order; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn short_links(
        &self,
        _workspace: WorkspaceId,
        _before: Option<ShortLink>,
        _limit: u32,
    ) -> Result<Vec<ShortLink>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// How often short links were followed, in the order of the codes: in all, and by the days from
    /// `since` on.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn clicks(
        &self,
        _codes: &[String],
        _since: NaiveDate,
    ) -> Result<Vec<Clicks>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
