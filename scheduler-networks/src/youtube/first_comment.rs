//! The comment that follows a video.
//!
//! Nothing tells a repeat of a comment: after a lost answer the comments of the video are looked
//! through.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/commentThreads/insert>.

use chrono::TimeDelta;
use scheduler_core::ports::{Live, Located, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use serde_json::json;

use super::api::Api;
use super::errors::{failure, missing, unreadable, unreadable_success};
use super::locate::CLOCK_SLACK;
use super::progress::{Extra, FirstComment, Following, Progress};
use super::wire::{Items, Kept, Made, Thread};
use crate::conversation::{Answer, Turn};

/// How long after a look that found nothing another one settles it. Our decision.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(10);

const WHAT: &str = "The first comment could not be made";

/// The next turn of making the comment: the instant before the call is stored first.
pub(super) fn advance(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    following: &Following,
    comment: FirstComment,
    answers: &[Answer],
) -> Result<Turn<Step>, NetworkError> {
    if comment.not_sent_before.is_none() {
        let comment = FirstComment { not_sent_before: Some(job.now), ..comment };
        return Ok(Turn::Done(Step::Next(with(following, comment))));
    }
    let Some(answer) = answers.first() else {
        let body = json!({ "snippet": {
            "videoId": following.remote.id,
            "topLevelComment": { "snippet": { "textOriginal": comment.text } },
        } });
        let pairs = [("part", "snippet")];
        let request = api.act(&kept.access_token, "commentThreads", &pairs, body);
        return Ok(Turn::Send(request.visible()));
    };
    if !answer.is_success() {
        return Err(missing(WHAT, failure(answer, true, Some(job.now))));
    }
    let made: Made = answer.json().ok_or_else(unreadable_success)?;
    Ok(Turn::Done(Step::Live(live(following, &made.id))))
}

/// The next turn of a look whether the comment was made.
pub(super) fn locate(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    following: &Following,
    comment: FirstComment,
    answers: &[Answer],
) -> Result<Turn<Located>, NetworkError> {
    let Some(since) = comment.not_sent_before else {
        let progress = Progress::Following(following.clone()).to_value();
        return Ok(Turn::Done(Located::Continue(progress)));
    };
    if let Some(until) = comment.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress: with(following, comment), until }));
    }
    let Some(answer) = answers.first() else {
        let pairs = [
            ("part", "snippet"),
            ("videoId", following.remote.id.as_str()),
            ("order", "time"),
            ("maxResults", "100"),
            ("textFormat", "plainText"),
        ];
        return Ok(Turn::Send(api.read(&kept.access_token, "commentThreads", &pairs)));
    };
    if !answer.is_success() {
        return Err(missing(WHAT, failure(answer, false, Some(job.now))));
    }
    let threads: Items<Thread> = answer.json().ok_or_else(unreadable)?;
    let found =
        threads.items.into_iter().map(|thread| thread.snippet.top_level_comment).find(|listed| {
            let snippet = &listed.snippet;
            snippet.is_by(&job.account.network_id)
                && snippet.text().trim() == comment.text.trim()
                && snippet.published_at.is_some_and(|at| at >= since - CLOCK_SLACK)
        });
    if let Some(found) = found {
        return Ok(Turn::Done(Located::Live(live(following, &found.id))));
    }
    Ok(Turn::Done(match comment.look_again_at {
        None => {
            let until = job.now + LOOK_AGAIN;
            let comment = FirstComment { look_again_at: Some(until), ..comment };
            Located::Wait { progress: with(following, comment), until }
        }
        Some(_) => {
            let comment = FirstComment { look_again_at: None, not_sent_before: None, ..comment };
            Located::Continue(with(following, comment))
        }
    }))
}

fn with(following: &Following, comment: FirstComment) -> serde_json::Value {
    Progress::Following(following.with_first(Extra::FirstComment(comment))).to_value()
}

/// The video with its comment, and what is left to do.
fn live(following: &Following, id: &str) -> Live {
    let remote = Remote { record: json!({ "firstComment": id }), ..following.remote.clone() };
    let following = Following { remote: remote.clone(), ..following.without_first() };
    Live { remote: Some(remote), then: following.to_value() }
}

#[cfg(test)]
#[path = "first_comment_tests.rs"]
mod tests;
