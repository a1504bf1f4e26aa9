//! What happens to a live post at one account: its figures, its comments, edits, taking it down.

use http::Method;
use scheduler_core::app::{CommentInput, CommentOutcome, CommentsView, EditInput};
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::post::TargetView;
use scheduler_core::reading::Reading;
use serde_json::json;

use crate::call::{Call, segment};
use crate::client::Client;
use crate::error::Error;
use crate::posts::path_of;

impl Client {
    /// The figures of a target, read from its network now.
    ///
    /// # Errors
    /// [`Error::Refused`] with `not_published`, or with what the network says; those of
    /// [`send`](Self::send).
    pub async fn read_metrics(&self, post: PostId, target: TargetId) -> Result<Reading, Error> {
        let path = format!("{}/metrics", target_path(post, target));
        self.repeat(Call::new(Method::POST, &path).repeatable()).await?.read()
    }

    /// The comments under a target, read from its network now, and what can be done with them.
    ///
    /// # Errors
    /// [`Error::Refused`] with `not_published`, or with what the network says; those of
    /// [`send`](Self::send).
    pub async fn comments(&self, post: PostId, target: TargetId) -> Result<CommentsView, Error> {
        let path = format!("{}/comments", target_path(post, target));
        self.repeat(Call::get(&path)).await?.read()
    }

    /// Replies to a comment, or changes, hides, likes or deletes it, under an idempotency key: a
    /// network is never asked twice for the same reply.
    ///
    /// # Errors
    /// [`Error::Refused`] with `in_doubt` where the answer of the network was lost: look there;
    /// [`Error::NotAnId`] for a comment without an id; those of [`send`](Self::send).
    pub async fn change_comment(
        &self,
        post: PostId,
        target: TargetId,
        comment: &str,
        change: &CommentInput,
        key: &str,
    ) -> Result<CommentOutcome, Error> {
        let comment = segment(comment)?;
        let (path, body) =
            (format!("{}/comments/{comment}", target_path(post, target)), json!(change));
        self.repeat(Call::post(&path, &body).idempotent(Some(key))).await?.read()
    }

    /// Changes the live post of a target.
    ///
    /// # Errors
    /// [`Error::Refused`] with `unsupported` or `not_published`, or with what the network says;
    /// those of [`send`](Self::send).
    pub async fn edit_live_post(
        &self,
        post: PostId,
        target: TargetId,
        edit: &EditInput,
    ) -> Result<TargetView, Error> {
        let (path, body) = (remote_path(post, target), json!(edit));
        self.repeat(Call::patch(&path, &body)).await?.read()
    }

    /// Takes the live post of a target down; its record stays.
    ///
    /// # Errors
    /// [`Error::Refused`] with `unsupported` or `not_published`, or with what the network says;
    /// those of [`send`](Self::send).
    pub async fn take_down(&self, post: PostId, target: TargetId) -> Result<TargetView, Error> {
        let path = remote_path(post, target);
        self.repeat(Call::new(Method::DELETE, &path)).await?.read()
    }
}

fn target_path(post: PostId, target: TargetId) -> String {
    format!("{}/targets/{target}", path_of(post))
}

fn remote_path(post: PostId, target: TargetId) -> String {
    format!("{}/remote", target_path(post, target))
}
