//! A live post, and the chat: another text, taking it down, counting members.
//!
//! A bot has no way to read comments or figures.
//!
//! Source: <https://core.telegram.org/bots/api#updating-messages>.

use chrono::{DateTime, Utc};
use scheduler_core::platform::{AccountLimits, Platform, Poll};
use scheduler_core::ports::{Access, LivePost, NetworkError, RemoteEdit, unsupported};
use scheduler_core::target::FailureCode;
use scheduler_core::text::compose;
use serde_json::{Value, json};

use super::Telegram;
use super::errors::{failure, is_gone, is_unchanged, moved_to};
use super::extras;
use super::wire::{Chat, Record, result};
use crate::conversation::{AfterConversation, Answer, Body, Protocol, Turn, TurnResult};

impl AfterConversation for Telegram {
    /// The next turn of giving a post another text. A repeat changes nothing more.
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> TurnResult<()> {
        let session = self.session(access)?;
        let (bot, chat_id) = self.bot(&session.credentials)?;
        let bot = &bot;
        let Some(content) = &edit.content else { return Err(unsupported(Platform::Telegram)) };
        let record = Record::of(&post.remote, chat_id).ok_or_else(unreachable_post)?;
        let Some(answer) = answers.first() else {
            let has_files = post.file_count > 0;
            if Poll::of(&post.options).is_some() && !has_files {
                let message =
                    "Telegram lets nobody change a poll. Delete the post, and make another.";
                return Err(NetworkError::permanent(message).with_code(FailureCode::Unsupported));
            }
            // The new text takes the place of what was said for this network alone.
            let mut options = post.options.clone();
            options.remove("caption");
            let link = post.link_url.as_deref();
            let composed = compose(content, link, has_files, Platform::Telegram, &options);
            let (method, field) = if has_files {
                ("editMessageCaption", "caption")
            } else {
                ("editMessageText", "text")
            };
            // The first message of an album carries its caption.
            let mut body =
                json!({ "chat_id": record.chat_id, "message_id": record.message_ids.first() });
            body[field] = composed.text().into();
            // What is not sent again is taken away.
            let form = if has_files { "caption_entities" } else { "entities" };
            let kept = match post.file_count {
                0 => extras::of_text(&options, composed.text()),
                1 => extras::of_caption(&options)
                    .into_iter()
                    .chain(extras::buttons(&options))
                    .collect(),
                _ => extras::of_caption(&options).into_iter().collect(),
            };
            for (name, value) in extras::entities(form, &composed.entities).into_iter().chain(kept)
            {
                body[name] = value;
            }
            return Ok(Turn::Send(bot.call(method, Body::Json(body))));
        };
        if result::<Value>(answer).is_some() || is_unchanged(answer) {
            return Ok(Turn::Done(()));
        }
        Err(refused(answer, access.now))
    }

    /// The next turn of taking a post down, with all its messages.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let session = self.session(access)?;
        let (bot, chat_id) = self.bot(&session.credentials)?;
        let bot = &bot;
        let record = Record::of(&post.remote, chat_id).ok_or_else(unreachable_post)?;
        let Some(answer) = answers.first() else {
            // Of several messages, those that are too old would be passed over without a word.
            let within = Platform::Telegram.sheet().take_down_within;
            if within.is_some_and(|within| access.now - post.published_at >= within) {
                return Err(too_old());
            }
            let chat_id = record.chat_id;
            let (method, body) = match record.message_ids.as_slice() {
                [id] => ("deleteMessage", json!({ "chat_id": chat_id, "message_id": id })),
                ids => ("deleteMessages", json!({ "chat_id": chat_id, "message_ids": ids })),
            };
            return Ok(Turn::Send(bot.call(method, Body::Json(body))));
        };
        if result::<bool>(answer) == Some(true) || is_gone(answer) {
            return Ok(Turn::Done(()));
        }
        Err(refused(answer, access.now))
    }

    /// The next turn of reading whether the chat has topics. How large files may be is asked of
    /// nobody: the operator has named it.
    fn limits(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<AccountLimits>> {
        let session = self.session(access)?;
        let (bot, chat_id) = self.bot(&session.credentials)?;
        let ask = |chat_id: i64| {
            Ok(Turn::Send(bot.call("getChat", Body::Json(json!({ "chat_id": chat_id })))))
        };
        let answer = match answers {
            [] => return ask(chat_id),
            [first] => match moved_to(first) {
                Some(chat_id) => return ask(chat_id),
                None => first,
            },
            [_, second, ..] => second,
        };
        let chat: Chat = result(answer).ok_or_else(|| failure(answer, false, Some(access.now)))?;
        let limits = self.limits_of_server();
        Ok(Turn::Done(Some(AccountLimits { has_topics: Some(chat.is_forum), ..limits })))
    }

    /// The next turn of counting the members of the chat.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let session = self.session(access)?;
        let (bot, chat_id) = self.bot(&session.credentials)?;
        let bot = &bot;
        let now = access.now;
        let ask = |chat_id: i64| {
            let body = Body::Json(json!({ "chat_id": chat_id }));
            Ok(Turn::Send(bot.call("getChatMemberCount", body)))
        };
        let answer = match answers {
            [] => return ask(chat_id),
            [first] => match moved_to(first) {
                Some(chat_id) => return ask(chat_id),
                None => first,
            },
            [_, second, ..] => second,
        };
        match result(answer) {
            Some(count) => Ok(Turn::Done(Some(count))),
            None => Err(failure(answer, false, Some(now))),
        }
    }
}

/// The failure of a call for a post. What a bot has sent to a group stays out of its reach once
/// the group is a supergroup.
fn refused(answer: &Answer, now: DateTime<Utc>) -> NetworkError {
    if moved_to(answer).is_some() {
        let message = "The group was upgraded to a supergroup since, and a bot cannot reach what it sent before. Change it in Telegram.";
        return NetworkError::permanent(message).with_code(FailureCode::Unsupported);
    }
    failure(answer, false, Some(now))
}

fn too_old() -> NetworkError {
    let message =
        "A bot can take down a post for 48 hours only. Delete it in Telegram, as an administrator.";
    NetworkError::permanent(message).with_code(FailureCode::Unsupported)
}

fn unreachable_post() -> NetworkError {
    let message = "Telegram has not told the id of this post, so it cannot be reached. Change it in Telegram.";
    NetworkError::permanent(message).with_code(FailureCode::Unsupported)
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
