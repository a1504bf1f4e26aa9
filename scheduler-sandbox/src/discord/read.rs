//! Reading the messages of a channel.
//!
//! Source: <https://docs.discord.com/developers/resources/message#get-channel-messages>.

use serde_json::Value;

use super::Discord;
use super::error::ApiError;
use super::model::FORUM;
use crate::answer::Answer;
use crate::request::Request;

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 100;

impl Discord {
    /// Answers messages, newest first: the latest, those before an id, or the first after one.
    ///
    /// # Errors
    /// There is no such channel, it holds no messages, or the limit is out of range.
    pub(super) fn list_messages(
        &self,
        request: &Request,
        bot: u64,
        channel: &str,
    ) -> Result<Answer, ApiError> {
        let channel = self.channel(bot, channel)?;
        if channel.kind == FORUM {
            return Err(ApiError::bad(50_024, "Cannot execute action on this channel type"));
        }
        let limit = match request.query("limit").map(str::parse::<usize>) {
            None => DEFAULT_LIMIT,
            Some(Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => limit,
            Some(_) => {
                let message = "int value should be between 1 and 100.";
                return Err(ApiError::field("limit", "NUMBER_TYPE_MAX", message));
            }
        };
        let bound = |name| request.query(name).and_then(|id| id.parse::<u64>().ok());
        let (before, after) = (bound("before"), bound("after"));
        let is_shown = |id: u64| {
            before.is_none_or(|before| id < before) && after.is_none_or(|after| id > after)
        };
        let shown = self.messages.values().filter(|message| {
            message.channel == channel.id && !message.is_deleted && is_shown(message.id)
        });
        let shown: Vec<u64> = shown.map(|message| message.id).collect();
        let page = if after.is_some() {
            shown.get(..limit.min(shown.len()))
        } else {
            shown.get(shown.len().saturating_sub(limit)..)
        };
        let page = page.unwrap_or_default().iter().rev();
        Ok(Answer::ok(&page.map(|id| self.message_view(*id)).collect::<Value>()))
    }
}
