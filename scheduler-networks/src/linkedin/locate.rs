//! Looking for a post whose call was lost.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | author | the list, which holds posts of this author alone | excludes |
//! | the post that a refused repeat names | the network, for about ten minutes | decides, once it is read back; it can be one that was deleted |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: it comes back in a notation of its own, and people edit | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | order and end of the list | the network: newest first | a list that was not read far enough back is unclear |
//!
//! What is unclear is sent again only while the network recognises a repeat, else it is in doubt;
//! so is a post that is named and that may not be read.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::Located;

use super::api::{Api, encoded};
use super::errors::{failure, unreadable};
use super::progress::{Named, Post, Progress};
use super::text::visible;
use super::wire::{Elements, ListedPost, instant, may_read};
use crate::candidates::{Candidate, Pick, likeness, pick, reaches_back};
use crate::conversation::{Answer, Job, Request, Turn, TurnResult, or_send};
use crate::oauth_tokens::Tokens;

/// How long a repeat is trusted to be refused: the network remembers for about ten minutes, and the
/// rest is for the call itself.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>;
/// the figure is that of clients.
pub(super) const WINDOW: TimeDelta = TimeDelta::minutes(8);

/// How long after a look that found nothing another one settles it. Our decision: should the call
/// arrive later still, its repeat is refused as a duplicate and names it.
pub(super) const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(10);

/// Posts of one list, and lists that are read.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Find posts by authors": 100 at most. The number of lists is our decision.
const PAGE: usize = 50;
const PAGES_MAX: usize = 10;

/// The next turn of a look whether the post was made: among the posts of the author where they may
/// be read, else by sending it again while a repeat is known.
pub(super) fn post(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    post: Post,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Some(sent_at) = post.not_sent_before.filter(|_| post.is_ready()) else {
        return Ok(Turn::Done(Located::Absent(progress)));
    };
    if let Some(named) = &post.named {
        return self::named(api, job, &progress, named, answers);
    }
    let by_repeat = || {
        if job.now < sent_at + WINDOW {
            let post = Post { is_repeat: true, look_again_at: None, ..post.clone() };
            return Turn::Done(Located::Repeat(progress.with_post(post)));
        }
        Turn::Done(Located::Unknown)
    };
    if !may_read(&job.credentials, &progress.author) {
        return Ok(by_repeat());
    }
    if let Some(until) = post.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress, until }));
    }
    let since = post.lost_since.unwrap_or(sent_at);
    // The permission was not given after all.
    if answers.last().is_some_and(|answer| answer.status == 403) {
        return Ok(by_repeat());
    }
    let found = or_send!(search(api, job, &progress, &post, since, answers)?);
    Ok(match found {
        Pick::One(urn) => Turn::Done(Located::Live(progress.live(api, &urn))),
        Pick::Unclear | Pick::Nothing if post.look_again_at.is_none() => {
            let until = job.now + LOOK_AGAIN;
            let post = Post { look_again_at: Some(until), ..post };
            Turn::Done(Located::Wait { progress: progress.with_post(post), until })
        }
        Pick::Unclear => by_repeat(),
        Pick::Nothing => Turn::Done(Located::Absent(progress.with_post(Post {
            look_again_at: None,
            not_sent_before: None,
            is_repeat: true,
            lost_since: Some(since),
            ..post
        }))),
    })
}

/// The next turn of asking for the post that a refused repeat has named.
fn named(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    named: &Named,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    if !may_read(&job.credentials, &progress.author) {
        return Ok(Turn::Done(Located::Unknown));
    }
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(one(api, &job.credentials, &named.urn)));
    };
    match answer.status {
        403 => Ok(Turn::Done(Located::Unknown)),
        // The step asks again, and sends nothing.
        404 => Ok(Turn::Done(Located::Repeat(progress.clone()))),
        _ if answer.is_success() => Ok(Turn::Done(Located::Live(progress.live(api, &named.urn)))),
        _ => Err(failure(answer, false, Some(job.now))),
    }
}

/// The request for one post.
pub(super) fn one(api: &Api, tokens: &Tokens, urn: &str) -> Request {
    api.read(&tokens.access_token, &format!("posts/{}", encoded(urn)), "")
}

/// The next turn of looking among the author's posts.
fn search(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    post: &Post,
    since: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Pick<String>> {
    let sent = visible(&post.commentary);
    let mut candidates = Vec::new();
    let mut is_whole = false;
    for number in 0..PAGES_MAX {
        let Some(answer) = answers.get(number) else {
            return Ok(Turn::Send(finder(api, &job.credentials, progress, number * PAGE)));
        };
        let listed: Elements<ListedPost> =
            answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
        let made_at =
            |listed: &ListedPost| listed.created_at.or(listed.published_at).and_then(instant);
        let is_last = listed.elements.len() < PAGE;
        let last = listed.elements.last().and_then(made_at);
        candidates.extend(listed.elements.into_iter().map(|listed| Candidate {
            at: made_at(&listed),
            likeness: likeness(&sent, &visible(&listed.commentary)),
            fits: 0,
            post: listed.id,
        }));
        is_whole = is_last || reaches_back(last, since);
        if is_whole {
            break;
        }
    }
    Ok(Turn::Done(pick(candidates, since).of_list(is_whole)))
}

/// The latest posts of the author.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Find posts by authors".
fn finder(api: &Api, tokens: &Tokens, progress: &Progress, start: usize) -> Request {
    let author = encoded(&progress.author);
    let query = format!("q=author&author={author}&start={start}&count={PAGE}&sortBy=CREATED");
    let request = api.read(&tokens.access_token, "posts", &query);
    request.header("x-restli-method", "FINDER".to_owned())
}
