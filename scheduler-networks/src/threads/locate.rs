//! Looking for a part among the account's own posts, once its container is published and its id is
//! not known.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PublishJob};
use secrecy::ExposeSecret;

use super::Api;
use super::errors::failure;
use super::progress::{PartKind, Progress};
use super::wire::{Kept, List, Post};
use crate::conversation::{Answer, Request, Turn};

/// Posts of one page.
const PAGE: &str = "25";

/// Pages that are looked through.
const PAGES_MAX: usize = 4;

/// How far the network's clock may be behind ours.
const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// Since when the account's posts are looked through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The part was not published before this instant by our clock.
    since: DateTime<Utc>,
    /// The earliest instant that the network may give it.
    not_before: DateTime<Utc>,
}

impl Window {
    /// Posts since the part can have been published.
    pub(super) fn since(since: DateTime<Utc>) -> Self {
        Self { since, not_before: since - CLOCK_SLACK }
    }

    /// Posts since the whole publish began, for when nothing else is left: of several, the latest
    /// is taken then.
    pub(super) fn of_all(since: DateTime<Utc>, job: &PublishJob) -> Self {
        Self { since, not_before: job.begun_at.min(since) - CLOCK_SLACK }
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
    /// Nothing that can be it.
    Nothing,
}

/// The next turn of a look for the next part: the earliest of the account's posts since it can have
/// been published that says the same and is not one of the thread already, else the latest before.
///
/// Source: <https://developers.facebook.com/documentation/threads/reference/media-retrieval>.
pub(super) fn look(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    progress: &Progress,
    window: Window,
    answers: &[Answer],
) -> Result<Turn<Found>, NetworkError> {
    let mut answers = answers.iter();
    let mut candidates: Vec<(DateTime<Utc>, Post)> = Vec::new();
    let mut page: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(list(api, kept, progress, page.as_deref())));
        };
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let listed: List<Post> = answer.json().ok_or_else(|| {
            let message = "The answer of Threads cannot be read.";
            NetworkError::new(NetworkErrorKind::Temporary, message)
        })?;
        let is_last = listed
            .data
            .last()
            .is_none_or(|oldest| oldest.timestamp.is_some_and(|at| at < window.not_before));
        page = listed.after().map(str::to_owned);
        let posts = listed.data.into_iter().filter_map(|post| Some((post.timestamp?, post)));
        candidates.extend(posts.filter(|(at, post)| can_be(progress, window, *at, post)));
        if is_last || page.is_none() {
            break;
        }
    }
    // Instants come in whole seconds.
    let begin = window.since - TimeDelta::seconds(1);
    candidates.sort_by_key(|(at, _)| *at);
    let at = candidates.iter().position(|(at, _)| *at >= begin);
    let at = at.or_else(|| candidates.len().checked_sub(1));
    Ok(Turn::Done(match at {
        Some(at) => {
            let Post { id, permalink, .. } = candidates.swap_remove(at).1;
            Found::Post { id, permalink }
        }
        None => Found::Nothing,
    }))
}

fn can_be(progress: &Progress, window: Window, at: DateTime<Utc>, post: &Post) -> bool {
    let parent = post.replied_to.as_ref().map(|parent| parent.id.as_str());
    at >= window.not_before
        && !progress.parts.contains(&post.id)
        && plain(&post.text) == plain(progress.text().unwrap_or_default())
        && (parent.is_none() || parent == progress.parent())
        && post.media_type.as_deref().is_none_or(|media_type| is_of(progress.kind(), media_type))
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

/// A text with one kind of line end and without space around it.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

fn list(api: &Api, kept: &Kept, progress: &Progress, page: Option<&str>) -> Request {
    let (list, fields) = match progress.parent() {
        None => ("threads", "id,text,permalink,timestamp,media_type"),
        Some(_) => ("replies", "id,text,permalink,timestamp,media_type,replied_to"),
    };
    let mut query = vec![("fields", fields), ("limit", PAGE)];
    query.extend(page.map(|after| ("after", after)));
    let url = api.query(&[&kept.user_id, list], &query);
    Request::read(url).bearer(kept.access_token.expose_secret())
}
