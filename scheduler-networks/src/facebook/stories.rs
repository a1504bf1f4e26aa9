//! Stories: a photo that the network has, or a video, shown for a day.
//!
//! A photo or video is part of one post, so that a story is known again by it.
//!
//! Source: <https://developers.facebook.com/docs/page-stories-api>.

use scheduler_core::ports::{Live, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::Remote;

use super::caller::{Caller, refused};
use super::errors::{undone, unreadable};
use super::hosts::Host;
use super::progress::{Progress, Stage};
use super::publish::{TRIES_MAX, pause};
use super::wire::{Page, Post, PublishedStory, Story};
use crate::candidates::Pick;
use crate::conversation::{Answer, Body, Request, StoredProgress, Turn, TurnResult};

/// What is asked of each story, and stories of the list. One that is older than a day is not on it.
const FIELDS: &str = "post_id,media_id,url";
const PAGE: &str = "100";

/// The request that publishes a photo as a story.
pub(super) fn request(caller: &Caller<'_>, progress: &Progress) -> Result<Request, NetworkError> {
    let photo = progress.photo_ids().next().ok_or_else(Progress::unreadable)?;
    let url = caller.graph(&[&progress.page, "photo_stories"])?;
    let body = Body::Form(vec![("photo_id", photo.to_owned())]);
    Ok(caller.authorized(Request::act(url, body).visible()))
}

/// The step after a photo was published.
pub(super) fn published(progress: Progress, answer: &Answer) -> TurnResult<Step<Progress>> {
    let PublishedStory { success, post_id } = answer.json().ok_or_else(|| unreadable(true))?;
    match post_id {
        Some(id) if success => Ok(Turn::Done(Step::Live(progress.live(&id, None)))),
        // What its post is called is found by the photo.
        _ => {
            let error = undone("publish the story");
            Err(NetworkError { kind: NetworkErrorKind::Unsettled, ..error })
        }
    }
}

/// The next turn of looking for the story that shows our photo.
pub(super) fn search(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Pick<Box<Post>>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(list(caller, progress)?));
    };
    let page: Page<Story> = answer.taken(|| refused(answer, false, job), || unreadable(false))?;
    let found = of_media(page, progress.photo_ids().next());
    let post = found.and_then(|story| {
        let id = story.post_id?;
        Some(Post { permalink_url: story.url, ..Post::named(id) })
    });
    Ok(Turn::Done(post.map_or(Pick::Nothing, |post| Pick::One(Box::new(post)))))
}

/// Asks for the address of a live story. Without it, it is live all the same.
pub(super) fn link(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    remote: Remote,
    tries: u32,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(list(caller, &progress)?));
    };
    let page: Option<Page<Story>> = answer.is_success().then(|| answer.json()).flatten();
    let media = progress.video().or_else(|| progress.photo_ids().next());
    let Some(story) = page.and_then(|page| of_media(page, media)) else {
        if tries >= TRIES_MAX {
            return Ok(Turn::Done(Step::Live(Live { remote: Some(remote), then: None })));
        }
        let until = job.now + pause(tries);
        let stage = Stage::Link { remote, tries: tries + 1 };
        return Ok(Turn::Done(Step::Wait { progress: progress.at(stage), until }));
    };
    let Live { remote: named, .. } = match (progress.video().is_some(), story.post_id) {
        (true, post) => progress.live_film(post.as_deref(), story.url.as_deref()),
        (false, Some(post)) => progress.live(&post, story.url.as_deref()),
        (false, None) => progress.live(&remote.id, story.url.as_deref()),
    };
    let remote = Some(named.unwrap_or(remote));
    Ok(Turn::Done(Step::Live(Live { remote, then: None })))
}

fn list(caller: &Caller<'_>, progress: &Progress) -> Result<Request, NetworkError> {
    let pairs = [("fields", FIELDS), ("limit", PAGE)];
    let url = caller.hosts.call(Host::Graph, &[&progress.page, "stories"], &pairs)?;
    Ok(caller.authorized(Request::read(url)))
}

/// The story that shows a photo or a video.
fn of_media(page: Page<Story>, media: Option<&str>) -> Option<Story> {
    let media = media?;
    page.data.into_iter().find(|story| story.media_id.as_deref() == Some(media))
}

#[cfg(test)]
#[path = "stories_tests.rs"]
mod tests;
