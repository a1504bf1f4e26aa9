//! What is kept of who is told what happens, and how mail is sent to them.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{Recorded, StoreError};
use crate::ids::{NotifierId, WorkspaceId};
use crate::notification::{Message, Notifier, NotifierState};
use crate::webhook::{Event, EventPlace};

/// Who is told what happens, and how far each was told.
#[async_trait]
pub trait NotifierStore: Send + Sync {
    /// Stores a new notifier; `false` when its workspace has `limit` or more. Of several callers
    /// at once, as many store theirs as there is room for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_notifier(
        &self,
        _notifier: &Notifier,
        _state: &NotifierState,
        _limit: u32,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every notifier of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn notifiers(
        &self,
        _workspace: WorkspaceId,
    ) -> Result<Vec<(Notifier, NotifierState)>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a notifier; `false` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_notifier(
        &self,
        _workspace: WorkspaceId,
        _id: NotifierId,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Takes the notifier whose look for news has been due longest, of those that are due at
    /// `now`, by setting its next look to `lease_until`. No two callers at once take the same; one
    /// of them may find none. Gives it as it is then.
    ///
    /// # Errors
    /// [`StoreError`]; one that cannot be read is taken nevertheless.
    async fn claim_notifier(
        &self,
        _now: DateTime<Utc>,
        _lease_until: DateTime<Utc>,
    ) -> Result<Option<(Notifier, NotifierState)>, StoreError> {
        Ok(None)
    }

    /// The events that a notifier tells of after a place, and that happened at `until` or before,
    /// oldest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn news(
        &self,
        _notifier: &Notifier,
        _after: EventPlace,
        _until: DateTime<Utc>,
        _limit: u32,
    ) -> Result<Vec<Event>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores how far a notifier has come, unless somebody else has taken it since, or it is gone:
    /// its next look is not that of `lease_until` any more then.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_notified(
        &self,
        _id: NotifierId,
        _lease_until: DateTime<Utc>,
        _state: &NotifierState,
    ) -> Result<Recorded, StoreError> {
        Err(StoreError::Unsupported)
    }
}

/// Sends mail.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Checks a mailbox before anything is sent to it.
    ///
    /// # Errors
    /// The sentence for the caller when it is none, or no mail is sent from here.
    fn check_mailbox(&self, mailbox: &str) -> Result<(), String>;

    /// Hands a message over to a mail server.
    ///
    /// # Errors
    /// Why it was not taken, for a person.
    async fn send(&self, mailbox: &str, message: &Message) -> Result<(), String>;
}

/// Sends no mail.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMail;

const NO_MAIL: &str = "No mail is sent from here: the operator has to name a mail server.";

#[async_trait]
impl Mailer for NoMail {
    fn check_mailbox(&self, _mailbox: &str) -> Result<(), String> {
        Err(NO_MAIL.to_owned())
    }

    async fn send(&self, _mailbox: &str, _message: &Message) -> Result<(), String> {
        Err(NO_MAIL.to_owned())
    }
}
