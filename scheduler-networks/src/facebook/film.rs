//! Videos and reels: uploaded, finished by one call, and then waited for until they are shown.
//!
//! Nothing of a video can be seen before it is finished, and one video makes one post: that is
//! what keeps it from going out twice.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/videos/>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::FailureCode;

use super::caller::{Caller, refused};
use super::errors::{
    Meaning, failure, is_passing, meaning_of, processing_failure, undone, unreadable,
};
use super::extras::Extras;
use super::hosts::Host;
use super::progress::{Film, Progress, Sending, Stage};
use super::wire::{Video, optional_text};
use super::{reel, upload};
use crate::conversation::{Answer, Body, Request, StoredProgress, Turn, TurnResult};
use crate::poll_schedule::PollSchedule;

/// When a video is asked for after it was finished.
const POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(5),
    eager_wait: TimeDelta::seconds(10),
    eager: TimeDelta::minutes(5),
    then: TimeDelta::seconds(60),
    give_up_after: TimeDelta::hours(1),
};

/// What is asked of a video.
const FIELDS: &str = "status,published,permalink_url,post_id";

/// How long until a spoiled upload begins anew. Our decision.
const AGAIN_WAIT: TimeDelta = TimeDelta::seconds(30);

/// The next turn of bringing the upload further.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    progress.check(job)?;
    let film = progress.film.clone().ok_or_else(Progress::unreadable)?;
    match &film.upload {
        None if film.is_reel || progress.is_story => reel::announce(caller, job, progress, answers),
        None => upload::announce(caller, job, progress, &film, answers),
        Some(current) => match &current.state {
            Sending::Pieces { session, start, end } => {
                let (session, piece) = (session.clone(), *start..*end);
                upload::send(caller, job, progress, &film, &session, piece, answers)
            }
            Sending::AtOnce { sent_at } => {
                reel::send(caller, job, progress, &film, *sent_at, answers)
            }
        },
    }
}

/// The step to an upload that begins anew, after a while; when that was often enough, the attempt
/// has failed.
pub(super) fn again(
    progress: Progress,
    error: NetworkError,
    now: DateTime<Utc>,
) -> Turn<Step<Progress>> {
    Turn::Done(match progress.clone().uploads_again() {
        Some(again) => Step::Wait { progress: again, until: now + AGAIN_WAIT },
        None => {
            let error = NetworkError::temporary(error.message);
            progress.failed(error.with_code(FailureCode::NetworkError))
        }
    })
}

/// Asks how far the network is with a video.
pub(super) fn ask(caller: &Caller<'_>, video: &str) -> Result<Request, NetworkError> {
    let url = caller.hosts.call(Host::Graph, &[video], &[("fields", FIELDS)])?;
    Ok(caller.authorized(Request::read(url)))
}

/// The next turn of publishing the video.
pub(super) fn finish(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    is_repeat: bool,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let film = progress.film.clone().ok_or_else(Progress::unreadable)?;
    let video = progress.video().ok_or_else(Progress::unreadable)?.to_owned();
    let Some((answer, looked)) = answers.split_first() else {
        return Ok(Turn::Send(request(caller, &progress, &film)?));
    };
    if answer.is_success() {
        #[derive(serde::Deserialize)]
        struct Finished {
            success: bool,
            #[serde(default, deserialize_with = "optional_text")]
            post_id: Option<String>,
        }
        let Finished { success, post_id } = answer.json().ok_or_else(|| unreadable(true))?;
        if !success {
            let error = undone("publish the video");
            return Err(NetworkError { kind: NetworkErrorKind::Unsettled, ..error });
        }
        let stage = Stage::Processing { since: job.now, post: post_id };
        let progress = progress.at(stage);
        return Ok(Turn::Done(Step::Wait { progress, until: job.now + POLLS.first }));
    }
    let error = refused(answer, true, job);
    let unsettled = || NetworkError { kind: NetworkErrorKind::Unsettled, ..error.clone() };
    let is_spoiled = match meaning_of(answer) {
        Meaning::Theirs | Meaning::Limited | Meaning::Blocked | Meaning::Reconnect => {
            return Err(error);
        }
        Meaning::NewUpload | Meaning::WrongOffset | Meaning::Missing => true,
        Meaning::Later
        | Meaning::Duplicate
        | Meaning::AlreadyPosted
        | Meaning::NoPreview
        | Meaning::NotFetched
        | Meaning::Content
        | Meaning::Restricted
        | Meaning::Refused
        | Meaning::Unknown => false,
    };
    // A repeat of what was done is refused too.
    let Some(answer) = looked.first() else {
        return Ok(Turn::Send(ask(caller, &video)?));
    };
    let found: Option<Video> = answer.is_success().then(|| answer.json()).flatten();
    let is_gone = !answer.is_success() && meaning_of(answer) == Meaning::Missing;
    match found {
        Some(found) if found.is_finished() => {
            let stage = Stage::Processing { since: job.now, post: found.post_id };
            Ok(Turn::Done(Step::Next(progress.at(stage))))
        }
        None if !is_gone => Err(unsettled()),
        // An earlier call may still do its work.
        Some(_) | None if is_repeat => Err(unsettled()),
        Some(_) | None if is_spoiled => Ok(again(progress, error, job.now)),
        Some(_) | None => Err(error),
    }
}

fn request(caller: &Caller<'_>, progress: &Progress, film: &Film) -> Result<Request, NetworkError> {
    let upload = film.upload.as_ref().ok_or_else(Progress::unreadable)?;
    let mut fields = vec![("upload_phase", "finish".to_owned())];
    let url = match &upload.state {
        Sending::Pieces { session, .. } => {
            fields.push(("upload_session_id", session.clone()));
            fields.push(("published", "true".to_owned()));
            caller.hosts.call(Host::GraphVideo, &[&progress.page, "videos"], &[])?
        }
        Sending::AtOnce { .. } => {
            fields.push(("video_id", upload.video.clone()));
            if !progress.is_story {
                fields.push(("video_state", "PUBLISHED".to_owned()));
            }
            caller.graph(&[&progress.page, reel::edge(progress)])?
        }
    };
    if !progress.message.is_empty() {
        fields.push(("description", progress.message.clone()));
    }
    let Extras { title, place, is_ai_generated, targeting, .. } = &progress.extras;
    fields.extend(title.clone().map(|title| ("title", title)));
    fields.extend(place.clone().map(|place| ("place", place)));
    fields.extend(targeting.as_ref().map(|targeting| ("targeting", targeting.to_string())));
    fields.extend(is_ai_generated.then(|| ("is_ai_generated", "true".to_owned())));
    Ok(caller.authorized(Request::act(url, Body::Form(fields)).visible()))
}

/// The next turn of a look whether the video was finished.
pub(super) fn locate(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let video = progress.video().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(ask(caller, video)?));
    };
    let found: Video = if answer.is_success() {
        answer.json().ok_or_else(|| unreadable(false))?
    } else if meaning_of(answer) == Meaning::Missing {
        Video::default()
    } else {
        return Err(failure(answer, false, Some(job.now)));
    };
    if found.is_finished() {
        let stage = Stage::Processing { since: job.now, post: found.post_id };
        return Ok(Turn::Done(Located::Continue(progress.at(stage))));
    }
    // The same video cannot be published as two posts.
    let stage = Stage::Finish { is_repeat: true };
    Ok(Turn::Done(Located::Repeat(progress.at(stage))))
}

/// The next turn of waiting until the video is shown.
pub(super) fn wait(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    since: DateTime<Utc>,
    post: Option<&str>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let video = progress.video().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(ask(caller, video)?));
    };
    let found: Video = answer.taken(|| refused(answer, false, job), || unreadable(false))?;
    if let Some(error) = found.status.failed() {
        let is_spent =
            matches!(found.status.video_status.as_deref(), Some("expired" | "upload_failed"));
        // Of one that was about to be shown nobody knows that it never will be.
        let is_passing = is_passing(error) && !found.status.has_failed_to_publish();
        let error = processing_failure(error);
        return Ok(if is_spent || is_passing {
            again(progress, error, job.now)
        } else {
            Turn::Done(progress.failed(error))
        });
    }
    if found.is_live() {
        let post = found.post_id.as_deref().or(post);
        // That of a story leads to the video alone.
        let link = found.permalink_url.as_deref().filter(|_| !progress.is_story);
        return Ok(Turn::Done(Step::Live(progress.live_film(post, link))));
    }
    let Some(wait) = POLLS.wait(job.now - since) else {
        let message = "Facebook has not finished with the video after an hour. It may still show it: a retry asks again, and uploads nothing.";
        return Err(NetworkError::temporary(message));
    };
    Ok(Turn::Done(Step::Wait { progress, until: job.now + wait }))
}

#[cfg(test)]
#[path = "film_tests.rs"]
mod tests;
