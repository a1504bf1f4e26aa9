//! Publishing: one call makes the Pin, once its video is ready.
//!
//! Source: <https://github.com/pinterest/api-description>, `POST /pins`.

use chrono::TimeDelta;
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PublishJob, Step};

use super::api::Api;
use super::errors::{
    failure, is_about_media, is_denied, is_too_large, is_unreachable, unreadable,
    unreadable_success,
};
use super::locate;
use super::pin;
use super::progress::{Compare, Create, ImageForm, Progress, Stage, Video};
use super::video;
use super::wire::CreatedPin;
use crate::candidates::{Pick, pick};
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How long what was noted before the call stays good. Our decision.
const MARK_LIFE: TimeDelta = TimeDelta::minutes(2);

/// How long after a Pin could not be told from others a further step is a person's retry. The step
/// that tells the doubt follows at once. Our decision.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(30);

/// How long until a call is made again that met a conflict, and how often.
const CONFLICT_WAIT: TimeDelta = TimeDelta::seconds(10);
const CONFLICTS_MAX: u32 = 1;

/// How long until links are fetched again that could not be, and how often.
const LINK_WAIT: TimeDelta = TimeDelta::seconds(30);
const LINKS_MAX: u32 = 3;

/// How often a Pin is refused for its video before that is told.
const VIDEOS_MAX: u32 = 1;

/// The next turn of a step.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match &progress.stage {
        Stage::Register => video::register(api, job, progress, answers),
        Stage::Upload(upload) => video::upload(api, job, progress, upload, answers),
        Stage::Processing(video) => video::poll(api, job, progress, video, answers),
        Stage::Compare(before) => compare(api, job, progress, before, answers),
        Stage::Create(create) => make(api, job, progress, create, answers),
    }
}

/// Notes which Pins of the account look the same as this one will, so that a look after a lost
/// answer takes none of them for it; and finds one whose call was lost and that was slow to show.
/// Whoever may not read goes on without: such an account is left in doubt after a lost answer.
fn compare(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    before: &Compare,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(locate::page(api, &job.credentials, None)));
    };
    let listed = match answer.is_success() {
        true => locate::listed(answer).ok_or_else(unreadable)?,
        false if is_denied(answer) => Vec::new(),
        false => return Err(failure(answer, false, Some(job.now))),
    };
    let mut is_unclear = false;
    let others = match before.lost_since {
        None => locate::alike(&progress.pin, listed),
        Some(since) => {
            match pick(locate::candidates(&progress.pin, listed, &before.others), since) {
                Pick::One(id) => return Ok(Turn::Done(Step::Live(progress.live(api, &id)))),
                Pick::Unclear => is_unclear = true,
                Pick::Nothing => {}
            }
            before.others.clone()
        }
    };
    let stage = Stage::Create(Create {
        media_id: before.media_id.clone(),
        begun_at: job.now,
        lost_since: before.lost_since,
        others,
        look: None,
        is_unclear,
    });
    Ok(Turn::Done(Step::Next(progress.at(stage))))
}

fn make(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    create: &Create,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if create.is_unclear {
        if job.now >= create.begun_at + RETRY_AFTER {
            let again = Create { lost_since: None, ..create.clone() }.refused();
            return Ok(Turn::Done(Step::Next(progress.at(again))));
        }
        return Err(NetworkError::new(
            NetworkErrorKind::InDoubt,
            "Several Pins look like this one, and Pinterest does not say which it is. Look at the board.",
        ));
    }
    let Some(answer) = answers.first() else {
        // Whoever takes this step after a call that was lost has looked before.
        if job.now >= create.begun_at + MARK_LIFE {
            let progress = progress.at(create.refused());
            return Ok(Turn::Done(Step::Next(progress)));
        }
        let body = pin::body(job, progress, create)?;
        return Ok(Turn::Send(api.send(&job.credentials, &["pins"], body).visible()));
    };
    if answer.is_success() {
        let CreatedPin { id } = answer.json().ok_or_else(unreadable_success)?;
        return Ok(Turn::Done(Step::Live(progress.live(api, &id))));
    }
    let error = failure(answer, true, Some(job.now));
    refused(job, progress, create, answer, error).map(Turn::Done)
}

/// What follows a Pin that was not made: another try where that can help, else the error.
fn refused(
    job: &PublishJob,
    progress: &Progress,
    create: &Create,
    answer: &Answer,
    error: NetworkError,
) -> Result<Step<Progress>, NetworkError> {
    let again = |progress: Progress, wait: TimeDelta| {
        let progress = progress.at(create.refused());
        Ok(Step::Wait { progress, until: job.now + wait })
    };
    let mut next = progress.clone();
    match (answer.status, progress.images) {
        (409, _) => {
            next.refusals.conflicts += 1;
            if next.refusals.conflicts <= CONFLICTS_MAX {
                return again(next, CONFLICT_WAIT);
            }
            Err(for_good(error))
        }
        // More bytes than a call may carry: the network fetches them where it can.
        (_, ImageForm::Bytes) if !progress.is_video && is_too_large(answer) => {
            next.images = ImageForm::Links;
            Ok(Step::Next(next.at(create.refused())))
        }
        (400, ImageForm::Links) if is_unreachable(answer) => {
            next.refusals.links += 1;
            if next.refusals.links <= LINKS_MAX {
                return again(next, LINK_WAIT);
            }
            Err(for_good(error))
        }
        (400, _) if is_about_media(answer) => {
            let Some(media_id) = create.media_id.clone() else { return Err(error) };
            next.refusals.videos += 1;
            if next.refusals.videos > VIDEOS_MAX {
                return Err(error);
            }
            let stage = Stage::Processing(Video { media_id, since: job.now });
            Ok(Step::Next(next.at(stage)))
        }
        _ => Err(error),
    }
}

/// The same error, once trying again has not helped.
fn for_good(error: NetworkError) -> NetworkError {
    NetworkError::permanent(error.message)
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
