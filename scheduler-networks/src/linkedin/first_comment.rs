//! The comment that follows a post.
//!
//! Nothing tells a repeat of a comment: after a lost answer the comments of the post are looked
//! through, and where they may not be read, the comment is left out rather than made twice.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | author | the network | excludes others |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: people edit it | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | end of the list | the network, order unknown | a list of more than one page is unclear |
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.

use chrono::TimeDelta;
use scheduler_core::ports::{Live, Located, Step};
use scheduler_core::target::Remote;
use serde_json::{Value, json};

use super::api::{Api, encoded};
use super::errors::{failure, unreadable};
use super::locate::LOOK_AGAIN;
use super::progress::{FirstComment, Progress};
use super::wire::{Elements, ListedComment, instant, may_read};
use crate::candidates::{Candidate, Pick, likeness, pick};
use crate::conversation::{Answer, Body, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::quotations::without_quotations;

/// How long a post that is not known yet is waited for, each time. Our decision.
const WAITS: [TimeDelta; 3] =
    [TimeDelta::seconds(2), TimeDelta::seconds(5), TimeDelta::seconds(15)];

/// Comments that one call gives.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.
const PAGE: &str = "start=0&count=100";
const PAGE_MAX: usize = 100;

const WHAT: &str = "The first comment could not be made";

/// The next turn of making the comment: the instant before the call is stored first.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    comment: FirstComment,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let next = |comment| Ok(Turn::Done(Step::Next(progress.with_comment(comment))));
    if comment.not_sent_before.is_none() {
        return next(FirstComment { not_sent_before: Some(job.now), ..comment });
    }
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(request(api, &job.credentials, &progress.author, &comment)));
    };
    if answer.is_success() {
        let remote = with_comment(comment.remote, named(answer));
        return Ok(Turn::Done(Step::Live(remote.into())));
    }
    let said = without_quotations(&answer.words("message"));
    let is_unknown = answer.status == 404 || said.contains("Unable to obtain activity");
    if let Some(wait) = WAITS.get(comment.refusals).filter(|_| is_unknown) {
        let refusals = comment.refusals + 1;
        let comment = FirstComment { refusals, not_sent_before: None, ..comment };
        let until = job.now + *wait;
        return Ok(Turn::Done(Step::Wait { progress: progress.with_comment(comment), until }));
    }
    if answer.status == 403 && !comment.is_older {
        return next(FirstComment { is_older: true, not_sent_before: None, ..comment });
    }
    Err(failure(answer, true, Some(job.now)).of_act().of_follow_up(WHAT))
}

/// The next turn of a look whether the comment was made.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    comment: FirstComment,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Some(since) = comment.lost_since.or(comment.not_sent_before) else {
        return Ok(Turn::Done(Located::Absent(progress)));
    };
    if !may_read(&job.credentials, &progress.author) {
        return Ok(Turn::Done(Located::Unknown));
    }
    if let Some(until) = comment.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress, until }));
    }
    let Some(answer) = answers.first() else {
        let path = format!("socialActions/{}/comments", encoded(&comment.remote.id));
        return Ok(Turn::Send(api.read(&job.credentials.access_token, &path, PAGE)));
    };
    if answer.status == 403 {
        return Ok(Turn::Done(Located::Unknown));
    }
    let listed: Elements<ListedComment> =
        answer.taken(|| failure(answer, false, Some(job.now)).of_follow_up(WHAT), unreadable)?;
    let is_whole = listed.elements.len() < PAGE_MAX;
    let of_author = listed.elements.into_iter().filter(|one| one.actor == progress.author);
    let candidates = of_author.map(|one| Candidate {
        at: one.created.as_ref().and_then(|created| created.time).and_then(instant),
        likeness: likeness(
            &comment.text,
            one.message.as_ref().map(|message| message.text.as_str()).unwrap_or_default(),
        ),
        fits: 0,
        post: one,
    });
    let found = pick(candidates, since).of_list(is_whole);
    Ok(Turn::Done(match found {
        Pick::One(found) => {
            let remote = with_comment(comment.remote, found.comment_urn.or(found.id));
            Located::Live(Live::from(remote))
        }
        Pick::Unclear | Pick::Nothing if comment.look_again_at.is_none() => {
            let until = job.now + LOOK_AGAIN;
            let comment = FirstComment { look_again_at: Some(until), ..comment };
            Located::Wait { progress: progress.with_comment(comment), until }
        }
        Pick::Unclear => Located::Unknown,
        Pick::Nothing => Located::Absent(progress.with_comment(FirstComment {
            look_again_at: None,
            not_sent_before: None,
            lost_since: Some(since),
            ..comment
        })),
    }))
}

fn request(api: &Api, tokens: &Tokens, author: &str, comment: &FirstComment) -> Request {
    let post = &comment.remote.id;
    let body = json!({
        "actor": author,
        "object": post,
        "message": { "text": comment.text },
    });
    let path = format!("socialActions/{}/comments", encoded(post));
    let url = if comment.is_older { api.older(&path) } else { api.rest(&path, "") };
    api.with_headers(Request::act(url, Body::Json(body)), &tokens.access_token).visible()
}

/// What the network calls a new comment.
fn named(answer: &Answer) -> Option<String> {
    let body: Option<Value> = answer.json();
    let of_body = |name: &str| body.as_ref()?.get(name)?.as_str().map(str::to_owned);
    let header = || answer.header("x-restli-id").map(str::to_owned);
    of_body("commentUrn").or_else(header).or_else(|| of_body("id"))
}

fn with_comment(remote: Remote, name: Option<String>) -> Remote {
    match name {
        Some(name) => Remote { record: json!({ "firstComment": name }), ..remote },
        None => remote,
    }
}

#[cfg(test)]
#[path = "first_comment_tests.rs"]
mod tests;
