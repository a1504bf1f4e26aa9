//! Rate limits: headers always, refusals only when the sandbox is told to.
//!
//! Source: <https://docs.discord.com/developers/topics/rate-limits>; five calls of a webhook in two
//! seconds and thirty messages a minute in a channel by
//! <https://github.com/discord/discord-api-docs/issues/367>, fifty calls a second in all.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::json;

use super::Discord;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::quota::{Limit, Standing};

const ROUTE: Limit = Limit { name: "route", points: 5, window_seconds: 2 };
const CHANNEL: Limit = Limit { name: "channel", points: 30, window_seconds: 60 };
const GLOBAL: Limit = Limit { name: "global", points: 50, window_seconds: 1 };

/// Every caller comes from this machine.
const HERE: &str = "here";

impl Discord {
    /// Counts a request against every limit that is for it.
    ///
    /// # Errors
    /// 429; the answer is completed by [`Discord::with_standing`].
    pub(super) fn take_points(
        &mut self,
        call: &[&str],
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        self.standing = None;
        if !context.options.quotas {
            return Ok(());
        }
        self.take(GLOBAL, HERE, context)?;
        match call {
            ["webhooks", id, ..] => {
                let channel = id.parse().ok().and_then(|id: u64| self.webhooks.get(&id));
                let channel = channel.map(|webhook| webhook.channel.to_string());
                if let Some(channel) = channel {
                    self.take(CHANNEL, &channel, context)?;
                }
                self.take(ROUTE, &format!("webhooks/{id}"), context)
            }
            ["channels", id, ..] => self.take(ROUTE, &format!("channels/{id}"), context),
            _ => Ok(()),
        }
    }

    fn take(&mut self, limit: Limit, caller: &str, context: &Context<'_>) -> Result<(), ApiError> {
        let standing = self.quotas.take(limit, caller, 1, context.now);
        self.standing = Some(standing);
        if standing.is_exceeded { Err(too_many()) } else { Ok(()) }
    }

    /// Adds the headers of the limit that was counted last.
    pub(super) fn with_standing(&mut self, answer: Answer, context: &Context<'_>) -> Answer {
        match self.standing.take() {
            Some(standing) if standing.is_exceeded => {
                let wait = (standing.resets_at - context.now).to_std().unwrap_or_default();
                refusal(wait, context.now)
            }
            Some(standing) => with_headers(answer, standing, context.now),
            None => {
                let untouched = Standing {
                    limit: ROUTE,
                    remaining: ROUTE.points - 1,
                    resets_at: context.now + TimeDelta::seconds(ROUTE.window_seconds),
                    is_exceeded: false,
                };
                with_headers(answer, untouched, context.now)
            }
        }
    }
}

/// Returns the answer to too many calls, which are allowed again after the wait.
pub(super) fn refusal(wait: Duration, now: DateTime<Utc>) -> Answer {
    let body = json!({
        "message": "You are being rate limited.",
        "retry_after": wait.as_secs_f64(),
        "global": false,
    });
    let resets_at = now + TimeDelta::from_std(wait).unwrap_or(TimeDelta::days(1));
    let standing = Standing { limit: ROUTE, remaining: 0, resets_at, is_exceeded: true };
    let answer = Answer::json(StatusCode::TOO_MANY_REQUESTS, &body)
        .with_header("retry-after", &wait.as_secs_f64().ceil().to_string())
        .with_header("x-ratelimit-scope", "user");
    with_headers(answer, standing, now)
}

fn with_headers(answer: Answer, standing: Standing, now: DateTime<Utc>) -> Answer {
    let seconds =
        |milliseconds: i64| format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000);
    let after = (standing.resets_at - now).num_milliseconds().max(0);
    answer
        .with_header("x-ratelimit-limit", &standing.limit.points.to_string())
        .with_header("x-ratelimit-remaining", &standing.remaining.to_string())
        .with_header("x-ratelimit-reset", &seconds(standing.resets_at.timestamp_millis()))
        .with_header("x-ratelimit-reset-after", &seconds(after))
        .with_header("x-ratelimit-bucket", standing.limit.name)
}

fn too_many() -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, 0, "You are being rate limited.")
}
