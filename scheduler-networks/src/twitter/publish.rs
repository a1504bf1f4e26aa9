//! Publishing: each part of a thread is one post that answers the part before.
//!
//! Source: <https://docs.x.com/x-api/posts/create-post>.

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use serde_json::{Value, json};

use super::api::Api;
use super::errors::{Fault, failure, unread_success};
use super::files::{self, File};
use super::locate::look;
use super::progress::Progress;
use super::wire::{Data, Made};
use crate::candidates::Pick;
use crate::conversation::{Answer, Body, Job, Request, Turn, TurnResult, or_send};
use crate::oauth_tokens::Tokens;

/// How long after a look that found nothing another one settles it: a new post is in the list of
/// its author a little later. Our decision: should the lost call be under way still, X refuses
/// either it or its repeat as a duplicate.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(15);

/// The same for a part with files, which X would not refuse as a duplicate: longer than X works on
/// a call whose answer was lost. Our decision.
const LOOK_AGAIN_FOR_FILES: TimeDelta = TimeDelta::minutes(2);

/// How long such a part is looked for where X does not answer the look. Our decision.
const UNCLEAR_FOR: TimeDelta = TimeDelta::minutes(10);

/// How often an answer to a part is tried that X does not show yet, and how long until the next
/// try.
///
/// Source: <https://github.com/plhery/node-twitter-api-v2/issues/366>; the figures are our decision.
const REFUSALS_MAX: u32 = 6;
const REFUSAL_WAIT: TimeDelta = TimeDelta::seconds(5);

/// The next turn of a step, which sends a file or a part.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if !progress.is_ready() {
        return files::advance(api, job, progress, answers);
    }
    let Some((answer, looked)) = answers.split_first() else {
        if progress.is_refused(job.now) {
            return Err(not_shown(NetworkErrorKind::InDoubt));
        }
        return Ok(Turn::Send(post(api, &job.credentials, &progress)));
    };
    if answer.is_success() {
        let made: Data<Made> = answer.json().ok_or_else(unread_success)?;
        return Ok(Turn::Done(sent(api, job, progress, &made.data.id)));
    }
    let fault = Fault::of(answer);
    let is_of_files = progress.has_files() && fault.as_ref().is_some_and(Fault::is_of_files);
    // Files that a post shows may not be shown again.
    let is_duplicate = is_of_files || fault.as_ref().is_some_and(Fault::is_duplicate);
    if is_duplicate && progress.is_repeat {
        let refusal = failure(answer, true, Some(job.now));
        return duplicate(api, job, progress, looked, refusal);
    }
    if is_of_files {
        let again = progress.uploads_again().ok_or_else(|| files::lost(answer, job))?;
        return Ok(Turn::Done(Step::Next(again)));
    }
    let is_unseen = progress.parent().is_some() && fault.is_some_and(|fault| fault.is_unseen());
    if is_unseen && progress.refusals < REFUSALS_MAX {
        let until = job.now + REFUSAL_WAIT;
        let progress = progress.not_shown();
        return Ok(Turn::Done(Step::Wait { progress, until }));
    }
    Err(failure(answer, true, Some(job.now)))
}

/// The next turn of a look whether a part was sent.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let wait = |progress: Progress, until| Ok(Turn::Done(Located::Wait { progress, until }));
    if let Some(until) = progress.look_again_at.filter(|at| job.now < *at) {
        return wait(progress, until);
    }
    let found = or_send!(look(api, job, &progress, answers)?);
    let until = job.now + if progress.has_files() { LOOK_AGAIN_FOR_FILES } else { LOOK_AGAIN };
    match (found, progress.refused_at) {
        (Pick::One(id), _) => Ok(Turn::Done(match progress.sent(api, job, &id) {
            Ok(progress) => Located::Continue(progress),
            Err(first) => Located::Live(first.into()),
        })),
        // The refusal has said that it is there.
        (Pick::Nothing, Some(at)) if job.now < at + LOOK_AGAIN => wait(progress, at + LOOK_AGAIN),
        (Pick::Nothing | Pick::Unclear, Some(_)) if progress.is_refused(job.now) => {
            Err(not_shown(NetworkErrorKind::Permanent))
        }
        (Pick::Nothing | Pick::Unclear, Some(_)) => Ok(Turn::Done(Located::Unknown)),
        (Pick::Nothing, None) if progress.look_again_at.is_none() => {
            wait(progress.looks_again(until), until)
        }
        (Pick::Nothing, None) => Ok(Turn::Done(Located::Absent(progress.sends_again()))),
        (Pick::Unclear, None) if !progress.is_repeat || may_clear(&progress, job) => {
            wait(progress.looks_again(until), until)
        }
        (Pick::Unclear, None) => Ok(Turn::Done(Located::Unknown)),
    }
}

/// True while a look that told nothing may be made again: for a part with files the looks are
/// further apart than one that is refused by chance.
fn may_clear(progress: &Progress, job: &PublishJob) -> bool {
    progress.has_files() && job.now < progress.not_sent_before + UNCLEAR_FOR
}

/// The call that makes a post.
fn post(api: &Api, tokens: &Tokens, progress: &Progress) -> Request {
    let mut body = Value::Object(progress.settings().cloned().unwrap_or_default());
    let media_ids: Vec<&str> = progress.files_of_part().filter_map(File::id).collect();
    if !media_ids.is_empty() {
        body["media"]["media_ids"] = json!(media_ids);
    }
    if media_ids.is_empty() || !progress.text().is_empty() {
        body["text"] = progress.text().into();
    }
    if let Some(parent) = progress.parent() {
        body["reply"] = json!({ "in_reply_to_tweet_id": parent });
    }
    api.act(&tokens.access_token, &["tweets"], Body::Json(body)).visible()
}

/// What a repeat that was refused as a duplicate comes to: the post that is there, or doubt. The
/// text is never altered to get past the refusal.
///
/// Source: <https://docs.x.com/developer-guidelines>.
fn duplicate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
    refusal: NetworkError,
) -> TurnResult<Step<Progress>> {
    // What the look cannot tell is left to the look before the next attempt.
    let found = look(api, job, &progress, answers)
        .map_err(|_| NetworkError { kind: NetworkErrorKind::Unsettled, ..refusal })?;
    Ok(match found {
        Turn::Send(request) => Turn::Send(request),
        Turn::Done(Pick::One(id)) => Turn::Done(sent(api, job, progress, &id)),
        Turn::Done(Pick::Nothing | Pick::Unclear) => {
            Turn::Done(Step::Next(progress.refused(job.now)))
        }
    })
}

fn sent(api: &Api, job: &PublishJob, progress: Progress, id: &str) -> Step<Progress> {
    match progress.sent(api, job, id) {
        Ok(progress) => Step::Next(progress),
        Err(first) => Step::Live(first.into()),
    }
}

/// The failure for a post that X says is there and does not show.
fn not_shown(kind: NetworkErrorKind) -> NetworkError {
    NetworkError::new(
        kind,
        "X says that this text was posted already, but does not show it among the latest posts of the account.",
    )
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
