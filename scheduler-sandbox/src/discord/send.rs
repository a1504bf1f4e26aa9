//! Messages of bots: `POST /channels/{id}/messages`.
//!
//! Source: <https://docs.discord.com/developers/resources/message#create-message>.

use chrono::TimeDelta;
use serde_json::Value;

use super::Discord;
use super::error::ApiError;
use super::input::{self, Input};
use super::model::{Attachment, Author, FORUM, Message};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// How long a nonce is remembered: "the past few minutes".
const NONCE_LIFE: TimeDelta = TimeDelta::minutes(5);
/// Longest nonce.
const NONCE_LIMIT: usize = 25;

impl Discord {
    /// Posts as a bot. A nonce that is enforced and was used before is answered with what it made.
    ///
    /// # Errors
    /// Those of messages; 40058 in a forum.
    pub(super) fn create(
        &mut self,
        request: &Request,
        bot: u64,
        channel: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let channel = self.channel(bot, channel)?.clone();
        let payload = input::payload(request)?;
        if channel.kind == FORUM {
            return Err(ApiError::bad(
                40_058,
                "Cannot message this thread until after the post author has sent an initial message",
            ));
        }
        let guild = self.guilds.get(&channel.guild).ok_or_else(ApiError::unknown_guild)?;
        let message = input::message(request, &payload, "", guild)?;
        let nonce = nonce(&payload)?.map(|nonce| (bot, nonce));
        let is_enforced = payload["enforce_nonce"] == true;
        if let Some(key) = nonce.as_ref().filter(|_| is_enforced)
            && let Some((id, at)) = self.nonces.get(key)
            && context.now < *at + NONCE_LIFE
        {
            let id = *id;
            let is_there = self.messages.get(&id).is_some_and(|message| !message.is_deleted);
            return if is_there {
                Ok(Answer::ok(&self.message_view(id)))
            } else {
                Err(ApiError::unknown_message())
            };
        }
        let reference = reference(&payload);
        if let Some(id) = reference {
            let known = self.messages.get(&id);
            if known.is_none_or(|known| known.channel != channel.id || known.is_deleted) {
                let path = "message_reference";
                let (code, words) = ("REPLIES_UNKNOWN_MESSAGE", "Unknown message");
                return Err(ApiError::field(path, code, words));
            }
        }
        let name = self.bot_name(bot);
        let id = self.next_id(context.now);
        self.keep(id, channel.id, Author::Bot(bot), &name, message, reference, context);
        if let Some(key) = nonce {
            self.nonces.insert(key, (id, context.now));
        }
        Ok(Answer::ok(&self.message_view(id)))
    }

    /// Keeps a message.
    #[expect(clippy::too_many_arguments, reason = "a message has that many parts")]
    pub(super) fn keep(
        &mut self,
        id: u64,
        channel: u64,
        author: Author,
        author_name: &str,
        input: Input,
        reference: Option<u64>,
        context: &Context<'_>,
    ) {
        let files = input.files.into_iter().map(|file| Attachment {
            id: self.next_id(context.now),
            filename: file.filename,
            description: file.description,
            file: file.file,
        });
        let attachments = files.collect();
        self.messages.insert(
            id,
            Message {
                id,
                channel,
                author,
                author_name: author_name.to_owned(),
                content: input.content,
                attachments,
                extras: input.extras,
                is_crossposted: false,
                reference,
                created_at: context.now,
                edited_at: None,
                reactions: std::collections::BTreeMap::new(),
                is_deleted: false,
            },
        );
    }

    /// Returns the name of a bot.
    pub(super) fn bot_name(&self, bot: u64) -> String {
        let known = self.bots.values().find(|known| known.id == bot);
        known.map(|bot| bot.username.clone()).unwrap_or_default()
    }
}

fn nonce(payload: &Value) -> Result<Option<String>, ApiError> {
    match &payload["nonce"] {
        Value::Null => Ok(None),
        Value::String(text) if text.chars().count() <= NONCE_LIMIT => Ok(Some(text.clone())),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::String(_) | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            let message = format!("Must be {NONCE_LIMIT} or fewer in length.");
            Err(ApiError::field("nonce", "BASE_TYPE_MAX_LENGTH", &message))
        }
    }
}

fn reference(payload: &Value) -> Option<u64> {
    payload["message_reference"]["message_id"].as_str()?.parse().ok()
}
