//! Publishing: the day's limit, the containers, the one visible call, and the link.

use chrono::TimeDelta;
use scheduler_core::platform::instagram::DAY_LIMIT_WAIT;
use scheduler_core::ports::{Live, Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::FailureCode;

use super::caller::{Caller, refused};
use super::containers;
use super::errors::{Described, Meaning, described_failure, unreadable};
use super::follow;
use super::locate::{Found, look, remote_of, search};
use super::progress::{Form, Progress, Stage};
use super::wire::{Created, Media, Page, PublishingLimit, Way};
use crate::conversation::{Answer, Body, Request, StoredProgress, Turn, TurnResult};

/// How often a container that the network does not know yet is published again.
///
/// Source: error 2207008 of
/// <https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes>:
/// once or twice within 30 seconds to 2 minutes.
const MISSES_MAX: u32 = 2;
const MISS_WAIT: TimeDelta = TimeDelta::seconds(45);

/// How soon a container that is still under way is looked at again.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(10);

/// How often id and link are asked for once a post is live, and how long lies between.
const TRIES_MAX: u32 = 5;

/// The next turn of a step.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match progress.stage.clone() {
        Stage::Limit => limit(caller, job, progress, answers),
        Stage::Containers if progress.extras.needs_page() && caller.tokens.way == Way::Direct => {
            Err(no_page())
        }
        Stage::Containers => containers::advance(caller, job, progress, answers),
        Stage::Publish { misses, .. } => publish(caller, job, progress, misses, answers),
        Stage::Search { tries, .. } => find(caller, job, progress, tries, answers),
        Stage::Link { id, tries } => link(caller, job, progress, &id, tries, answers),
        Stage::Comment { remote, mark } => {
            follow::comment(caller, job, progress, remote, mark, answers)
        }
        Stage::Close { remote } => follow::close(caller, job, &remote, answers),
    }
}

fn no_page() -> NetworkError {
    let message = "Instagram takes partnership labels and music only of accounts that are connected through a Facebook Page. Connect the account so, or leave paidPartnership, sponsors and audio out.";
    NetworkError::permanent(message).with_code(FailureCode::ValidationFailed)
}

/// The next turn of a look whether the post went out.
///
/// A container can be published once, so that publishing it again is safe as long as it has not
/// been.
pub(super) fn locate(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    if !progress.is_visible() {
        return Ok(Turn::Done(Located::Absent(progress)));
    }
    if let Stage::Comment { remote, mark } = progress.stage.clone() {
        return follow::locate(caller, job, progress, remote, mark, answers);
    }
    Ok(match look(caller, job, &progress, answers)? {
        Turn::Send(request) => Turn::Send(request),
        Turn::Done(Found::Published(media)) => Turn::Done(Located::Live(live(progress, media))),
        Turn::Done(Found::Finished) => Turn::Done(Located::Repeat(progress)),
        Turn::Done(Found::InProgress) => {
            let until = job.now + LOOK_AGAIN;
            Turn::Done(Located::Wait { progress, until })
        }
        Turn::Done(Found::Spoiled) => Turn::Done(Located::Absent(progress.builds_again(job.now))),
        Turn::Done(Found::Unclear) => Turn::Done(Located::Unknown),
    })
}

/// Asks whether the account may publish today.
fn limit(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    check(&progress)?;
    let Some(answer) = answers.first() else {
        let segments = [caller.tokens.user_id.as_str(), "content_publishing_limit"];
        let url = caller.graph_query(&segments, &[("fields", "config,quota_usage")])?;
        return Ok(Turn::Send(caller.authorized(Request::read(url))));
    };
    let next = || Turn::Done(Step::Next(progress.clone().at(Stage::Containers)));
    if !answer.is_success() {
        let meaning = Described::read(answer).meaning();
        // Whoever may publish need not be allowed to ask.
        let is_untold = matches!(meaning, Meaning::Unknown | Meaning::Refused | Meaning::Missing);
        return if is_untold { Ok(next()) } else { Err(refused(answer, false, job)) };
    }
    let limits: Page<PublishingLimit> = answer.json().ok_or_else(|| unreadable(false))?;
    let limit = limits.data.first();
    let full = limit.and_then(|limit| {
        let total = limit.config.as_ref()?.quota_total;
        (limit.quota_usage >= total).then_some(total)
    });
    let Some(total) = full else { return Ok(next()) };
    let message = format!(
        "The account has published {total} posts within 24 hours, as many as Instagram allows; this one goes out when there is room."
    );
    let wait = Some(DAY_LIMIT_WAIT);
    Err(NetworkError::new(NetworkErrorKind::RateLimited { wait }, message))
}

/// Refuses what Instagram has no post for.
fn check(progress: &Progress) -> Result<(), NetworkError> {
    let message = match (progress.form, progress.files.as_slice()) {
        (_, []) => "Instagram takes no post without a picture or a video.",
        (Form::Story, [_, _, ..]) => "A story takes exactly one file; make one post for each.",
        _ => return Ok(()),
    };
    Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed))
}

/// Makes the post visible.
fn publish(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    misses: u32,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some((answer, looked)) = answers.split_first() else {
        let container = progress.finished().ok_or_else(Progress::unreadable)?;
        let url = caller.graph(&[&caller.tokens.user_id, "media_publish"])?;
        let body = Body::Form(vec![("creation_id", container.to_owned())]);
        return Ok(Turn::Send(caller.authorized(Request::act(url, body).visible())));
    };
    if answer.is_success() {
        let Created { id } = answer.json().ok_or_else(|| unreadable(true))?;
        let remote = Some(progress.remote(&id, None));
        let then = Some(progress.at(Stage::Link { id, tries: 0 }));
        return Ok(Turn::Done(Step::Live(Live { remote, then })));
    }
    let described = Described::read(answer);
    let error = refused(answer, true, job);
    match described.meaning() {
        Meaning::NotReady => {
            let until = job.now + LOOK_AGAIN;
            let progress = progress.unfinished(job.now);
            return Ok(Turn::Done(Step::Wait { progress, until }));
        }
        Meaning::NotFound | Meaning::NotFoundYet if misses < MISSES_MAX => {
            let Stage::Publish { not_sent_before, .. } = progress.stage else {
                return Err(Progress::unreadable());
            };
            let stage = Stage::Publish { not_sent_before, misses: misses + 1 };
            let until = job.now + MISS_WAIT;
            return Ok(Turn::Done(Step::Wait { progress: progress.at(stage), until }));
        }
        Meaning::Limited
        | Meaning::DayLimit
        | Meaning::Spam
        | Meaning::Reconnect
        | Meaning::Theirs => return Err(error),
        Meaning::Later
        | Meaning::NewContainer
        | Meaning::NotFetched
        | Meaning::NotFoundYet
        | Meaning::NotFound
        | Meaning::Content
        | Meaning::Refused
        | Meaning::Missing
        | Meaning::Unknown => {}
    }
    // Posts have gone out although an error was answered. What the look cannot tell is left to
    // the look before the next attempt.
    let looked = look(caller, job, &progress, looked).map_err(|_| NetworkError {
        kind: NetworkErrorKind::Unsettled,
        code: FailureCode::NetworkError,
        message: error.message.clone(),
    })?;
    let is_new_one_needed = matches!(
        described.meaning(),
        Meaning::NewContainer | Meaning::NotFoundYet | Meaning::NotFetched
    );
    match looked {
        Turn::Send(request) => Ok(Turn::Send(request)),
        Turn::Done(Found::Published(media)) => Ok(Turn::Done(Step::Live(live(progress, media)))),
        Turn::Done(Found::Spoiled) if error.kind == NetworkErrorKind::Permanent => Err(error),
        Turn::Done(Found::Spoiled) => Ok(Turn::Done(Step::Next(progress.builds_again(job.now)))),
        Turn::Done(Found::Finished) if is_new_one_needed => {
            Ok(Turn::Done(Step::Next(progress.builds_again(job.now))))
        }
        Turn::Done(Found::Finished | Found::InProgress) => Err(error),
        // The network does not show the container, and no post that could be it.
        Turn::Done(Found::Unclear) => {
            Err(NetworkError { kind: NetworkErrorKind::Unsettled, ..error })
        }
    }
}

/// A post that is live, and what is still to be found out about it.
fn live(progress: Progress, media: Option<Media>) -> Live<Progress> {
    let Stage::Publish { not_sent_before, .. } = progress.stage else {
        return Live { remote: None, then: None };
    };
    match media {
        Some(media) => {
            let remote = remote_of(&progress, media);
            let is_linked = remote.url.is_some();
            let stage = Stage::Link { id: remote.id.clone(), tries: 0 };
            let then = match is_linked {
                true => progress.follows(&remote),
                false => Some(progress.at(stage)),
            };
            Live { remote: Some(remote), then }
        }
        None => {
            let stage = Stage::Search { not_sent_before, tries: 0 };
            Live { remote: None, then: Some(progress.at(stage)) }
        }
    }
}

/// Looks for what the network calls a post that is live.
fn find(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    tries: u32,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Stage::Search { not_sent_before, .. } = progress.stage else {
        return Err(Progress::unreadable());
    };
    match search(caller, job, &progress, not_sent_before, answers)? {
        Turn::Send(request) => Ok(Turn::Send(request)),
        Turn::Done(Some(media)) => {
            let remote = remote_of(&progress, media);
            let stage = Stage::Link { id: remote.id.clone(), tries: 0 };
            let then = match remote.url.is_some() {
                true => progress.follows(&remote),
                false => Some(progress.at(stage)),
            };
            Ok(Turn::Done(Step::Live(Live { remote: Some(remote), then })))
        }
        Turn::Done(None) if tries < TRIES_MAX => {
            let stage = Stage::Search { not_sent_before, tries: tries + 1 };
            let until = job.now + pause(tries);
            Ok(Turn::Done(Step::Wait { progress: progress.at(stage), until }))
        }
        Turn::Done(None) => Err(NetworkError::permanent(
            "Instagram has not told which of the account's posts it is, so it can be neither read nor taken down from here.",
        )),
    }
}

/// Asks for the link of a live post. Without one it is live all the same.
fn link(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    id: &str,
    tries: u32,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let fields = "permalink,shortcode,media_product_type,timestamp";
        let url = caller.graph_query(&[id], &[("fields", fields)])?;
        return Ok(Turn::Send(caller.authorized(Request::read(url))));
    };
    if !answer.is_success() {
        let described = Described::read(answer);
        if matches!(described.meaning(), Meaning::Reconnect | Meaning::Limited) {
            return Err(described_failure(&described, false, answer.retry_after(Some(job.now))));
        }
    }
    let media: Option<Media> = answer.is_success().then(|| answer.json()).flatten();
    let remote = media.map(|media| remote_of(&progress, Media { id: id.to_owned(), ..media }));
    Ok(Turn::Done(match remote.filter(|remote| remote.url.is_some()) {
        Some(remote) => {
            let then = progress.follows(&remote);
            Step::Live(Live { remote: Some(remote), then })
        }
        None if tries < TRIES_MAX => {
            let until = job.now + pause(tries);
            let stage = Stage::Link { id: id.to_owned(), tries: tries + 1 };
            Step::Wait { progress: progress.at(stage), until }
        }
        None => {
            let remote = progress.remote(id, None);
            Step::Live(Live { remote: None, then: progress.follows(&remote) })
        }
    }))
}

/// How long until something about a live post is asked for again: 15 seconds at first, and four
/// times as long each time. Our decision.
fn pause(tries: u32) -> TimeDelta {
    TimeDelta::seconds(15 * 4_i64.pow(tries.min(TRIES_MAX)))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "forms_tests.rs"]
mod forms_tests;
