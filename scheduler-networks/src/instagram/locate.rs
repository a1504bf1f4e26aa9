//! Looking whether a container was published, and which post came of it.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | state of the container | the network: each can be published once, and says whether it was | decides whether it is out |
//! | account | the list, which holds the account's own posts | excludes |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | caption | nothing: people edit it, and stories have none | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | kind of post | nothing: a single video may be shown as either kind | chooses |
//!
//! The list only tells which post it is. A container that the network does not show, and a list
//! without a post that is certainly it, are in doubt: nothing is made anew.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/content-publishing>,
//! "Get the status of a container".

use chrono::{DateTime, Utc};
use scheduler_core::ports::PublishJob;
use scheduler_core::target::Remote;

use super::caller::Caller;
use super::containers::ask;
use super::errors::{Described, Meaning, failure, unreadable};
use super::progress::{Form, Progress, Stage};
use super::wire::{ContainerStatus, Media, Page, StatusCode};
use crate::candidates::{Candidate, Likeness, likeness, pick};
use crate::conversation::{Answer, Request, StoredProgress, Turn, TurnResult};

/// Posts of one page. What was published a moment ago is among the latest.
const PAGE: &str = "25";

/// What a look has shown.
#[derive(Debug)]
pub(super) enum Found {
    /// It is out; the post, where it was found.
    Published(Option<Media>),
    /// It is not out, and can be published.
    Finished,
    /// The network still works on it.
    InProgress,
    /// It did not go out, and never will.
    Spoiled,
    /// The network does not tell.
    Unclear,
}

/// The next turn of a look whether the last container was published.
pub(super) fn look(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Found> {
    let Stage::Publish { not_sent_before, .. } = progress.stage else {
        return Err(Progress::unreadable());
    };
    let Some((answer, listed)) = answers.split_first() else {
        let container = progress.finished().ok_or_else(Progress::unreadable)?;
        return Ok(Turn::Send(ask(caller, container)?));
    };
    let is_told = answer.is_success();
    if is_told {
        let status: ContainerStatus = answer.json().ok_or_else(|| unreadable(false))?;
        match status.status_code {
            StatusCode::Published => {}
            StatusCode::Finished => return Ok(Turn::Done(Found::Finished)),
            StatusCode::InProgress => return Ok(Turn::Done(Found::InProgress)),
            StatusCode::Expired | StatusCode::Error => return Ok(Turn::Done(Found::Spoiled)),
        }
    } else {
        let is_gone = matches!(
            Described::read(answer).meaning(),
            Meaning::NotFound | Meaning::NotFoundYet | Meaning::Missing | Meaning::NewContainer
        );
        if !is_gone {
            return Err(failure(answer, false, Some(job.now)));
        }
    }
    // A container that the network does not show may be one that was published long ago.
    Ok(match search(caller, job, progress, not_sent_before, listed)? {
        Turn::Send(request) => Turn::Send(request),
        Turn::Done(None) if !is_told => Turn::Done(Found::Unclear),
        Turn::Done(media) => Turn::Done(Found::Published(media)),
    })
}

/// The next turn of looking for the post among those of the account: the one that is certainly it.
pub(super) fn search(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: &Progress,
    not_sent_before: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Option<Media>> {
    let is_story = progress.form == Form::Story;
    let Some(answer) = answers.first() else {
        let list = if is_story { "stories" } else { "media" };
        let segments = [caller.tokens.user_id.as_str(), list];
        let fields = "id,caption,permalink,timestamp,media_product_type";
        let url = caller.graph_query(&segments, &[("fields", fields), ("limit", PAGE)])?;
        return Ok(Turn::Send(caller.authorized(Request::read(url))));
    };
    let page: Page<Media> =
        answer.taken(|| failure(answer, false, Some(job.now)), || unreadable(false))?;
    let candidates = page.data.into_iter().filter(|media| !media.id.is_empty()).map(|media| {
        let product = media.media_product_type.as_deref();
        let caption = media.caption.as_deref().unwrap_or_default();
        Candidate {
            at: media.timestamp,
            likeness: match is_story {
                true => Likeness::Same,
                false => likeness(&progress.caption, caption),
            },
            fits: u32::from(product == Some(progress.form.product())),
            post: media,
        }
    });
    Ok(Turn::Done(pick(candidates, not_sent_before).one()))
}

/// What we call a post that the network shows.
pub(super) fn remote_of(progress: &Progress, media: Media) -> Remote {
    let place = if progress.form == Form::Reel { "reel" } else { "p" };
    let by_code = media
        .shortcode
        .filter(|code| progress.form != Form::Story && !code.is_empty())
        .map(|code| format!("https://www.instagram.com/{place}/{code}/"));
    progress.remote(&media.id, media.permalink.or(by_code))
}
