//! Rate limits, imitated only when the sandbox is told to.
//!
//! Source: <https://docs.bsky.app/docs/advanced-guides/rate-limits>.

use chrono::{DateTime, Utc};
use http::StatusCode;

use super::Bluesky;
use super::error::XrpcError;
use crate::answer::Answer;
use crate::network::Context;
use crate::quota::{Limit, Standing};

/// Points of a write that creates a record.
pub(super) const CREATE: u32 = 3;
/// Points of a write that replaces a record.
pub(super) const UPDATE: u32 = 2;
/// Points of a write that removes a record.
pub(super) const DELETE: u32 = 1;

const REQUESTS: Limit = Limit { name: "requests", points: 3000, window_seconds: 300 };
const WRITES_HOUR: Limit = Limit { name: "writes-hour", points: 5000, window_seconds: 3600 };
const WRITES_DAY: Limit = Limit { name: "writes-day", points: 35_000, window_seconds: 86_400 };
const SESSIONS: Limit = Limit { name: "sessions", points: 30, window_seconds: 300 };
const SESSIONS_DAY: Limit = Limit { name: "sessions-day", points: 300, window_seconds: 86_400 };

/// Every caller comes from this machine, so all share the address's limit.
const ADDRESS: &str = "address";

impl Bluesky {
    /// Counts a request against the limit of its address.
    ///
    /// # Errors
    /// `RateLimitExceeded`.
    pub(super) fn take_request_point(&mut self, context: &Context<'_>) -> Result<(), XrpcError> {
        self.take(REQUESTS, ADDRESS, 1, context)
    }

    /// Counts a write against the limits of its account.
    ///
    /// # Errors
    /// `RateLimitExceeded`.
    pub(super) fn take_write_points(
        &mut self,
        did: &str,
        points: u32,
        context: &Context<'_>,
    ) -> Result<(), XrpcError> {
        self.take(WRITES_HOUR, did, points, context)?;
        self.take(WRITES_DAY, did, points, context)
    }

    /// Counts a log-in against the limits of its account.
    ///
    /// # Errors
    /// `RateLimitExceeded`.
    pub(super) fn take_session_points(
        &mut self,
        identifier: &str,
        context: &Context<'_>,
    ) -> Result<(), XrpcError> {
        self.take(SESSIONS, identifier, 1, context)?;
        self.take(SESSIONS_DAY, identifier, 1, context)
    }

    fn take(
        &mut self,
        limit: Limit,
        caller: &str,
        points: u32,
        context: &Context<'_>,
    ) -> Result<(), XrpcError> {
        if !context.options.quotas {
            return Ok(());
        }
        let standing = self.quotas.take(limit, caller, points, context.now);
        self.standing = Some(standing);
        if standing.is_exceeded { Err(rate_limited()) } else { Ok(()) }
    }

    /// Adds the headers that tell where the caller stands within the limit looked at last.
    pub(super) fn with_standing(&mut self, answer: Answer, context: &Context<'_>) -> Answer {
        let Some(Standing { limit, remaining, resets_at, .. }) = self.standing.take() else {
            return answer;
        };
        let policy = format!("{};w={}", limit.points, limit.window_seconds);
        let is_refused = answer.status == StatusCode::TOO_MANY_REQUESTS;
        let answer = answer
            .with_header("ratelimit-limit", &limit.points.to_string())
            .with_header("ratelimit-remaining", &remaining.to_string())
            .with_header("ratelimit-reset", &rounded_up(resets_at).to_string())
            .with_header("ratelimit-policy", &policy);
        if is_refused {
            let wait = (rounded_up(resets_at) - context.now.timestamp()).max(1);
            answer.with_header("retry-after", &wait.to_string())
        } else {
            answer
        }
    }
}

/// Returns the error of too many calls.
pub(super) fn rate_limited() -> XrpcError {
    XrpcError {
        status: StatusCode::TOO_MANY_REQUESTS,
        error: "RateLimitExceeded",
        message: "Rate Limit Exceeded".to_owned(),
    }
}

/// Returns the standing that a fault pretends.
pub(super) fn pretended(resets_at: DateTime<Utc>) -> Standing {
    Standing { limit: REQUESTS, remaining: 0, resets_at, is_exceeded: true }
}

/// Returns a time in whole Unix seconds that is not before it.
pub(super) fn rounded_up(at: DateTime<Utc>) -> i64 {
    at.timestamp() + i64::from(at.timestamp_subsec_nanos() > 0)
}
