//! The inbox of a workspace: what others have written under its live posts, as readings find it.

mod list;

use chrono::{DateTime, Utc};

use crate::account::Account;
use crate::ids::{AccountId, CommentId, PostId, TargetId, WorkspaceId, derived};
use crate::platform::Platform;
use crate::ports::{Comment, LivePost};

pub use list::{
    CommentView, INBOX_LIMIT_DEFAULT, INBOX_LIMIT_MAX, InboxCursor, InboxInput, InboxPage,
    InboxQuery, MARKED_MAX, MarkInput, Marked, MarkedView,
};

/// A comment of somebody else on a live target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedComment {
    /// Its id, which follows from the target and what the network calls it.
    pub id: CommentId,
    /// The workspace whose post it is about.
    pub workspace_id: WorkspaceId,
    /// The post.
    pub post_id: PostId,
    /// The target.
    pub target_id: TargetId,
    /// The account that the target was published with.
    pub account_id: AccountId,
    /// The network.
    pub platform: Platform,
    /// What the network calls it, as [`Comment::id`].
    pub remote_id: String,
    /// Who wrote it, as the network shows it.
    pub author: Option<String>,
    /// What it says.
    pub text: String,
    /// When it was written; where the network does not say, when it was found.
    pub at: DateTime<Utc>,
    /// True when others cannot see it.
    pub hidden: bool,
    /// How many like it.
    pub like_count: Option<u64>,
    /// When it was marked as read; `None` while it is unread.
    pub read_at: Option<DateTime<Utc>>,
}

impl ReceivedComment {
    /// The id of what a network calls a comment on a live target.
    #[must_use]
    pub fn id_of(live: &LivePost, remote_id: &str) -> CommentId {
        let of = live.target_id.0;
        CommentId(derived(live.published_at, "comment", of, remote_id.as_bytes()))
    }

    /// A comment that was found at `now`; `None` for one that the account has written itself.
    #[must_use]
    pub fn of(
        account: &Account,
        post_id: PostId,
        live: &LivePost,
        comment: Comment,
        now: DateTime<Utc>,
    ) -> Option<Self> {
        (!comment.own).then(|| Self {
            id: Self::id_of(live, &comment.id),
            workspace_id: account.workspace_id,
            post_id,
            target_id: live.target_id,
            account_id: account.id,
            platform: account.platform,
            remote_id: comment.id,
            author: comment.author,
            text: comment.text,
            at: comment.created_at.unwrap_or(now),
            hidden: comment.hidden,
            like_count: comment.like_count,
            read_at: None,
        })
    }
}

/// What was done about a comment outside of the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentChange {
    /// It was answered, which makes it read.
    Answered(DateTime<Utc>),
    /// It was hidden from others, or shown again.
    Hidden(bool),
    /// It was deleted.
    Deleted,
}
