//! Looking for a message whose answer was lost.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Located, NetworkError, PublishJob};

use super::errors::{UNKNOWN_CHANNEL, code, failure, unreadable};
use super::hosts::{Hosts, called_by_bot};
use super::message::{is_post, plain, thread_name};
use super::progress::Progress;
use super::publish::live;
use super::record::Record;
use super::wire::{Bot, Kept, Message, Thread, Threads, snowflake_of};
use crate::conversation::{Answer, Request, Turn};
use secrecy::ExposeSecret;

/// How long a repeated message is trusted to its nonce. Discord knows it for "a few minutes".
///
/// Source: <https://docs.discord.com/developers/resources/message#create-message>.
const NONCE_TRUST: TimeDelta = TimeDelta::minutes(1);

/// How long after a look that found nothing another one settles it. Longer than any call is
/// waited for, so that one that is still under way in the server has come to its end.
const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(3);

/// How far Discord's clock may be behind ours.
const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// The shortest time after which an untouched thread leaves the list of active ones, less what a
/// call may take.
///
/// Source: <https://docs.discord.com/developers/resources/channel>, `auto_archive_duration`.
const ACTIVE_AT_LEAST: TimeDelta = TimeDelta::minutes(50);

/// Messages or threads of one page, the most that there can be.
///
/// Source: <https://docs.discord.com/developers/resources/message#get-channel-messages>.
const PAGE: usize = 100;

/// Pages that are looked through. A channel where more was said since is not followed further.
const PAGES_MAX: usize = 10;

/// What a look has shown.
enum Found {
    /// The post: where it is, and the id of its message.
    Post(Record, String),
    /// It is not there.
    Nothing,
    /// Too much has happened there to tell.
    Unclear,
}

/// The next turn of a look whether the call of a step was done.
pub(super) fn locate(
    hosts: &Hosts,
    kept: &Kept,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> Result<Turn<Located>, NetworkError> {
    let (not_sent_before, look_again_at) = match progress {
        Progress::Message { not_sent_before, look_again_at } => (not_sent_before, look_again_at),
        // A message opens one thread at most, so its call can be repeated.
        Progress::Thread { .. } => return Ok(Turn::Done(Located::Repeat(progress.to_value()))),
    };
    let bot = match kept {
        Kept::Bot(bot) => bot,
        // It can neither repeat nor look.
        Kept::Webhook(_) => return Ok(Turn::Done(Located::Unknown)),
    };
    if !bot.is_forum() && job.now < not_sent_before + NONCE_TRUST {
        return Ok(Turn::Done(Located::Repeat(progress.to_value())));
    }
    if let Some(until) = look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress: progress.to_value(), until }));
    }
    let look = if bot.is_forum() { look_for_thread } else { look_for_message };
    Ok(match look(hosts, bot, job, not_sent_before, answers)? {
        Turn::Send(request) => Turn::Send(called_by_bot(request, bot.token.expose_secret())),
        Turn::Done(Found::Post(record, id)) => {
            Turn::Done(Located::Live(live(hosts, kept, job, &record, &id)))
        }
        // The nonce stays as it is. Should Discord remember it after all, its answer is the
        // message that was overlooked, and nothing is made twice.
        Turn::Done(Found::Nothing) if look_again_at.is_some() => {
            let next = Progress::Message { not_sent_before: job.now, look_again_at: None };
            Turn::Done(Located::Continue(next.to_value()))
        }
        Turn::Done(Found::Nothing) => {
            let until = job.now + LOOK_AGAIN;
            let progress = Progress::Message { not_sent_before, look_again_at: Some(until) };
            Turn::Done(Located::Wait { progress: progress.to_value(), until })
        }
        Turn::Done(Found::Unclear) => Turn::Done(Located::Unknown),
    })
}

/// The next turn of a look through the messages of the channel since it can have been sent, oldest
/// pages first.
fn look_for_message(
    hosts: &Hosts,
    bot: &Bot,
    job: &PublishJob,
    not_sent_before: DateTime<Utc>,
    answers: &[Answer],
) -> Result<Turn<Found>, NetworkError> {
    let mut after = snowflake_of(not_sent_before - CLOCK_SLACK);
    let mut answers = answers.iter();
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(messages_after(hosts, &bot.channel_id, after)));
        };
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let page: Vec<Message> = answer.json().ok_or_else(unreadable)?;
        let is_own =
            |message: &&Message| message.author.as_ref().is_some_and(|author| author.id == bot.id);
        let mut own = page.iter().filter(is_own);
        if let Some(post) = own.find(|message| is_post(message, job)) {
            let record = Record { channel_id: bot.channel_id.clone(), thread_id: None };
            return Ok(Turn::Done(Found::Post(record, post.id.clone())));
        }
        let newest = page.iter().filter_map(|message| message.id.parse::<u64>().ok()).max();
        match newest.filter(|newest| page.len() >= PAGE && *newest > after) {
            Some(newest) => after = newest,
            None => return Ok(Turn::Done(Found::Nothing)),
        }
    }
    Ok(Turn::Done(Found::Unclear))
}

/// The next turn of a look for the thread among those of the server: the active ones, and where it
/// can have been put away by now, those as well.
fn look_for_thread(
    hosts: &Hosts,
    bot: &Bot,
    job: &PublishJob,
    not_sent_before: DateTime<Utc>,
    answers: &[Answer],
) -> Result<Turn<Found>, NetworkError> {
    let since = not_sent_before - CLOCK_SLACK;
    let wanted = thread_name(job).unwrap_or_default();
    let is_ours = |thread: &Thread| {
        thread.owner_id.as_deref() == Some(&bot.id)
            && plain(&thread.name) == plain(wanted)
            && thread.id.parse::<u64>().is_ok_and(|id| id >= snowflake_of(since))
    };
    let mut answers = answers.iter();
    let Some(answer) = answers.next() else {
        let url = hosts.api(&["guilds", &bot.guild_id, "threads", "active"], &[]);
        return Ok(Turn::Send(Request::read(url)));
    };
    let active = threads(answer, job)?;
    let is_here = |thread: &&Thread| thread.parent_id.as_deref() == Some(&bot.channel_id);
    let mut found = active.threads.iter().filter(is_here).find(|thread| is_ours(thread)).cloned();
    let mut is_complete = job.now < not_sent_before + ACTIVE_AT_LEAST;
    let mut before: Option<DateTime<Utc>> = None;
    for _ in 0..PAGES_MAX {
        if found.is_some() || is_complete {
            break;
        }
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(archived(hosts, bot, before)));
        };
        let page = threads(answer, job)?;
        let archived = page.threads.last().and_then(|thread| thread.thread_metadata.as_ref());
        let oldest = archived.map(|metadata| metadata.archive_timestamp);
        is_complete = !page.has_more || oldest.is_none_or(|oldest| oldest < since);
        before = oldest;
        found = page.threads.into_iter().find(|thread| is_ours(thread));
    }
    let Some(thread) = found else {
        let found = if is_complete { Found::Nothing } else { Found::Unclear };
        return Ok(Turn::Done(found));
    };

    // Its first message is the post.
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(messages_after(hosts, &thread.id, snowflake_of(since))));
    };
    // It was taken away between the two calls.
    if code(answer) == Some(UNKNOWN_CHANNEL) {
        return Ok(Turn::Done(Found::Unclear));
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    let messages: Vec<Message> = answer.json().ok_or_else(unreadable)?;
    let own = messages
        .into_iter()
        .filter(|message| message.author.as_ref().is_some_and(|author| author.id == bot.id));
    let first = own.min_by_key(|message| message.id.parse::<u64>().unwrap_or(u64::MAX));
    let record = Record { channel_id: thread.id.clone(), thread_id: Some(thread.id) };
    Ok(Turn::Done(match first {
        Some(message) => Found::Post(record, message.id),
        None => Found::Unclear,
    }))
}

fn threads(answer: &Answer, job: &PublishJob) -> Result<Threads, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    answer.json().ok_or_else(unreadable)
}

fn messages_after(hosts: &Hosts, channel: &str, after: u64) -> Request {
    let (after, limit) = (after.to_string(), PAGE.to_string());
    let query = [("after", after.as_str()), ("limit", limit.as_str())];
    Request::read(hosts.api(&["channels", channel, "messages"], &query))
}

/// The threads of the channel that were put away, latest first.
///
/// Source: <https://docs.discord.com/developers/resources/channel#list-public-archived-threads>.
fn archived(hosts: &Hosts, bot: &Bot, before: Option<DateTime<Utc>>) -> Request {
    let limit = PAGE.to_string();
    let before = before.map(|before| before.to_rfc3339());
    let mut query = vec![("limit", limit.as_str())];
    query.extend(before.as_deref().map(|before| ("before", before)));
    let path = ["channels", &bot.channel_id, "threads", "archived", "public"];
    Request::read(hosts.api(&path, &query))
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
