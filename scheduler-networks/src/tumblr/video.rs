//! A post with a video: sent at once, and found again when the network has worked through it.
//!
//! Nothing tells a repeat from another post, so after a lost answer the blog's own posts are looked
//! through; only where nothing that can be it is among them for five minutes, it is sent once more.
//! While the network works on the first, it refuses a second video, which says the same.
//!
//! Source: <https://github.com/tumblr/TMTumblrSDK/issues/146>,
//! <https://github.com/tumblr/tumblr.php/issues/98> (a post gets another id when its video is
//! ready) and <https://github.com/tumblr/docs/issues/128>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Live, Located, NetworkError, NetworkErrorKind, Step};

use super::api::Api;
use super::content::{is_private, last_state, new_post};
use super::errors::{blog_failure, unreadable_success};
use super::limits as budgets;
use super::locate::{
    PAGE, Recent, alike, draft, drafts, grown_from, latest, listed, recent, remote,
};
use super::progress::{Progress, Stage, provisional};
use super::publish::live;
use super::wire::{Enveloped, Made, Post};
use crate::candidates::Pick;
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// Posts that are asked for while the network works on a video; the last time it is a whole page,
/// since much may have been posted while this server stood still.
const POLL_PAGE: usize = 5;

/// How long the network is asked often, and how long at all. Our decision.
const EAGER: TimeDelta = TimeDelta::minutes(2);
const TIMEOUT: TimeDelta = TimeDelta::minutes(30);

/// How long until it is asked again, at first and later. Our decision.
const EAGER_WAIT: TimeDelta = TimeDelta::seconds(15);
const WAIT: TimeDelta = TimeDelta::seconds(60);

/// How long after a lost answer the post is not looked for yet, and after which time it counts as
/// not sent.
const LOOK_AFTER: TimeDelta = TimeDelta::seconds(60);
const LOST_AFTER: TimeDelta = TimeDelta::minutes(5);

/// What is known of a call that sent a post.
pub(super) struct Sent {
    pub(super) since: DateTime<Utc>,
    pub(super) unknown_since: Option<DateTime<Utc>>,
    pub(super) is_repeat: bool,
}

/// What a look has shown.
enum Found {
    /// It is live, or will be when its video is ready.
    Live(Box<Live<Progress>>),
    /// It is there as a draft.
    Draft(String),
    /// Something that may be it, and nobody can tell.
    Unclear,
    Nothing,
}

/// Asks whether the user may post the files today.
pub(super) fn limits(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(budgets::request(api, &job.credentials)));
    };
    budgets::check(job, answer)?;
    let stage = Stage::Send { since: job.now, unknown_since: None, is_repeat: false };
    Ok(Turn::Done(Step::Next(progress.at(stage))))
}

/// Sends the post; one that may be there is looked for first.
pub(super) fn send(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    &Sent { since, unknown_since, is_repeat }: &Sent,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let mut answers = answers.iter();
    if is_repeat {
        match find(api, job, &progress, since, &mut answers)? {
            Turn::Send(request) => return Ok(Turn::Send(request)),
            Turn::Done(Found::Live(live)) => return Ok(Turn::Done(Step::Live(*live))),
            Turn::Done(Found::Draft(draft)) => {
                let progress = drafted(progress, draft, since);
                return Ok(Turn::Done(Step::Next(progress)));
            }
            // Where a look has ended in doubt, it is a person who wants it sent again.
            Turn::Done(Found::Unclear) if unknown_since.is_none() => return Err(unclear()),
            Turn::Done(Found::Unclear | Found::Nothing) => {}
        }
    }
    let blog = job.account.network_id.as_str();
    let Some(answer) = answers.next() else {
        let body = new_post(job, &progress, last_state(job));
        let request = api.act(&job.credentials.access_token, &["blog", blog, "posts"], body);
        return Ok(Turn::Send(request.visible()));
    };
    if !answer.is_success() {
        let error = blog_failure(answer, true, Some(job.now));
        return budgets::refused(api, job, answer, answers, error);
    }
    let Enveloped { response: Made { id, state } } =
        answer.json().ok_or_else(unreadable_success)?;
    let live = match state.as_deref() {
        Some(state) if state == last_state(job) => live(api, job, progress, &id, &id, since),
        _ => transcoding(progress, &id, since, job.now),
    };
    Ok(Turn::Done(Step::Live(live)))
}

/// Looks whether the post was sent.
pub(super) fn look(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    sent: Sent,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Sent { since, unknown_since, is_repeat } = sent;
    let wait = |unknown_since| {
        let stage = Stage::Send { since, unknown_since: Some(unknown_since), is_repeat };
        let progress = progress.clone().at(stage);
        Ok(Turn::Done(Located::Wait { progress, until: job.now + LOOK_AFTER }))
    };
    let Some(unknown_since) = unknown_since else { return wait(job.now) };
    let mut answers = answers.iter();
    match find(api, job, &progress, since, &mut answers)? {
        Turn::Send(request) => Ok(Turn::Send(request)),
        Turn::Done(Found::Live(live)) => Ok(Turn::Done(Located::Live(*live))),
        Turn::Done(Found::Draft(draft)) => {
            let progress = drafted(progress.clone(), draft, since);
            Ok(Turn::Done(Located::Continue(progress)))
        }
        Turn::Done(Found::Unclear | Found::Nothing) if job.now < unknown_since + LOST_AFTER => {
            wait(unknown_since)
        }
        Turn::Done(Found::Unclear) => Ok(Turn::Done(Located::Unknown)),
        // A private post need not be listed, so that nothing found says nothing.
        Turn::Done(Found::Nothing) if is_repeat || is_private(job) => {
            Ok(Turn::Done(Located::Unknown))
        }
        Turn::Done(Found::Nothing) => {
            let stage = Stage::Send { since, unknown_since: None, is_repeat: true };
            Ok(Turn::Done(Located::Absent(progress.clone().at(stage))))
        }
    }
}

/// Asks whether the network is done with the video: then the post has another id, and a page. After
/// half an hour what is known is kept.
pub(super) fn poll(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    id: &str,
    since: DateTime<Utc>,
    taken_at: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let waited = job.now - taken_at;
    let Some(answer) = answers.first() else {
        let limit = if waited < TIMEOUT { POLL_PAGE } else { PAGE };
        return Ok(Turn::Send(latest(api, &job.credentials, &job.account.network_id, limit)));
    };
    let mut posts = listed(answer, job.now)?;
    posts.retain(Post::is_out);
    let found =
        grown_from(&posts, id).or_else(|| alike(&posts, job, progress, since, Some(id)).one());
    if let Some(found) = found {
        let remote = remote(api, job, found.id(), found.post_url.as_deref());
        return Ok(Turn::Done(Step::Live(remote.into())));
    }
    if waited >= TIMEOUT {
        return Ok(Turn::Done(Step::Live(Live { remote: None, then: None })));
    }
    let until = job.now + if waited < EAGER { EAGER_WAIT } else { WAIT };
    Ok(Turn::Done(Step::Wait { progress: progress.clone(), until }))
}

/// The next turn of looking for the post, first among those that are out, then among drafts.
fn find<'a>(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    since: DateTime<Utc>,
    answers: &mut impl Iterator<Item = &'a Answer>,
) -> TurnResult<Found> {
    let blog = job.account.network_id.as_str();
    let Recent { posts, is_whole } =
        match recent(api, &job.credentials, blog, since, job.now, answers)? {
            Turn::Send(request) => return Ok(Turn::Send(request)),
            Turn::Done(recent) => recent,
        };
    let found = alike(&posts, job, progress, since, None).of_list(is_whole);
    if let Pick::One(found) = found {
        let live = match found.is_transcoding() {
            true => transcoding(progress.clone(), found.id(), since, job.now),
            false => remote(api, job, found.id(), found.post_url.as_deref()).into(),
        };
        return Ok(Turn::Done(Found::Live(Box::new(live))));
    }
    let is_unclear = matches!(found, Pick::Unclear);
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(drafts(api, &job.credentials, blog)));
    };
    let posts = listed(answer, job.now)?;
    let under_way = posts.iter().filter(|post| post.is_transcoding());
    Ok(Turn::Done(match alike(under_way, job, progress, since, None) {
        Pick::One(post) => {
            let live = transcoding(progress.clone(), post.id(), since, job.now);
            Found::Live(Box::new(live))
        }
        Pick::Unclear => Found::Unclear,
        Pick::Nothing => match draft(&posts, job, progress, since) {
            Some(draft) => Found::Draft(draft.id().to_owned()),
            None if is_unclear => Found::Unclear,
            None => Found::Nothing,
        },
    }))
}

fn unclear() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "A post of the blog may be this one, and Tumblr does not say so. Look at the blog.",
    )
}

/// A post that is taken, and on whose video the network works.
fn transcoding(
    progress: Progress,
    id: &str,
    since: DateTime<Utc>,
    taken_at: DateTime<Utc>,
) -> Live<Progress> {
    let stage = Stage::Transcoding { id: id.to_owned(), since, taken_at };
    Live { remote: Some(provisional(id)), then: Some(progress.at(stage)) }
}

/// The progress of a post that is there as a draft, which is published like any other.
fn drafted(progress: Progress, draft: String, since: DateTime<Utc>) -> Progress {
    progress.at(Stage::Publish { draft, since, looks: 0 })
}

#[cfg(test)]
#[path = "video_tests.rs"]
mod tests;
