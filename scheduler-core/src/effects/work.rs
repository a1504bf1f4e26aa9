//! The work that follows from what is stored.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::account::Account;
use crate::ids::{DeliveryId, WebhookId, WorkspaceId};
use crate::media::Media;
use crate::platform::Platform;
use crate::ports::WorkKind;
use crate::post::Post;
use crate::target::Target;

/// Into how many lanes the deliveries of one webhook are spread: so many of them are sent at once,
/// and one slow answer does not hold up all its events.
///
/// Source: our decision; the interface description promises no order of events.
pub const LANES_OF_A_WEBHOOK: u8 = 8;

/// Work that is due and held by nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewWork {
    /// What it does.
    pub kind: WorkKind,
    /// What it is done to.
    pub subject: Uuid,
    /// Whose work it is.
    pub workspace_id: WorkspaceId,
    /// The network, for a publish and for readings.
    pub platform: Option<Platform>,
    /// Whose turns it takes.
    pub lane: String,
    /// When it is due.
    pub due_at: DateTime<Utc>,
}

impl NewWork {
    /// What publishes a post: one piece for every target that waits for its time.
    pub fn of_post(post: &Post) -> impl Iterator<Item = Self> {
        post.targets.iter().filter_map(|target| Self::of_target(post.workspace_id, target))
    }

    /// What publishes a target; `None` when it does not wait for a time.
    ///
    /// All publishes to an account are in one lane.
    #[must_use]
    pub fn of_target(workspace_id: WorkspaceId, target: &Target) -> Option<Self> {
        let due_at = target.next_attempt_at()?;
        Some(Self {
            kind: WorkKind::Publish,
            subject: target.id.0,
            workspace_id,
            platform: Some(target.platform),
            lane: target.account_id.to_string(),
            due_at,
        })
    }

    /// What sends a delivery to a webhook.
    #[must_use]
    pub fn of_delivery(
        workspace_id: WorkspaceId,
        webhook: WebhookId,
        delivery: DeliveryId,
        due_at: DateTime<Utc>,
    ) -> Self {
        let [.., last] = *delivery.0.as_bytes();
        Self {
            kind: WorkKind::Deliver,
            subject: delivery.0,
            workspace_id,
            platform: None,
            lane: format!("{webhook}/{}", last % LANES_OF_A_WEBHOOK),
            due_at,
        }
    }

    /// What is done to a file; `None` when nothing is left to do. All work on a file is in one
    /// lane.
    #[must_use]
    pub fn of_media(media: &Media) -> Option<Self> {
        Some(Self {
            kind: WorkKind::of_file(media.status),
            subject: media.id.0,
            workspace_id: media.workspace_id,
            platform: None,
            lane: media.id.to_string(),
            due_at: media.due_at?,
        })
    }

    /// What takes the readings of an account. Its lane is not that of the account's publishes,
    /// which wait for no reading.
    #[must_use]
    pub fn of_readings(account: &Account, due_at: DateTime<Utc>) -> Self {
        Self {
            kind: WorkKind::Read,
            subject: account.id.0,
            workspace_id: account.workspace_id,
            platform: Some(account.platform),
            lane: format!("read/{}", account.id),
            due_at,
        }
    }
}
