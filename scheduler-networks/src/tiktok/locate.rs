//! Looking for a post whose visible call was lost.
//!
//! The publish of a video has a name before its first byte is sent, and the name tells all. Photos
//! get theirs only with the answer: where that is lost, the post can be found among the account's,
//! as far as everybody may see it. What is not found there is never sent again by itself, since it
//! can still come.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | name of the publish of a video | the network | decides: whether it is out, has failed, or lacks bytes |
//! | account | the list, which holds the account's own posts | excludes |
//! | visibility | nothing: the list shows public posts alone | a post of another kind is in doubt at once |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: the list cuts it | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | order and end of the list | nothing | nothing: photos are never named again |
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status>
//! and <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-list>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Live, Located};
use serde_json::json;

use super::api::Api;
use super::errors::{lacks_scope, taken};
use super::progress::{Progress, Stage};
use super::status::{self, State};
use super::upload::Upload;
use super::wire::{Status, Video, Videos};
use crate::candidates::{CLOCK_SLACK, Candidate, Likeness, likeness, pick};
use crate::conversation::{Answer, Body, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How long after the call the post is looked for. A post comes among the account's once it is
/// processed and moderated, mostly within a minute. Our decision.
const LOOKS: [TimeDelta; 5] = [
    TimeDelta::zero(),
    TimeDelta::seconds(30),
    TimeDelta::minutes(2),
    TimeDelta::minutes(10),
    TimeDelta::minutes(30),
];

/// Characters of a text that are compared: a list may cut the rest.
const COMPARED: usize = 150;

/// The scope with which an account's posts are read.
pub(super) const LIST: &str = "video.list";

/// The next turn of a look whether the visible call of a step was done.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    match progress.stage.clone() {
        Stage::Sending(upload) if upload.is_at_last_chunk() => {
            by_name(api, job, progress, upload, answers)
        }
        Stage::Photos { since, looks } => among_posts(api, job, progress, (since, looks), answers),
        Stage::Sending(_)
        | Stage::Creator
        | Stage::Init
        | Stage::Processing { .. }
        | Stage::Posted { .. } => Ok(Turn::Done(Located::Absent(progress))),
    }
}

/// The next turn of asking how far the publish of a video is. While it lacks bytes, the last chunk
/// may be sent again to the same address.
fn by_name(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    upload: Upload,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let publish_id = upload.publish_id.clone();
    let begun_at = upload.announced_at();
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(status::fetch(api, &job.credentials, &publish_id)));
    };
    let status: Status = taken(answer, false, Some(job.now))?;
    Ok(Turn::Done(match State::of(&status) {
        State::Done => Located::Live(progress.live(api, &publish_id, &status, (begun_at, job.now))),
        State::Works if !upload.is_whole(status.uploaded_bytes) => {
            Located::Repeat(progress.at(Stage::Sending(upload.sent_once())))
        }
        // Why it has failed is told by the step that asks again.
        State::Works | State::Failed(_) => {
            let stage = Stage::Processing { publish_id, since: job.now };
            Located::Continue(progress.at(stage))
        }
    }))
}

/// The next turn of looking for photos among the account's posts.
fn among_posts(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    (since, looks): (DateTime<Utc>, u32),
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    if !progress.is_public() || !job.credentials.may(&[LIST]) {
        return Ok(Turn::Done(Located::Unknown));
    }
    let due_at = |looks: u32| {
        let after = usize::try_from(looks).ok().and_then(|looks| LOOKS.get(looks));
        after.map(|after| since + *after)
    };
    if let Some(until) = due_at(looks).filter(|until| job.now < *until) {
        return Ok(Turn::Done(Located::Wait { progress, until }));
    }
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(list(api, &job.credentials)));
    };
    if lacks_scope(answer) {
        return Ok(Turn::Done(Located::Unknown));
    }
    let listed: Videos = taken(answer, false, Some(job.now))?;
    let candidates = listed.videos.iter().map(|video| candidate(&progress, video));
    if let Some(found) = pick(candidates, since).one() {
        let remote = progress.remote(api, &found.id);
        return Ok(Turn::Done(Located::Live(Live { remote: Some(remote), then: None })));
    }
    Ok(Turn::Done(match due_at(looks + 1) {
        Some(until) => {
            let stage = Stage::Photos { since, looks: looks + 1 };
            Located::Wait { progress: progress.at(stage), until: until.max(job.now) }
        }
        None => Located::Unknown,
    }))
}

/// The post of a publish that was live from one instant to another at the latest, among the
/// account's posts: the only one in that time with the same text. A post without a text is not
/// told from others.
pub(super) fn among_listed<'a>(
    progress: &Progress,
    listed: &'a Videos,
    (begun_at, live_at): (DateTime<Utc>, DateTime<Utc>),
) -> Option<&'a Video> {
    if progress.post.text.trim().is_empty() {
        return None;
    }
    let candidates = listed.videos.iter().map(|video| candidate(progress, video));
    let is_in_time = |one: &Candidate<&Video>| one.at.is_some_and(|at| at <= live_at + CLOCK_SLACK);
    pick(candidates.filter(is_in_time), begun_at).one()
}

/// The request for the account's latest posts.
pub(super) fn list(api: &Api, tokens: &Tokens) -> Request {
    let body = Body::Json(json!({ "max_count": 20 }));
    let fields = "id,create_time,video_description";
    api.call(&tokens.access_token, &["video", "list"], Some(fields), body)
}

fn candidate<'a>(progress: &Progress, video: &'a Video) -> Candidate<&'a Video> {
    Candidate {
        at: video.create_time.and_then(|seconds| DateTime::from_timestamp(seconds, 0)),
        likeness: likeness_of(&progress.post.text, &video.video_description),
        fits: 0,
        post: video,
    }
}

/// How much a text of the list is like ours, of which it may show the beginning alone.
fn likeness_of(ours: &str, theirs: &str) -> Likeness {
    let start = |text: &str| text.trim().chars().take(COMPARED).collect::<String>();
    likeness(ours, theirs).max(likeness(&start(ours), &start(theirs)))
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
