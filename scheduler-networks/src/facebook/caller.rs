//! Calls in the name of a Page.

use chrono::TimeDelta;
use scheduler_core::ports::{NetworkError, PublishJob};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use url::Url;

use super::errors::{Described, Meaning, failure, is_not_allowed, meaning_of, undone, unreadable};
use super::hosts::{Host, Hosts};
use super::wire::{Done, Tokens};
use crate::conversation::{Answer, Request};
use crate::graph::prove;

/// How long a Page may be blocked by policy before the post fails for good. Our decision.
const BLOCK_TIMEOUT: TimeDelta = TimeDelta::hours(24);

/// A Page that calls.
pub(super) struct Caller<'a> {
    pub(super) hosts: &'a Hosts,
    pub(super) tokens: &'a Tokens,
    /// The application that posts are made by, where it is known.
    pub(super) app_id: Option<&'a str>,
}

impl Caller<'_> {
    pub(super) fn graph(&self, segments: &[&str]) -> Result<Url, NetworkError> {
        self.hosts.call(Host::Graph, segments, &[])
    }

    pub(super) fn authorized(&self, mut request: Request) -> Request {
        if let Some(proof) = &self.tokens.proof {
            prove(&mut request.url, proof);
        }
        request.bearer(self.tokens.access_token.expose_secret())
    }
}

/// What an answer that is no success means for a publish. A Page that is blocked for longer than
/// a day is not waited for any more.
pub(super) fn refused(answer: &Answer, is_visible: bool, job: &PublishJob) -> NetworkError {
    let error = failure(answer, is_visible, Some(job.now));
    let is_blocked = meaning_of(answer) == Meaning::Blocked;
    if is_blocked && job.now >= job.begun_at + BLOCK_TIMEOUT {
        return NetworkError::permanent(error.message).with_code(FailureCode::NetworkRefused);
    }
    error
}

/// Whether the network has done what follows a live post, such as to "take the cover".
///
/// # Errors
/// What the answer means; of an action that is not allowed, an error that leaves the account as it
/// is.
pub(super) fn followed(
    answer: &Answer,
    job: &PublishJob,
    action: &str,
) -> Result<(), NetworkError> {
    if !answer.is_success() {
        let error = refused(answer, false, job);
        return Err(match is_not_allowed(&Described::read(answer)) {
            // The post is live, and others can follow it.
            true => NetworkError::permanent(error.message),
            false => error,
        });
    }
    let Done { success } = answer.json().ok_or_else(|| unreadable(false))?;
    if success { Ok(()) } else { Err(undone(action)) }
}
