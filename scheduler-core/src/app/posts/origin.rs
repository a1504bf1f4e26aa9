//! What a post was made by, where no person has written it.

use super::super::{Caller, Scheduler};
use crate::error::AppError;
use crate::feeds::feed_of;
use crate::ids::{FeedId, PostId, RecurrenceId};

/// What a post was made by. A name is `None` once what it names is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PostOrigin {
    /// It is an occurrence of a recurrence.
    Recurrence {
        /// The recurrence.
        id: RecurrenceId,
        /// What people call it.
        name: Option<String>,
    },
    /// It was made of an item of a feed.
    Feed {
        /// The feed.
        id: FeedId,
        /// What people call it.
        name: Option<String>,
    },
}

impl Scheduler {
    /// What a post was made by; `None` of one that somebody has written.
    ///
    /// # Errors
    /// `not_found`
    pub async fn origin_of_post(
        &self,
        caller: &Caller,
        id: PostId,
    ) -> Result<Option<PostOrigin>, AppError> {
        let post = self.post_of(caller, id).await?;
        let workspace = caller.workspace.id;
        if let Some(of) = &post.occurrence {
            let id = of.recurrence_id;
            let found = self.store().recurrence(workspace, id).await?;
            let name = found.map(|(recurrence, _)| recurrence.name);
            return Ok(Some(PostOrigin::Recurrence { id, name }));
        }
        let Some(id) = post.idempotency_key.as_ref().and_then(feed_of) else { return Ok(None) };
        let found = self.store().feed(workspace, id).await?;
        Ok(Some(PostOrigin::Feed { id, name: found.map(|(feed, _)| feed.input.name) }))
    }
}
