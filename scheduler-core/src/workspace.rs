//! A workspace: the owner of everything else.

use chrono::{DateTime, Utc};

use crate::ids::WorkspaceId;
use crate::plan::Plan;
use crate::timing::Zone;

/// The owner of posts, accounts, keys and webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// What a person calls it; unique.
    pub name: String,
    /// What it has subscribed to.
    pub plan: Plan,
    /// The zone of its accounts that have none of their own.
    pub timezone: Option<Zone>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}
