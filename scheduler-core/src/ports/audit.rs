//! Where the audit log is kept.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::audit::{AuditCursor, AuditEntry, AuditFilter};
use crate::ids::WorkspaceId;

/// The audit log.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Stores entries; those that are stored already stay as they are.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn add_audit(&self, _entries: &[AuditEntry]) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The entries of a workspace, newest first: at most `limit` of those after a place, as far as
    /// they are asked for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn audit(
        &self,
        _workspace: WorkspaceId,
        _limit: u32,
        _before: Option<AuditCursor>,
        _filter: AuditFilter,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes entries of all workspaces that were made before an instant, of which its
    /// milliseconds count: the oldest first and at most `limit` of them; how many were removed.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_audit(&self, _before: DateTime<Utc>, _limit: u32) -> Result<u64, StoreError> {
        Ok(0)
    }
}
