//! The network's work on a publish, and the wait for the post's id.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Live, NetworkError, NetworkErrorKind, Step};
use serde_json::json;

use super::api::Api;
use super::errors::{of_reason, taken};
use super::locate::{LIST, among_listed, list};
use super::progress::Progress;
use super::wire::{Status, Videos};
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How long until the network is asked for the first time. Our decision, as the further waits.
pub(super) const FIRST_WAIT: TimeDelta = TimeDelta::seconds(5);

/// How long after a post is live it is looked for among the account's posts as well: the status of
/// many publishes never names an id. Our decision.
///
/// Source: <https://github.com/gitroomhq/postiz-app/issues/1470>.
const LISTED_AFTER: TimeDelta = TimeDelta::hours(1);

/// How long it is asked at all.
const TIMEOUT: TimeDelta = TimeDelta::hours(24);

/// What a publish has come to.
pub(super) enum State {
    /// The network works on it.
    Works,
    /// It is posted, or in the inbox of the app.
    Done,
    /// It is dead.
    Failed(String),
}

impl State {
    /// What a status means. One that is new is waited for.
    pub(super) fn of(status: &Status) -> Self {
        match status.status.as_str() {
            "PUBLISH_COMPLETE" | "SEND_TO_USER_INBOX" => Self::Done,
            "FAILED" => Self::Failed(status.fail_reason.clone().unwrap_or_default()),
            _ => Self::Works,
        }
    }
}

/// The request for how far a publish is.
pub(super) fn fetch(api: &Api, tokens: &Tokens, publish_id: &str) -> Request {
    let body = json!({ "publish_id": publish_id });
    api.act(&tokens.access_token, &["post", "publish", "status", "fetch"], body)
}

/// The next turn of asking how far a publish is.
pub(super) fn poll(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    (publish_id, since): (&str, DateTime<Utc>),
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(fetch(api, &job.credentials, publish_id)));
    };
    let status: Status = taken(answer, false, Some(job.now))?;
    Ok(Turn::Done(match State::of(&status) {
        State::Done => Step::Live(progress.live(api, publish_id, &status, (since, job.now))),
        State::Failed(reason) => progress.failed(&reason, job.now),
        State::Works => {
            let wait = wait(job.now - since).ok_or_else(|| {
                NetworkError::temporary("TikTok has not finished with this post after 24 hours. Nothing is sent again. Look at the account.",
                )
            })?;
            Step::Wait { progress, until: job.now + wait }
        }
    }))
}

/// A post that is live, and whose id is not known.
pub(super) struct Posted {
    /// What the publish is called.
    pub(super) publish_id: String,
    /// Since when it is known to be live.
    pub(super) since: DateTime<Utc>,
    /// Before this instant it was not live; `None` where an earlier version stored nothing of it.
    pub(super) begun_at: Option<DateTime<Utc>>,
}

/// The next turn of asking for the id of a post that is live. After an hour it is also looked for
/// among the account's posts. It goes without after a day, and where the network does not know the
/// publish any more.
pub(super) fn post_id(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    posted: &Posted,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Posted { publish_id, since, begun_at } = posted;
    let without = Turn::Done(Step::Live(Live { remote: None, then: None }));
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(fetch(api, &job.credentials, publish_id)));
    };
    let status: Status = match taken(answer, false, Some(job.now)) {
        Ok(status) => status,
        Err(error) if error.kind == NetworkErrorKind::Permanent => return Ok(without),
        Err(error) => return Err(error),
    };
    if let Some(id) = status.post_id() {
        return Ok(Turn::Done(Step::Live(progress.named(api, publish_id, &id))));
    }
    if let State::Failed(reason) = State::of(&status) {
        let error = of_reason(&reason);
        let message = format!("TikTok did not keep the post. {}", error.message);
        return Err(NetworkError::permanent(message).with_code(error.code));
    }
    if job.now - *since >= LISTED_AFTER && job.credentials.may(&[LIST]) {
        let Some(answer) = answers.get(1) else {
            return Ok(Turn::Send(list(api, &job.credentials)));
        };
        // A list that is not to be had leaves the post as it is.
        let listed = taken::<Videos>(answer, false, Some(job.now)).ok();
        let time = (begun_at.unwrap_or(*since), *since);
        let found = listed.as_ref().and_then(|listed| among_listed(&progress, listed, time));
        if let Some(found) = found {
            return Ok(Turn::Done(Step::Live(progress.named(api, publish_id, &found.id))));
        }
    }
    Ok(match wait(job.now - *since) {
        Some(wait) => Turn::Done(Step::Wait { progress, until: job.now + wait }),
        None => without,
    })
}

/// How long until a publish is asked for again that is so old; `None` when it is not any more.
fn wait(age: TimeDelta) -> Option<TimeDelta> {
    if age < TimeDelta::minutes(2) {
        Some(TimeDelta::seconds(10))
    } else if age < TimeDelta::minutes(32) {
        Some(TimeDelta::seconds(60))
    } else if age < TIMEOUT {
        Some(TimeDelta::minutes(10))
    } else {
        None
    }
}

#[cfg(test)]
#[path = "status_tests.rs"]
mod tests;
