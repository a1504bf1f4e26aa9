//! A client's say on a post: the link under which it is shown to them, and what they answer.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{ApprovalState, Seen};
use crate::connecting::PassHash;
use crate::ids::{PostId, WorkspaceId};
use crate::timing::Zone;

/// The longest note of a client, and the longest of the team for a client, in code points.
///
/// Source: our decision.
pub const NOTE_MAX_CHARACTERS: usize = 2_000;

/// The most remarks that the thread of a post holds.
///
/// Source: our decision.
pub const REMARKS_MAX: usize = 100;

/// A client's say on one post: the link under which they see it and decide on it, and what was
/// said. What they decided is the post's [`approval_state`](super::Post::approval_state). A post is
/// under one link at most; a link shows one post or several, whose approvals have its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The post.
    pub post_id: PostId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// What is kept of the link's secret.
    pub pass: PassHash,
    /// Who is asked, by the name that the team uses.
    pub client: Option<String>,
    /// What the client is told with the link.
    pub message: Option<String>,
    /// The client's zone; `None` shows each time by the clock of its account.
    pub timezone: Option<Zone>,
    /// When the link was made.
    pub created_at: DateTime<Utc>,
    /// From when on it shows nothing.
    pub expires_at: DateTime<Utc>,
    /// When the client last decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// What the client had before them then; `None` for a post that is too long to be kept twice.
    pub seen: Option<Seen>,
    /// Everything that was written about the post, oldest first; it stays when the post gets
    /// another link.
    pub remarks: Vec<Remark>,
}

impl Approval {
    /// What the client wrote when they last decided.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        let decided_at = self.decided_at?;
        let is_of_decision =
            |remark: &&Remark| remark.by == RemarkBy::Client && remark.at == decided_at;
        self.remarks.iter().rev().find(is_of_decision).map(|remark| remark.text.as_str())
    }

    /// Adds what was written; the oldest remark goes where there are too many.
    pub fn remark(&mut self, remark: Remark) {
        self.remarks.push(remark);
        let over = self.remarks.len().saturating_sub(REMARKS_MAX);
        self.remarks.drain(..over);
    }
}

/// Something that was written about a post, which client and team both read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    /// When it was written.
    pub at: DateTime<Utc>,
    /// Whose it is.
    pub by: RemarkBy,
    /// What was written.
    pub text: String,
}

/// Who has written a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RemarkBy {
    /// The client, as they decided.
    Client,
    /// Somebody of the workspace.
    Team,
}

/// What a client says of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
