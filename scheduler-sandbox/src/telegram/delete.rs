//! Deleting messages: `deleteMessage`, `deleteMessages`.
//!
//! Source: <https://core.telegram.org/bots/api#deletemessage>.

use chrono::TimeDelta;
use serde_json::Value;

use super::error::ApiError;
use super::{Call, Telegram};

/// How long a message can be deleted.
const LIFE: TimeDelta = TimeDelta::hours(48);
/// Messages of one call.
const MESSAGES: std::ops::RangeInclusive<usize> = 1..=100;

impl Telegram {
    /// Deletes a message.
    ///
    /// # Errors
    /// The message is not there or too old; the chat.
    pub(super) fn delete_message(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        let chat = self.writable_chat(call)?.id;
        let id = call.number("message_id");
        let id = id.ok_or_else(|| ApiError::bad("message identifier is not specified"))?;
        match self.delete(call, chat, id) {
            Some(true) => Ok(Value::from(true)),
            Some(false) => Err(ApiError::bad("message can't be deleted")),
            None => Err(ApiError::bad("message to delete not found")),
        }
    }

    /// Deletes messages; those that are not there or too old are passed over.
    ///
    /// # Errors
    /// Too few or too many of them; the chat.
    pub(super) fn delete_messages(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        let chat = self.writable_chat(call)?.id;
        let ids = call.structured("message_ids");
        let ids = ids.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
        if ids.is_empty() {
            return Err(ApiError::bad("message identifiers are not specified"));
        }
        if ids.len() > *MESSAGES.end() {
            return Err(ApiError::bad("too many message identifiers specified"));
        }
        for id in ids.iter().filter_map(Value::as_i64) {
            self.delete(call, chat, id);
        }
        Ok(Value::from(true))
    }

    /// Says whether the message could be deleted; `None` when it is not there.
    fn delete(&mut self, call: &Call<'_>, chat: i64, id: i64) -> Option<bool> {
        let message = self.messages.get_mut(&id)?;
        if message.is_deleted || message.chat != chat {
            return None;
        }
        let is_young = call.context.now < message.sent_at + LIFE;
        message.is_deleted = is_young && message.bot == call.bot;
        Some(message.is_deleted)
    }
}
