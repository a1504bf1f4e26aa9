//! Rate limits and credits: headers always, refusals only when the sandbox is told to.
//!
//! Source: <https://docs.x.com/x-api/fundamentals/rate-limits> and
//! <https://docs.x.com/x-api/getting-started/pricing>.

use chrono::{DateTime, TimeDelta, Utc};

use super::Twitter;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::quota::{Limit, Standing};
use crate::request::Request;

const QUARTER: i64 = 900;
const DAY: i64 = 86_400;

const POST: Limit = Limit { name: "post", points: 100, window_seconds: QUARTER };
const POST_OF_APP: Limit = Limit { name: "post of app", points: 10_000, window_seconds: DAY };
const DELETE: Limit = Limit { name: "delete", points: 50, window_seconds: QUARTER };
const POSTS: Limit = Limit { name: "posts", points: 5_000, window_seconds: QUARTER };
const ONE_POST: Limit = Limit { name: "one post", points: 900, window_seconds: QUARTER };
const POSTS_OF: Limit = Limit { name: "posts of", points: 900, window_seconds: QUARTER };
const ME: Limit = Limit { name: "me", points: 75, window_seconds: QUARTER };

/// What the application may spend in a day, in thousandths of a dollar; the figure is invented.
const CREDITS: Limit = Limit { name: "credits", points: 25_000, window_seconds: DAY };

/// What things cost, in thousandths of a dollar.
pub(super) const COST_OF_POST: u32 = 15;
pub(super) const COST_OF_POST_WITH_LINK: u32 = 200;
pub(super) const COST_OF_METADATA: u32 = 5;
pub(super) const COST_OF_DELETE: u32 = 10;
pub(super) const COST_OF_POST_READ: u32 = 5;
pub(super) const COST_OF_USER_READ: u32 = 10;

/// Every caller belongs to one application.
const APP: &str = "app";

impl Twitter {
    /// Counts a call against the limit of its user and that of the application.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_point(
        &mut self,
        request: &Request,
        call: &[&str],
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        self.standing = None;
        let limit = match (request.method.as_str(), call) {
            ("POST", ["tweets"]) => POST,
            ("DELETE", ["tweets", _]) => DELETE,
            ("GET", ["tweets"]) => POSTS,
            ("GET", ["tweets", _]) => ONE_POST,
            ("GET", ["users", "me"]) => ME,
            ("GET", ["users", _, "tweets"]) => POSTS_OF,
            _ => return Ok(()),
        };
        let user = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(user) = user.map(|token| token.user.to_string()) else { return Ok(()) };
        if !context.options.quotas {
            self.standing = Some(Standing {
                limit,
                remaining: limit.points - 1,
                resets_at: context.now + TimeDelta::seconds(limit.window_seconds),
                is_exceeded: false,
            });
            return Ok(());
        }
        let standing = self.quotas.take(limit, &user, 1, context.now);
        self.standing = Some(standing);
        if standing.is_exceeded {
            return Err(ApiError::too_many());
        }
        if limit == POST {
            let of_app = self.quotas.take(POST_OF_APP, APP, 1, context.now);
            if of_app.is_exceeded {
                self.standing = Some(of_app);
                return Err(ApiError::too_many());
            }
        }
        Ok(())
    }

    /// Takes what something costs from the application's credits.
    ///
    /// # Errors
    /// 402.
    pub(super) fn spend(&mut self, cost: u32, context: &Context<'_>) -> Result<(), ApiError> {
        if !context.options.quotas {
            return Ok(());
        }
        let standing = self.quotas.take(CREDITS, APP, cost, context.now);
        if standing.is_exceeded { Err(ApiError::credits()) } else { Ok(()) }
    }

    /// Adds the headers of the limit that was counted.
    pub(super) fn with_standing(&mut self, answer: Answer) -> Answer {
        match self.standing.take() {
            Some(standing) => with_headers(answer, standing),
            None => answer,
        }
    }
}

/// Returns the answer to too many calls, which are allowed again at the given time.
pub(super) fn refusal(resets_at: DateTime<Utc>) -> Answer {
    let standing = Standing { limit: POST, remaining: 0, resets_at, is_exceeded: true };
    with_headers(ApiError::too_many().into_answer(), standing)
}

fn with_headers(answer: Answer, standing: Standing) -> Answer {
    // Whole seconds, and not before the window has ended.
    let resets_at = (standing.resets_at + TimeDelta::milliseconds(999)).timestamp();
    answer
        .with_header("x-rate-limit-limit", &standing.limit.points.to_string())
        .with_header("x-rate-limit-remaining", &standing.remaining.to_string())
        .with_header("x-rate-limit-reset", &resets_at.to_string())
}
