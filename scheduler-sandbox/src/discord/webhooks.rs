//! Who calls: a webhook by its address, a bot by its token; and what a webhook does.
//!
//! Source: <https://docs.discord.com/developers/resources/webhook>.

use http::StatusCode;

use super::Discord;
use super::error::ApiError;
use super::extras;
use super::input;
use super::model::{Author, FORUM, Webhook};
use super::threads::applied_tags;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Discord {
    /// Finds the webhook of an address.
    ///
    /// # Errors
    /// There is none of that id, or its token is another.
    pub(super) fn webhook(&self, id: &str, token: &str) -> Result<Webhook, ApiError> {
        let webhook = id.parse().ok().and_then(|id: u64| self.webhooks.get(&id));
        let unknown = || ApiError::new(StatusCode::NOT_FOUND, 10_015, "Unknown Webhook");
        let webhook = webhook.ok_or_else(unknown)?;
        if webhook.is_revoked || webhook.token != token {
            let message = "Invalid Webhook Token";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, 50_027, message));
        }
        Ok(webhook.clone())
    }

    /// Finds the bot that a request speaks for.
    ///
    /// # Errors
    /// There is none of that token.
    pub(super) fn bot(&self, request: &Request) -> Result<u64, ApiError> {
        let bot = bot_token(request).and_then(|token| self.bots.get(token));
        bot.map(|bot| bot.id).ok_or_else(ApiError::unauthorized)
    }

    /// Posts as a webhook; without `wait` the answer says nothing.
    ///
    /// # Errors
    /// Those of messages, and of threads where there is no forum.
    pub(super) fn execute(
        &mut self,
        request: &Request,
        webhook: &Webhook,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let payload = input::payload(request)?;
        let name = input::thread_name(&payload, "thread_name")?;
        let thread = request.query("thread_id");
        let channel = self.channels.get(&webhook.channel).ok_or_else(ApiError::unknown_channel)?;
        match (channel.kind == FORUM, name.is_some(), thread.is_some()) {
            (true, true, true) => {
                return Err(ApiError::bad(
                    220_002,
                    "Webhooks posted to forum channels cannot have both a thread_name and thread_id",
                ));
            }
            (true, false, false) => {
                return Err(ApiError::bad(
                    220_001,
                    "Webhooks posted to forum channels must have a thread_name or thread_id",
                ));
            }
            (false, true, _) => {
                return Err(ApiError::bad(
                    220_003,
                    "Webhooks can only create threads in forum channels",
                ));
            }
            (true, true, false) | (true, false, true) | (false, false, _) => {}
        }
        let guild = self.guilds.get(&webhook.guild).ok_or_else(ApiError::unknown_guild)?;
        let mut message = input::message(request, &payload, "", guild)?;
        extras::read_sender(&payload, &mut message.extras)?;
        let shown_name = message.extras.username.clone().unwrap_or_else(|| webhook.name.clone());
        let author = Author::Webhook(webhook.id);
        let channel = match (name, thread) {
            (Some(name), _) => {
                let tags = applied_tags(&payload)?;
                self.open_post(webhook.channel, &name, tags, author, context)?
            }
            (None, Some(thread)) => {
                let thread = thread.parse().ok().filter(|id: &u64| {
                    self.channels.get(id).is_some_and(|c| c.parent == Some(webhook.channel))
                });
                thread.ok_or_else(ApiError::unknown_channel)?
            }
            (None, None) => webhook.channel,
        };
        let is_first = channel != webhook.channel && thread.is_none();
        let id = if is_first { channel } else { self.next_id(context.now) };
        self.keep(id, channel, author, &shown_name, message, None, context);
        // discord.py writes a number.
        if matches!(request.query("wait"), Some("true" | "True" | "1")) {
            return Ok(Answer::ok(&self.message_view(id)));
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Finds a message of a webhook; one in a thread only with the thread's id.
    ///
    /// # Errors
    /// It is not there, or not the webhook's.
    pub(super) fn webhook_message(
        &self,
        request: &Request,
        webhook: &Webhook,
        message: &str,
    ) -> Result<u64, ApiError> {
        let thread = request.query("thread_id").map(|id| id.parse::<u64>().ok());
        let channel = match thread {
            Some(thread) => thread.ok_or_else(ApiError::unknown_channel)?,
            None => webhook.channel,
        };
        let id: u64 = message.parse().map_err(|_| ApiError::unknown_message())?;
        let known = self.messages.get(&id).filter(|message| {
            message.channel == channel
                && message.author == Author::Webhook(webhook.id)
                && !message.is_deleted
        });
        known.map(|message| message.id).ok_or_else(ApiError::unknown_message)
    }
}

/// Returns the token of a header `Authorization: Bot …`.
pub(super) fn bot_token(request: &Request) -> Option<&str> {
    request.header("authorization")?.strip_prefix("Bot ")
}
