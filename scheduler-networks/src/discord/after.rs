//! What can be done with a message once it is live, and what a server tells of a channel.

use std::collections::BTreeMap;

use scheduler_core::platform::{AccountLimits, Platform, Poll};
use scheduler_core::ports::{
    Access, Comment, CommentAction, Comments, Figures, LivePost, Mention, Metric, NetworkError,
    RemoteEdit, unsupported,
};
use scheduler_core::target::FailureCode;
use serde_json::json;
use url::Url;

use super::errors::{
    UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, code, failure, failure_in_thread, unreadable,
};
use super::extras;
use super::hosts::{Hosts, called};
use super::message::new_text;
use super::record::Record;
use super::wire::{Bot, Channel, Guild, Member, Message, Sender};
use super::{Discord, comments, connect_bot};
use crate::conversation::{
    AfterConversation, Answer, Body, Method, Protocol, Request, Turn, TurnResult,
};

/// Names of one look-up.
///
/// Source: <https://docs.discord.com/developers/resources/guild#search-guild-members>, 1 to 1 000;
/// ten are ours.
const NAMES_MAX: &str = "10";

impl AfterConversation for Discord {
    /// The next turn of giving a message another text. Its files stay as they are.
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> TurnResult<()> {
        let hosts = &self.hosts;
        let session = &self.session(access)?;
        let content = edit.content.as_deref().ok_or_else(|| unsupported(Platform::Discord))?;
        let record = Record::of(post)?;
        if post.file_count == 0 && Poll::of(&post.options).is_some() {
            let message = "Discord lets nobody change a poll. Delete the post, and make another.";
            return Err(NetworkError::permanent(message).with_code(FailureCode::Unsupported));
        }
        let Some(answer) = answers.first() else {
            let url = address(hosts, &session.credentials, post, &record);
            let has_files = post.file_count > 0;
            let text = new_text(content, post.link_url.as_deref(), has_files, &post.options);
            // What was allowed at first is not remembered.
            let body =
                json!({ "content": text, "allowed_mentions": extras::mentions(&post.options) });
            let request = Request::act(url, Body::Json(body)).method(Method::Patch);
            return Ok(Turn::Send(called(request, &session.credentials)));
        };
        if answer.is_success() {
            return Ok(Turn::Done(()));
        }
        let now = Some(session.now);
        Err(match record.is_in_thread() {
            true => failure_in_thread(answer, false, now),
            false => failure(answer, false, now),
        })
    }

    /// The next turn of taking a message down; in a forum, a bot takes away the thread as well
    /// where it may.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let hosts = &self.hosts;
        let session = &self.session(access)?;
        let record = Record::of(post)?;
        let delete = |url: Url| {
            let request = Request::act(url, Body::Empty).method(Method::Delete);
            Turn::Send(called(request, &session.credentials))
        };
        let Some(answer) = answers.first() else {
            return Ok(delete(address(hosts, &session.credentials, post, &record)));
        };
        let is_gone = matches!(code(answer), Some(UNKNOWN_MESSAGE | UNKNOWN_CHANNEL));
        if !answer.is_success() && !is_gone {
            return Err(failure(answer, false, Some(session.now)));
        }
        if matches!(&session.credentials, Sender::Webhook(_)) || !record.is_in_thread() {
            return Ok(Turn::Done(()));
        }
        let Some(answer) = answers.get(1) else {
            return Ok(delete(hosts.api(&["channels", &record.channel_id], &[])));
        };
        // Most bots may not; the empty thread stays then.
        let is_left = matches!(answer.status, 403 | 404);
        if answer.is_success() || is_left {
            return Ok(Turn::Done(()));
        }
        Err(failure(answer, false, Some(session.now)))
    }

    /// The next turn of reading the figures of one message.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let hosts = &self.hosts;
        let session = &self.session(access)?;
        let [post] = posts else { return Err(unsupported(Platform::Discord)) };
        // What a webhook is shown of its messages is not documented to have figures.
        if matches!(&session.credentials, Sender::Webhook(_)) {
            return Ok(Turn::Done(vec![None]));
        }
        let record = Record::of(post)?;
        let Some(answer) = answers.first() else {
            let request = Request::read(address(hosts, &session.credentials, post, &record));
            return Ok(Turn::Send(called(request, &session.credentials)));
        };
        if matches!(code(answer), Some(UNKNOWN_MESSAGE | UNKNOWN_CHANNEL)) {
            return Ok(Turn::Done(vec![None]));
        }
        let message: Message =
            answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
        let mut comments = message.thread.and_then(|thread| thread.message_count);
        if record.is_in_thread() && comments.is_none() {
            // The message stands in its thread, and it is the thread that counts its answers.
            let Some(answer) = answers.get(1) else {
                let url = hosts.api(&["channels", &record.channel_id], &[]);
                return Ok(Turn::Send(called(Request::read(url), &session.credentials)));
            };
            let thread: Channel =
                answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
            comments = thread.message_count;
        }
        let reactions: u64 = message.reactions.iter().map(|reaction| reaction.count).sum();
        let figures =
            [(Metric::Reactions, reactions), (Metric::Comments, comments.unwrap_or_default())];
        #[expect(clippy::cast_precision_loss, reason = "figures of a message are far below 2^53")]
        let figures: BTreeMap<Metric, f64> =
            figures.into_iter().map(|(metric, count)| (metric, count as f64)).collect();
        Ok(Turn::Done(vec![Some(Figures(figures))]))
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        comments::read(&self.hosts, &self.session(access)?, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        let session = self.session(access)?;
        comments::act(&self.hosts, &session, post, comment, act, answers)
    }

    /// The next turn of counting the members of the server.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let hosts = &self.hosts;
        let session = &self.session(access)?;
        let Sender::Bot(bot) = &session.credentials else { return Ok(Turn::Done(None)) };
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(guild(
                hosts,
                &session.credentials,
                bot,
                &[("with_counts", "true")],
            )));
        };
        let guild: Guild = read(answer, session)?;
        Ok(Turn::Done(guild.approximate_member_count))
    }

    /// The next turn of reading what the server allows. A channel stays what it was connected as:
    /// no text channel becomes a forum.
    fn limits(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<AccountLimits>> {
        let hosts = &self.hosts;
        let session = &self.session(access)?;
        let Sender::Bot(bot) = &session.credentials else { return Ok(Turn::Done(None)) };
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(guild(hosts, &session.credentials, bot, &[])));
        };
        let guild: Guild = read(answer, session)?;
        Ok(Turn::Done(Some(connect_bot::limits(guild.premium_tier, bot.channel_type))))
    }

    /// The next turn of looking for members whose name begins like this.
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let hosts = &self.hosts;
        let session = &self.session(access)?;
        let Sender::Bot(bot) = &session.credentials else { return Ok(Turn::Done(Vec::new())) };
        let query = query.trim().trim_start_matches('@');
        if query.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let path = ["guilds", &bot.guild_id, "members", "search"];
            let url = hosts.api(&path, &[("query", query), ("limit", NAMES_MAX)]);
            return Ok(Turn::Send(called(Request::read(url), &session.credentials)));
        };
        // Not every bot may look for members; the account is good for everything else.
        if answer.status == 403 {
            return Ok(Turn::Done(Vec::new()));
        }
        let members: Vec<Member> = read(answer, session)?;
        let mentions = members.into_iter().map(|Member { user, nick }| Mention {
            handle: format!("<@{}>", user.id),
            name: nick.filter(|nick| !nick.is_empty()).unwrap_or_else(|| user.shown_name()),
        });
        Ok(Turn::Done(mentions.collect()))
    }
}

/// The address of the message itself.
fn address(hosts: &Hosts, sender: &Sender, post: &LivePost, record: &Record) -> Url {
    let message = post.remote.id.as_str();
    match sender {
        Sender::Bot(_) => hosts.api(&["channels", &record.channel_id, "messages", message], &[]),
        Sender::Webhook(webhook) => {
            let thread = record.thread_id.as_deref().map(|thread| ("thread_id", thread));
            hosts.webhook(webhook, &["messages", message], thread.as_slice())
        }
    }
}

fn guild(hosts: &Hosts, sender: &Sender, bot: &Bot, query: &[(&str, &str)]) -> Request {
    called(Request::read(hosts.api(&["guilds", &bot.guild_id], query)), sender)
}

fn read<T: serde::de::DeserializeOwned>(
    answer: &Answer,
    access: &Access,
) -> Result<T, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(access.now)));
    }
    answer.json().ok_or_else(unreadable)
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
