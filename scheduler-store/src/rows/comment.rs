//! Rows of `comments`.

use scheduler_core::ids::{AccountId, CommentId, PostId, TargetId, WorkspaceId};
use scheduler_core::inbox::ReceivedComment;
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{narrow, parse, row};
use crate::instant::Instant;

row! {
    /// A row of `comments`.
    pub(crate) struct CommentRow by comment_columns {
        c {
            id: Uuid,
            workspace_id: Uuid,
            post_id: Uuid,
            target_id: Uuid,
            account_id: Uuid,
            platform: String,
            remote_id: String,
            author: Option<String>,
            text: String,
            at: Instant,
            hidden: bool,
            like_count: Option<i64>,
            read_at: Option<Instant>,
        }
    }
}

impl CommentRow {
    pub(crate) fn read(self) -> Result<ReceivedComment, StoreError> {
        let likes = self.like_count.map(|likes| narrow("comments.like_count", likes));
        Ok(ReceivedComment {
            id: CommentId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            post_id: PostId(self.post_id),
            target_id: TargetId(self.target_id),
            account_id: AccountId(self.account_id),
            platform: parse("comments.platform", &self.platform)?,
            remote_id: self.remote_id,
            author: self.author,
            text: self.text,
            at: self.at.0,
            hidden: self.hidden,
            like_count: likes.transpose()?,
            read_at: self.read_at.map(|at| at.0),
        })
    }
}
