//! Publishing a draft, and what follows.
//!
//! A draft gets another id when it is published, and its own is gone then. So whatever becomes of
//! a call that publishes one, the draft says whether it is still to be done.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Editing a Post (Neue Post Format)" and
//! "Retrieve Published Posts".

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Live, Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::Remote;

use super::api::Api;
use super::content::{is_private, last_state, post};
use super::errors::{failure, is_forbidden, is_gone, unreadable, unreadable_success};
use super::locate::{PAGE, Recent, alike, grown_from, latest, listed, recent, remote};
use super::progress::{Progress, Stage};
use super::wire::{Editable, Enveloped, Made};
use super::{draft, limits, mentions, reblog, video};
use crate::conversation::{Answer, Body, Job, Method, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// How often the post of a draft that is gone is looked for, and how long until the next look.
const LOOKS_MAX: u32 = 5;
const LOOK_WAIT: TimeDelta = TimeDelta::seconds(60);

/// How often the page of a post is asked for in vain before what is known is kept.
const LINK_TRIES: u32 = 3;

/// How long until the page of a post is asked for again.
const LINK_WAIT: TimeDelta = TimeDelta::seconds(15);

/// The next turn of a step.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match progress.stage.clone() {
        Stage::Mentions => mentions::look_up(api, job, progress, answers),
        Stage::Parent => reblog::look_up(api, job, progress, answers),
        Stage::Limits => video::limits(api, job, progress, answers),
        Stage::Draft { since } => draft::make(api, job, progress, since, answers),
        Stage::Publish { draft, since, looks } => {
            let draft = Draft { id: draft, since, looks };
            publish(api, job, progress, &draft, answers)
        }
        Stage::Send { since, unknown_since, is_repeat } => {
            let sent = video::Sent { since, unknown_since, is_repeat };
            video::send(api, job, progress, &sent, answers)
        }
        Stage::Link { draft, remote, since, tries } => {
            let known = Known { draft, remote, since, tries };
            link(api, job, progress, known, answers)
        }
        Stage::Transcoding { id, since, taken_at } => {
            video::poll(api, job, &progress, &id, since, taken_at, answers)
        }
    }
}

/// The next turn of a look whether the visible call of a step was done.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    match progress.stage.clone() {
        Stage::Publish { draft, since, looks } => {
            let draft = Draft { id: draft, since, looks };
            look(api, job, progress, draft, answers)
        }
        Stage::Send { since, unknown_since, is_repeat } => {
            let sent = video::Sent { since, unknown_since, is_repeat };
            video::look(api, job, progress, sent, answers)
        }
        Stage::Mentions
        | Stage::Parent
        | Stage::Limits
        | Stage::Draft { .. }
        | Stage::Link { .. }
        | Stage::Transcoding { .. } => Ok(Turn::Done(Located::Absent(progress))),
    }
}

struct Draft {
    id: String,
    since: DateTime<Utc>,
    looks: u32,
}

/// What is known of a post that is live.
struct Known {
    draft: String,
    remote: Remote,
    since: DateTime<Utc>,
    tries: u32,
}

/// Publishes the draft as the network has it: its files have addresses there by now.
fn publish(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    draft: &Draft,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let mut answers = answers.iter();
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(fetch(api, job, &draft.id)));
    };
    if is_gone(answer) {
        // After looks in vain only a person gets here, who wants it sent again.
        if draft.looks >= LOOKS_MAX {
            let progress = progress.prepared(job, job.now);
            return Ok(Turn::Done(Step::Next(progress)));
        }
        return Err(gone());
    }
    let editable = editable(answer, job)?;
    if editable.state.as_deref() == Some(last_state(job)) {
        let remote = remote(api, job, &draft.id, editable.post_url.as_deref());
        return Ok(Turn::Done(Step::Live(remote.into())));
    }
    let Some(answer) = answers.next() else {
        let blog = job.account.network_id.as_str();
        let parent = progress.parent.as_ref();
        let (content, layout) = (editable.content, editable.layout);
        let body = Body::Json(post(content, layout, job, parent, last_state(job)));
        let request =
            api.act(&job.credentials.access_token, &["blog", blog, "posts", &draft.id], body);
        return Ok(Turn::Send(request.method(Method::Put).visible()));
    };
    if is_gone(answer) {
        return Err(gone());
    }
    if progress.parent.is_some() && is_forbidden(answer) {
        return Err(reblog::closed());
    }
    if !answer.is_success() {
        let error = failure(answer, true, Some(job.now));
        return limits::refused(api, job, answer, answers, error);
    }
    let Enveloped { response: Made { id, .. } } = answer.json().ok_or_else(unreadable_success)?;
    let since = draft.since;
    Ok(Turn::Done(Step::Live(live(api, job, progress, &draft.id, &id, since))))
}

/// A post that is live under an id that its answer gave; its page is asked for next.
pub(super) fn live(
    api: &Api,
    job: &PublishJob,
    progress: Progress,
    draft: &str,
    id: &str,
    since: DateTime<Utc>,
) -> Live<Progress> {
    let remote = remote(api, job, id, None);
    // Where a private post is listed is not documented.
    if is_private(job) {
        return remote.into();
    }
    let stage = Stage::Link { draft: draft.to_owned(), remote: remote.clone(), since, tries: 0 };
    Live { remote: Some(remote), then: Some(progress.at(stage)) }
}

fn fetch(api: &Api, job: &Job<'_, Tokens>, id: &str) -> Request {
    let blog = job.account.network_id.as_str();
    let pairs = [("post_format", "npf")];
    api.read(&job.credentials.access_token, &["blog", blog, "posts", id], &pairs)
}

fn editable(answer: &Answer, job: &PublishJob) -> Result<Editable, NetworkError> {
    let read: Enveloped<Editable> =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    Ok(read.response)
}

/// The failure for a draft that is not there any more: it went out, or somebody has deleted it.
fn gone() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "The draft of this post is not on Tumblr any more; it may have gone out.",
    )
}

/// Looks whether the draft was published.
fn look(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    draft: Draft,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Some((answer, looked)) = answers.split_first() else {
        return Ok(Turn::Send(fetch(api, job, &draft.id)));
    };
    if !is_gone(answer) {
        let editable = editable(answer, job)?;
        return Ok(Turn::Done(match editable.state.as_deref() {
            Some(state) if state == last_state(job) => {
                Located::Live(remote(api, job, &draft.id, editable.post_url.as_deref()).into())
            }
            // A draft is published once, however often it is asked for.
            _ => Located::Repeat(progress),
        }));
    }
    let blog = job.account.network_id.as_str();
    let looked = &mut looked.iter();
    let Recent { posts, .. } =
        match recent(api, &job.credentials, blog, draft.since, job.now, looked)? {
            Turn::Send(request) => return Ok(Turn::Send(request)),
            Turn::Done(recent) => recent,
        };
    let found = grown_from(&posts, &draft.id)
        .or_else(|| alike(&posts, job, &progress, draft.since, Some(&draft.id)).one());
    if let Some(found) = found {
        let remote = remote(api, job, found.id(), found.post_url.as_deref());
        return Ok(Turn::Done(Located::Live(remote.into())));
    }
    if draft.looks >= LOOKS_MAX {
        return Ok(Turn::Done(Located::Unknown));
    }
    let Draft { id, since, looks } = draft;
    let stage = Stage::Publish { draft: id, since, looks: looks + 1 };
    let progress = progress.at(stage);
    Ok(Turn::Done(Located::Wait { progress, until: job.now + LOOK_WAIT }))
}

/// Asks for the last id and the page of a live post, and keeps what is known where the network
/// does not say.
fn link(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    known: Known,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(latest(api, &job.credentials, &job.account.network_id, PAGE)));
    };
    let posts = listed(answer, job.now)?;
    let Known { draft, remote: before, since, tries } = known;
    let found = grown_from(&posts, &draft)
        .or_else(|| grown_from(&posts, &before.id))
        .or_else(|| alike(&posts, job, &progress, since, Some(&draft)).one());
    if let Some(found) = found {
        let remote = remote(api, job, found.id(), found.post_url.as_deref());
        return Ok(Turn::Done(Step::Live(remote.into())));
    }
    if tries >= LINK_TRIES {
        return Ok(Turn::Done(Step::Live(Live { remote: None, then: None })));
    }
    let stage = Stage::Link { draft, remote: before, since, tries: tries + 1 };
    let progress = progress.at(stage);
    Ok(Turn::Done(Step::Wait { progress, until: job.now + LINK_WAIT }))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
