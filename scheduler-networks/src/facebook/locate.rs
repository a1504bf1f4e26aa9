//! Looking for a post among the latest of the Page.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/published_posts/>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob};

use super::Caller;
use super::errors::{failure, unreadable};
use super::hosts::Host;
use super::progress::Progress;
use super::wire::{Page, Post};
use crate::conversation::{Answer, Request, Turn};

/// How long after a look that found nothing another one settles it. Our decision.
pub(super) const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(15);

/// How far the network's clock may be behind ours.
pub(super) const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// What is asked of each post, posts of one list, and lists that are read.
const WITH_PHOTOS: &str =
    "id,message,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}";
const WITHOUT_PHOTOS: &str = "id,message,created_time,permalink_url,application{id}";
const PAGE: &str = "25";
const PAGES_MAX: usize = 4;

/// What a look has shown.
#[derive(Debug)]
pub(super) enum Found {
    /// The post.
    Post(Box<Post>),
    /// No post that could be it.
    Nothing,
}

/// The next turn of looking for the post: one that shows a photo of ours, or else the earliest
/// since it can have gone out that has its text.
pub(super) fn search(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    not_sent_before: DateTime<Utc>,
    answers: &[Answer],
) -> Result<Turn<Found>, NetworkError> {
    let fields = if progress.photos.is_empty() { WITHOUT_PHOTOS } else { WITH_PHOTOS };
    let since = not_sent_before - CLOCK_SLACK;
    let mut answers = answers.iter();
    let mut after: Option<String> = None;
    let mut candidates: Vec<Post> = Vec::new();
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            let mut pairs = vec![("fields", fields), ("limit", PAGE)];
            pairs.extend(after.as_deref().map(|after| ("after", after)));
            let segments = [progress.page.as_str(), "published_posts"];
            let url = caller.hosts.call(Host::Graph, &segments, &pairs)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let page: Page<Post> = answer.json().ok_or_else(|| unreadable(false))?;
        after = page.after();
        let is_past = page.data.iter().any(|post| post.created_time.is_some_and(|at| at < since));
        candidates
            .extend(page.data.into_iter().filter(|post| is_it(caller, progress, since, post)));
        if after.is_none() || is_past {
            break;
        }
    }
    let found = candidates.into_iter().min_by_key(|post| post.created_time);
    Ok(Turn::Done(found.map_or(Found::Nothing, |post| Found::Post(Box::new(post)))))
}

fn is_it(caller: &Caller<'_>, progress: &Progress, since: DateTime<Utc>, post: &Post) -> bool {
    if post.id.is_empty() {
        return false;
    }
    if !progress.photos.is_empty() {
        return progress.photo_ids().any(|photo| post.shows(photo));
    }
    let theirs = post.application.as_ref().and_then(|application| application.id.as_deref());
    let is_of_other_app = theirs.zip(caller.app_id).is_some_and(|(theirs, ours)| theirs != ours);
    post.created_time.is_some_and(|at| at >= since)
        && !is_of_other_app
        && same(post.message.as_deref().unwrap_or_default(), &progress.message)
}

/// Whether two texts are the same once the network has cleaned them.
pub(super) fn same(theirs: &str, ours: &str) -> bool {
    theirs.replace("\r\n", "\n").trim() == ours.replace("\r\n", "\n").trim()
}
