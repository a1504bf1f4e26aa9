//! Looking for a part among the account's own posts, once its container is published and its id is
//! not known.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | state of the container | the network: each can be published once, and says whether it was | decides whether it is out |
//! | account | the list, which holds the account's own posts | excludes |
//! | ids of the parts before | the network | exclude |
//! | the post that it answers | the network, where it names one | excludes others than the part before |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: people edit it | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | kind of media | nothing | chooses |
//! | order and end of the list | nothing | nothing: what is not found is never made anew |

use chrono::{DateTime, Utc};
use scheduler_core::ports::{NetworkError, PublishJob};
use secrecy::ExposeSecret;

use super::api::Api;
use super::errors::failure;
use super::progress::{PartKind, Progress};
use super::wire::{List, Post, Tokens};
use crate::candidates::{CLOCK_MAX, Candidate, likeness, pick};
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};

/// Posts of one page.
const PAGE: &str = "25";

/// Pages that are looked through.
const PAGES_MAX: usize = 4;

/// Since when the account's posts are looked through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The part was not published before this instant by our clock.
    since: DateTime<Utc>,
}

impl Window {
    /// Posts since the part can have been published.
    pub(super) const fn since(since: DateTime<Utc>) -> Self {
        Self { since }
    }

    /// Posts since the whole publish began, for when nothing else is left.
    pub(super) fn of_all(since: DateTime<Utc>, job: &PublishJob) -> Self {
        Self { since: job.begun_at.min(since) }
    }
}

/// What a look has shown.
#[derive(Debug)]
pub(super) enum Found {
    /// The part.
    Post {
        /// Its id.
        id: String,
        /// Its page.
        permalink: Option<String>,
    },
    /// Nothing that is certainly it.
    Nothing,
}

/// The next turn of a look for the next part: the one of the account's posts since it can have been
/// published that is certainly it.
///
/// Source: <https://developers.facebook.com/documentation/threads/reference/media-retrieval>.
pub(super) fn look(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    window: Window,
    answers: &[Answer],
) -> TurnResult<Found> {
    let mut answers = answers.iter();
    let mut posts: Vec<Post> = Vec::new();
    let mut page: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(list(api, &job.credentials, progress, page.as_deref())));
        };
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let listed: List<Post> = answer.json().ok_or_else(|| {
            let message = "The answer of Threads cannot be read.";
            NetworkError::temporary(message)
        })?;
        let is_last = listed
            .data
            .last()
            .is_none_or(|oldest| oldest.timestamp.is_some_and(|at| at < window.since - CLOCK_MAX));
        page = listed.after().map(str::to_owned);
        posts.extend(listed.data);
        if is_last || page.is_none() {
            break;
        }
    }
    let ours = progress.text().unwrap_or_default();
    let candidates = posts.into_iter().filter(|post| can_be(progress, post)).map(|post| {
        let media_type = post.media_type.as_deref();
        Candidate {
            at: post.timestamp,
            likeness: likeness(ours, &post.text),
            fits: u32::from(media_type.is_some_and(|name| is_of(progress.kind(), name))),
            post,
        }
    });
    Ok(Turn::Done(match pick(candidates, window.since).one() {
        Some(Post { id, permalink, .. }) => Found::Post { id, permalink },
        None => Found::Nothing,
    }))
}

/// False for a part that is known already, and for an answer to something else.
fn can_be(progress: &Progress, post: &Post) -> bool {
    let parent = post.replied_to.as_ref().map(|parent| parent.id.as_str());
    !progress.parts.contains(&post.id) && (parent.is_none() || parent == progress.parent())
}

/// Source: <https://developers.facebook.com/documentation/threads/reference/media-retrieval>,
/// `media_type`.
fn is_of(kind: PartKind, media_type: &str) -> bool {
    match kind {
        PartKind::Text => media_type.starts_with("TEXT"),
        PartKind::Image => media_type == "IMAGE",
        PartKind::Video => media_type == "VIDEO",
        PartKind::Carousel => media_type.starts_with("CAROUSEL"),
    }
}

fn list(api: &Api, tokens: &Tokens, progress: &Progress, page: Option<&str>) -> Request {
    let (list, fields) = match progress.parent() {
        None => ("threads", "id,text,permalink,timestamp,media_type"),
        Some(_) => ("replies", "id,text,permalink,timestamp,media_type,replied_to"),
    };
    let mut query = vec![("fields", fields), ("limit", PAGE)];
    query.extend(page.map(|after| ("after", after)));
    let url = api.query(&[&tokens.user_id, list], &query);
    Request::read(url).bearer(tokens.access_token.expose_secret())
}
