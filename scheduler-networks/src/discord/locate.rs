//! Looking for a message whose answer was lost. By the time that a look is allowed, its call must
//! have ended, and Discord may have forgotten the nonce; so the nonce is never relied upon here.
//!
//! | criterion | guaranteed by | excludes or chooses |
//! |---|---|---|
//! | channel, parent of the thread | Discord | excludes |
//! | author, owner of the thread | Discord | excludes |
//! | number of files | Discord | excludes, unless edited |
//! | letters and digits of the text | Discord, but for what it strips | excludes, unless edited |
//! | the rest of the text, names of files | nobody | chooses |
//! | name of the thread | nobody: moderators may change it, which leaves no mark | chooses |
//! | made after the call began | clocks within 15 minutes | excludes; more than 60 s before is in doubt |
//! | messages of 1,000, threads of 1,000 | nobody | beyond is in doubt |
//!
//! Several that are the same are in doubt.

use chrono::{DateTime, Utc};
use scheduler_core::ports::{Located, NetworkError, PublishJob};

use super::errors::{UNKNOWN_CHANNEL, code, failure, unreadable};
use super::hosts::{Hosts, called_by_bot};
use super::message::{likeness, plain, thread_name};
use super::progress::Progress;
use super::publish::{channel, live, opens_post};
use super::record::Record;
use super::wire::{Bot, Message, Sender, Thread, Threads, made_at_of, snowflake_of};
use crate::candidates::Pick;
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::likeness::{Among, CLOCK_DOUBT, Likeness};
use secrecy::ExposeSecret;

/// Messages or threads of one page, the most that there can be.
///
/// Source: <https://docs.discord.com/developers/resources/message#get-channel-messages>.
const PAGE: usize = 100;

/// Pages that are looked through. A channel where more was said since is not followed further.
const PAGES_MAX: usize = 10;

/// The next turn of a look whether the call of a step was done.
pub(super) fn locate(
    hosts: &Hosts,
    job: &Job<'_, Sender>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let not_sent_before = match progress {
        Progress::Message { not_sent_before } => not_sent_before,
        // A message opens one thread at most and is sent on once, so its call can be repeated.
        Progress::Thread { .. } | Progress::Crosspost { .. } => {
            return Ok(Turn::Done(Located::Repeat(progress)));
        }
    };
    let bot = match &job.credentials {
        Sender::Bot(bot) => bot,
        // It can neither repeat nor look.
        Sender::Webhook(_) => return Ok(Turn::Done(Located::Unknown)),
    };
    let look = if opens_post(bot, job) { look_for_thread } else { look_for_message };
    Ok(match look(hosts, bot, job, not_sent_before, answers)? {
        Turn::Send(request) => Turn::Send(called_by_bot(request, bot.token.expose_secret())),
        Turn::Done(Pick::One((record, id))) => {
            Turn::Done(Located::Live(live(hosts, job, &record, &id)))
        }
        // The nonce stays as it is. Should Discord remember it after all, its answer is the
        // message that was overlooked, and nothing is made twice.
        Turn::Done(Pick::Nothing) => {
            let next = Progress::Message { not_sent_before: job.now };
            Turn::Done(Located::Absent(next))
        }
        Turn::Done(Pick::Unclear) => Turn::Done(Located::Unknown),
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
) -> TurnResult<Pick<(Record, String)>> {
    let mut after = snowflake_of(not_sent_before - CLOCK_DOUBT);
    let mut among = Among::new();
    let mut is_complete = false;
    let mut answers = answers.iter();
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(messages_after(hosts, channel(bot, job), after)));
        };
        let page: Vec<Message> =
            answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
        let is_own =
            |message: &&Message| message.author.as_ref().is_some_and(|author| author.id == bot.id);
        for message in page.iter().filter(is_own) {
            let made_at = made_at(&message.id).unwrap_or(job.now);
            among.add(likeness(message, job).made_at(made_at, not_sent_before), message.id.clone());
        }
        let newest = page.iter().filter_map(|message| message.id.parse::<u64>().ok()).max();
        match newest.filter(|newest| page.len() >= PAGE && *newest > after) {
            Some(newest) => after = newest,
            None => {
                is_complete = true;
                break;
            }
        }
    }
    let record = Record { channel_id: channel(bot, job).to_owned(), thread_id: None };
    Ok(Turn::Done(among.pick(is_complete).map(|id| (record, id))))
}

/// The next turn of a look for the thread among those of the server: the active ones, and those
/// that were put away, which somebody can do at any time.
fn look_for_thread(
    hosts: &Hosts,
    bot: &Bot,
    job: &PublishJob,
    not_sent_before: DateTime<Utc>,
    answers: &[Answer],
) -> TurnResult<Pick<(Record, String)>> {
    let since = not_sent_before - CLOCK_DOUBT;
    let wanted = thread_name(job).unwrap_or_default();
    let likeness = |thread: &Thread| {
        let Some(made_at) = made_at(&thread.id) else { return Likeness::Other };
        if thread.owner_id.as_deref() != Some(&bot.id) {
            return Likeness::Other;
        }
        // Nothing says whether a thread was renamed.
        let likeness = Likeness::of_texts(wanted, &thread.name, plain).edited(true);
        likeness.made_at(made_at, not_sent_before)
    };
    let mut answers = answers.iter();
    let Some(answer) = answers.next() else {
        let url = hosts.api(&["guilds", &bot.guild_id, "threads", "active"], &[]);
        return Ok(Turn::Send(Request::read(url)));
    };
    let active = threads(answer, job)?;
    let is_here = |thread: &&Thread| thread.parent_id.as_deref() == Some(&bot.channel_id);
    let mut among = Among::new();
    for thread in active.threads.iter().filter(is_here) {
        among.add(likeness(thread), thread.id.clone());
    }
    let mut is_complete = false;
    let mut before: Option<DateTime<Utc>> = None;
    for _ in 0..PAGES_MAX {
        if is_complete {
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
        for thread in &page.threads {
            among.add(likeness(thread), thread.id.clone());
        }
    }
    let thread = match among.pick(is_complete) {
        Pick::One(id) => id,
        Pick::Nothing => return Ok(Turn::Done(Pick::Nothing)),
        Pick::Unclear => return Ok(Turn::Done(Pick::Unclear)),
    };

    // Its first message is the post.
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(messages_after(hosts, &thread, snowflake_of(since))));
    };
    // It was taken away between the two calls.
    if code(answer) == Some(UNKNOWN_CHANNEL) {
        return Ok(Turn::Done(Pick::Unclear));
    }
    let messages: Vec<Message> =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    let own = messages
        .into_iter()
        .filter(|message| message.author.as_ref().is_some_and(|author| author.id == bot.id));
    let first = own.min_by_key(|message| message.id.parse::<u64>().unwrap_or(u64::MAX));
    let record = Record { channel_id: thread.clone(), thread_id: Some(thread) };
    Ok(Turn::Done(match first {
        Some(message) => Pick::One((record, message.id)),
        None => Pick::Unclear,
    }))
}

/// When something of this id was made, by Discord's clock.
fn made_at(id: &str) -> Option<DateTime<Utc>> {
    id.parse().ok().and_then(made_at_of)
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
