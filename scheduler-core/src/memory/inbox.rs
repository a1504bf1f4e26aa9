//! What others have written under live posts.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{MemoryStore, Tables};
use crate::ids::{CommentId, WorkspaceId};
use crate::inbox::{CommentChange, InboxCursor, InboxQuery, Marked, ReceivedComment};
use crate::ports::{InboxStore, StoreError, TakenComments};

impl Tables {
    /// Stores what a reading has found under a post, with the events of what is new.
    pub(super) fn add_comments(&mut self, taken: &TakenComments) {
        for (comment, event) in &taken.received {
            match self.readings.comments.get_mut(&comment.id) {
                Some(stored) => {
                    *stored = ReceivedComment {
                        read_at: stored.read_at,
                        at: stored.at,
                        ..comment.clone()
                    };
                }
                None => {
                    self.readings.comments.insert(comment.id, comment.clone());
                    self.add_event(event, event.created_at);
                }
            }
        }
    }
}

#[async_trait]
impl InboxStore for MemoryStore {
    async fn inbox(
        &self,
        workspace: WorkspaceId,
        query: &InboxQuery,
    ) -> Result<Vec<ReceivedComment>, StoreError> {
        let tables = self.tables();
        let is_after = |comment: &&ReceivedComment| {
            query.before.is_none_or(|before| InboxCursor::of(comment) < before)
        };
        let theirs =
            tables.readings.comments.values().filter(|comment| comment.workspace_id == workspace);
        let taken = theirs.filter(|comment| query.takes(comment)).filter(is_after);
        let mut found: Vec<ReceivedComment> = taken.cloned().collect();
        found.sort_by_key(|comment| std::cmp::Reverse(InboxCursor::of(comment)));
        found.truncate(query.limit as usize);
        Ok(found)
    }

    async fn unread_comments(&self, workspace: WorkspaceId) -> Result<u64, StoreError> {
        let tables = self.tables();
        let is_unread = |comment: &&ReceivedComment| {
            comment.workspace_id == workspace && comment.read_at.is_none()
        };
        Ok(tables.readings.comments.values().filter(is_unread).count() as u64)
    }

    async fn mark_comments(
        &self,
        workspace: WorkspaceId,
        marked: &Marked,
        read_at: Option<DateTime<Utc>>,
    ) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let is_marked = |comment: &ReceivedComment| match marked {
            Marked::These(ids) => ids.contains(&comment.id),
            Marked::All => true,
        };
        let mut changed = 0;
        for comment in tables.readings.comments.values_mut() {
            let is_theirs = comment.workspace_id == workspace && is_marked(comment);
            if is_theirs && comment.read_at.is_some() != read_at.is_some() {
                comment.read_at = read_at;
                changed += 1;
            }
        }
        Ok(changed)
    }

    async fn change_comment(&self, id: CommentId, change: CommentChange) -> Result<(), StoreError> {
        let mut tables = self.tables();
        match change {
            CommentChange::Deleted => {
                tables.readings.comments.remove(&id);
            }
            CommentChange::Answered(at) => {
                if let Some(comment) = tables.readings.comments.get_mut(&id) {
                    comment.read_at.get_or_insert(at);
                }
            }
            CommentChange::Hidden(is_hidden) => {
                if let Some(comment) = tables.readings.comments.get_mut(&id) {
                    comment.hidden = is_hidden;
                }
            }
        }
        Ok(())
    }
}
