//! A client's say on a post: the link under which it is shown to them, and what they answer.

use chrono::{DateTime, Utc};

use super::ApprovalState;
use crate::connecting::PassHash;
use crate::ids::{PostId, WorkspaceId};

/// The longest note of a client, in code points.
///
/// Source: our decision.
pub const NOTE_MAX_CHARACTERS: usize = 2_000;

/// The link under which a client sees a post and decides on it. What they decided is the post's
/// [`approval_state`](super::Post::approval_state); there is one link for each post at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The post.
    pub post_id: PostId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// What is kept of the link's secret.
    pub pass: PassHash,
    /// When the link was made.
    pub created_at: DateTime<Utc>,
    /// From when on it shows nothing.
    pub expires_at: DateTime<Utc>,
    /// When the client last decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// What the client last wrote.
    pub note: Option<String>,
}

/// What a client says of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It may go out as it is.
    Approve,
    /// It has to change first.
    Changes,
}

impl Verdict {
    /// Every verdict. Tables in tests run over it.
    pub const ALL: [Self; 2] = [Self::Approve, Self::Changes];

    /// The name in a form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Changes => "changes",
        }
    }

    /// What the post is after it.
    #[must_use]
    pub const fn state(self) -> ApprovalState {
        match self {
            Self::Approve => ApprovalState::Approved,
            Self::Changes => ApprovalState::Changes,
        }
    }
}
