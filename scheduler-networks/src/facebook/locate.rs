//! Looking for a post among the latest of the Page.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | the Page | the list, which holds the Page's own posts | excludes |
//! | ids of our photos | the network: a photo is part of one post | excludes; a repeat is refused |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: links, mentions and signs are rewritten, and people edit | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | application | nothing: an operator can change it, and a Page token can be of another | chooses among posts of the same text |
//! | order and end of the list | the network: newest first | a list that was not read far enough back is unclear |
//!
//! What is unclear is never sent again. A video is asked for by its id, which excludes all others.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/published_posts/>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::PublishJob;

use super::caller::Caller;
use super::errors::{failure, unreadable};
use super::hosts::Host;
use super::progress::Progress;
use super::wire::{Page, Post};
use crate::candidates::{Candidate, Pick, likeness, pick, reaches_back};
use crate::conversation::{Answer, Request, Turn, TurnResult};

/// How long after a look that found nothing another one settles it. Our decision.
pub(super) const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(15);

/// What is asked of each post, posts of one list, and lists that are read.
const WITH_PHOTOS: &str =
    "id,message,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}";
const WITHOUT_PHOTOS: &str = "id,message,created_time,permalink_url,application{id}";
const PAGE: &str = "25";
pub(super) const PAGES_MAX: usize = 10;

/// The next turn of looking for the post: one that shows a photo of ours, or else one that a call
/// since an instant can have made.
pub(super) fn search(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    since: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Pick<Box<Post>>> {
    let has_photos = !progress.photos.is_empty();
    let fields = if has_photos { WITH_PHOTOS } else { WITHOUT_PHOTOS };
    let mut answers = answers.iter();
    let mut after: Option<String> = None;
    let mut posts: Vec<Post> = Vec::new();
    let mut is_whole = false;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            let mut pairs = vec![("fields", fields), ("limit", PAGE)];
            pairs.extend(after.as_deref().map(|after| ("after", after)));
            let segments = [progress.page.as_str(), "published_posts"];
            let url = caller.hosts.call(Host::Graph, &segments, &pairs)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        let page: Page<Post> =
            answer.taken(|| failure(answer, false, Some(job.now)), || unreadable(false))?;
        after = page.after();
        let last = page.data.last().and_then(|post| post.created_time);
        posts.extend(page.data.into_iter().filter(|post| !post.id.is_empty()));
        is_whole = after.is_none() || reaches_back(last, since);
        if is_whole {
            break;
        }
    }
    if has_photos {
        let ours = |post: &Post| progress.photo_ids().any(|photo| post.shows(photo));
        let found = posts.into_iter().find(ours);
        return Ok(Turn::Done(found.map_or(Pick::Nothing, |post| Pick::One(Box::new(post)))));
    }
    let candidates = posts.into_iter().map(|post| Candidate {
        at: post.created_time,
        likeness: likeness(&progress.message, post.message.as_deref().unwrap_or_default()),
        fits: u32::from(is_of_our_application(caller, &post)),
        post: Box::new(post),
    });
    Ok(Turn::Done(pick(candidates, since).of_list(is_whole)))
}

fn is_of_our_application(caller: &Caller<'_>, post: &Post) -> bool {
    let theirs = post.application.as_ref().and_then(|application| application.id.as_deref());
    theirs.is_some() && theirs == caller.app_id
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
