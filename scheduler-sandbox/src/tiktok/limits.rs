//! Limits by the minute and by the day, counted only when the sandbox is told to.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>,
//! <https://developers.tiktok.com/docs/en/tiktok-api-v2-rate-limit>,
//! <https://developers.tiktok.com/docs/en/content-sharing-guidelines>.

use http::StatusCode;

use super::Tiktok;
use super::error::ApiError;
use crate::network::Context;
use crate::quota::Limit;

const CREATOR: Limit = Limit { name: "creator_info", points: 20, window_seconds: 60 };
const INIT: Limit = Limit { name: "init", points: 6, window_seconds: 60 };
const STATUS: Limit = Limit { name: "status", points: 30, window_seconds: 60 };
const DISPLAY: Limit = Limit { name: "display", points: 600, window_seconds: 60 };
const POSTS: Limit = Limit { name: "posts", points: 15, window_seconds: 86_400 };
const DRAFTS: Limit = Limit { name: "drafts", points: 5, window_seconds: 86_400 };

impl Tiktok {
    fn take(&mut self, limit: Limit, open_id: &str, context: &Context<'_>) -> Result<(), ApiError> {
        let is_exceeded =
            context.options.quotas && self.quotas.take(limit, open_id, 1, context.now).is_exceeded;
        if is_exceeded { Err(ApiError::too_many()) } else { Ok(()) }
    }

    /// Counts a call for what a creator may do.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_creator_call(
        &mut self,
        open_id: &str,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        self.take(CREATOR, open_id, context)
    }

    /// Counts a call for how far a publish is.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_status_call(
        &mut self,
        open_id: &str,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        self.take(STATUS, open_id, context)
    }

    /// Counts a call that reads posts.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_display_call(
        &mut self,
        open_id: &str,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        self.take(DISPLAY, open_id, context)
    }

    /// Counts the begin of a publish, and the publish against its day.
    ///
    /// # Errors
    /// 429; `spam_risk_too_many_posts`, `spam_risk_too_many_pending_share`.
    pub(super) fn take_publish(
        &mut self,
        open_id: &str,
        is_draft: bool,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        self.take(INIT, open_id, context)?;
        if is_draft {
            return self.take(DRAFTS, open_id, context).map_err(|_| {
                let message = "There may be at most 5 pending shares within any 24-hour period.";
                let code = "spam_risk_too_many_pending_share";
                ApiError::new(StatusCode::FORBIDDEN, code, message)
            });
        }
        if self.is_full(open_id) {
            return Err(too_many_posts());
        }
        self.take(POSTS, open_id, context).map_err(|_| too_many_posts())
    }

    /// Checks that an account may post once more today.
    ///
    /// # Errors
    /// `spam_risk_too_many_posts`.
    pub(super) fn check_daily_posts(
        &mut self,
        open_id: &str,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        let is_used_up = self.is_full(open_id)
            || context.options.quotas
                && self.quotas.take(POSTS, open_id, 0, context.now).remaining == 0;
        if is_used_up { Err(too_many_posts()) } else { Ok(()) }
    }
}

fn too_many_posts() -> ApiError {
    let message = "The daily post cap from the API is reached for the current user.";
    ApiError::new(StatusCode::FORBIDDEN, "spam_risk_too_many_posts", message)
}
