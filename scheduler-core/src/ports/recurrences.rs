//! What is kept of posts that come again.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{Recorded, StoreError};
use crate::ids::{RecurrenceId, WorkspaceId};
use crate::recurrence::{EntryUse, Progress, Recurrence, UseOutcome};
use crate::webhook::Event;

/// Recurrences, how far each has come, and what of them was published when.
#[async_trait]
pub trait RecurrenceStore: Send + Sync {
    /// Stores a new recurrence, of which nothing was made; `false` when its workspace has `limit`
    /// or more. Of several callers at once, as many store theirs as there is room for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_recurrence(
        &self,
        _recurrence: &Recurrence,
        _limit: u32,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every recurrence of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn recurrences(
        &self,
        _workspace: WorkspaceId,
    ) -> Result<Vec<(Recurrence, Progress)>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The recurrence with this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn recurrence(
        &self,
        _workspace: WorkspaceId,
        _id: RecurrenceId,
    ) -> Result<Option<(Recurrence, Progress)>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a changed recurrence, unless it is gone or has another revision than the one before;
    /// says whether it did. How far it has come stays.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_recurrence(&self, _recurrence: &Recurrence) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a recurrence of this revision that nobody has taken at `now`, with what is known of
    /// its uses; says whether it did.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_recurrence(
        &self,
        _recurrence: &Recurrence,
        _now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Takes the recurrence that has been due longest until `lease_until`, of those that are due at
    /// `now` or have changed since their posts were made. No two callers at once take the same; one
    /// of them may find none.
    ///
    /// # Errors
    /// [`StoreError`]; one that cannot be read is taken nevertheless.
    async fn claim_recurrence(
        &self,
        _now: DateTime<Utc>,
        _lease_until: DateTime<Utc>,
    ) -> Result<Option<(Recurrence, Progress)>, StoreError> {
        Ok(None)
    }

    /// Stores how far a recurrence has come, unless somebody else has taken it since, or it is gone.
    /// It is taken until `renewed` from then on, or no longer where that is `None`. The event is stored
    /// in the same transaction, with a delivery, due at once, for every webhook that subscribes to it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_planned(
        &self,
        _id: RecurrenceId,
        _lease_until: DateTime<Utc>,
        _progress: &Progress,
        _renewed: Option<DateTime<Utc>>,
        _event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores that a target uses an entry on its account, in place of the use before, as
    /// [`EntryUse::after`] decides. Of several callers at once, each decides on the use of the one
    /// before. A target is under way that is publishing, or pending and due. Of a recurrence that is
    /// gone nothing is stored.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn use_entry(
        &self,
        _workspace: WorkspaceId,
        _use: &EntryUse,
        _forbidden_from: Option<DateTime<Utc>>,
    ) -> Result<UseOutcome, StoreError> {
        Ok(UseOutcome::Stored)
    }

    /// The last use of each entry of a recurrence on each account.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn entry_uses(&self, _id: RecurrenceId) -> Result<Vec<EntryUse>, StoreError> {
        Ok(Vec::new())
    }
}
