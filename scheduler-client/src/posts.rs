//! Posts: made, changed, found, taken back.

use http::Method;
use scheduler_core::app::{BatchInput, BatchReport, RetryInput, RetryReport, TakeDownReport};
use scheduler_core::ids::PostId;
use scheduler_core::post::{ListInput, PostInput, PostView};
use serde_json::json;

use crate::answer::Made;
use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::pages::Pages;

impl Client {
    /// Creates a post under an idempotency key, of 8 to 200 characters. Take it from what the post
    /// is about, such as the number of an order: whoever sends it again, now or after a crash, gets
    /// the post that there is.
    ///
    /// # Errors
    /// [`Error::Refused`] with `validation_failed` and [`issues`](Error::issues) where a network
    /// would not take it; those of [`send`](Self::send).
    pub async fn create_post(&self, post: &PostInput, key: &str) -> Result<Made<PostView>, Error> {
        let body = json!(post);
        self.repeat(Call::post("/posts", &body).idempotent(Some(key))).await?.made()
    }

    /// Creates many posts, each under the key of its own that it names. One that is refused is no
    /// hindrance to the others.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn create_posts(&self, posts: &BatchInput) -> Result<BatchReport, Error> {
        let body = json!(posts);
        self.repeat(Call::post("/posts/batch", &body).repeatable()).await?.read()
    }

    /// A post as it is now.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn post(&self, id: PostId) -> Result<PostView, Error> {
        self.repeat(Call::get(&path_of(id))).await?.read()
    }

    /// The posts that a list asks for.
    #[must_use]
    pub fn posts(&self, list: &ListInput) -> Pages<PostView> {
        let ListInput {
            status,
            state,
            platform,
            account_id,
            label,
            q,
            from,
            to,
            days,
            order,
            limit,
            before,
        } = list;
        let mut query = Vec::new();
        for (name, values) in [("platform", platform), ("accountId", account_id), ("label", label)]
        {
            query.extend(values.iter().map(|value| (name, value.clone())));
        }
        for (name, value) in [
            ("status", status),
            ("state", state),
            ("q", q),
            ("from", from),
            ("to", to),
            ("days", days),
            ("order", order),
            ("limit", limit),
        ] {
            query.extend(value.iter().map(|value| (name, value.clone())));
        }
        Pages::new(self, "/posts", query, before.clone())
    }

    /// Changes what is sent of a post; with a revision, only while it is still at that one. It is
    /// not sent again when its answer is lost: look at the post.
    ///
    /// # Errors
    /// [`Error::Refused`] with `stale`, where somebody else has changed it, with the post as it is
    /// now; those of [`send`](Self::send).
    pub async fn change_post(
        &self,
        id: PostId,
        change: &PostInput,
        revision: Option<i64>,
    ) -> Result<PostView, Error> {
        let (path, body) = (path_of(id), json!(change));
        let call = Call::patch(&path, &body);
        self.repeat(revision.into_iter().fold(call, Call::at_revision)).await?.read()
    }

    /// Cancels a post that is to come, or removes the record of one that is not; what is live stays
    /// so. It is not sent again when its answer is lost: the second would remove the record of what
    /// the first has cancelled.
    ///
    /// # Errors
    /// [`Error::Refused`] with `in_flight` while it goes out; those of [`send`](Self::send).
    pub async fn delete_post(&self, id: PostId, revision: Option<i64>) -> Result<(), Error> {
        let path = path_of(id);
        let call = Call::new(Method::DELETE, &path);
        self.repeat(revision.into_iter().fold(call, Call::at_revision)).await.map(drop)
    }

    /// Cancels what of a post is to come, and takes down what of it is live, on all networks at once.
    /// A repeat goes on with what was left.
    ///
    /// # Errors
    /// Those of [`send`](Self::send); what a network refuses stands in the report.
    pub async fn take_down_post(&self, id: PostId) -> Result<TakeDownReport, Error> {
        let path = format!("{}/take-down", path_of(id));
        self.repeat(Call::new(Method::POST, &path).repeatable()).await?.read()
    }

    /// Has the targets of a post tried again that have failed.
    ///
    /// # Errors
    /// [`Error::Refused`] with `nothing_to_retry` or `in_flight`; those of [`send`](Self::send).
    pub async fn retry_post(&self, id: PostId) -> Result<PostView, Error> {
        let path = format!("{}/retry", path_of(id));
        self.repeat(Call::new(Method::POST, &path)).await?.read()
    }

    /// Has what has failed of many posts tried again.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn retry_posts(&self, which: &RetryInput) -> Result<RetryReport, Error> {
        let body = json!(which);
        self.repeat(Call::post("/posts/retry", &body)).await?.read()
    }
}

/// The path of a post.
pub(crate) fn path_of(id: PostId) -> String {
    format!("/posts/{id}")
}
