//! Publishing: one call makes the post, once its files are ready.

use chrono::TimeDelta;
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PublishJob, Step};

use super::api::Api;
use super::errors::{duplicate_of, failure, has_code, unreadable_success};
use super::locate::{WINDOW, one};
use super::progress::{Named, Post, Progress};
use super::wire::may_read;
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::poll_schedule::PollSchedule;

/// How long the instant before the call was marked stays good. A little longer than the time for
/// which a repeat is safe, so that no open call is ever given a later instant.
const MARK_LIFE: TimeDelta = TimeDelta::minutes(9);

/// How often a post is sent again whose files are not ready, at first and later, and for how long.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api>;
/// the waits are our decision.
const REPEATS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(10),
    eager_wait: TimeDelta::seconds(10),
    eager: TimeDelta::minutes(2),
    then: TimeDelta::minutes(1),
    give_up_after: TimeDelta::minutes(10),
};

/// How long until a named post that is not there is asked for again, each time: a list may lag. Our
/// decision.
const NAMED_WAITS: [TimeDelta; 2] = [TimeDelta::seconds(10), TimeDelta::seconds(30)];

/// How long after a post was named a further step is a person's retry, where the post may not be
/// read. The step that tells the doubt follows at once. Our decision.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(30);

/// The next turn of a step that brings the post itself further: the instant before the call is
/// stored first, then the call is made.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    post: Post,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    debug_assert!(WINDOW < MARK_LIFE);
    if let Some(named) = post.named.clone() {
        return read_back(api, job, &progress, post, named, answers);
    }
    let is_marked = post.not_sent_before.is_some_and(|at| job.now < at + MARK_LIFE);
    let Some(answer) = answers.first() else {
        if !is_marked {
            let post = Post { not_sent_before: Some(job.now), ..post };
            return Ok(Turn::Done(Step::Next(progress.with_post(post))));
        }
        return Ok(Turn::Send(request(api, &job.credentials, &progress, &post)));
    };
    if answer.is_success() {
        let urn = answer.header("x-restli-id").filter(|urn| urn.starts_with("urn:li:"));
        let urn = urn.ok_or_else(unreadable_success)?;
        return Ok(Turn::Done(Step::Live(progress.live(api, urn))));
    }
    if has_code(answer, "MEDIA_ASSET_WAITING_UPLOAD") {
        return waits(answer, job, &progress, post);
    }
    if has_code(answer, "EXPIRED_UPLOAD_URL") && !post.files.is_empty() {
        let files =
            post.files.iter().cloned().map(|file| file.again(answer)).collect::<Result<_, _>>()?;
        let post = Post { files, not_sent_before: None, ..post };
        return Ok(Turn::Done(Step::Next(progress.with_post(post))));
    }
    match duplicate_of(answer).filter(|_| post.is_repeat) {
        Some(urn) => {
            let named = Some(Named { urn, at: job.now, misses: 0 });
            let post = Post { named, ..post };
            Ok(Turn::Done(Step::Next(progress.with_post(post))))
        }
        None => Err(failure(answer, true, Some(job.now))),
    }
}

fn request(api: &Api, tokens: &Tokens, progress: &Progress, post: &Post) -> Request {
    api.act(&tokens.access_token, "posts", "", post.body(&progress.author)).visible()
}

/// Waits for files that turn out not to be ready. An earlier call with the same files cannot have
/// done more, so nothing is open any longer.
fn waits(
    answer: &Answer,
    job: &PublishJob,
    progress: &Progress,
    post: Post,
) -> TurnResult<Step<Progress>> {
    let since = post.refused_since.unwrap_or(job.now);
    let Some(wait) = REPEATS.wait(job.now - since) else {
        let message = "LinkedIn has not finished with the files after 10 minutes.";
        let error = failure(answer, false, Some(job.now));
        return Err(NetworkError { message: message.to_owned(), ..error });
    };
    let until = job.now + wait;
    let post = Post { refused_since: Some(since), not_sent_before: None, is_repeat: false, ..post };
    Ok(Turn::Done(Step::Wait { progress: progress.with_post(post), until }))
}

/// Takes the post over that the network names in place of the repeat, once it has been read. The
/// name can be that of a post that was deleted since, so one that may not be read is in doubt.
fn read_back(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    post: Post,
    named: Named,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let may_read = may_read(&job.credentials, &progress.author);
    let answer = match answers.first() {
        None if may_read => return Ok(Turn::Send(one(api, &job.credentials, &named.urn))),
        answer => answer,
    };
    let Some(answer) = answer.filter(|answer| may_read && answer.status != 403) else {
        if job.now < named.at + RETRY_AFTER {
            return Err(NetworkError::new(
                NetworkErrorKind::InDoubt,
                format!(
                    "LinkedIn says that {} is this post, and does not let this account read it. Look on LinkedIn.",
                    named.urn
                ),
            ));
        }
        let post = Post { named: None, not_sent_before: None, ..post };
        return Ok(Turn::Done(Step::Next(progress.with_post(post))));
    };
    if answer.is_success() {
        return Ok(Turn::Done(Step::Live(progress.live(api, &named.urn))));
    }
    if answer.status != 404 {
        return Err(failure(answer, false, Some(job.now)));
    }
    if let Some(wait) = NAMED_WAITS.get(named.misses) {
        let named = Some(Named { misses: named.misses + 1, ..named });
        let progress = progress.with_post(Post { named, ..post });
        return Ok(Turn::Done(Step::Wait { progress, until: job.now + *wait }));
    }
    Err(NetworkError::permanent(format!(
        "LinkedIn refused a duplicate of {}, which is not there any more. Change the text, or wait two days.",
        named.urn
    )))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
