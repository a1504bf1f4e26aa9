//! Looking for a post whose call was lost.

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkError, PublishJob};

use super::api::{Api, encoded};
use super::errors::{failure, unreadable};
use super::progress::{Post, Progress};
use super::text::visible;
use super::wire::{Elements, Kept, ListedPost, instant};
use crate::conversation::{Answer, Request, Turn};

/// How long a repeat is trusted to be refused: the network remembers for about ten minutes, and the
/// rest is for the call itself.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>;
/// the figure is that of clients.
pub(super) const WINDOW: TimeDelta = TimeDelta::minutes(8);

/// How far the network's clock may be behind ours.
pub(super) const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// How long after a look that found nothing another one settles it. Our decision: should the call
/// arrive later still, its repeat is refused as a duplicate and names it.
pub(super) const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(10);

/// The next turn of a look whether the post was made: among the posts of the author where they may
/// be read, else by sending it again while a repeat is known.
pub(super) fn post(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    progress: Progress,
    post: Post,
    answers: &[Answer],
) -> Result<Turn<Located>, NetworkError> {
    let Some(since) = post.not_sent_before.filter(|_| post.is_ready()) else {
        return Ok(Turn::Done(Located::Continue(progress.to_value())));
    };
    let by_repeat = || {
        if job.now < since + WINDOW {
            let post = Post { is_repeat: true, ..post.clone() };
            return Turn::Done(Located::Repeat(progress.with_post(post)));
        }
        Turn::Done(Located::Unknown)
    };
    if !kept.may_read(&progress.author) {
        return Ok(by_repeat());
    }
    if let Some(until) = post.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress: progress.to_value(), until }));
    }
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(finder(api, kept, &progress)));
    };
    // The permission was not given after all.
    if answer.status == 403 {
        return Ok(by_repeat());
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    let listed: Elements<ListedPost> = answer.json().ok_or_else(unreadable)?;
    let sent = visible(&post.commentary);
    let is_it = |listed: &&ListedPost| {
        let at = listed.created_at.or(listed.published_at).and_then(instant);
        at.is_some_and(|at| at >= since - CLOCK_SLACK) && visible(&listed.commentary) == sent
    };
    if let Some(found) = listed.elements.iter().find(is_it) {
        return Ok(Turn::Done(Located::Live(progress.live(api, &found.id))));
    }
    Ok(Turn::Done(match post.look_again_at {
        None => {
            let until = job.now + LOOK_AGAIN;
            let post = Post { look_again_at: Some(until), ..post };
            Located::Wait { progress: progress.with_post(post), until }
        }
        Some(_) => Located::Continue(progress.with_post(Post {
            look_again_at: None,
            not_sent_before: None,
            is_repeat: true,
            ..post
        })),
    }))
}

/// The latest posts of the author.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Find posts by authors".
fn finder(api: &Api, kept: &Kept, progress: &Progress) -> Request {
    let query = format!("q=author&author={}&count=10&sortBy=CREATED", encoded(&progress.author));
    let request = api.read(&kept.access_token, "posts", &query);
    request.header("x-restli-method", "FINDER".to_owned())
}
