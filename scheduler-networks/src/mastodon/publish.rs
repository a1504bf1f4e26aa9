//! Publishing: files are uploaded, then each part of a thread is one status that answers the part
//! before.

use chrono::TimeDelta;
use scheduler_core::ports::{Live, Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use secrecy::ExposeSecret;
use serde_json::Value;

use super::errors::{failure, is_gone, is_outside_scopes, is_unprocessed, is_without_files};
use super::files;
use super::locate::look;
use super::progress::Progress;
use super::quote::{self, Quote};
use super::wire::{NewStatus, Status, Tokens};
use crate::candidates::Pick;
use crate::conversation::{Answer, Body, Job, Request, StoredProgress, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// How long a repeated call is trusted to its key. Mastodon knows it for an hour; the rest is for
/// the call itself.
///
/// Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/services/post_status_service.rb>.
const KEY_TRUST: TimeDelta = TimeDelta::minutes(55);

/// How long a status waits whose files turn out not to be ready.
const FILES_WAIT: TimeDelta = TimeDelta::seconds(2);

/// The next turn of a step.
pub(super) fn advance(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if progress.is_sent {
        return confirm(server, job, &progress, answers);
    }
    if let Some(Quote::Named { url }) = progress.quote.clone() {
        return quote::advance(server, job, progress, &url, answers);
    }
    if !progress.is_ready() {
        return files::advance(server, job, progress, answers);
    }
    let Some((answer, looked)) = answers.split_first() else {
        return Ok(Turn::Send(post_status(server, job, &progress)?));
    };
    let has_files = !progress.media_ids().is_empty();
    if has_files && is_unprocessed(answer) {
        let until = job.now + FILES_WAIT;
        let progress = progress.waits_for_files(job.now);
        return Ok(Turn::Done(Step::Wait { progress, until }));
    }
    if has_files && is_without_files(answer) {
        // Swept, or shown by a status of ours that was overlooked. Nothing is sent again before
        // that is known.
        return Ok(match look(server, job, &progress, looked)? {
            Turn::Send(request) => Turn::Send(request),
            Turn::Done(Pick::One(status)) => {
                Turn::Done(sent(progress, status, job, &job.credentials))
            }
            Turn::Done(Pick::Nothing) => match progress.uploads_again() {
                Some(progress) => Turn::Done(Step::Next(progress)),
                None => return Err(without_files()),
            },
            Turn::Done(Pick::Unclear) => return Err(without_files()),
        });
    }
    if !answer.is_success() {
        return Err(refused(answer, job, &progress));
    }
    let status: Status = answer.json().ok_or_else(|| {
        NetworkError::new(
            NetworkErrorKind::InDoubt,
            "The server took the post, but its answer cannot be read.",
        )
    })?;
    Ok(Turn::Done(sent(progress, status, job, &job.credentials)))
}

/// The next turn of a look whether a part was sent.
///
/// It looks through the account's own statuses. Where these do not tell, and Mastodon still
/// remembers the key, sending again settles it: the repeat is answered with the status that is
/// there.
pub(super) fn locate(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    if !progress.is_ready() {
        return Ok(Turn::Done(Located::Absent(progress)));
    }
    let knows_key = job.credentials.is_mastodon && job.now < progress.not_sent_before + KEY_TRUST;
    // A token that may not read can still repeat.
    if knows_key && answers.first().is_some_and(is_outside_scopes) {
        return Ok(Turn::Done(Located::Repeat(progress)));
    }
    Ok(match look(server, job, &progress, answers)? {
        Turn::Send(request) => Turn::Send(request),
        Turn::Done(Pick::One(status)) => {
            Turn::Done(match progress.sent(status, job.now, &job.credentials) {
                Ok(progress) => Located::Continue(progress),
                Err(live) => Located::Live(*live),
            })
        }
        // The key stays as it is. Should the server remember it after all, its answer is the
        // status that was overlooked, and nothing is made twice.
        Turn::Done(Pick::Nothing) => Turn::Done(Located::Absent(progress.sends_again(job.now))),
        Turn::Done(Pick::Unclear) if knows_key => Turn::Done(Located::Repeat(progress)),
        Turn::Done(Pick::Unclear) => Turn::Done(Located::Unknown),
    })
}

fn sent(progress: Progress, status: Status, job: &PublishJob, tokens: &Tokens) -> Step<Progress> {
    match progress.sent(status, job.now, tokens) {
        Ok(progress) => Step::Next(progress),
        Err(live) => Step::Live(*live),
    }
}

/// Looks whether the server has kept the latest status: what it takes for spam it answers like any
/// other, and drops. Nothing is sent again by itself.
///
/// Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/lib/antispam.rb>.
fn confirm(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let id = progress.parent.as_deref().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        let request = Request::read(server.at(["api", "v1", "statuses", id]));
        return Ok(Turn::Send(request.bearer(job.credentials.access_token.expose_secret())));
    };
    if is_gone(answer) {
        let message = "The server took the post, or the last part of it, and does not show it: its filter for spam may have dropped it. Look at the account before you post it again.";
        return Err(NetworkError::permanent(message));
    }
    // A token that may not read shows nothing, and the post was taken.
    if !answer.is_success() && !is_outside_scopes(answer) {
        return Err(failure(answer, false, Some(job.now)));
    }
    Ok(Turn::Done(Step::Live(Live { remote: None, then: None })))
}

fn post_status(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    progress: &Progress,
) -> Result<Request, NetworkError> {
    let input = NewStatus {
        status: progress.text().ok_or_else(Progress::unreadable)?,
        visibility: &progress.visibility,
        spoiler_text: progress.spoiler.as_deref(),
        sensitive: progress.is_sensitive || progress.spoiler.is_some(),
        in_reply_to_id: progress.parent.as_deref(),
        media_ids: progress.media_ids(),
        language: progress.language.as_deref(),
        quote_approval_policy: progress.quote_policy.as_deref(),
        quoted_status_id: progress.quoted(),
        poll: progress.poll(),
    };
    let body: Value = serde_json::to_value(&input).map_err(|_| Progress::unreadable())?;
    let request = Request::act(server.at(["api", "v1", "statuses"]), Body::Json(body));
    let request = request.bearer(job.credentials.access_token.expose_secret());
    Ok(request.header("idempotency-key", progress.key(job)).visible())
}

/// The failure for files that the server does not have, whatever is tried.
fn without_files() -> NetworkError {
    NetworkError::permanent(
        "The server does not have the files of this post any more, or another post shows them. Look at the account before you retry.",
    )
}

fn refused(answer: &Answer, job: &PublishJob, progress: &Progress) -> NetworkError {
    let error = failure(answer, true, Some(job.now));
    if answer.status != 404 || error.kind != NetworkErrorKind::Permanent {
        return error;
    }
    // The server translates its text; only a part that answers another can have lost that one.
    let is_parent_gone = progress.parent.is_some() && answer.words("error").contains("reply");
    let message = if is_parent_gone {
        "The part before it is not there any more, so this one cannot answer it."
    } else if progress.parent.is_some() {
        "This part, or the part before it, was published and is not there any more. Nothing is sent again."
    } else {
        "The post was published and is not there any more. Nothing is sent again."
    };
    NetworkError { message: message.to_owned(), ..error }
}

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;

#[cfg(test)]
#[path = "look_tests.rs"]
mod look_tests;

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
