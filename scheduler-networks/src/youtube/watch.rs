//! Watching whether the network can use a video and keeps it.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos>, `status.uploadStatus`.

use chrono::TimeDelta;
use scheduler_core::ports::{NetworkError, Step};
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, missing, unreadable};
use super::progress::{Extra, Following, Progress};
use super::wire::{Items, READING, Tokens};
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::poll_schedule::PollSchedule;

/// When the network is asked for the first time, and then how often and for how long. Our
/// decision; each question takes one unit of the day's 10 000.
const POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(30),
    eager_wait: TimeDelta::seconds(60),
    eager: TimeDelta::minutes(10),
    then: TimeDelta::minutes(10),
    give_up_after: TimeDelta::hours(6),
};

/// The next turn of asking for the video once.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let progress = || Progress::Following(following.clone());
    let is_done = || Ok(Turn::Done(Step::Live(following.after_first())));
    // Without the permission nothing is told, which is nothing that the post misses.
    if !job.credentials.may(READING) {
        return is_done();
    }
    let first = following.since + POLLS.first;
    if job.now < first {
        return Ok(Turn::Done(Step::Wait { progress: progress(), until: first }));
    }
    let Some(answer) = answers.first() else {
        let pairs = [("part", "status,processingDetails"), ("id", following.remote.id.as_str())];
        return Ok(Turn::Send(api.read(&job.credentials.access_token, "videos", &pairs)));
    };
    if !answer.is_success() {
        let what = "It is not known whether YouTube can use the video";
        return Err(missing(what, failure(answer, false, Some(job.now))));
    }
    let videos: Items<Value> = answer.json().ok_or_else(unreadable)?;
    // Somebody has deleted it.
    let Some(video) = videos.items.first() else { return is_done() };
    let text = |pointer: &str| video.pointer(pointer).and_then(Value::as_str);
    let refused = match text("/status/uploadStatus") {
        Some("processed" | "deleted") => return is_done(),
        Some("failed") => Some(text("/status/failureReason").unwrap_or("failed")),
        Some("rejected") => Some(text("/status/rejectionReason").unwrap_or("rejected")),
        _ => match text("/processingDetails/processingStatus") {
            Some("failed" | "terminated") => {
                Some(text("/processingDetails/processingFailureReason").unwrap_or("failed"))
            }
            _ => None,
        },
    };
    if let Some(reason) = refused {
        let following = following.with_first(Extra::NotKept(reason.to_owned()));
        return Ok(Turn::Done(Step::Next(Progress::Following(following))));
    }
    match POLLS.wait(job.now - following.since) {
        Some(wait) => Ok(Turn::Done(Step::Wait { progress: progress(), until: job.now + wait })),
        None => is_done(),
    }
}

/// The failure of a video that the network has not kept.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `status.failureReason`,
/// `status.rejectionReason` and `processingDetails.processingFailureReason`.
pub(super) fn not_kept(reason: &str) -> NetworkError {
    let why = match reason {
        "conversion" | "transcodeFailed" => "it could not convert it",
        "invalidFile" => "it cannot read the file",
        "emptyFile" => "the file is empty",
        "tooSmall" => "the file is too small",
        "codec" => "it does not know the codec",
        "uploadAborted" | "uploadFailed" => "the upload broke off",
        "copyright" => "it infringes a copyright",
        "inappropriate" => "its content is not allowed",
        "duplicate" => "the channel has the same video already",
        "termsOfUse" => "it is against the terms of use",
        "uploaderAccountSuspended" => "the channel is suspended",
        "uploaderAccountClosed" => "the channel is closed",
        "length" => "it is longer than the channel may upload: verify the channel by phone",
        "claim" => "somebody claims its rights",
        "trademark" => "it infringes a trademark",
        "legal" => "there is a legal complaint",
        _ => "it gives no reason that is known here",
    };
    let message = format!(
        "YouTube has not tokens the video: {why} ({reason}). Take the post down, and publish another file."
    );
    NetworkError::unusable_media(message)
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
