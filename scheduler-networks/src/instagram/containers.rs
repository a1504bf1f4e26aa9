//! Containers: what is made, filled and waited for before anything is published.
//!
//! Nobody sees a container, so each may be made twice; what is not published ends by itself after
//! 24 hours.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/content-publishing>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::UserTag;
use scheduler_core::platform::instagram::IMAGE_RECIPE;
use scheduler_core::ports::{JobFile, Live, NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::caller::{Caller, refused};
use super::errors::{Described, Meaning, described_failure, unreadable};
use super::hosts::Host;
use super::progress::{
    Container, FETCHES_MAX, File, Form, Place, Progress, REPEATS_MAX, Stage, State,
};
use super::wire::{ContainerStatus, Created, Done, StatusCode, Way};
use crate::conversation::{
    Answer, Body, FileBody, FormWithLinks, LinkedFile, Request, StoredProgress, Turn, TurnResult,
};

/// How long the network is waited for before that is a failure.
const TIMEOUT: TimeDelta = TimeDelta::minutes(60);

/// The next turn of a step that brings the containers further.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(place) = progress.next() else {
        return Ok(Turn::Done(Step::Next(progress.publishes(job.now))));
    };
    let container = progress.container(place).ok_or_else(Progress::unreadable)?;
    if container.repeats > REPEATS_MAX {
        return Err(spoiled("It has not said why."));
    }
    let state = container.state.clone();
    let Some(answer) = answers.first() else {
        let request = match &state {
            State::Missing => make(caller, job, &progress, place)?,
            State::Empty { id, .. } => fill(caller, job, &progress, place, id)?,
            State::Processing { id, .. } => ask(caller, id)?,
            State::Finished { .. } => return Err(Progress::unreadable()),
        };
        return Ok(Turn::Send(request));
    };
    match state {
        State::Missing => made(caller, job, progress, place, answer),
        State::Empty { id, made_at } => filled(job, progress, place, answer, &id, made_at),
        State::Processing { id, made_at, since } => {
            asked(job, progress, place, answer, State::Finished { id, made_at }, since)
        }
        State::Finished { .. } => Err(Progress::unreadable()),
    }
}

/// The request that makes a container.
fn make(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    place: Place,
) -> Result<Request, NetworkError> {
    let url = caller.graph(&[&caller.tokens.user_id, "media"])?;
    let mut fields: Vec<(&'static str, String)> = Vec::new();
    let mut links = Vec::new();
    match place {
        Place::Parent => {
            let children = progress.files.iter().filter_map(|file| file.container.finished());
            fields.push(("media_type", "CAROUSEL".to_owned()));
            fields.push(("children", children.collect::<Vec<_>>().join(",")));
        }
        Place::File(at) => {
            let file = progress.files.get(at).ok_or_else(Progress::unreadable)?;
            let stored = job.file(file.file)?;
            let media_type = match (progress.form, file.is_video) {
                (Form::Story, _) => Some("STORIES"),
                (Form::Carousel, true) => Some("VIDEO"),
                (Form::Reel, _) => Some("REELS"),
                (Form::Picture, _) | (Form::Carousel, false) => None,
            };
            fields.extend(media_type.map(|name| ("media_type", name.to_owned())));
            if progress.form == Form::Carousel {
                fields.push(("is_carousel_item", "true".to_owned()));
            }
            if progress.form == Form::Reel {
                fields.push(("share_to_feed", progress.share_to_feed.to_string()));
            }
            fields.extend(file.alt_text.clone().map(|text| ("alt_text", text)));
            fields.extend(user_tags(&stored.details.user_tags, file.is_video));
            let cover =
                job.thumbnail.as_ref().filter(|file| Some(file.id) == progress.extras.cover);
            links.extend(cover.map(|file| {
                let image = FileBody::of(file).made_by(&IMAGE_RECIPE);
                ("cover_url", LinkedFile::new(image, job.now))
            }));
            if sends_bytes(caller, file, stored) {
                fields.push(("upload_type", "resumable".to_owned()));
            } else if file.is_video {
                links.push(("video_url", LinkedFile::new(FileBody::of(stored), job.now)));
            } else {
                let image = FileBody::of(stored).made_by(&IMAGE_RECIPE);
                links.push(("image_url", LinkedFile::new(image, job.now)));
            }
        }
    }
    let is_child = progress.form == Form::Carousel && place != Place::Parent;
    if !is_child && !progress.caption.is_empty() {
        fields.push(("caption", progress.caption.clone()));
    }
    if !is_child && !progress.collaborators.is_empty() {
        fields.push(("collaborators", json!(progress.collaborators).to_string()));
    }
    if !is_child {
        fields.extend(progress.extras.fields());
    }
    let body = if links.is_empty() {
        Body::Form(fields)
    } else {
        Body::FormWithLinks(Box::new(FormWithLinks { fields, links }))
    };
    Ok(caller.authorized(Request::act(url, body)))
}

/// Who is seen in a file. In a video nobody has a place.
fn user_tags(tags: &[UserTag], is_video: bool) -> Option<(&'static str, String)> {
    let tag = |tag: &UserTag| {
        let mut fields = json!({ "username": tag.username.trim_start_matches('@') });
        if let (Some(x), Some(y), false) = (tag.x, tag.y, is_video) {
            fields["x"] = x.into();
            fields["y"] = y.into();
        }
        fields
    };
    let tags: Vec<Value> = tags.iter().map(tag).collect();
    (!tags.is_empty()).then(|| ("user_tags", Value::from(tags).to_string()))
}

/// Whether the bytes of a file are sent, which needs no public address; else the network fetches
/// them.
fn sends_bytes(caller: &Caller<'_>, file: &File, stored: &JobFile) -> bool {
    file.is_video && caller.tokens.way == Way::ViaPage && stored.facts.size_bytes.is_some()
}

fn made(
    caller: &Caller<'_>,
    job: &PublishJob,
    mut progress: Progress,
    place: Place,
    answer: &Answer,
) -> TurnResult<Step<Progress>> {
    if !answer.is_success() {
        let described = Described::read(answer);
        let is_child_gone = place == Place::Parent
            && matches!(
                described.meaning(),
                Meaning::NewContainer | Meaning::NotFound | Meaning::NotFoundYet
            );
        if is_child_gone && progress.parent.repeats < REPEATS_MAX {
            progress.parent.repeats += 1;
            return Ok(Turn::Done(Step::Next(progress.files_again())));
        }
        let container = progress.container(place).ok_or_else(Progress::unreadable)?;
        if described.meaning() == Meaning::NotFetched {
            return unfetched(container, &described).map(|wait| waits(progress, job.now + wait));
        }
        return Err(refused(answer, false, job));
    }
    let Created { id } = answer.json().ok_or_else(|| unreadable(false))?;
    let is_empty = match place {
        Place::Parent => false,
        Place::File(at) => {
            let file = progress.files.get(at).ok_or_else(Progress::unreadable)?;
            sends_bytes(caller, file, job.file(file.file)?)
        }
    };
    let is_video = is_video(&progress, place);
    let container = progress.container(place).ok_or_else(Progress::unreadable)?;
    let made_at = job.now;
    if is_empty {
        container.state = State::Empty { id, made_at };
        return Ok(Turn::Done(Step::Next(progress)));
    }
    container.state = State::Processing { id, made_at, since: job.now };
    Ok(Turn::Done(next_step(progress, place, is_video, job.now)))
}

/// The request that brings the bytes of a video.
fn fill(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    place: Place,
    id: &str,
) -> Result<Request, NetworkError> {
    let Place::File(at) = place else { return Err(Progress::unreadable()) };
    let file = progress.files.get(at).ok_or_else(Progress::unreadable)?;
    let stored = job.file(file.file)?;
    let size = stored.facts.size_bytes.unwrap_or_default();
    let host = caller.hosts.host(Host::Upload)?;
    let url = host.at(["ig-api-upload", caller.hosts.version(), id]);
    let token = format!("OAuth {}", caller.tokens.access_token.expose_secret());
    Ok(Request::act(url, Body::File(FileBody::of(stored)))
        .secret_header("authorization", token)
        .header("offset", "0".to_owned())
        .header("file_size", size.to_string()))
}

fn filled(
    job: &PublishJob,
    mut progress: Progress,
    place: Place,
    answer: &Answer,
    id: &str,
    made_at: DateTime<Utc>,
) -> TurnResult<Step<Progress>> {
    let container = progress.container(place).ok_or_else(Progress::unreadable)?;
    if !answer.is_success() {
        let error = refused(answer, false, job);
        // What has come of it by then is not known, and a container costs nothing.
        let is_spoiled = matches!(
            Described::read(answer).meaning(),
            Meaning::NewContainer | Meaning::NotFound | Meaning::Unknown | Meaning::Missing
        );
        if !is_spoiled || container.repeats >= REPEATS_MAX {
            return Err(error);
        }
        container.again();
        return Ok(Turn::Done(Step::Next(progress)));
    }
    let Done { success } = answer.json().ok_or_else(|| unreadable(false))?;
    if !success {
        let message = "Instagram did not take the bytes of the video.";
        return Err(NetworkError::temporary(message));
    }
    container.state = State::Processing { id: id.to_owned(), made_at, since: job.now };
    Ok(Turn::Done(next_step(progress, place, true, job.now)))
}

/// The request that asks how far a container is.
pub(super) fn ask(caller: &Caller<'_>, id: &str) -> Result<Request, NetworkError> {
    let url = caller.graph_query(&[id], &[("fields", "status_code,status")])?;
    Ok(caller.authorized(Request::read(url)))
}

fn asked(
    job: &PublishJob,
    mut progress: Progress,
    place: Place,
    answer: &Answer,
    finished: State,
    since: DateTime<Utc>,
) -> TurnResult<Step<Progress>> {
    let is_video = is_video(&progress, place);
    let is_last = place == Place::Parent || progress.form != Form::Carousel;
    let container = progress.container(place).ok_or_else(Progress::unreadable)?;
    if !answer.is_success() {
        let meaning = Described::read(answer).meaning();
        let is_gone = matches!(
            meaning,
            Meaning::NotFound | Meaning::NotFoundYet | Meaning::Missing | Meaning::NewContainer
        );
        if !is_gone || container.repeats >= REPEATS_MAX {
            return Err(refused(answer, false, job));
        }
        container.again();
        return Ok(Turn::Done(Step::Next(progress)));
    }
    let ContainerStatus { status_code, status } = answer.json().ok_or_else(|| unreadable(false))?;
    match status_code {
        StatusCode::InProgress => {
            let age = job.now - since;
            if age > TIMEOUT {
                let message = "Instagram has not finished with a file after an hour.";
                return Err(NetworkError::temporary(message));
            }
            let until = job.now + poll_wait(age, is_video);
            Ok(Turn::Done(Step::Wait { progress, until }))
        }
        // By a call that was refused all the same.
        StatusCode::Published if is_last => {
            let stage = Stage::Search { not_sent_before: since, tries: 0 };
            container.state = finished;
            let then = Some(progress.at(stage));
            Ok(Turn::Done(Step::Live(Live { remote: None, then })))
        }
        StatusCode::Finished | StatusCode::Published => {
            container.state = finished;
            let progress = match progress.next() {
                Some(_) => progress,
                None => progress.publishes(job.now),
            };
            Ok(Turn::Done(Step::Next(progress)))
        }
        StatusCode::Expired => {
            if container.repeats >= REPEATS_MAX {
                return Err(spoiled("It has expired."));
            }
            container.again();
            Ok(Turn::Done(Step::Next(progress)))
        }
        StatusCode::Error => failed(progress, place, &status, job.now),
    }
}

/// What becomes of a container that could not be processed.
fn failed(
    mut progress: Progress,
    place: Place,
    status: &str,
    now: DateTime<Utc>,
) -> TurnResult<Step<Progress>> {
    let described = Described::of_status(status);
    let container = progress.container(place).ok_or_else(Progress::unreadable)?;
    match described.meaning() {
        Meaning::Content | Meaning::Refused | Meaning::Reconnect => {
            Err(described_failure(&described, false, None))
        }
        Meaning::NotFetched => {
            let wait = unfetched(container, &described)?;
            container.state = State::Missing;
            Ok(waits(progress, now + wait))
        }
        _ if container.repeats >= REPEATS_MAX => Err(spoiled(&described.said())),
        Meaning::Later
        | Meaning::NewContainer
        | Meaning::NotReady
        | Meaning::NotFoundYet
        | Meaning::NotFound
        | Meaning::Theirs
        | Meaning::DayLimit
        | Meaning::Limited
        | Meaning::Spam
        | Meaning::Missing
        | Meaning::Unknown => {
            container.again();
            Ok(Turn::Done(Step::Next(progress)))
        }
    }
}

/// How long until a file that could not be fetched is offered again.
///
/// # Errors
/// It was offered often enough.
fn unfetched(container: &mut Container, described: &Described) -> Result<TimeDelta, NetworkError> {
    container.unfetched += 1;
    if container.unfetched >= FETCHES_MAX {
        let error = described_failure(described, false, None);
        return Err(NetworkError::permanent(error.message).with_code(FailureCode::NetworkRefused));
    }
    Ok(TimeDelta::minutes(i64::from(container.unfetched)))
}

fn waits(progress: Progress, until: DateTime<Utc>) -> Turn<Step<Progress>> {
    Turn::Done(Step::Wait { progress, until })
}

/// What follows a container that is there: the next one, or a wait for this one.
fn next_step(
    progress: Progress,
    place: Place,
    is_video: bool,
    now: DateTime<Utc>,
) -> Step<Progress> {
    let is_next_open = match progress.next() {
        Some(Place::File(at)) => progress.files.get(at).is_some_and(|file| {
            matches!(file.container.state, State::Missing | State::Empty { .. })
        }),
        Some(Place::Parent) | None => false,
    };
    if is_next_open && place != Place::Parent {
        return Step::Next(progress);
    }
    Step::Wait { progress, until: now + poll_wait(TimeDelta::zero(), is_video) }
}

/// How long until a container is asked for again.
///
/// Source: `content-publishing` advises once a minute for five minutes; the closer steps before
/// that are our decision.
fn poll_wait(age: TimeDelta, is_video: bool) -> TimeDelta {
    let first = TimeDelta::seconds(2);
    match (is_video, age) {
        (false, age) if age < first => first,
        (false, age) if age < TimeDelta::minutes(1) => TimeDelta::seconds(5),
        (true, age) if age < TimeDelta::minutes(5) => TimeDelta::seconds(15),
        (false | true, _) => TimeDelta::minutes(1),
    }
}

fn is_video(progress: &Progress, place: Place) -> bool {
    match place {
        Place::File(at) => progress.files.get(at).is_some_and(|file| file.is_video),
        Place::Parent => false,
    }
}

/// The failure for what the network has spoiled again and again.
fn spoiled(said: &str) -> NetworkError {
    let message = format!(
        "Instagram could not process the files of this post, although they were given to it several times. It says: {said}"
    );
    NetworkError::permanent(message)
}

#[cfg(test)]
#[path = "containers_tests.rs"]
mod tests;
