//! Calls in the name of an account, once its posts are live.

use scheduler_core::ports::{Access, NetworkError};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::errors::{failure_after, failure_of_act};
use super::wire::Tokens;
use crate::conversation::{Answer, Body, Method, Request};
use crate::endpoint::Endpoint;

/// An account, its server, and what opens it.
pub(super) struct Caller<'a> {
    pub(super) access: &'a Access,
    pub(super) server: Endpoint,
    pub(super) tokens: Tokens,
}

impl Caller<'_> {
    /// Reads something.
    pub(super) fn read(&self, path: &[&str], query: &[(&str, &str)]) -> Request {
        let segments = ["api", "v1"].into_iter().chain(path.iter().copied());
        let url = match query {
            [] => self.server.at(segments),
            query => self.server.query(segments, query),
        };
        self.authorized(Request::read(url))
    }

    /// Does something.
    pub(super) fn act(&self, method: Method, path: &[&str], body: Body) -> Request {
        let url = self.server.at(["api", "v1"].into_iter().chain(path.iter().copied()));
        self.authorized(Request::act(url, body).method(method))
    }

    /// Replaces a status.
    pub(super) fn replace(&self, id: &str, status: Value) -> Request {
        self.act(Method::Put, &["statuses", id], Body::Json(status))
    }

    /// Deletes a status, and its files at once where the server can.
    ///
    /// Source: <https://docs.joinmastodon.org/methods/statuses/#delete>, since 4.4.
    pub(super) fn delete(&self, id: &str) -> Request {
        let path = ["api", "v1", "statuses", id];
        let url = self.server.query(path, &[("delete_media", "true")]);
        self.authorized(Request::act(url, Body::Empty).method(Method::Delete))
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    pub(super) fn json<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, NetworkError> {
        self.succeeded(answer)?;
        answer.json().ok_or_else(|| {
            let message = "The answer of the server cannot be read.";
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
        Err(failure_after(answer, false, self.access.now))
    }

    /// Reads whether something was done that a server need not offer.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    pub(super) fn done(&self, answer: &Answer) -> Result<(), NetworkError> {
        if answer.is_success() {
            return Ok(());
        }
        Err(failure_of_act(answer, self.access.now))
    }

    fn authorized(&self, request: Request) -> Request {
        request.bearer(self.tokens.access_token.expose_secret())
    }
}
