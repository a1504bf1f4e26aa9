//! Publishing: what is done at each stage, and the post of the feed itself.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/feed/>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Live, Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::json;

use super::caller::{Caller, refused};
use super::captions;
use super::cover;
use super::errors::{Described, Meaning, failure, is_not_allowed, meaning, meaning_of, unreadable};
use super::film;
use super::first_comment;
use super::hosts::Host;
use super::live::video_of;
use super::locate::{LOOK_AGAIN, search};
use super::photos;
use super::progress::{Mark, Progress, Stage};
use super::stories;
use super::wire::{Created, Post, Video};
use crate::candidates::Pick;
use crate::conversation::{Answer, Body, Request, StoredProgress, Turn, TurnResult, or_send};

/// How long the instant before a call was marked stays good.
const MARK_LIFE: TimeDelta = TimeDelta::minutes(10);

/// How often a link whose page the network could not read is tried again, and how long lies
/// between. Our decision.
const PREVIEWS_MAX: u32 = 2;
const PREVIEW_WAIT: TimeDelta = TimeDelta::minutes(1);

/// How long after a refusal that proves the post a further step is a person's retry. The step that
/// tells the doubt follows at once. Our decision.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(30);

/// How often id and link are asked for once a post is live.
pub(super) const TRIES_MAX: u32 = 4;

/// The next turn of a step.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match progress.stage.clone() {
        Stage::Photos => photos::advance(caller, job, progress, answers),
        Stage::Feed(mark) => feed(caller, job, progress, mark, answers),
        Stage::Film => film::advance(caller, job, progress, answers),
        Stage::Finish { is_repeat } => film::finish(caller, job, progress, is_repeat, answers),
        Stage::Processing { since, post } => {
            film::wait(caller, job, progress, since, post.as_deref(), answers)
        }
        Stage::Link { remote, tries } => link(caller, job, progress, remote, tries, answers),
        Stage::Plain { .. } => Err(without_background()),
        Stage::Cover { remote } => cover::advance(caller, job, progress, remote, answers),
        Stage::Captions { remote, at } => {
            captions::advance(caller, job, progress, remote, at, answers)
        }
        Stage::Comment { remote, mark } => {
            first_comment::advance(caller, job, progress, remote, mark, answers)
        }
    }
}

/// The next turn of a look whether the visible call of a step was done.
pub(super) fn locate(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    if !progress.is_visible() {
        return Ok(Turn::Done(Located::Absent(progress)));
    }
    match progress.stage.clone() {
        Stage::Feed(mark) => located(caller, job, progress, mark, answers),
        Stage::Finish { .. } => film::locate(caller, job, progress, answers),
        Stage::Comment { remote, mark } => {
            first_comment::locate(caller, job, progress, remote, mark, answers)
        }
        Stage::Photos
        | Stage::Film
        | Stage::Processing { .. }
        | Stage::Link { .. }
        | Stage::Plain { .. }
        | Stage::Cover { .. }
        | Stage::Captions { .. } => Ok(Turn::Done(Located::Absent(progress))),
    }
}

/// Makes the post: the instant before the call is stored first.
fn feed(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    mark: Mark,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    progress.check(job)?;
    let has_photos = !progress.photos.is_empty();
    // Photos tell a repeat however old it is.
    let is_good = |at| has_photos || job.now < at + MARK_LIFE;
    let Some(since) = mark.not_sent_before.filter(|at| is_good(*at)) else {
        let mark = Mark { not_sent_before: Some(job.now), ..mark };
        return Ok(Turn::Done(Step::Next(progress.at(Stage::Feed(mark)))));
    };
    if let Some(at) = mark.proved_at {
        if job.now < at + RETRY_AFTER {
            return Err(proved_but_not_found());
        }
        let mark = Mark { proved_at: None, ..mark };
        return Ok(Turn::Done(Step::Next(progress.at(Stage::Feed(mark)))));
    }
    let Some((answer, looked)) = answers.split_first() else {
        if !mark.is_repeat
            && let Some(again) = progress.without_old_photos(job.now)
        {
            return Ok(Turn::Done(Step::Next(again)));
        }
        let request = if progress.is_story {
            stories::request(caller, &progress)?
        } else {
            request(caller, &progress)?
        };
        return Ok(Turn::Send(request));
    };
    if answer.is_success() && progress.is_story {
        return stories::published(progress, answer);
    }
    if answer.is_success() {
        let Created { id } = answer.json().ok_or_else(|| unreadable(true))?;
        return Ok(Turn::Done(Step::Live(progress.live(&id, None))));
    }
    let error = refused(answer, true, job);
    match meaning_of(answer) {
        Meaning::Refused if progress.extras.background.is_some() && is_of_background(answer) => {
            let mark = Mark { not_sent_before: None, ..mark };
            let progress = progress.without_background();
            Ok(Turn::Done(Step::Next(progress.at(Stage::Feed(mark)))))
        }
        Meaning::NoPreview if mark.refusals < PREVIEWS_MAX => {
            let mark = Mark { refusals: mark.refusals + 1, not_sent_before: None, ..mark };
            let until = job.now + PREVIEW_WAIT;
            let progress = progress.at(Stage::Feed(mark));
            Ok(Turn::Done(Step::Wait { progress, until }))
        }
        Meaning::NoPreview => {
            let message = format!("{} Check the link, or leave it out.", error.message);
            Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed))
        }
        // A refusal of a repeat is proof that the post is there.
        Meaning::Duplicate if mark.is_repeat => {
            proved(caller, job, progress, (mark, since), looked, &error)
        }
        Meaning::AlreadyPosted => proved(caller, job, progress, (mark, since), looked, &error),
        // Nothing says how a second story of one photo is refused.
        Meaning::Refused | Meaning::Content if mark.is_repeat && progress.is_story => {
            proved(caller, job, progress, (mark, since), looked, &error)
        }
        Meaning::Theirs
        | Meaning::Later
        | Meaning::Limited
        | Meaning::Blocked
        | Meaning::Reconnect
        | Meaning::Duplicate
        | Meaning::WrongOffset
        | Meaning::NewUpload
        | Meaning::NotFetched
        | Meaning::Content
        | Meaning::Restricted
        | Meaning::Missing
        | Meaning::Refused
        | Meaning::Unknown => Err(error),
    }
}

fn request(caller: &Caller<'_>, progress: &Progress) -> Result<Request, NetworkError> {
    let url = caller.graph(&[&progress.page, "feed"])?;
    let mut body = json!({ "published": true });
    if !progress.message.is_empty() {
        body["message"] = progress.message.clone().into();
    }
    if let Some(link) = &progress.link {
        body["link"] = link.clone().into();
    }
    if let Some(background) = &progress.extras.background {
        body["text_format_preset_id"] = background.clone().into();
    }
    if let Some(place) = &progress.extras.place {
        body["place"] = place.clone().into();
    }
    if let Some(targeting) = &progress.extras.targeting {
        body["targeting"] = targeting.clone();
    }
    if !progress.photos.is_empty() {
        body["attached_media"] =
            progress.photo_ids().map(|id| json!({ "media_fbid": id })).collect();
    }
    Ok(caller.authorized(Request::act(url, Body::Json(body)).visible()))
}

/// Looks for the post that a refusal has spoken of. Where nothing is certainly it, it is there all
/// the same, and only a person can tell which it is.
fn proved(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    (mark, since): (Mark, DateTime<Utc>),
    looked: &[Answer],
    error: &NetworkError,
) -> TurnResult<Step<Progress>> {
    let since = mark.lost_since.unwrap_or(since);
    // What the look cannot tell is left to the look before the next attempt.
    let found = looked_for(caller, job, &progress, since, looked)
        .map_err(|_| NetworkError { kind: NetworkErrorKind::Unsettled, ..error.clone() })?;
    Ok(match found {
        Turn::Send(request) => Turn::Send(request),
        Turn::Done(Pick::One(post)) => Turn::Done(Step::Live(found_live(progress, &post))),
        Turn::Done(Pick::Unclear | Pick::Nothing) => {
            let mark = Mark { proved_at: Some(job.now), ..mark };
            Turn::Done(Step::Next(progress.at(Stage::Feed(mark))))
        }
    })
}

/// Whether a refusal speaks of the background, whose ids come and go.
fn is_of_background(answer: &Answer) -> bool {
    Described::read(answer).message.contains("text_format_preset_id")
}

/// What is told of a post whose background the network did not know.
fn without_background() -> NetworkError {
    let message = "Facebook does not know it any more, and the text is shown without one.";
    NetworkError::permanent(message).of_follow_up("The background was left out")
}

/// The next turn of looking for the post, among the stories where it is one.
fn looked_for(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    since: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Pick<Box<Post>>> {
    if progress.is_story {
        stories::search(caller, job, progress, answers)
    } else {
        search(caller, job, progress, since, answers)
    }
}

fn proved_but_not_found() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "Facebook says that it has this post, and does not show which it is. Look at the Page.",
    )
}

fn found_live(progress: Progress, post: &Post) -> Live<Progress> {
    progress.live(&post.id, post.permalink_url.as_deref())
}

/// The next turn of a look for the post. A look that finds nothing certain is taken again after a
/// while. Then a post with photos is sent again, which the network knows as a repeat; one without
/// has not been made where nothing can be it.
fn located(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    mark: Mark,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Some(since) = mark.lost_since.or(mark.not_sent_before) else {
        return Ok(Turn::Done(Located::Absent(progress)));
    };
    if let Some(until) = mark.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress, until }));
    }
    let found = or_send!(looked_for(caller, job, &progress, since, answers)?);
    let has_photos = !progress.photos.is_empty();
    Ok(Turn::Done(match found {
        Pick::One(post) => Located::Live(found_live(progress, &post)),
        Pick::Unclear | Pick::Nothing if mark.look_again_at.is_none() => {
            let until = job.now + LOOK_AGAIN;
            let mark = Mark { look_again_at: Some(until), ..mark };
            Located::Wait { progress: progress.at(Stage::Feed(mark)), until }
        }
        Pick::Unclear | Pick::Nothing if mark.proved_at.is_some() => Located::Unknown,
        Pick::Unclear | Pick::Nothing if has_photos => {
            let mark = Mark { look_again_at: None, is_repeat: true, ..mark };
            Located::Repeat(progress.at(Stage::Feed(mark)))
        }
        Pick::Unclear => Located::Unknown,
        Pick::Nothing => Located::Absent(progress.at(Stage::Feed(mark.not_found()))),
    }))
}

/// Asks for the link of a live post, and of a video for the id of its post. Without them it is
/// live all the same.
fn link(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    remote: Remote,
    tries: u32,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if progress.is_story {
        return stories::link(caller, job, progress, remote, tries, answers);
    }
    let asked = video_of(&remote).unwrap_or(&remote.id);
    let Some(answer) = answers.first() else {
        let is_video = video_of(&remote).is_some();
        let fields = if is_video { "post_id,permalink_url" } else { "permalink_url" };
        let url = caller.hosts.call(Host::Graph, &[asked], &[("fields", fields)])?;
        return Ok(Turn::Send(caller.authorized(Request::read(url))));
    };
    if !answer.is_success() {
        let described = Described::read(answer);
        let is_told = matches!(meaning(&described), Meaning::Reconnect | Meaning::Limited);
        // Whoever may publish need not be allowed to read.
        if is_told && !is_not_allowed(&described) {
            return Err(failure(answer, false, Some(job.now)));
        }
    }
    let found: Option<Video> = answer.is_success().then(|| answer.json()).flatten();
    let Video { post_id, permalink_url, .. } = found.unwrap_or_default();
    let is_whole = permalink_url.is_some() && (video_of(&remote).is_none() || post_id.is_some());
    if !is_whole && tries < TRIES_MAX {
        let until = job.now + pause(tries);
        let stage = Stage::Link { remote, tries: tries + 1 };
        return Ok(Turn::Done(Step::Wait { progress: progress.at(stage), until }));
    }
    let is_video = video_of(&remote).is_some();
    let Live { remote: named, .. } = if is_video {
        let post = post_id.or_else(|| Some(remote.id.clone()).filter(|id| id.contains('_')));
        progress.clone().live_film(post.as_deref(), permalink_url.as_deref())
    } else {
        progress.clone().live(&remote.id, permalink_url.as_deref())
    };
    let remote = named.unwrap_or(remote);
    let then = progress.covers(remote.clone());
    Ok(Turn::Done(Step::Live(Live { remote: Some(remote), then })))
}

/// How long until something about a live post is asked for again: 15 seconds at first, and four
/// times as long each time. Our decision.
pub(super) fn pause(tries: u32) -> TimeDelta {
    TimeDelta::seconds(15 * 4_i64.pow(tries.min(TRIES_MAX)))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
