//! What a user may still do today.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Get a User's Limits" and "Rate Limits".

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::media::MediaKind;
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PublishJob};
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, used_up};
use super::wire::{Enveloped, LimitsAnswer};
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How long a used-up budget is waited for where the network does not say when it begins anew. Our
/// decision: days are those of the network's clock, which nobody states.
const UNKNOWN_WAIT: TimeDelta = TimeDelta::hours(1);

/// What is counted a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Budget {
    Posts,
    Photos,
    Videos,
    VideoSeconds,
}

impl Budget {
    const ALL: [Self; 4] = [Self::Posts, Self::Photos, Self::Videos, Self::VideoSeconds];

    const fn name(self) -> &'static str {
        match self {
            Self::Posts => "posts",
            Self::Photos => "photos",
            Self::Videos => "videos",
            Self::VideoSeconds => "video_seconds",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Posts => "posts",
            Self::Photos => "pictures",
            Self::Videos => "videos",
            Self::VideoSeconds => "minutes of video",
        }
    }
}

/// The request for what is left.
pub(super) fn request(api: &Api, tokens: &Tokens) -> Request {
    api.read(&tokens.access_token, &["user", "limits"], &[])
}

/// What a refused call means, with the time until a used-up budget begins anew: that is asked for
/// first, as the next turn. `refused` is the meaning without it.
///
/// # Errors
/// Always, once nothing is left to ask.
pub(super) fn refused<'a, T>(
    api: &Api,
    job: &Job<'_, Tokens>,
    answer: &Answer,
    mut answers: impl Iterator<Item = &'a Answer>,
    refused: NetworkError,
) -> TurnResult<T> {
    let Some(budgets) = used_up(answer) else { return Err(refused) };
    let Some(limits) = answers.next() else {
        return Ok(Turn::Send(request(api, &job.credentials)));
    };
    let left = Left::of(limits);
    let resets = |only_used_up: bool| {
        let entries = budgets.iter().filter_map(|budget| left.entry(*budget));
        let entries = entries.filter(|entry| !only_used_up || entry.remaining == 0);
        entries.filter_map(|entry| entry.reset_at).max()
    };
    let reset_at = resets(true).or_else(|| resets(false));
    let wait = reset_at.and_then(|reset_at| limits.until(reset_at, Some(job.now)));
    let wait = Some(wait.unwrap_or(UNKNOWN_WAIT));
    Err(NetworkError { kind: NetworkErrorKind::RateLimited { wait }, ..refused })
}

/// Whether the user may post the files of a job now. An answer that does not say so hinders
/// nothing: the network enforces it when the post is sent.
///
/// # Errors
/// [`NetworkErrorKind::RateLimited`] until the used-up budget begins anew; those of the call where
/// waiting or a new token helps.
pub(super) fn check(job: &PublishJob, answer: &Answer) -> Result<(), NetworkError> {
    if matches!(answer.status, 401 | 429) {
        return Err(failure(answer, false, Some(job.now)));
    }
    let left = Left::of(answer);
    let short = Budget::ALL.into_iter().find_map(|budget| {
        let entry = left.entry(budget)?;
        (entry.remaining < needed(job, budget)).then_some((budget, entry))
    });
    let Some((budget, entry)) = short else { return Ok(()) };
    let wait = entry.reset_at.and_then(|reset_at| answer.until(reset_at, Some(job.now)));
    let wait = Some(wait.unwrap_or(UNKNOWN_WAIT));
    let message = format!(
        "The account has used up the {} that Tumblr takes in a day. It is tried again later.",
        budget.words()
    );
    Err(NetworkError::new(NetworkErrorKind::RateLimited { wait }, message))
}

/// How much of a budget a job takes.
fn needed(job: &PublishJob, budget: Budget) -> u64 {
    let count = |kind: MediaKind| {
        let of_kind = job.files.iter().filter(|file| file.facts.kind == kind);
        u64::try_from(of_kind.count()).unwrap_or(u64::MAX)
    };
    match budget {
        Budget::Posts => 1,
        Budget::Photos => count(MediaKind::Image),
        Budget::Videos => count(MediaKind::Video),
        Budget::VideoSeconds => {
            let videos = job.files.iter().filter(|file| file.facts.kind == MediaKind::Video);
            let seconds: f64 = videos.filter_map(|file| file.facts.duration_seconds).sum();
            whole_seconds(seconds)
        }
    }
}

/// So many seconds or a little more, as a whole number.
fn whole_seconds(seconds: f64) -> u64 {
    let millis = std::time::Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default();
    millis.as_secs() + u64::from(millis.subsec_nanos() > 0)
}

/// What is left, as far as an answer says it.
struct Left(std::collections::BTreeMap<String, Value>);

struct Entry {
    remaining: u64,
    reset_at: Option<DateTime<Utc>>,
}

impl Left {
    fn of(answer: &Answer) -> Self {
        let read: Option<Enveloped<LimitsAnswer>> =
            answer.is_success().then(|| answer.json()).flatten();
        Self(read.map(|read| read.response.user).unwrap_or_default())
    }

    fn entry(&self, budget: Budget) -> Option<Entry> {
        let entry = self.0.get(budget.name())?;
        let remaining = entry.get("remaining")?.as_i64()?;
        let reset_at = entry.get("reset_at").and_then(Value::as_i64);
        Some(Entry {
            remaining: u64::try_from(remaining).unwrap_or(0),
            reset_at: reset_at.and_then(|seconds| DateTime::from_timestamp(seconds, 0)),
        })
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
