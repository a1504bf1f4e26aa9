//! Rows of `calendar_feeds`, and of what a calendar feed shows.

use scheduler_core::account::label_of;
use scheduler_core::calendar::{CalendarEntry, CalendarFeed, EntryState, shown_text};
use scheduler_core::connecting::PassHash;
use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::StoreError;
use scheduler_core::post::ApprovalState;
use scheduler_core::target::TargetStatus;
use uuid::Uuid;

use super::session::hash;
use super::{find, from_json, parse, row};
use crate::instant::Instant;

row! {
    /// A row of `calendar_feeds`.
    pub(crate) struct CalendarFeedRow by calendar_feed_columns {
        f {
            workspace_id: Uuid,
            hash: Vec<u8>,
            created_at: Instant,
        }
    }
}

row! {
    /// A target as a calendar shows it.
    pub(crate) struct CalendarEntryRow by calendar_entry_columns {
        t {
            id: Uuid,
            post_id: Uuid,
            platform: String,
            account_id: Uuid,
            status: String,
            options: String,
            due_at: Option<Instant>,
            published_at: Option<Instant>,
        }
        a {
            username: Option<String>,
            display_name: Option<String>,
        }
        p {
            link_url: Option<String>,
            approval_state: Option<String>,
            review: Option<String>,
            moment: Instant,
            updated_at: Instant,
            post_revision = revision: i64,
        }
    }
    with {
        beginning: String,
    }
}

impl CalendarFeedRow {
    pub(crate) fn read(self) -> Result<CalendarFeed, StoreError> {
        Ok(CalendarFeed {
            workspace_id: WorkspaceId(self.workspace_id),
            hash: PassHash(hash("calendar_feeds.hash", self.hash)?),
            created_at: self.created_at.0,
        })
    }
}

impl CalendarEntryRow {
    pub(crate) fn read(self) -> Result<CalendarEntry, StoreError> {
        let platform: Platform = parse("targets.platform", &self.platform)?;
        let status =
            find("targets.status", TargetStatus::ALL, |status| status.as_str(), &self.status)?;
        let client = self.approval_state.map(|name| {
            find("posts.approval_state", ApprovalState::ALL, |state| state.as_str(), &name)
        });
        let team = self.review.map(|json| from_json("posts.review", &json)).transpose()?;
        let approval = ApprovalState::of_all(client.transpose()?, team.as_ref());
        let options = from_json("targets.options", &self.options)?;
        let (username, display_name) = (self.username.as_deref(), self.display_name.as_deref());
        Ok(CalendarEntry {
            target_id: TargetId(self.id),
            post_id: PostId(self.post_id),
            account: label_of(platform, username, display_name, AccountId(self.account_id)),
            at: self.published_at.or(self.due_at).unwrap_or(self.moment).0,
            state: EntryState::of(status, self.published_at.is_some(), approval),
            text: shown_text(&self.beginning, platform, &options),
            link_url: self.link_url,
            revision: self.post_revision,
            updated_at: self.updated_at.0,
        })
    }
}
