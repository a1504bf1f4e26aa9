//! Calls and uploads of a day, enforced only when the sandbox is told to.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Rate Limits" and "Get a User's Limits"; the
//! headers as in <https://github.com/tumblr/docs/issues/139>.

use std::time::Duration;

use chrono::{DateTime, Days, NaiveTime, Timelike, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::Tumblr;
use super::error::{ApiError, ok};
use crate::answer::Answer;
use crate::network::Context;
use crate::quota::Limit;
use crate::request::Request;

const HOUR: Limit = Limit { name: "hour", points: 1_000, window_seconds: 3_600 };
const DAY: Limit = Limit { name: "day", points: 5_000, window_seconds: 86_400 };

/// What a user may do in a day: posts, photos, videos, seconds of video.
const DAILY: Used = Used { posts: 250, photos: 250, videos: 20, video_seconds: 3_600 };

/// How many blogs a user may make in a day; nobody makes any here.
const BLOGS: u32 = 10;

/// What a video counts, in seconds: its real length is not read. Invented.
pub(super) const VIDEO_SECONDS: u32 = 10;

/// What a user has done in a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) posts: u32,
    pub(super) photos: u32,
    pub(super) videos: u32,
    pub(super) video_seconds: u32,
}

/// Where an application stands within its windows of an hour and a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    hour: (u32, i64),
    day: (u32, i64),
}

impl Tumblr {
    /// Counts a call of an application.
    ///
    /// # Errors
    /// The answer 429.
    pub(super) fn take_call(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Calls, Box<Answer>> {
        let now = context.now;
        if !context.options.quotas {
            let (hour, day) = ((HOUR.points, to_hour(now)), (DAY.points, to_midnight(now)));
            return Ok(Calls { hour, day });
        }
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let client = token.map(|token| token.client_id.clone());
        let client = client.or_else(|| request.query("api_key").map(str::to_owned));
        let client = client.unwrap_or_default();
        let hour = self.quotas.take(HOUR, &client, 1, now);
        let day = self.quotas.take(DAY, &client, 1, now);
        let left = |resets_at: DateTime<Utc>| (resets_at - now).num_seconds();
        let calls = Calls {
            hour: (hour.remaining, left(hour.resets_at)),
            day: (day.remaining, left(day.resets_at)),
        };
        match hour.is_exceeded || day.is_exceeded {
            true => Err(Box::new(with_headers(limit_exceeded(), calls))),
            false => Ok(calls),
        }
    }

    /// Counts what a user posts and uploads in a day.
    ///
    /// # Errors
    /// 403 with 8004, 8011 or 8023.
    pub(super) fn take_uploads(
        &mut self,
        user: u64,
        more: Used,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        let used = self.used.entry((user, context.now.date_naive())).or_default();
        let after = Used {
            posts: used.posts + more.posts,
            photos: used.photos + more.photos,
            videos: used.videos + more.videos,
            video_seconds: used.video_seconds + more.video_seconds,
        };
        if context.options.quotas {
            if after.posts > DAILY.posts {
                let why = "The blog's daily posting limit has been reached.";
                return Err(ApiError::forbidden(8023, why));
            }
            if after.videos > DAILY.videos || after.video_seconds > DAILY.video_seconds {
                return Err(ApiError::forbidden(8011, "You cannot upload more videos today."));
            }
            if after.photos > DAILY.photos {
                let why = "You have hit a posting or media upload limit for the day.";
                return Err(ApiError::forbidden(8004, why));
            }
        }
        *used = after;
        Ok(())
    }

    /// Answers what a user may still do today.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn user_limits(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "basic", context)?;
        let used = self.used.get(&(user, context.now.date_naive())).copied().unwrap_or_default();
        let reset_at = context.now.timestamp() + to_midnight(context.now);
        let mut limits = Map::new();
        for (name, description, limit, used) in [
            ("blogs", "the number of secondary blogs you can create per day", BLOGS, 0),
            ("posts", "the number of posts you can create per day", DAILY.posts, used.posts),
            ("photos", "the number of photos you can upload per day", DAILY.photos, used.photos),
            ("videos", "the number of videos you can upload per day", DAILY.videos, used.videos),
            (
                "video_seconds",
                "the total seconds of video you can upload per day",
                DAILY.video_seconds,
                used.video_seconds,
            ),
        ] {
            let entry = json!({
                "description": description,
                "limit": limit,
                "remaining": limit.saturating_sub(used),
                "reset_at": reset_at,
            });
            limits.insert(name.to_owned(), entry);
        }
        Ok(ok(&json!({ "user": Value::Object(limits) })))
    }
}

/// Returns an answer with where the application stands.
pub(super) fn with_headers(answer: Answer, calls: Calls) -> Answer {
    let Calls { hour, day } = calls;
    answer
        .with_header("x-ratelimit-perhour-limit", &HOUR.points.to_string())
        .with_header("x-ratelimit-perhour-remaining", &hour.0.to_string())
        .with_header("x-ratelimit-perhour-reset", &hour.1.to_string())
        .with_header("x-ratelimit-perday-limit", &DAY.points.to_string())
        .with_header("x-ratelimit-perday-remaining", &day.0.to_string())
        .with_header("x-ratelimit-perday-reset", &day.1.to_string())
}

/// Returns the answer to an application that has used up its hour, which ends after the wait.
pub(super) fn too_many(wait: Duration, now: DateTime<Utc>) -> Answer {
    let seconds = i64::try_from(wait.as_secs()).unwrap_or(i64::MAX);
    let calls = Calls { hour: (0, seconds), day: (DAY.points / 2, to_midnight(now)) };
    with_headers(limit_exceeded(), calls)
}

fn limit_exceeded() -> Answer {
    let status = StatusCode::TOO_MANY_REQUESTS;
    Answer::json(
        status,
        &json!({
            "meta": { "status": 429, "msg": "Limit Exceeded" },
            "response": [],
            "errors": [{ "title": "Limit Exceeded", "code": 0, "detail": "Whoa there. Take it easy." }],
        }),
    )
}

fn to_hour(now: DateTime<Utc>) -> i64 {
    3_600 - i64::from(now.minute() * 60 + now.second())
}

fn to_midnight(now: DateTime<Utc>) -> i64 {
    let tomorrow = now.date_naive().checked_add_days(Days::new(1));
    let midnight = tomorrow.map(|day| day.and_time(NaiveTime::MIN).and_utc());
    midnight.map_or(0, |midnight| (midnight - now).num_seconds())
}
