//! Containers: one for each file of a carousel and one for each part. Nobody sees them, and what is
//! not published within a day is gone, so one may be made twice.
//!
//! Source: <https://developers.facebook.com/documentation/threads/posts> and
//! <https://developers.facebook.com/documentation/threads/troubleshooting>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use serde_json::{Map, Value};

use super::api::Api;
use super::errors::{Fault, failure};
use super::locate::{Found, Window, look};
use super::progress::{File, PartKind, Progress, Stage};
use super::publish::after;
use super::wire::{Container, ContainerStatus, Made, Tokens};
use crate::conversation::{
    Answer, Body, FileBody, FormWithLinks, Job, LinkedFile, Request, StoredProgress, Turn,
    TurnResult,
};

/// Containers of a part that may fail before it is given up.
pub(super) const FAILURES_MAX: u32 = 3;

/// How long until a container is made again after a failed one. Our decision.
const FAILURE_WAIT: TimeDelta = TimeDelta::seconds(30);

/// How long until a call is made again that names what the network does not know yet.
///
/// Source: practice; an answer to a post is refused for some seconds after it was published.
const REFUSAL_WAITS: [i64; 3] = [5, 15, 30];

/// How long the network's work on a container is waited for.
const TIMEOUT: TimeDelta = TimeDelta::hours(1);

/// How long until a container is looked at again after its eager time.
const WAIT: TimeDelta = TimeDelta::seconds(60);

/// How long until a published container's post is looked for again.
const LOOK_WAIT: TimeDelta = TimeDelta::seconds(30);

/// How long it is looked for before that is told.
const LOOK_TIMEOUT: TimeDelta = TimeDelta::minutes(5);

/// The next turn of making a container.
pub(super) fn create(
    api: &Api,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let is_carousel = progress.kind() == PartKind::Carousel;
    let is_missing = |file: &File| is_carousel && file.container.is_none();
    let Some(answer) = answers.first() else {
        let fields = match progress.next_files().find(|file| is_missing(file)) {
            Some(file) => child_form(job, file)?,
            None => part_form(job, &progress)?,
        };
        let url = api.at(&[&job.credentials.user_id, "threads"]);
        let body = match fields.links.is_empty() {
            true => Body::Form(fields.fields),
            false => Body::FormWithLinks(Box::new(fields)),
        };
        return Ok(Turn::Send(
            Request::act(url, body).bearer(job.credentials.access_token.expose_secret()),
        ));
    };
    if !answer.is_success() {
        return refused(answer, job, progress).map(Turn::Done);
    }
    let Made { id } = answer.json().ok_or_else(unreadable)?;
    progress.refusals = 0;
    let child = progress.next_files_mut().find(|file| is_missing(file));
    if let Some(file) = child {
        file.container = Some(id);
        if progress.next_files().any(is_missing) {
            return Ok(Turn::Done(Step::Next(progress)));
        }
        return Ok(wait_for(progress.at(Stage::Children { since: job.now }), job.now, job.now));
    }
    Ok(wait_for(progress.at(Stage::Processing { id, since: job.now }), job.now, job.now))
}

/// The next turn of looking how far the network is with the files of a carousel.
pub(super) fn children(
    api: &Api,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    since: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let unfinished = progress.next_files_mut().find(|file| !file.is_finished);
    let Some(file) = unfinished else {
        return Ok(Turn::Done(Step::Next(progress.at(Stage::Container))));
    };
    let id = file.container.clone().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(status(api, &job.credentials, &id)));
    };
    let container = match read(answer, job) {
        Ok(container) => container,
        Err(error) if is_unknown(answer) => return gone(progress, error),
        Err(error) => return Err(error),
    };
    match container.status {
        ContainerStatus::Finished | ContainerStatus::Published => {
            file.is_finished = true;
            Ok(Turn::Done(Step::Next(progress)))
        }
        ContainerStatus::InProgress => Ok(still_waits(progress, since, job.now)),
        ContainerStatus::Expired => Ok(Turn::Done(Step::Next(progress.renewed()))),
        ContainerStatus::Error => Ok(failed(progress, container.error_message, job.now)),
    }
}

/// The next turn of looking how far the network is with a part.
pub(super) fn poll(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Stage::Processing { id, since } = progress.stage.clone() else {
        return Err(Progress::unreadable());
    };
    let Some((answer, looked)) = answers.split_first() else {
        return Ok(Turn::Send(status(api, &job.credentials, &id)));
    };
    let container = match read(answer, job) {
        Ok(container) => container,
        Err(error) if is_unknown(answer) => return gone(progress, error),
        Err(error) => return Err(error),
    };
    Ok(match container.status {
        ContainerStatus::Finished => {
            let ready = Stage::Ready { id, since: job.now, looks: 0 };
            Turn::Done(Step::Next(progress.at(ready)))
        }
        ContainerStatus::InProgress => still_waits(progress, since, job.now),
        ContainerStatus::Expired => Turn::Done(Step::Next(progress.renewed())),
        ContainerStatus::Error => failed(progress, container.error_message, job.now),
        // A call of ours that was thought to have failed.
        ContainerStatus::Published => {
            let is_late = job.now - since > LOOK_TIMEOUT;
            let window = if is_late { Window::of_all(since, job) } else { Window::since(since) };
            match look(api, job, &progress, window, looked)? {
                Turn::Send(request) => Turn::Send(request),
                Turn::Done(Found::Post { id, permalink }) => {
                    Turn::Done(after(progress.published(id, permalink)))
                }
                Turn::Done(Found::Nothing) if is_late => return Err(not_found()),
                Turn::Done(Found::Nothing) => {
                    let until = job.now + LOOK_WAIT;
                    Turn::Done(Step::Wait { progress, until })
                }
            }
        }
    })
}

fn not_found() -> NetworkError {
    NetworkError::temporary(
        "Threads has published this post, but does not show it among the account's. Nothing is sent again. Look at the account.",
    )
}

/// The request for how far a container is.
pub(super) fn status(api: &Api, tokens: &Tokens, id: &str) -> Request {
    let url = api.query(&[id], &[("fields", "id,status,error_message")]);
    Request::read(url).bearer(tokens.access_token.expose_secret())
}

/// A container in an answer.
///
/// # Errors
/// [`NetworkError`] by kind.
pub(super) fn read(answer: &Answer, job: &PublishJob) -> Result<Container, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    answer.json().ok_or_else(unreadable)
}

/// True when the network does not know a container.
pub(super) fn is_unknown(answer: &Answer) -> bool {
    Fault::of(answer).is_some_and(|fault| fault.is_gone() || fault.is_too_early())
}

/// The step after a call that names what the network does not know yet; `None` when that was
/// waited for long enough.
pub(super) fn waits_for_it(mut progress: Progress, now: DateTime<Utc>) -> Option<Step<Progress>> {
    let wait = REFUSAL_WAITS.get(usize::try_from(progress.refusals).ok()?)?;
    let until = now + TimeDelta::seconds(*wait);
    progress.refusals += 1;
    Some(Step::Wait { progress, until })
}

/// What follows when the network does not know a container that it has made.
fn gone(progress: Progress, error: NetworkError) -> TurnResult<Step<Progress>> {
    match progress.failures < FAILURES_MAX {
        true => Ok(Turn::Done(Step::Next(progress.with_new_containers()))),
        false => Err(error),
    }
}

/// What follows when a container was not made.
fn refused(
    answer: &Answer,
    job: &PublishJob,
    progress: Progress,
) -> Result<Step<Progress>, NetworkError> {
    let error = failure(answer, false, Some(job.now));
    let Some(fault) = Fault::of(answer) else { return Err(error) };
    if fault.is_unfetched() {
        if progress.failures < FAILURES_MAX {
            let until = job.now + FAILURE_WAIT;
            return Ok(Step::Wait { progress: progress.with_new_containers(), until });
        }
        return Err(NetworkError::permanent(error.message));
    }
    if progress.parent().is_some() && fault.is_refused_reply() {
        return waits_for_it(progress, job.now).ok_or(error);
    }
    Err(error)
}

/// What follows when the network has failed at a container.
fn failed(progress: Progress, reason: Option<String>, now: DateTime<Utc>) -> Turn<Step<Progress>> {
    let reason = reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| "UNKNOWN".to_owned());
    let may_pass = matches!(reason.as_str(), "FAILED_DOWNLOADING_VIDEO" | "UNKNOWN");
    if may_pass && progress.failures < FAILURES_MAX {
        let until = now + FAILURE_WAIT;
        return Turn::Done(Step::Wait { progress: progress.with_new_containers(), until });
    }
    let reason: String =
        reason.chars().filter(|character| !character.is_control()).take(60).collect();
    Turn::Done(progress.failed(refusal(&reason)))
}

/// What the reason of a container's failure means for a person.
pub(super) fn refusal(reason: &str) -> NetworkError {
    let (sentence, code) = match reason {
        "FAILED_DOWNLOADING_VIDEO" => (
            "Threads could not fetch a file from this server; its public address must be reachable from the internet.",
            FailureCode::NetworkRefused,
        ),
        "INVALID_ASPEC_RATIO" | "INVALID_ASPECT_RATIO" => (
            "Threads refused the shape of a video; between 0.01:1 and 10:1 is allowed.",
            FailureCode::ValidationFailed,
        ),
        "INVALID_BIT_RATE" => (
            "Threads refused the bit rate of a video; 100 Mbit/s are allowed.",
            FailureCode::ValidationFailed,
        ),
        "INVALID_DURATION" => (
            "Threads refused the length of a video; 300 seconds are allowed.",
            FailureCode::ValidationFailed,
        ),
        "INVALID_FRAME_RATE" => (
            "Threads refused the frame rate of a video; 23 to 60 frames a second are allowed.",
            FailureCode::ValidationFailed,
        ),
        "INVALID_AUDIO_CHANNELS" | "INVALID_AUDIO_CHANNEL_LAYOUT" => (
            "Threads refused the sound of a video; one or two channels are allowed.",
            FailureCode::ValidationFailed,
        ),
        "UNKNOWN" => {
            ("Threads could not use what was sent; look at the files.", FailureCode::NetworkRefused)
        }
        _ => (
            "Threads could not process a file; save it as MP4 (H.264, AAC) or JPEG and use that.",
            FailureCode::ValidationFailed,
        ),
    };
    let message = format!("{sentence} Threads said: {reason}");
    NetworkError::permanent(message).with_code(code)
}

/// Waits until the network can be done with a container.
fn wait_for(progress: Progress, since: DateTime<Utc>, now: DateTime<Utc>) -> Turn<Step<Progress>> {
    let until = now + look_again(&progress, now - since);
    Turn::Done(Step::Wait { progress, until })
}

fn still_waits(
    progress: Progress,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Turn<Step<Progress>> {
    if now - since > TIMEOUT {
        return failed(progress, None, now);
    }
    wait_for(progress, since, now)
}

/// How long until a container is looked at again: text is finished at once, a picture within a
/// minute, a video takes longer.
fn look_again(progress: &Progress, age: TimeDelta) -> TimeDelta {
    let (eager, wait) = if progress.has_video() {
        (TimeDelta::minutes(5), TimeDelta::seconds(15))
    } else if progress.kind() == PartKind::Text {
        (TimeDelta::minutes(1), TimeDelta::seconds(1))
    } else {
        (TimeDelta::minutes(1), TimeDelta::seconds(5))
    };
    if age < eager { wait } else { WAIT }
}

/// The form of a part's container.
fn part_form(job: &PublishJob, progress: &Progress) -> Result<FormWithLinks, NetworkError> {
    let kind = progress.kind();
    let mut form = match (kind, progress.next_files().next()) {
        (PartKind::Image | PartKind::Video, Some(file)) => file_form(job, file)?,
        _ => {
            let media_type = if kind == PartKind::Carousel { "CAROUSEL" } else { "TEXT" };
            let fields = vec![("media_type", media_type.to_owned())];
            FormWithLinks { fields, links: Vec::new() }
        }
    };
    let mut add = |name, value| form.fields.push((name, value));
    if kind == PartKind::Carousel {
        let ids = progress.next_files().filter_map(|file| file.container.as_deref());
        add("children", ids.collect::<Vec<_>>().join(","));
    }
    if let Some(text) = progress.text().filter(|text| !text.is_empty()) {
        add("text", text.to_owned());
    }
    if let Some(link) = progress.link() {
        add("link_attachment", link.to_owned());
    }
    if let Some(options) = progress.poll() {
        add("poll_attachment", poll_attachment(options));
    }
    if let Some(parent) = progress.parent() {
        add("reply_to_id", parent.to_owned());
    }
    form.fields.extend(progress.extras());
    Ok(form)
}

/// The form of a carousel's child.
fn child_form(job: &PublishJob, file: &File) -> Result<FormWithLinks, NetworkError> {
    let mut form = file_form(job, file)?;
    form.fields.push(("is_carousel_item", "true".to_owned()));
    Ok(form)
}

/// The fields of a file, which the network fetches.
fn file_form(job: &PublishJob, file: &File) -> Result<FormWithLinks, NetworkError> {
    let stored = job.file(file.file)?;
    let (media_type, name) =
        if file.is_video { ("VIDEO", "video_url") } else { ("IMAGE", "image_url") };
    let mut fields = vec![("media_type", media_type.to_owned())];
    fields.extend(file.alt_text.clone().map(|text| ("alt_text", text)));
    let link = LinkedFile::new(FileBody::of(stored), job.now);
    Ok(FormWithLinks { fields, links: vec![(name, link)] })
}

/// The choices of a poll, as JSON in the form.
fn poll_attachment(options: &[String]) -> String {
    let names = ["option_a", "option_b", "option_c", "option_d"].into_iter();
    let pairs = names.zip(options);
    let pairs = pairs.map(|(name, option)| (name.to_owned(), Value::String(option.clone())));
    Value::Object(pairs.collect::<Map<_, _>>()).to_string()
}

fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of Threads cannot be read.")
}
