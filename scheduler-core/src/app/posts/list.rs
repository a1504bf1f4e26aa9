//! Listing posts.

use crate::app::{Caller, Scheduler};
use crate::cursor::Cursor;
use crate::error::AppError;
use crate::key::Scope;
use crate::post::{ListInput, ListQuery, PostPage};

impl Scheduler {
    /// A page of the caller's posts, most recent first.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming the parameter.
    pub async fn list_posts(
        &self,
        caller: &Caller,
        input: &ListInput,
    ) -> Result<PostPage, AppError> {
        caller.require(Scope::PostsRead)?;
        let mut query = ListQuery::parse(input, caller.workspace.id, self.ports.clock.now())?;
        let limit = query.limit;
        // One more than asked for tells whether another page follows.
        query.limit = limit + 1;
        let posts = self.store().list_posts(&query).await?;
        let size = usize::try_from(limit).unwrap_or(usize::MAX);
        let last = posts.get(size).and_then(|_| posts.get(size - 1));
        let next_cursor = last.map(|post| Cursor { moment: post.moment(), id: post.id }.encode());
        let shown = posts.get(..size).unwrap_or(&posts);
        Ok(PostPage { data: self.post_views(shown).await?, next_cursor })
    }
}
