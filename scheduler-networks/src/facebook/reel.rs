//! Sending a reel or the video of a story: all of it at once, or what the network is still missing
//! of it.
//!
//! Source: <https://developers.facebook.com/documentation/video-api/guides/reels-publishing> and
//! <https://developers.facebook.com/docs/page-stories-api>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob, Step};
use secrecy::ExposeSecret;
use serde_json::Value;

use super::caller::{Caller, refused};
use super::errors::{Meaning, meaning_of, undone, unreadable};
use super::film::{again, ask};
use super::hosts::Host;
use super::progress::{Film, Progress, Sending, Stage, Upload};
use super::upload::size;
use super::wire::{AnnouncedReel, Done, Video};
use crate::conversation::{Answer, Body, FileBody, Request, StoredProgress, Turn, TurnResult};

/// How often the network is asked whether it has all bytes, and for how long. Our decision.
const WAIT: TimeDelta = TimeDelta::seconds(5);
const TIMEOUT: TimeDelta = TimeDelta::minutes(10);

/// Below which edge of the Page it is announced and finished.
pub(super) const fn edge(progress: &Progress) -> &'static str {
    if progress.is_story { "video_stories" } else { "video_reels" }
}

/// The next turn of announcing the video.
pub(super) fn announce(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let url = caller.graph(&[&progress.page, edge(&progress)])?;
        let body = Body::Form(vec![("upload_phase", "start".to_owned())]);
        return Ok(Turn::Send(caller.authorized(Request::act(url, body))));
    };
    let AnnouncedReel { video_id } =
        answer.taken(|| refused(answer, false, job), || unreadable(false))?;
    let upload = Upload { video: video_id, state: Sending::AtOnce { sent_at: None } };
    Ok(Turn::Done(Step::Next(progress.uploads(upload))))
}

/// The next turn of sending what the network does not have: it is asked first, since an earlier
/// call may have brought some of it.
pub(super) fn send(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    film: &Film,
    sent_at: Option<DateTime<Utc>>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let video = progress.video().ok_or_else(Progress::unreadable)?.to_owned();
    let Some((state, sent)) = answers.split_first() else {
        return Ok(Turn::Send(ask(caller, &video)?));
    };
    let found: Video = if state.is_success() {
        state.json().ok_or_else(|| unreadable(false))?
    } else if meaning_of(state) == Meaning::Missing {
        Video::default()
    } else {
        return Err(refused(state, false, job));
    };
    if found.status.is_uploaded() {
        let stage = Stage::Finish { is_repeat: false };
        return Ok(Turn::Done(Step::Next(progress.at(stage))));
    }
    if found.status.failed().is_some() {
        let error = undone("take the bytes of the video");
        return Ok(again(progress, error, job.now));
    }
    let size = size(job, film)?;
    let offset = found.status.uploading_phase.bytes().min(size);
    let waits = |progress: Progress, since: DateTime<Utc>| {
        let state = Sending::AtOnce { sent_at: Some(since) };
        let progress = progress.uploads(Upload { video: video.clone(), state });
        Ok(Turn::Done(Step::Wait { progress, until: job.now + WAIT }))
    };
    if let Some(since) = sent_at.or_else(|| (offset == size).then_some(job.now)) {
        let is_lost = job.now - since > TIMEOUT;
        let error = || {
            let message = "Facebook does not say that it has the video, although it took it.";
            NetworkError::temporary(message)
        };
        return if is_lost {
            Ok(again(progress, error(), job.now))
        } else {
            waits(progress, since)
        };
    }
    let Some(answer) = sent.first() else {
        return Ok(Turn::Send(request(caller, job, film, &video, offset, size)?));
    };
    if answer.is_success() {
        let Done { success } = answer.json().ok_or_else(|| unreadable(false))?;
        return if success {
            let state = Sending::AtOnce { sent_at: Some(job.now) };
            let progress = progress.uploads(Upload { video: video.clone(), state });
            Ok(Turn::Done(Step::Next(progress)))
        } else {
            Err(undone("take the bytes of the video"))
        };
    }
    let error = refused(answer, false, job);
    // What of it is there is asked for before the next attempt.
    if is_retriable(answer) {
        return Err(error);
    }
    match meaning_of(answer) {
        Meaning::NewUpload | Meaning::WrongOffset | Meaning::Missing | Meaning::Unknown => {
            Ok(again(progress, error, job.now))
        }
        Meaning::Theirs
        | Meaning::Later
        | Meaning::Limited
        | Meaning::Blocked
        | Meaning::Reconnect
        | Meaning::Duplicate
        | Meaning::AlreadyPosted
        | Meaning::NoPreview
        | Meaning::NotFetched
        | Meaning::Content
        | Meaning::Restricted
        | Meaning::Refused => Err(error),
    }
}

/// Whether the servers for bytes say that the rest may be sent again.
fn is_retriable(answer: &Answer) -> bool {
    let body: Option<Value> = answer.json();
    let said = body.as_ref().and_then(|body| body.pointer("/debug_info/retriable"));
    said.and_then(Value::as_bool) == Some(true)
}

fn request(
    caller: &Caller<'_>,
    job: &PublishJob,
    film: &Film,
    video: &str,
    offset: u64,
    size: u64,
) -> Result<Request, NetworkError> {
    let host = caller.hosts.host(Host::Upload)?;
    let url = host.at(["video-upload", caller.hosts.version(), video]);
    let file = FileBody::of(job.file(film.file)?);
    let file = if offset == 0 { file } else { file.bytes(offset..size) };
    let token = format!("OAuth {}", caller.tokens.access_token.expose_secret());
    Ok(Request::act(url, Body::File(file))
        .secret_header("authorization", token)
        .header("offset", offset.to_string())
        .header("file_size", size.to_string()))
}
