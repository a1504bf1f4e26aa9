//! Posts and people as readers see them.
//!
//! Source: lexicons/app/bsky/feed/defs.json and lexicons/app/bsky/actor/defs.json of
//! <https://github.com/bluesky-social/atproto>.

use serde::Deserialize;

use super::wire::{Reference, Reply};

/// What `app.bsky.feed.getPosts` answers.
#[derive(Debug, Deserialize)]
pub(super) struct Posts {
    pub(super) posts: Vec<PostView>,
}

/// What `app.bsky.feed.getPostThread` answers.
#[derive(Debug, Deserialize)]
pub(super) struct PostThread {
    pub(super) thread: ThreadView,
    pub(super) threadgate: Option<GateView>,
}

/// A post and what answers it. One that is gone or blocked holds nothing.
#[derive(Debug, Deserialize)]
pub(super) struct ThreadView {
    pub(super) post: Option<PostView>,
    #[serde(default)]
    pub(super) replies: Vec<ThreadView>,
}

/// A post.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostView {
    #[serde(flatten)]
    pub(super) reference: Reference,
    pub(super) author: Person,
    #[serde(default)]
    pub(super) record: ViewedRecord,
    pub(super) like_count: Option<u64>,
    pub(super) reply_count: Option<u64>,
    pub(super) repost_count: Option<u64>,
    pub(super) quote_count: Option<u64>,
    pub(super) bookmark_count: Option<u64>,
    pub(super) viewer: Option<Viewer>,
}

/// What of the record of a post is read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ViewedRecord {
    pub(super) text: String,
    /// As its author's program wrote it.
    pub(super) created_at: Option<String>,
    pub(super) reply: Option<Reply>,
}

/// What the reader has to do with a post.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Viewer {
    /// The address of the reader's like.
    pub(super) like: Option<String>,
    /// Whether its author lets nobody quote it.
    pub(super) embedding_disabled: Option<bool>,
}

/// The rules of a thread.
#[derive(Debug, Deserialize)]
pub(super) struct GateView {
    #[serde(default)]
    pub(super) record: GateRecord,
}

/// What of the rules of a thread is read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GateRecord {
    pub(super) hidden_replies: Vec<String>,
}

/// Somebody.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    pub(super) did: String,
    pub(super) handle: String,
    pub(super) display_name: Option<String>,
}

/// What `app.bsky.actor.searchActorsTypeahead` answers.
#[derive(Debug, Deserialize)]
pub(super) struct People {
    pub(super) actors: Vec<Person>,
}

/// What `app.bsky.actor.getProfile` says of an account's readers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Audience {
    pub(super) followers_count: Option<u64>,
}
