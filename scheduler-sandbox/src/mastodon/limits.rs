//! Rate limits: headers always, refusals only when the sandbox is told to.
//!
//! Source: `config/initializers/rack_attack.rb` and `app/lib/rate_limiter.rb` of the server.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use http::{Method, StatusCode};

use super::Mastodon;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::quota::{Limit, Standing};
use crate::request::Request;

const TOKEN: Limit = Limit { name: "token", points: 300, window_seconds: 300 };
const USER: Limit = Limit { name: "user", points: 1500, window_seconds: 300 };
const ADDRESS: Limit = Limit { name: "address", points: 300, window_seconds: 300 };
const STATUSES: Limit = Limit { name: "statuses", points: 300, window_seconds: 10_800 };
const MEDIA: Limit = Limit { name: "media", points: 30, window_seconds: 1800 };
const DELETES: Limit = Limit { name: "deletes", points: 30, window_seconds: 1800 };
const APPS: Limit = Limit { name: "apps", points: 5, window_seconds: 600 };

/// Every caller comes from this machine, so all without a token share the address's limit.
const HERE: &str = "here";

impl Mastodon {
    /// Counts a request against every limit that is for it.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_points(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        if !context.options.quotas {
            return Ok(());
        }
        let bearer = request.bearer().map(str::to_owned);
        let token = bearer.as_ref().and_then(|token| self.tokens.get(token));
        let user = token.and_then(|token| token.account).map(|account| account.to_string());
        match (&bearer, &user) {
            (Some(token), Some(user)) => {
                self.take(TOKEN, token, context)?;
                self.take(USER, user, context)?;
            }
            (Some(_), None) | (None, _) => self.take(ADDRESS, HERE, context)?,
        }
        let user = user.as_deref().unwrap_or(HERE);
        match (&request.method, segments) {
            (&Method::POST, ["api", "v1" | "v2", "media"]) => self.take(MEDIA, user, context),
            (&Method::DELETE, ["api", "v1", "statuses", _]) => self.take(DELETES, user, context),
            (&Method::POST, ["api", "v1", "apps"]) => self.take(APPS, HERE, context),
            _ => Ok(()),
        }
    }

    /// Counts a new or changed status against the limit of its account.
    ///
    /// # Errors
    /// 429.
    pub(super) fn take_status_point(
        &mut self,
        account: u64,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        if context.options.quotas {
            self.take(STATUSES, &account.to_string(), context)
        } else {
            Ok(())
        }
    }

    fn take(&mut self, limit: Limit, caller: &str, context: &Context<'_>) -> Result<(), ApiError> {
        let standing = self.quotas.take(limit, caller, 1, context.now);
        let is_nearer = self
            .standing
            .is_none_or(|known| standing.is_exceeded || standing.remaining < known.remaining);
        if is_nearer {
            self.standing = Some(standing);
        }
        if standing.is_exceeded { Err(too_many()) } else { Ok(()) }
    }

    /// Adds the headers of the window that is nearest to its end.
    pub(super) fn with_standing(&mut self, answer: Answer, context: &Context<'_>) -> Answer {
        let untouched = Standing {
            limit: TOKEN,
            remaining: TOKEN.points - 1,
            resets_at: context.now + TimeDelta::seconds(TOKEN.window_seconds),
            is_exceeded: false,
        };
        with_headers(answer, self.standing.take().unwrap_or(untouched))
    }
}

/// Returns the answer to too many calls, which are allowed again at the given time.
pub(super) fn refusal(resets_at: DateTime<Utc>) -> Answer {
    let standing = Standing { limit: TOKEN, remaining: 0, resets_at, is_exceeded: true };
    with_headers(too_many().into_answer(), standing)
}

fn with_headers(answer: Answer, standing: Standing) -> Answer {
    let resets_at = standing.resets_at.to_rfc3339_opts(SecondsFormat::Micros, true);
    answer
        .with_header("x-ratelimit-limit", &standing.limit.points.to_string())
        .with_header("x-ratelimit-remaining", &standing.remaining.to_string())
        .with_header("x-ratelimit-reset", &resets_at)
}

fn too_many() -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests")
}
