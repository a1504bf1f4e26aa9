//! The draft that a post of text and pictures begins as. Nobody sees it, so it may be made twice;
//! one whose answer was lost is looked for first, so that large pictures are not sent for ever.
//!
//! Source: <https://github.com/tumblr/docs/issues/128>: a heavy call can be answered 504 after it
//! was done.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{PublishJob, Step};

use super::api::Api;
use super::content::new_post;
use super::errors::{blog_failure, is_forbidden, may_be_done, unreadable};
use super::locate::{draft, drafts, listed};
use super::progress::{Progress, Stage};
use super::wire::{Enveloped, Made};
use super::{limits, reblog};
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How long after the step could begin it has surely been begun before.
const BEGUN_BEFORE: TimeDelta = TimeDelta::seconds(20);

/// The next turn of making the draft.
pub(super) fn make(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    since: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let blog = job.account.network_id.as_str();
    let mut answers = answers.iter();
    if job.now > since + BEGUN_BEFORE {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(drafts(api, &job.credentials, blog)));
        };
        let posts = listed(answer, job.now)?;
        if let Some(found) = draft(&posts, job, &progress, since) {
            return Ok(made(progress, job, found.id()));
        }
    }
    let Some(answer) = answers.next() else {
        let body = new_post(job, &progress, "draft");
        return Ok(Turn::Send(api.act(
            &job.credentials.access_token,
            &["blog", blog, "posts"],
            body,
        )));
    };
    if progress.parent.is_some() && is_forbidden(answer) {
        return Err(reblog::closed());
    }
    let error = if answer.is_success() {
        if let Some(Enveloped { response: Made { id, .. } }) = answer.json() {
            return Ok(made(progress, job, &id));
        }
        unreadable()
    } else {
        let error = blog_failure(answer, false, Some(job.now));
        if !may_be_done(answer) {
            return limits::refused(api, job, answer, answers, error);
        }
        error
    };
    // It may be there all the same.
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(drafts(api, &job.credentials, blog)));
    };
    match listed(answer, job.now) {
        Ok(posts) => match draft(&posts, job, &progress, since) {
            Some(found) => Ok(made(progress, job, found.id())),
            None => Err(error),
        },
        Err(_) => Err(error),
    }
}

fn made(progress: Progress, job: &PublishJob, draft: &str) -> Turn<Step<Progress>> {
    let stage = Stage::Publish { draft: draft.to_owned(), since: job.now, looks: 0 };
    Turn::Done(Step::Next(progress.at(stage)))
}
