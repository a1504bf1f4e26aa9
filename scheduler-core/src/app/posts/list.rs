//! Listing posts.

use crate::app::{Caller, Scheduler};
use crate::error::AppError;
use crate::key::Scope;
use crate::ports::StoreError;
use crate::post::{ListInput, ListOrder, ListQuery, PAGE_MAX_BYTES, PageQuery, Post, PostPage};

impl Scheduler {
    /// A page of the caller's posts, most recent first unless asked for otherwise.
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
    /// A page also ends before it would hold more than [`PAGE_MAX_BYTES`], with a cursor.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming the parameter.
    pub async fn list_posts(
        &self,
        caller: &Caller,
        input: &ListInput,
    ) -> Result<PostPage, AppError> {
        caller.require(Scope::PostsRead)?;
        let query = ListQuery::parse(input, caller.workspace.id, self.ports.clock.now())?;
        self.page_of_posts(query.order, query.page, |page| {
            let (store, query) = (self.store(), ListQuery { page, ..query.clone() });
            async move { store.list_posts(&query).await }
        })
        .await
    }

    /// A page of the posts that `read` gives: one more than asked for tells whether another page
    /// follows.
    ///
    /// # Errors
    /// That of `read`; [`AppError::Store`].
    pub(in crate::app) async fn page_of_posts<F>(
        &self,
        order: ListOrder,
        query: PageQuery,
        read: impl FnOnce(PageQuery) -> F,
    ) -> Result<PostPage, AppError>
    where
        F: Future<Output = Result<Vec<Post>, StoreError>>,
    {
        let size = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let mut posts = read(PageQuery { limit: query.limit + 1, ..query }).await?;
        let (mut bytes, mut fitting) = (0, 0);
        for post in posts.iter().take(size) {
            bytes += post.held_bytes();
            if bytes > PAGE_MAX_BYTES && fitting > 0 {
                break;
            }
            fitting += 1;
        }
        let has_more = fitting < posts.len();
        posts.truncate(fitting);
        let next = posts.last().filter(|_| has_more).and_then(|post| order.place(post));
        let next_cursor = next.map(|place| place.encode_in(order));
        Ok(PostPage { data: self.post_views(posts).await?, next_cursor })
    }
}
