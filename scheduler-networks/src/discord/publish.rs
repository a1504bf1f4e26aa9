//! Publishing: one message with its files, and the thread that it opens.

use std::time::Duration;

use scheduler_core::ports::{Live, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::json;

use super::errors::{CROSSPOSTED, THREAD_EXISTS, UNKNOWN_MESSAGE, code, failure};
use super::extras;
use super::hosts::{Hosts, called};
use super::message::{body, message, nonce, thread_name};
use super::progress::Progress;
use super::record::Record;
use super::wire::{ANNOUNCEMENT, Bot, ForumThread, Message, Sender, Webhook};
use crate::conversation::{
    Answer, Body, CallTimeout, Job, Request, StoredProgress, Turn, TurnResult,
};

/// Minutes without a message after which a thread is put away; a day, one of the four that there
/// are.
///
/// Source: <https://docs.discord.com/developers/resources/channel#start-thread-from-message>.
const AUTO_ARCHIVE_MINUTES: u32 = 1_440;

/// How long a webhook's call may take besides sending its files. Our decision: what became of it
/// can never be asked for, so it is waited for longer than others.
const WEBHOOK_ANSWER: Duration = Duration::from_secs(120);

/// How long the call of a step may take. Where it is not known who is let in, nothing is sent.
pub(super) fn call_timeout(
    sender: Option<&Sender>,
    job: &PublishJob,
    progress: Option<&Progress>,
) -> CallTimeout {
    match (sender, progress) {
        (_, Some(Progress::Thread { .. } | Progress::Crosspost { .. })) => CallTimeout::USUAL,
        (Some(Sender::Webhook(_)), _) => {
            CallTimeout::USUAL.answered_within(WEBHOOK_ANSWER).with_files_of(job)
        }
        (Some(Sender::Bot(_)) | None, _) => CallTimeout::USUAL.with_files_of(job),
    }
}

/// The next turn of a step.
pub(super) fn advance(
    hosts: &Hosts,
    job: &Job<'_, Sender>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match progress {
        Progress::Message { .. } => {
            let Some(answer) = answers.first() else {
                let request = match &job.credentials {
                    Sender::Webhook(webhook) => by_webhook(hosts, webhook, job),
                    Sender::Bot(bot) if opens_post(bot, job) => in_forum(hosts, bot, job)?,
                    Sender::Bot(bot) => by_bot(hosts, bot, job),
                };
                return Ok(Turn::Send(called(request, &job.credentials).visible()));
            };
            if !answer.is_success() {
                return Err(refused(answer, job));
            }
            let (record, id) = sent(job, answer)?;
            Ok(Turn::Done(Step::Live(live(hosts, job, &record, &id))))
        }
        Progress::Crosspost { message } => {
            let Some(answer) = answers.first() else {
                let Record { channel_id, .. } = record(message)?;
                let path = ["channels", &channel_id, "messages", &message.id, "crosspost"];
                let request = Request::act(hosts.api(&path, &[]), Body::Empty);
                return Ok(Turn::Send(called(request, &job.credentials).visible()));
            };
            if !answer.is_success() && code(answer) != Some(CROSSPOSTED) {
                return Err(failure(answer, true, Some(job.now)));
            }
            Ok(Turn::Done(Step::Live(message.clone().into())))
        }
        Progress::Thread { message } => {
            let Some(answer) = answers.first() else {
                let request = open_thread(hosts, job, message)?;
                return Ok(Turn::Send(called(request, &job.credentials).visible()));
            };
            if !answer.is_success() && code(answer) != Some(THREAD_EXISTS) {
                return Err(failure(answer, true, Some(job.now)));
            }
            let remote = threaded(hosts, &job.credentials, message)?;
            let then = crosspost(job, &remote);
            Ok(Turn::Done(Step::Live(Live { remote: Some(remote), then })))
        }
    }
}

fn by_webhook(hosts: &Hosts, webhook: &Webhook, job: &PublishJob) -> Request {
    let mut input = message(job);
    if let Some(name) = thread_name(job) {
        input["thread_name"] = name.into();
        let tags = extras::tags(&job.options);
        if !tags.is_empty() {
            input["applied_tags"] = tags.into();
        }
    }
    extras::add_sender(&mut input, &job.options);
    // Without `wait` a message that was not kept would not be told.
    let mut query = vec![("wait", "true")];
    query.extend(extras::thread_id(job).map(|thread| ("thread_id", thread)));
    Request::act(hosts.webhook(webhook, &[], &query), body(job, input))
}

fn by_bot(hosts: &Hosts, bot: &Bot, job: &PublishJob) -> Request {
    let mut input = message(job);
    input["nonce"] = nonce(job).into();
    input["enforce_nonce"] = true.into();
    Request::act(hosts.api(&["channels", channel(bot, job), "messages"], &[]), body(job, input))
}

/// The channel that a message goes to, a thread that is there already among them.
pub(super) fn channel<'a>(bot: &'a Bot, job: &'a PublishJob) -> &'a str {
    extras::thread_id(job).unwrap_or(&bot.channel_id)
}

/// True where a message of the bot opens a thread of a forum.
pub(super) fn opens_post(bot: &Bot, job: &PublishJob) -> bool {
    bot.is_forum() && extras::thread_id(job).is_none()
}

fn in_forum(hosts: &Hosts, bot: &Bot, job: &PublishJob) -> Result<Request, NetworkError> {
    let name = thread_name(job).ok_or_else(|| {
        let message = "This channel is a forum: give the post a threadName.";
        NetworkError::permanent(message).with_code(FailureCode::ValidationFailed)
    })?;
    let input = json!({ "name": name, "message": message(job), "applied_tags": extras::tags(&job.options) });
    let url = hosts.api(&["channels", &bot.channel_id, "threads"], &[]);
    Ok(Request::act(url, body(job, input)))
}

fn open_thread(hosts: &Hosts, job: &PublishJob, message: &Remote) -> Result<Request, NetworkError> {
    let Record { channel_id, .. } = record(message)?;
    let name = thread_name(job).ok_or_else(Progress::unreadable)?;
    let input = json!({ "name": name, "auto_archive_duration": AUTO_ARCHIVE_MINUTES });
    let url = hosts.api(&["channels", &channel_id, "messages", &message.id, "threads"], &[]);
    Ok(Request::act(url, Body::Json(input)))
}

/// Where the message is, and its id.
fn sent(job: &Job<'_, Sender>, answer: &Answer) -> Result<(Record, String), NetworkError> {
    let unreadable = || {
        NetworkError::new(
            NetworkErrorKind::InDoubt,
            "Discord took the post, but its answer cannot be read.",
        )
    };
    let is_post = matches!(&job.credentials, Sender::Bot(bot) if opens_post(bot, job));
    if is_post {
        let ForumThread { id, message } = answer.json().ok_or_else(unreadable)?;
        return Ok((Record { channel_id: id.clone(), thread_id: Some(id) }, message.id));
    }
    let Message { id, channel_id, .. } = answer.json().ok_or_else(unreadable)?;
    // The channel of a webhook's forum post is the thread that it opened, or that it went into.
    let is_webhook = matches!(&job.credentials, Sender::Webhook(_));
    let is_in_thread = thread_name(job).is_some() || extras::thread_id(job).is_some();
    let thread_id = (is_webhook && is_in_thread).then(|| channel_id.clone());
    Ok((Record { channel_id, thread_id }, id))
}

/// What is live, and the thread that is still to be opened.
pub(super) fn live(
    hosts: &Hosts,
    job: &Job<'_, Sender>,
    record: &Record,
    message: &str,
) -> Live<Progress> {
    let remote = record.remote(hosts, &job.credentials, message);
    let opens_thread = matches!(&job.credentials, Sender::Bot(_))
        && record.thread_id.is_none()
        && thread_name(job).is_some()
        && extras::thread_id(job).is_none();
    let then = match opens_thread {
        true => Some(Progress::Thread { message: remote.clone() }),
        false => crosspost(job, &remote),
    };
    Live { remote: Some(remote), then }
}

/// Servers that follow the channel are told of the message, where that was asked for.
fn crosspost(job: &Job<'_, Sender>, message: &Remote) -> Option<Progress> {
    let is_followed =
        matches!(&job.credentials, Sender::Bot(bot) if bot.channel_type == ANNOUNCEMENT);
    (is_followed && extras::is_crossposted(job) && extras::thread_id(job).is_none())
        .then(|| Progress::Crosspost { message: message.clone() })
}

/// The message once its thread is there: a thread has the id of the message that opened it.
///
/// Source: <https://docs.discord.com/developers/resources/channel#start-thread-from-message>.
fn threaded(hosts: &Hosts, sender: &Sender, message: &Remote) -> Result<Remote, NetworkError> {
    let record = Record { thread_id: Some(message.id.clone()), ..record(message)? };
    Ok(record.remote(hosts, sender, &message.id))
}

fn record(message: &Remote) -> Result<Record, NetworkError> {
    serde_json::from_value(message.record.clone()).map_err(|_| Progress::unreadable())
}

/// What a refusal of the message means.
fn refused(answer: &Answer, job: &PublishJob) -> NetworkError {
    let error = failure(answer, true, Some(job.now));
    if code(answer) != Some(UNKNOWN_MESSAGE) {
        return error;
    }
    // A repeat under the same nonce finds the message that it would give back deleted.
    let message = "The post was published and is not there any more. Nothing is sent again.";
    NetworkError { message: message.to_owned(), ..error }
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
