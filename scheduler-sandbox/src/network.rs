//! What every imitated network offers to the server, the faults and the control.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::options::Options;
use crate::outside::timestamp;
use crate::request::Request;
use crate::written::as_hex;

/// What a request is for, as far as faults are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Makes a post visible; parts of a thread too.
    Publish,
    /// Sends a file or a piece of one.
    Upload,
    /// Asks how far processing is.
    Poll,
    /// Reads or writes what hangs below a post: replies to others, likes.
    Comment,
    /// Reads figures.
    Metrics,
    /// Obtains, renews or revokes a token.
    Token,
    /// Everything else; only faults of the operation `any` reach it.
    Other,
}

impl Operation {
    /// The operations that a fault can name.
    pub(crate) const NAMED: [Self; 6] =
        [Self::Publish, Self::Upload, Self::Poll, Self::Comment, Self::Metrics, Self::Token];

    /// Returns the name that the control uses.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Upload => "upload",
            Self::Poll => "poll",
            Self::Comment => "comment",
            Self::Metrics => "metrics",
            Self::Token => "token",
            Self::Other => "other",
        }
    }
}

/// A failure that a network words in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The network's own trouble (500).
    ServerError,
    /// Too many calls; allowed again after the wait.
    RateLimited(Duration),
    /// Refused for good.
    Permanent,
}

/// What surrounds the handling of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) now: DateTime<Utc>,
    /// Base URL of the network, without a slash at its end.
    pub(crate) base: &'a str,
    pub(crate) options: &'a Options,
}

/// A file of a post.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct LiveMedia {
    pub(crate) media_type: String,
    pub(crate) bytes: u64,
    #[serde(with = "as_hex")]
    pub(crate) sha256: [u8; 32],
}

/// A post as the control and the page show it.
#[derive(Clone, Debug)]
pub(crate) struct LivePost {
    pub(crate) platform: &'static str,
    /// Identity of the author, as the answer to making the account gives it.
    pub(crate) account: String,
    /// Name of the author for people.
    pub(crate) author: String,
    pub(crate) remote_id: String,
    pub(crate) text: String,
    pub(crate) media: Vec<LiveMedia>,
    pub(crate) reply_to: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) is_deleted: bool,
}

impl LivePost {
    /// Returns the post as the control answers it.
    pub(crate) fn to_json(&self) -> Value {
        let media: Vec<Value> = self
            .media
            .iter()
            .map(|file| {
                json!({
                    "type": file.media_type,
                    "bytes": file.bytes,
                    "sha256": hex::encode(file.sha256),
                })
            })
            .collect();
        json!({
            "platform": self.platform,
            "account": self.account,
            "author": self.author,
            "remoteId": self.remote_id,
            "text": self.text,
            "media": media,
            "replyTo": self.reply_to,
            "createdAt": timestamp(self.created_at),
            "deleted": self.is_deleted,
        })
    }
}

/// An imitated network with all its state.
pub(crate) trait Network: Send {
    /// Returns the network's name: the first segment of its paths and its name in the control.
    fn name(&self) -> &'static str;

    /// Says what a request is for.
    fn operation(&self, request: &Request) -> Operation;

    /// Answers a request and does what it asks for.
    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer;

    /// Does the first half of the things that a request asks for, and answers as the network does
    /// when the next of them fails. A request for one thing is done.
    fn handle_in_part(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        self.handle(request, context)
    }

    /// Words a failure as the network does, for the request that meets it.
    fn refuse(&self, refusal: Refusal, request: &Request, context: &Context<'_>) -> Answer;

    /// Ends the life of the tokens of the account that the request speaks for.
    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>);

    /// Makes an account and returns all that an adapter needs to connect it.
    ///
    /// # Errors
    /// A sentence that says why the name cannot be used.
    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String>;

    /// Returns everything that was posted, oldest first, with what was taken down again.
    fn posts(&self) -> Vec<LivePost>;

    /// Forgets posts, files and counters; with `accounts` the accounts and tokens too.
    fn reset(&mut self, accounts: bool);
}
