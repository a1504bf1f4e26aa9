//! What follows once a post is live: a comment of its author, and that others may make none.
//!
//! Nothing tells a repeat of a comment: after a lost answer the comments of the post are looked
//! through. Whether others may comment can be said any number of times.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | author | the network, where it names one | excludes others than the account |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | order and end of the list | the network: newest first | a list that was not read far enough back is unclear |
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/comment-moderation>,
//! and `comment_enabled` of
//! <https://developers.facebook.com/docs/instagram-platform/reference/instagram-media>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Live, Located, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use serde::Deserialize;

use super::caller::{Caller, refused};
use super::errors::{Described, Meaning, failure, is_not_allowed, unreadable};
use super::progress::{Mark, Progress, Stage};
use super::wire::{Created, Done, Page, instant};
use crate::candidates::{Candidate, Pick, likeness, pick, reaches_back};
use crate::conversation::{Answer, Body, Request, StoredProgress, Turn, TurnResult};

/// How often a post that is not known yet is waited for, and for how long each time. Our decision.
const REFUSALS_MAX: u32 = 3;
const REFUSAL_WAIT: TimeDelta = TimeDelta::seconds(15);

/// How long the instant before the call was marked stays good.
const MARK_LIFE: TimeDelta = TimeDelta::minutes(10);

/// How long after a look that found nothing another one settles it. Our decision.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(15);

/// What is asked of a comment, comments of one page, and pages that are read.
const FIELDS: &str = "id,text,timestamp,username";
const PAGE: &str = "50";
const PAGES_MAX: usize = 10;

const COMMENT: &str = "The first comment could not be made";
const CLOSE: &str = "Comments could not be turned off";

/// A comment, as far as it is read.
#[derive(Debug, Deserialize)]
struct Listed {
    id: String,
    #[serde(default)]
    text: String,
    #[serde(default, deserialize_with = "instant")]
    timestamp: Option<DateTime<Utc>>,
    username: Option<String>,
}

/// The next turn of making the comment: the instant before the call is stored first.
pub(super) fn comment(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    remote: Remote,
    mark: Mark,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let is_marked = mark.not_sent_before.is_some_and(|at| job.now < at + MARK_LIFE);
    if !is_marked {
        let mark = Mark { not_sent_before: Some(job.now), ..mark };
        let stage = Stage::Comment { remote, mark };
        return Ok(Turn::Done(Step::Next(progress.at(stage))));
    }
    let Some(answer) = answers.first() else {
        let message = progress.first_comment.clone().ok_or_else(Progress::unreadable)?;
        let url = caller.graph(&[&remote.id, "comments"])?;
        let body = Body::Form(vec![("message", message)]);
        return Ok(Turn::Send(caller.authorized(Request::act(url, body).visible())));
    };
    if answer.is_success() {
        let Created { id } = answer.json().ok_or_else(|| unreadable(true))?;
        return Ok(Turn::Done(Step::Live(made(progress, remote, &id))));
    }
    let is_unknown = matches!(
        Described::read(answer).meaning(),
        Meaning::Missing | Meaning::NotFound | Meaning::NotFoundYet
    );
    if is_unknown && mark.refusals < REFUSALS_MAX {
        let mark = Mark { refusals: mark.refusals + 1, not_sent_before: None, ..mark };
        let progress = progress.at(Stage::Comment { remote, mark });
        return Ok(Turn::Done(Step::Wait { progress, until: job.now + REFUSAL_WAIT }));
    }
    Err(refused_after(answer, true, job, COMMENT))
}

/// The next turn of a look whether the comment was made.
pub(super) fn locate(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    remote: Remote,
    mark: Mark,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Some(since) = mark.lost_since.or(mark.not_sent_before) else {
        return Ok(Turn::Done(Located::Absent(progress)));
    };
    if let Some(until) = mark.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress, until }));
    }
    let mut answers = answers.iter();
    let mut after: Option<String> = None;
    let mut listed: Vec<Listed> = Vec::new();
    let mut is_whole = false;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            let mut pairs = vec![("fields", FIELDS), ("limit", PAGE)];
            pairs.extend(after.as_deref().map(|after| ("after", after)));
            let url = caller.graph_query(&[&remote.id, "comments"], &pairs)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            // Whoever may comment need not be allowed to read.
            if is_not_allowed(&Described::read(answer)) {
                return Ok(Turn::Done(Located::Unknown));
            }
            return Err(failure(answer, false, Some(job.now)).of_follow_up(COMMENT));
        }
        let page: Page<Listed> = answer.json().ok_or_else(|| unreadable(false))?;
        after = page.after();
        let last = page.data.last().and_then(|comment| comment.timestamp);
        listed.extend(page.data);
        is_whole = after.is_none() || reaches_back(last, since);
        if is_whole {
            break;
        }
    }
    let text = progress.first_comment.as_deref().unwrap_or_default();
    let own = job.account.username.as_deref();
    let can_be_it = |comment: &Listed| match (comment.username.as_deref(), own) {
        (Some(author), Some(own)) => author == own,
        (None, _) | (_, None) => true,
    };
    let candidates = listed.into_iter().filter(can_be_it).map(|comment| Candidate {
        at: comment.timestamp,
        likeness: likeness(text, &comment.text),
        fits: u32::from(comment.username.is_some()),
        post: comment.id,
    });
    Ok(Turn::Done(match pick(candidates, since).of_list(is_whole) {
        Pick::One(comment) => Located::Live(made(progress, remote, &comment)),
        Pick::Unclear | Pick::Nothing if mark.look_again_at.is_none() => {
            let until = job.now + LOOK_AGAIN;
            let mark = Mark { look_again_at: Some(until), ..mark };
            let stage = Stage::Comment { remote, mark };
            Located::Wait { progress: progress.at(stage), until }
        }
        Pick::Unclear => Located::Unknown,
        Pick::Nothing => {
            let lost_since = mark.lost_since.or(mark.not_sent_before);
            let (look_again_at, not_sent_before) = (None, None);
            let mark = Mark { lost_since, look_again_at, not_sent_before, ..mark };
            Located::Absent(progress.at(Stage::Comment { remote, mark }))
        }
    }))
}

/// The next turn of keeping others from commenting.
pub(super) fn close(
    caller: &Caller<'_>,
    job: &PublishJob,
    remote: &Remote,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let body = Body::Form(vec![("comment_enabled", "false".to_owned())]);
        let url = caller.graph(&[&remote.id])?;
        return Ok(Turn::Send(caller.authorized(Request::act(url, body))));
    };
    if !answer.is_success() {
        return Err(refused_after(answer, false, job, CLOSE));
    }
    let Done { success } = answer.json().ok_or_else(|| unreadable(false))?;
    if success {
        return Ok(Turn::Done(Step::Live(Live { remote: None, then: None })));
    }
    let message = "Instagram did not do it, and does not say why.";
    Err(NetworkError::temporary(message).of_follow_up(CLOSE))
}

/// What a refusal means once the post is live, so that others can follow it.
fn refused_after(
    answer: &Answer,
    is_visible: bool,
    job: &PublishJob,
    what: &'static str,
) -> NetworkError {
    let error = refused(answer, is_visible, job);
    let error = match is_not_allowed(&Described::read(answer)) {
        true => NetworkError::permanent(error.message),
        false => error,
    };
    error.of_follow_up(what)
}

/// The post with the comment that follows it, and what follows that.
fn made(progress: Progress, mut remote: Remote, comment: &str) -> Live<Progress> {
    if !remote.record.is_object() {
        remote.record = serde_json::json!({});
    }
    remote.record["firstComment"] = comment.into();
    Live { then: progress.closes(&remote), remote: Some(remote) }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
