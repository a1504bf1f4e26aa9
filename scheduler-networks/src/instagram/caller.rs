//! Calls in the name of an account.

use chrono::TimeDelta;
use scheduler_core::ports::{NetworkError, PublishJob};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use url::Url;

use super::errors::{Described, Meaning, failure};
use super::hosts::Hosts;
use super::wire::Tokens;
use crate::conversation::{Answer, Request};

/// How long an account may be taken for a spammer before the post fails for good.
pub(super) const SPAM_TIMEOUT: TimeDelta = TimeDelta::hours(24);

/// An account that calls.
pub(super) struct Caller<'a> {
    pub(super) hosts: &'a Hosts,
    pub(super) tokens: &'a Tokens,
}

impl Caller<'_> {
    pub(super) fn graph(&self, segments: &[&str]) -> Result<Url, NetworkError> {
        self.graph_query(segments, &[])
    }

    pub(super) fn graph_query(
        &self,
        segments: &[&str],
        pairs: &[(&str, &str)],
    ) -> Result<Url, NetworkError> {
        self.hosts.call(self.tokens.way.host(), segments, pairs)
    }

    pub(super) fn authorized(&self, request: Request) -> Request {
        request.bearer(self.tokens.access_token.expose_secret())
    }
}

/// What an answer that is no success means for a publish. An account that is blocked as a
/// spammer's for longer than the network names is not waited for any more.
pub(super) fn refused(answer: &Answer, is_visible: bool, job: &PublishJob) -> NetworkError {
    let error = failure(answer, is_visible, Some(job.now));
    let is_spam = Described::read(answer).meaning() == Meaning::Spam;
    if is_spam && job.now >= job.begun_at + SPAM_TIMEOUT {
        return NetworkError::permanent(error.message).with_code(FailureCode::NetworkRefused);
    }
    error
}
