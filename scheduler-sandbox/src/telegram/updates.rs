//! What a bot hears: `getUpdates`, and the webhook that takes its place.
//!
//! Source: <https://core.telegram.org/bots/api#getting-updates>. Nothing is sent to a webhook.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::chats::Kind;
use super::error::ApiError;
use super::{Call, Telegram};

/// Most updates of one call.
const LIMIT: i64 = 100;

impl Telegram {
    /// Lets a bot hear what somebody posts in a chat.
    pub(super) fn hear(&mut self, token: &str, chat: i64, text: &str, now: DateTime<Utc>) {
        let (update_id, message_id) = (self.next_id(), self.next_id());
        let Some(chat) = self.chats.get(&chat) else { return };
        let mut message = json!({
            "message_id": message_id,
            "date": now.timestamp(),
            "chat": chat.view(),
            "text": text,
        });
        let name = match chat.kind {
            Kind::Channel => {
                message["sender_chat"] = chat.view();
                "channel_post"
            }
            Kind::Group | Kind::Supergroup => {
                message["from"] = json!({"id": 1, "is_bot": false, "first_name": "Owner"});
                "message"
            }
        };
        let mut update = json!({"update_id": update_id});
        update[name] = message;
        if let Some(bot) = self.bots.get_mut(token) {
            bot.updates.push(update);
        }
    }

    /// Answers what a bot has heard and not yet taken note of; an offset takes note of all before.
    ///
    /// # Errors
    /// A webhook is set.
    pub(super) fn updates(&mut self, call: &Call<'_>, token: &str) -> Result<Value, ApiError> {
        let bot = self.bots.get_mut(token).ok_or_else(ApiError::unauthorized)?;
        if bot.webhook.is_some() {
            return Err(ApiError::new(
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
            ));
        }
        let offset = call.number("offset").unwrap_or(0);
        if offset < 0 {
            let kept = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            let first = bot.updates.len().saturating_sub(kept);
            bot.updates.drain(..first);
        } else {
            bot.updates.retain(|update| update["update_id"].as_i64() >= Some(offset));
        }
        let allowed = call.structured("allowed_updates");
        let allowed = allowed.as_ref().and_then(Value::as_array);
        let is_allowed = |update: &&Value| {
            allowed.is_none_or(|allowed| {
                let names = allowed.iter().filter_map(Value::as_str);
                allowed.is_empty() || names.into_iter().any(|name| update.get(name).is_some())
            })
        };
        let limit = call.number("limit").unwrap_or(LIMIT).clamp(1, LIMIT);
        let limit = usize::try_from(limit).unwrap_or(1);
        Ok(bot.updates.iter().filter(is_allowed).take(limit).cloned().collect())
    }

    /// Sets a webhook.
    ///
    /// # Errors
    /// An address that is not https.
    pub(super) fn set_webhook(&mut self, call: &Call<'_>, token: &str) -> Result<Value, ApiError> {
        let url = call.text("url").unwrap_or_default();
        if !url.is_empty() && !url.starts_with("https://") {
            return Err(ApiError::bad("bad webhook: An HTTPS URL must be provided for webhook"));
        }
        let bot = self.bots.get_mut(token).ok_or_else(ApiError::unauthorized)?;
        bot.webhook = Some(url).filter(|url| !url.is_empty());
        Ok(Value::from(true))
    }

    /// Removes the webhook.
    ///
    /// # Errors
    /// Unauthorized.
    pub(super) fn delete_webhook(&mut self, token: &str) -> Result<Value, ApiError> {
        self.bots.get_mut(token).ok_or_else(ApiError::unauthorized)?.webhook = None;
        Ok(Value::from(true))
    }
}
