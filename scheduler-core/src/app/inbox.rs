//! The inbox: what others have written under the live posts of a workspace.

use super::item_page::first_page;
use super::{Caller, Scheduler};
use crate::error::AppError;
use crate::inbox::{
    CommentView, InboxCursor, InboxInput, InboxPage, InboxQuery, MarkInput, MarkedView,
    ReceivedComment,
};
use crate::key::Scope;

impl Scheduler {
    /// A page of the comments that readings have found, newest first. [`Self::comments`] asks a
    /// network for those of one target as they are now.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming the parameter.
    pub async fn inbox(&self, caller: &Caller, input: &InboxInput) -> Result<InboxPage, AppError> {
        caller.require(Scope::PostsRead)?;
        let query = InboxQuery::parse(input)?;
        let workspace = caller.workspace.id;
        let more = InboxQuery { limit: query.limit + 1, ..query };
        let found = self.store().inbox(workspace, &more).await?;
        let cursor = |comment: &ReceivedComment| InboxCursor::of(comment).encode();
        let (found, next_cursor) = first_page(found, query.limit as usize, cursor);
        let data = found.into_iter().map(CommentView::from).collect();
        let unread = self.store().unread_comments(workspace).await?;
        Ok(InboxPage { data, next_cursor, unread })
    }

    /// Marks comments as read, or as unread again, for everybody in the workspace.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `invalid_request` naming `ids`.
    pub async fn mark_comments(
        &self,
        caller: &Caller,
        input: MarkInput,
    ) -> Result<MarkedView, AppError> {
        caller.require(Scope::PostsPublish)?;
        let workspace = caller.workspace.id;
        let read_at = (input.unread != Some(true)).then(|| self.ports.clock.now());
        let marked = input.marked()?;
        let changed = self.store().mark_comments(workspace, &marked, read_at).await?;
        let unread = self.store().unread_comments(workspace).await?;
        Ok(MarkedView { changed, unread })
    }
}
