//! Changing, deleting and reacting to messages.
//!
//! Source: <https://docs.discord.com/developers/resources/message>.

use http::StatusCode;

use super::Discord;
use super::error::ApiError;
use super::input;
use super::model::{ANNOUNCEMENT, Author};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Longest name of a reaction, in bytes: one emoji, or a name and an id.
const EMOJI_BYTES: usize = 64;

impl Discord {
    /// Gives a message another text; its files stay.
    ///
    /// # Errors
    /// 50005 for a message of somebody else, those of messages.
    pub(super) fn edit(
        &mut self,
        request: &Request,
        message: u64,
        author: Author,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let payload = input::payload(request)?;
        let known = self.messages.get_mut(&message).ok_or_else(ApiError::unknown_message)?;
        if known.author != author {
            let message = "Cannot edit a message authored by another user";
            return Err(ApiError::new(StatusCode::FORBIDDEN, 50_005, message));
        }
        if known.extras.poll.is_some() {
            return Err(ApiError::bad(520_003, "Cannot edit a poll message"));
        }
        if !payload["content"].is_null() {
            let content = input::content(&payload, "")?;
            if content.is_empty() && known.attachments.is_empty() && known.extras.is_empty() {
                return Err(ApiError::bad(50_006, "Cannot send an empty message"));
            }
            known.content = content;
            known.edited_at = Some(context.now);
        }
        Ok(Answer::ok(&self.message_view(message)))
    }

    /// Sends a message to the servers that follow its channel.
    ///
    /// # Errors
    /// 40033 for one that was sent already, 50024 outside announcement channels, 50013 for a message
    /// of somebody else.
    pub(super) fn crosspost(
        &mut self,
        bot: u64,
        channel: &str,
        message: &str,
    ) -> Result<Answer, ApiError> {
        let is_followed = self.channel(bot, channel)?.kind == ANNOUNCEMENT;
        let message = self.channel_message(bot, channel, message)?;
        if !is_followed {
            return Err(ApiError::bad(50_024, "Cannot execute action on this channel type"));
        }
        let known = self.messages.get_mut(&message).ok_or_else(ApiError::unknown_message)?;
        if known.author != Author::Bot(bot) {
            return Err(forbidden());
        }
        if std::mem::replace(&mut known.is_crossposted, true) {
            return Err(ApiError::bad(40_033, "This message has already been crossposted"));
        }
        Ok(Answer::ok(&self.message_view(message)))
    }

    /// Deletes a message.
    ///
    /// # Errors
    /// 50013 for a message of somebody else.
    pub(super) fn delete(&mut self, message: u64, author: Author) -> Result<Answer, ApiError> {
        let known = self.messages.get_mut(&message).ok_or_else(ApiError::unknown_message)?;
        if known.author != author {
            return Err(forbidden());
        }
        known.is_deleted = true;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Sets a reaction of one's own, or takes it back.
    ///
    /// # Errors
    /// 10014 for what is no emoji.
    pub(super) fn react(
        &mut self,
        method: &str,
        bot: u64,
        channel: &str,
        message: &str,
        emoji: &str,
    ) -> Result<Answer, ApiError> {
        let message = self.channel_message(bot, channel, message)?;
        if emoji.is_ascii() && !emoji.contains(':') || emoji.len() > EMOJI_BYTES {
            return Err(ApiError::bad(10_014, "Unknown Emoji"));
        }
        let known = self.messages.get_mut(&message).ok_or_else(ApiError::unknown_message)?;
        match method {
            "PUT" => {
                known.reactions.entry(emoji.to_owned()).or_default().insert(bot);
            }
            "DELETE" => {
                if let Some(who) = known.reactions.get_mut(emoji) {
                    who.remove(&bot);
                }
                known.reactions.retain(|_, who| !who.is_empty());
            }
            _ => return Err(ApiError::method()),
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Finds a message of a channel that a bot can see.
    ///
    /// # Errors
    /// It is not there.
    pub(super) fn channel_message(
        &self,
        bot: u64,
        channel: &str,
        message: &str,
    ) -> Result<u64, ApiError> {
        let channel = self.channel(bot, channel)?.id;
        let id: u64 = message.parse().map_err(|_| ApiError::unknown_message())?;
        let known = self.messages.get(&id);
        let known = known.filter(|message| message.channel == channel && !message.is_deleted);
        known.map(|message| message.id).ok_or_else(ApiError::unknown_message)
    }
}

/// Builds the error of what somebody may not do.
pub(super) fn forbidden() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, 50_013, "Missing Permissions")
}
