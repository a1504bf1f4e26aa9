//! Listing posts.

use crate::app::{Caller, Scheduler};
use crate::cursor::Cursor;
use crate::error::AppError;
use crate::key::Scope;
use crate::post::{ListInput, ListQuery, PostPage};

impl Scheduler {
    /// A page of the caller's posts, most recent first.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// use scheduler_core::post::ListInput;
    ///
    /// for content in ["One", "Two"] {
    ///     let body = json!({"content": content, "queue": true, "targets": [{"platform": "bluesky"}]});
    ///     scheduler.create_post(&caller, serde_json::from_value(body)?, None).await?;
    /// }
    /// let first = ListInput { limit: Some("1".to_owned()), ..ListInput::default() };
    /// let page = scheduler.list_posts(&caller, &first).await?;
    /// assert_eq!(page.data[0].content, "Two", "the latest moment comes first");
    /// let next = ListInput { before: page.next_cursor, ..first };
    /// assert_eq!(scheduler.list_posts(&caller, &next).await?.data[0].content, "One");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
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
