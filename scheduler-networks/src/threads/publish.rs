//! Publishing: a container is made, waited for and published, for each part of a thread.
//!
//! A container can be published once. So whatever becomes of a call that publishes one, its status
//! says whether it is out, and the call may be made again.
//!
//! Source: <https://developers.facebook.com/documentation/threads/posts>.

use chrono::TimeDelta;
use scheduler_core::platform::threads::QUOTA_WAIT;
use scheduler_core::ports::{Live, Located, NetworkError, NetworkErrorKind, PublishJob, Step};
use secrecy::ExposeSecret;

use super::api::Api;
use super::container;
use super::errors::{Fault, failure, limited};
use super::locate::{Found, Window, look};
use super::progress::{Next, Progress, Stage};
use super::wire::{ContainerStatus, List, Made, Page, PublishingLimit, Tokens};
use crate::conversation::{Answer, Body, Job, Request, StoredProgress, Turn, TurnResult};

/// How often the page of a post is asked for in vain before the post goes without.
const LINK_TRIES: u32 = 3;

/// How long until the page of a post is asked for again.
const LINK_WAIT: TimeDelta = TimeDelta::seconds(5);

/// How often the post of a published container is looked for, and how long until the next look.
const LOOKS_MAX: u32 = 5;
const LOOK_WAIT: TimeDelta = TimeDelta::seconds(30);

/// How long until a container that is being published is looked at again.
const STATUS_WAIT: TimeDelta = TimeDelta::seconds(15);

/// The next turn of a step.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match progress.stage.clone() {
        Stage::Quota => quota(api, &job.credentials, progress, answers),
        Stage::Container => container::create(api, job, progress, answers),
        Stage::Children { since } => container::children(api, job, progress, since, answers),
        Stage::Processing { .. } => container::poll(api, job, progress, answers),
        Stage::Ready { id, .. } => publish(api, job, progress, &id, answers),
        Stage::Link { tries } => link(api, job, progress, tries, answers),
    }
}

/// The next turn of a look whether a part was published.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Stage::Ready { id, since, looks } = progress.stage.clone() else {
        return Ok(Turn::Done(Located::Absent(progress)));
    };
    let Some((answer, looked)) = answers.split_first() else {
        return Ok(Turn::Send(container::status(api, &job.credentials, &id)));
    };
    let is_unknown = container::is_unknown(answer);
    let status = match container::read(answer, job) {
        Ok(container) => Some(container.status),
        // Only the account's posts can tell then.
        Err(_) if is_unknown => None,
        Err(error) => return Err(error),
    };
    match status {
        Some(ContainerStatus::Published) | None => {}
        Some(ContainerStatus::Finished) => {
            return Ok(Turn::Done(Located::Repeat(progress)));
        }
        Some(ContainerStatus::InProgress) => {
            let until = job.now + STATUS_WAIT;
            return Ok(Turn::Done(Located::Wait { progress, until }));
        }
        Some(ContainerStatus::Expired) => {
            return Ok(Turn::Done(Located::Absent(progress.renewed())));
        }
        Some(ContainerStatus::Error) => {
            return Ok(Turn::Done(Located::Absent(progress.with_new_containers())));
        }
    }
    let window = if looks < LOOKS_MAX { Window::since(since) } else { Window::of_all(since, job) };
    Ok(match look(api, job, &progress, window, looked)? {
        Turn::Send(request) => Turn::Send(request),
        Turn::Done(Found::Post { id, permalink }) => {
            Turn::Done(match progress.published(id, permalink) {
                Next::Step(progress) => Located::Continue(progress),
                Next::Live(live) => Located::Live(live),
            })
        }
        Turn::Done(Found::Nothing) if looks < LOOKS_MAX => {
            let stage = Stage::Ready { id, since, looks: looks + 1 };
            let until = job.now + LOOK_WAIT;
            Turn::Done(Located::Wait { progress: progress.at(stage), until })
        }
        // It is out, and only its id is not known. Parts that follow would need it.
        Turn::Done(Found::Nothing) if status.is_some() && progress.part().number == progress.of => {
            Turn::Done(Located::Live(Live { remote: progress.first, then: None }))
        }
        Turn::Done(Found::Nothing) => Turn::Done(Located::Unknown),
    })
}

/// What a step ends with after a part.
pub(super) fn after(next: Next) -> Step<Progress> {
    match next {
        Next::Step(progress) => Step::Next(progress),
        Next::Live(live) => Step::Live(live),
    }
}

/// Asks whether the account may publish all parts. An answer that does not say so hinders nothing:
/// the network enforces it when a part is published.
fn quota(
    api: &Api,
    tokens: &Tokens,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let fields = "quota_usage,config,reply_quota_usage,reply_config";
        let url = api.query(&[&tokens.user_id, "threads_publishing_limit"], &[("fields", fields)]);
        return Ok(Turn::Send(Request::read(url).bearer(tokens.access_token.expose_secret())));
    };
    let known: Option<List<PublishingLimit>> = answer.is_success().then(|| answer.json()).flatten();
    if let Some(limit) = known.and_then(|list| list.data.into_iter().next()) {
        let replies = u64::try_from(progress.of).unwrap_or(1).saturating_sub(1);
        let posts_left = limit.config.map(|config| (limit.quota_usage, 1, config.quota_total));
        let replies_left =
            limit.reply_config.map(|config| (limit.reply_quota_usage, replies, config.quota_total));
        let is_used_up = [posts_left, replies_left]
            .into_iter()
            .flatten()
            .any(|(used, wanted, total)| wanted > 0 && used.saturating_add(wanted) > total);
        if is_used_up {
            let sentence = "The account has used up what Threads lets it publish in 24 hours.";
            return Err(limited(Some(QUOTA_WAIT), sentence));
        }
    }
    Ok(Turn::Done(Step::Next(progress.at(Stage::Container))))
}

fn publish(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    id: &str,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(publish_container(api, &job.credentials, id)));
    };
    if !answer.is_success() {
        let error = failure(answer, true, Some(job.now));
        if !Fault::of(answer).is_some_and(|fault| fault.is_too_early()) {
            return Err(error);
        }
        return refused(progress, id, job, error).map(Turn::Done);
    }
    let Made { id } = answer.json().ok_or_else(|| {
        NetworkError::new(
            NetworkErrorKind::InDoubt,
            "Threads took the post, but its answer cannot be read.",
        )
    })?;
    Ok(Turn::Done(after(progress.published(id, None))))
}

/// What follows when the network does not know the container: it is not there yet, or an earlier
/// call has published it, which its status tells.
fn refused(
    mut progress: Progress,
    id: &str,
    job: &PublishJob,
    error: NetworkError,
) -> Result<Step<Progress>, NetworkError> {
    if let Some(step) = container::waits_for_it(progress.clone(), job.now) {
        return Ok(step);
    }
    if progress.failures >= container::FAILURES_MAX {
        return Err(error);
    }
    let stage = Stage::Processing { id: id.to_owned(), since: job.now };
    (progress.refusals, progress.failures) = (0, progress.failures + 1);
    Ok(Step::Next(progress.at(stage)))
}

/// The request that publishes a container.
pub(super) fn publish_container(api: &Api, tokens: &Tokens, id: &str) -> Request {
    let url = api.at(&[&tokens.user_id, "threads_publish"]);
    let body = Body::Form(vec![("creation_id", id.to_owned())]);
    Request::act(url, body).bearer(tokens.access_token.expose_secret()).visible()
}

/// Asks for the page of the first part, and goes without where the network does not say.
fn link(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    tries: u32,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let first = progress.first.as_ref().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        let url = api.query(&[&first.id], &[("fields", "id,permalink,timestamp,shortcode")]);
        return Ok(Turn::Send(
            Request::read(url).bearer(job.credentials.access_token.expose_secret()),
        ));
    };
    let page: Option<Page> = answer.is_success().then(|| answer.json()).flatten();
    let url = page.and_then(|page| page.permalink).filter(|url| !url.is_empty());
    if url.is_none() && tries < LINK_TRIES {
        let until = job.now + LINK_WAIT;
        let progress = progress.at(Stage::Link { tries: tries + 1 });
        return Ok(Turn::Done(Step::Wait { progress, until }));
    }
    Ok(Turn::Done(after(progress.linked(url))))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
