//! The comment that follows a post.
//!
//! Nothing tells a repeat of a comment: after a lost answer the comments of the post are looked
//! through.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | author | the network, where it names one | excludes others than the Page |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: people edit it | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | order and end of the list | the network: newest first | a list that was not read far enough back is unclear |
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/object/comments/>.

use chrono::TimeDelta;
use scheduler_core::ports::{Live, Located, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;

use super::caller::{Caller, refused};
use super::comments::WireComment;
use super::errors::{Described, Meaning, failure, is_not_allowed, meaning_of, unreadable};
use super::hosts::Host;
use super::locate::{LOOK_AGAIN, PAGES_MAX};
use super::progress::{Mark, Progress, Stage};
use super::wire::{Created, Page};
use crate::candidates::{Candidate, Pick, likeness, pick, reaches_back};
use crate::conversation::{Answer, Body, Request, StoredProgress, Turn, TurnResult};

/// How often a post that is not known yet is waited for, and for how long each time. Our decision.
const REFUSALS_MAX: u32 = 3;
const REFUSAL_WAIT: TimeDelta = TimeDelta::seconds(15);

/// How long the instant before the call was marked stays good.
const MARK_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Comments that one call gives.
const PAGE: &str = "50";

const WHAT: &str = "The first comment could not be made";

/// The next turn of making the comment: the instant before the call is stored first.
pub(super) fn advance(
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
        return Ok(Turn::Done(Step::Live(made(remote, &id))));
    }
    if meaning_of(answer) == Meaning::Missing && mark.refusals < REFUSALS_MAX {
        let mark = Mark { refusals: mark.refusals + 1, not_sent_before: None, ..mark };
        let progress = progress.at(Stage::Comment { remote, mark });
        return Ok(Turn::Done(Step::Wait { progress, until: job.now + REFUSAL_WAIT }));
    }
    let error = refused(answer, true, job);
    let error = match is_not_allowed(&Described::read(answer)) {
        // The post is live, and others can follow it.
        true => NetworkError::permanent(error.message),
        false => error,
    };
    Err(error.of_follow_up(WHAT))
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
    let mut listed: Vec<WireComment> = Vec::new();
    let mut is_whole = false;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            let mut pairs = vec![
                ("filter", "stream"),
                ("order", "reverse_chronological"),
                ("fields", "id,from,message,created_time"),
                ("limit", PAGE),
            ];
            pairs.extend(after.as_deref().map(|after| ("after", after)));
            let url = caller.hosts.call(Host::Graph, &[&remote.id, "comments"], &pairs)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            // Whoever may comment need not be allowed to read.
            if is_not_allowed(&Described::read(answer)) {
                return Ok(Turn::Done(Located::Unknown));
            }
            return Err(failure(answer, false, Some(job.now)).of_follow_up(WHAT));
        }
        let page: Page<WireComment> = answer.json().ok_or_else(|| unreadable(false))?;
        after = page.after();
        let last = page.data.last().and_then(|comment| comment.created_time);
        listed.extend(page.data);
        is_whole = after.is_none() || reaches_back(last, since);
        if is_whole {
            break;
        }
    }
    let text = progress.first_comment.as_deref().unwrap_or_default();
    let can_be_it = |comment: &WireComment| {
        let author = comment.from.as_ref().and_then(|from| from.id.as_deref());
        author.is_none_or(|author| author == progress.page)
    };
    let candidates = listed.into_iter().filter(can_be_it).map(|comment| Candidate {
        at: comment.created_time,
        likeness: likeness(text, &comment.message),
        fits: u32::from(comment.from.is_some()),
        post: comment.id,
    });
    let found = pick(candidates, since).of_list(is_whole);
    Ok(Turn::Done(match found {
        Pick::One(comment) => Located::Live(made(remote, &comment)),
        Pick::Unclear | Pick::Nothing if mark.look_again_at.is_none() => {
            let until = job.now + LOOK_AGAIN;
            let mark = Mark { look_again_at: Some(until), ..mark };
            let stage = Stage::Comment { remote, mark };
            Located::Wait { progress: progress.at(stage), until }
        }
        Pick::Unclear => Located::Unknown,
        Pick::Nothing => {
            let stage = Stage::Comment { remote, mark: mark.not_found() };
            Located::Absent(progress.at(stage))
        }
    }))
}

/// The post with the comment that follows it.
fn made(mut remote: Remote, comment: &str) -> Live<Progress> {
    if !remote.record.is_object() {
        remote.record = serde_json::json!({});
    }
    remote.record["firstComment"] = comment.into();
    Live::from(remote)
}

#[cfg(test)]
#[path = "first_comment_tests.rs"]
mod tests;
