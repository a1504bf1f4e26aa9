//! What has changed in a workspace, for pages that are open.

use chrono::{DateTime, Utc};

use super::Scheduler;
use crate::changes::{CHANGE_SETTLES_WITHIN, CHANGES_REACH, Changes};
use crate::error::AppError;
use crate::ids::WorkspaceId;

impl Scheduler {
    /// What has changed in a workspace since an instant, and in the few seconds before it, in which
    /// what was noted earlier may have been stored later: a change may be told twice, and is not
    /// left out. Where the instant is longer ago than [`CHANGES_REACH`], everything may have changed.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn changes(
        &self,
        workspace: WorkspaceId,
        since: DateTime<Utc>,
    ) -> Result<Changes, AppError> {
        if since < self.ports.clock.now() - CHANGES_REACH {
            return Ok(Changes { is_cut: true, ..Changes::default() });
        }
        let since = since - CHANGE_SETTLES_WITHIN;
        Ok(self.store().changes(workspace, since).await?)
    }
}
