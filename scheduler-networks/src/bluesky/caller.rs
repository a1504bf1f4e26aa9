//! Calls in the name of an account, once its posts are live.

use scheduler_core::ports::{Access, NetworkError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::errors::failure;
use super::tokens::Tokens;
use crate::conversation::{Answer, Body, Request};
use crate::endpoint::Endpoint;

/// The service that the account's server passes a reader's questions on to.
///
/// Source: <https://docs.bsky.app/docs/advanced-guides/api-directory>.
pub(super) const VIEW_SERVICE: &str = "did:web:api.bsky.app#bsky_appview";

/// Whom a publish speaks to.
pub(super) struct Servers {
    /// The account's own server.
    pub(super) account: Endpoint,
    /// The service that takes videos.
    pub(super) video: Endpoint,
}

/// An account, its server, and what opens it.
pub(super) struct Caller<'a> {
    pub(super) access: &'a Access,
    pub(super) server: Endpoint,
    pub(super) tokens: Tokens,
}

impl Caller<'_> {
    /// The account's DID.
    pub(super) fn did(&self) -> &str {
        &self.access.account.network_id
    }

    /// A question that the account's own server answers: what it has just written is there.
    pub(super) fn read(&self, call: &str, query: &[(&str, &str)]) -> Request {
        self.authorized(Request::read(self.server.query(["xrpc", call], query)))
    }

    /// A question about posts and people of any server, answered a little behind what is written.
    pub(super) fn view(&self, call: &str, query: &[(&str, &str)]) -> Request {
        self.read(call, query).header("atproto-proxy", VIEW_SERVICE.to_owned())
    }

    /// A record of the account's own.
    pub(super) fn record(&self, collection: &str, key: &str) -> Request {
        let query = [("repo", self.did()), ("collection", collection), ("rkey", key)];
        self.read("com.atproto.repo.getRecord", &query)
    }

    /// Puts a record where there is none, or in the place of the version that is named.
    pub(super) fn put(
        &self,
        collection: &str,
        key: &str,
        swap: Option<&str>,
        record: Value,
    ) -> Request {
        self.act(
            "com.atproto.repo.putRecord",
            json!({
                "repo": self.did(),
                "collection": collection,
                "rkey": key,
                "swapRecord": swap,
                "record": record,
            }),
        )
    }

    /// Deletes a record of the account's own; one that is not there is no error.
    pub(super) fn delete(&self, collection: &str, key: &str) -> Request {
        let input = json!({ "repo": self.did(), "collection": collection, "rkey": key });
        self.act("com.atproto.repo.deleteRecord", input)
    }

    /// Has something done.
    pub(super) fn act(&self, call: &str, input: Value) -> Request {
        self.authorized(Request::act(self.server.at(["xrpc", call]), Body::Json(input)))
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    pub(super) fn json<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, NetworkError> {
        self.succeeded(answer)?;
        answer.json().ok_or_else(|| {
            let message = "The answer of Bluesky cannot be read.";
            NetworkError::temporary(message)
        })
    }

    /// Reads whether something that may be done again was done.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    pub(super) fn succeeded(&self, answer: &Answer) -> Result<(), NetworkError> {
        if answer.is_success() {
            return Ok(());
        }
        Err(failure(answer, false, Some(self.access.now)))
    }

    fn authorized(&self, request: Request) -> Request {
        self.tokens.authorized(request)
    }
}
