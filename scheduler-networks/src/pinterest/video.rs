//! A video before its Pin: it is given a place, sent there, and waited for.
//!
//! Source: <https://github.com/pinterest/api-description>, `/media`, and
//! <https://github.com/pinterest/api-quickstart>, `python/src/pin.py`.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use super::api::Api;
use super::errors::{failure, has_place_ended, is_gone, unreadable, upload_failure};
use super::progress::{Compare, Progress, Stage, Video};
use super::wire::{MediaStatus, RegisteredMedia};
use crate::conversation::{Answer, Body, FileBody, FormPart, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::poll_schedule::PollSchedule;
use crate::redacted::Redacted;

/// Places that may end before the video is there, until that is told. Our decision.
const PLACES_MAX: u32 = 3;

/// How old a place is once it is asked first whether the video is there already: a call that sent
/// it may have been lost. Our decision.
const PROBE_AGE: TimeDelta = TimeDelta::seconds(5);

/// How old a place is once another is asked for instead of sending a video there. Our decision; the
/// life of a place is documented nowhere.
const PLACE_LIFE: TimeDelta = TimeDelta::hours(1);

/// When the network is asked for a video.
const POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(5),
    eager_wait: TimeDelta::seconds(10),
    eager: TimeDelta::minutes(2),
    then: TimeDelta::seconds(20),
    give_up_after: TimeDelta::minutes(10),
};

/// A place for a video, whose bytes are still to be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Upload {
    pub(super) media_id: String,
    url: Redacted<String>,
    parameters: Redacted<BTreeMap<String, String>>,
    registered_at: DateTime<Utc>,
}

/// The next turn of giving a video a place.
pub(super) fn register(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(api.act(
            &job.credentials,
            &["media"],
            json!({ "media_type": "video" }),
        )));
    };
    let media: RegisteredMedia =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    let stage = Stage::Upload(Upload {
        media_id: media.media_id,
        url: media.upload_url,
        parameters: media.upload_parameters,
        registered_at: job.now,
    });
    Ok(Turn::Done(Step::Next(progress.at(stage))))
}

/// The next turn of sending a video to its place.
pub(super) fn upload(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    upload: &Upload,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let mut answers = answers.iter();
    let processing = || {
        let stage = Stage::Processing(Video { media_id: upload.media_id.clone(), since: job.now });
        let progress = progress.at(stage);
        Turn::Done(Step::Wait { progress, until: job.now + POLLS.first })
    };
    let age = job.now - upload.registered_at;
    if age > PROBE_AGE {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(status(api, &job.credentials, &upload.media_id)));
        };
        if is_gone(answer) {
            return another_place(progress, gone()).map(Turn::Done);
        }
        let MediaStatus { status } =
            answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
        if matches!(status.as_str(), "processing" | "succeeded") {
            return Ok(processing());
        }
    }
    if age > PLACE_LIFE {
        return Ok(Turn::Done(Step::Next(progress.at(Stage::Register))));
    }
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(form(job, progress, upload)?));
    };
    if answer.is_success() {
        return Ok(processing());
    }
    let error = upload_failure(answer);
    match has_place_ended(answer) {
        true => another_place(progress, error).map(Turn::Done),
        false => Err(error),
    }
}

/// The next turn of waiting for a video.
pub(super) fn poll(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    video: &Video,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(status(api, &job.credentials, &video.media_id)));
    };
    if is_gone(answer) {
        return another_place(progress, gone()).map(Turn::Done);
    }
    let MediaStatus { status } =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    match status.as_str() {
        "succeeded" => {
            let stage = Stage::Compare(Compare {
                media_id: Some(video.media_id.clone()),
                ..Compare::default()
            });
            Ok(Turn::Done(Step::Next(progress.at(stage))))
        }
        "failed" => Ok(Turn::Done(failed(progress))),
        _ => match POLLS.wait(job.now - video.since) {
            Some(wait) => {
                Ok(Turn::Done(Step::Wait { progress: progress.clone(), until: job.now + wait }))
            }
            None => Err(NetworkError::temporary(
                "Pinterest has not finished with the video after 10 minutes.",
            )),
        },
    }
}

/// The end of an attempt whose video the network could not process. A person's retry sends it anew.
fn failed(progress: &Progress) -> Step<Progress> {
    let message =
        "Pinterest could not process the video. Save it as MP4 (H.264, AAC) and use that.";
    let error = NetworkError::permanent(message).with_code(FailureCode::ValidationFailed);
    Step::Failed { progress: progress.at(Stage::Register), error }
}

/// The request for how far a video is.
fn status(api: &Api, tokens: &Tokens, media_id: &str) -> Request {
    api.read(tokens, &["media", media_id], &[])
}

/// The form of the place: all that opens it, then the file. It knows no access token.
fn form(job: &PublishJob, progress: &Progress, upload: &Upload) -> Result<Request, NetworkError> {
    let url = Url::parse(&upload.url.0).map_err(|_| unreadable())?;
    let parameters = upload.parameters.0.iter();
    let mut parts: Vec<FormPart> =
        parameters.map(|(name, value)| FormPart::text(name, value)).collect();
    let file = FileBody::of(progress.file(job, 0)?);
    parts.push(FormPart::file("file", "video", file));
    Ok(Request::act(url, Body::Multipart(parts)))
}

/// The step after a place that has ended.
///
/// # Errors
/// `error`, when that happened too often.
fn another_place(progress: &Progress, error: NetworkError) -> Result<Step<Progress>, NetworkError> {
    let mut progress = progress.at(Stage::Register);
    progress.refusals.places += 1;
    if progress.refusals.places > PLACES_MAX {
        return Err(error);
    }
    Ok(Step::Next(progress))
}

fn gone() -> NetworkError {
    let message = "Pinterest loses the video of this post again and again.";
    NetworkError::temporary(message)
}

#[cfg(test)]
#[path = "video_tests.rs"]
mod tests;
