//! The approval of clients: links are made and withdrawn by the application, and followed in a
//! browser.

mod decide;
mod link;
mod page;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::PostId;
use crate::post::{Approval, ApprovalState, Post, PostStatus};

pub use decide::{ApprovalAnswer, Decided};
pub use link::NewApproval;
pub use page::{ApprovalFile, ApprovalPage, ApprovalTarget, OpenedApproval};

/// A link for a client, and what came of it, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalView {
    /// The post.
    pub post_id: PostId,
    /// How far the post has come.
    pub post_status: PostStatus,
    /// What the client said of the post as it is now.
    pub approval_state: Option<ApprovalState>,
    /// What the client last wrote.
    pub note: Option<String>,
    /// When the client last decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// When the link was made.
    pub created_at: DateTime<Utc>,
    /// From when on the link shows nothing.
    pub expires_at: DateTime<Utc>,
}

impl ApprovalView {
    fn new(approval: &Approval, post: &Post) -> Self {
        Self {
            post_id: post.id,
            post_status: post.status,
            approval_state: post.approval_state,
            note: approval.note.clone(),
            decided_at: approval.decided_at,
            created_at: approval.created_at,
            expires_at: approval.expires_at,
        }
    }
}
