//! The units of a project's day, counted only when the sandbox is told to. All callers are of one
//! project.
//!
//! Source: <https://developers.google.com/youtube/v3/determine_quota_cost>.

use chrono::TimeDelta;

use super::Youtube;
use super::error::ApiError;
use crate::network::Context;
use crate::quota::Limit;
use crate::request::Request;

const INSERTS: Limit = Limit { name: "videos.insert", points: 100, window_seconds: 86_400 };
const SEARCHES: Limit = Limit { name: "search.list", points: 100, window_seconds: 86_400 };
const UNITS: Limit = Limit { name: "units", points: 10_000, window_seconds: 86_400 };

/// How far the project's day is behind that of UTC, without daylight saving.
const PACIFIC: TimeDelta = TimeDelta::hours(8);

impl Youtube {
    /// Counts a call against the project's day.
    ///
    /// # Errors
    /// 403 `quotaExceeded`; 429 `rateLimitExceeded` for uploads.
    pub(super) fn take_units(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        if !context.options.quotas {
            return Ok(());
        }
        let (limit, units) = match (request.method.as_str(), segments) {
            ("POST", ["upload", _, _, "videos"]) => (INSERTS, 1),
            ("GET", [_, _, "search"]) => (SEARCHES, 1),
            ("POST", ["upload", _, _, "captions"]) => (UNITS, 400),
            ("GET", [_, _, "captions"]) => (UNITS, 50),
            ("GET", _) => (UNITS, 1),
            _ => (UNITS, 50),
        };
        // A window for each day, so that midnight opens a new one.
        let day = (context.now - PACIFIC).date_naive().to_string();
        let standing = self.quotas.take(limit, &day, units, context.now);
        match standing.is_exceeded {
            true if limit.name == INSERTS.name => Err(ApiError::uploads_of_day()),
            true => Err(ApiError::quota()),
            false => Ok(()),
        }
    }
}
