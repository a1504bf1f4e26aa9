//! Servers and channels, as a bot sees them.
//!
//! Source: <https://docs.discord.com/developers/resources/guild>.

use http::StatusCode;
use serde_json::{Value, json};

use super::Discord;
use super::error::ApiError;
use super::messages::forbidden;
use super::model::{Author, Channel, Guild, THREAD};
use crate::answer::Answer;
use crate::request::Request;

/// What a bot may do: what the page of the scheduler asks for.
const PERMISSIONS: &str = "309237763072";
/// Longest list of members.
const MAX_MEMBERS: usize = 1_000;

impl Discord {
    /// Answers who the bot is.
    ///
    /// # Errors
    /// It is nobody.
    pub(super) fn own_user(&self, bot: u64) -> Result<Answer, ApiError> {
        let known = self.bots.values().find(|known| known.id == bot);
        let known = known.ok_or_else(ApiError::unauthorized)?;
        Ok(Answer::ok(&json!({
            "id": known.id.to_string(),
            "username": known.username,
            "discriminator": "0000",
            "global_name": null,
            "avatar": null,
            "bot": true,
            "public_flags": 0,
            "flags": 0,
        })))
    }

    /// Answers the servers of a bot.
    pub(super) fn own_guilds(&self, bot: u64) -> Answer {
        let guilds = self.guilds.values().filter(|guild| self.is_in(bot, guild.id));
        let guilds = guilds.map(|guild| {
            json!({
                "id": guild.id.to_string(),
                "name": guild.name,
                "icon": null,
                "owner": false,
                "permissions": PERMISSIONS,
                "features": [],
            })
        });
        Answer::ok(&guilds.collect::<Value>())
    }

    /// Answers a server.
    ///
    /// # Errors
    /// The bot is not in it.
    pub(super) fn show_guild(
        &self,
        request: &Request,
        bot: u64,
        guild: &str,
    ) -> Result<Answer, ApiError> {
        let guild = self.guild(bot, guild)?;
        let mut view = json!({
            "id": guild.id.to_string(),
            "name": guild.name,
            "icon": null,
            "premium_tier": guild.premium_tier,
            "features": [],
        });
        if request.query("with_counts") == Some("true") {
            view["approximate_member_count"] = guild.members.len().into();
            view["approximate_presence_count"] = 1.into();
        }
        Ok(Answer::ok(&view))
    }

    /// Answers the channels of a server, without threads.
    ///
    /// # Errors
    /// The bot is not in it.
    pub(super) fn guild_channels(&self, bot: u64, guild: &str) -> Result<Answer, ApiError> {
        let guild = self.guild(bot, guild)?.id;
        let channels = self.channels.values();
        let channels = channels.filter(|channel| channel.guild == guild && channel.kind != THREAD);
        let channels = channels.map(|channel| self.channel_view(channel.id));
        Ok(Answer::ok(&channels.collect::<Value>()))
    }

    /// Answers members whose name begins with a text.
    ///
    /// # Errors
    /// The bot is not in the server, or nothing is looked for.
    pub(super) fn members(
        &self,
        request: &Request,
        bot: u64,
        guild: &str,
    ) -> Result<Answer, ApiError> {
        let guild = self.guild(bot, guild)?;
        let query = request.query("query").unwrap_or_default().to_lowercase();
        if query.is_empty() {
            let message = "This field is required";
            return Err(ApiError::field("query", "BASE_TYPE_REQUIRED", message));
        }
        let limit = request.query("limit").and_then(|limit| limit.parse().ok()).unwrap_or(1);
        let begins = |name: &str| name.to_lowercase().starts_with(&query);
        let found = guild.members.iter().filter(|member| {
            begins(&member.username) || member.nick.as_deref().is_some_and(begins)
        });
        let found = found.take(limit.clamp(1, MAX_MEMBERS)).map(|member| {
            json!({
                "user": {
                    "id": member.id.to_string(),
                    "username": member.username,
                    "discriminator": "0",
                    "global_name": member.global_name,
                    "avatar": null,
                },
                "nick": member.nick,
                "roles": [],
            })
        });
        Ok(Answer::ok(&found.collect::<Value>()))
    }

    /// Answers a channel or a thread.
    ///
    /// # Errors
    /// The bot cannot see it.
    pub(super) fn show_channel(&self, bot: u64, channel: &str) -> Result<Answer, ApiError> {
        let id = self.channel(bot, channel)?.id;
        Ok(Answer::ok(&self.channel_view(id)))
    }

    /// Deletes a thread of one's own, with all that was said in it.
    ///
    /// # Errors
    /// It is a channel, or the thread of somebody else.
    pub(super) fn delete_channel(&mut self, bot: u64, channel: &str) -> Result<Answer, ApiError> {
        let channel = self.channel(bot, channel)?.clone();
        if channel.kind != THREAD || channel.owner != Some(Author::Bot(bot)) {
            return Err(forbidden());
        }
        let view = self.channel_view(channel.id);
        self.channels.remove(&channel.id);
        let lost = self.messages.values_mut().filter(|message| message.channel == channel.id);
        lost.for_each(|message| message.is_deleted = true);
        Ok(Answer::json(StatusCode::OK, &view))
    }

    /// Finds a server that a bot is in.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn guild(&self, bot: u64, guild: &str) -> Result<&Guild, ApiError> {
        let guild = guild.parse().ok().and_then(|id: u64| self.guilds.get(&id));
        guild.filter(|guild| self.is_in(bot, guild.id)).ok_or_else(ApiError::unknown_guild)
    }

    /// Finds a channel that a bot can see.
    ///
    /// # Errors
    /// There is none, or it is of another server.
    pub(super) fn channel(&self, bot: u64, channel: &str) -> Result<&Channel, ApiError> {
        let channel = channel.parse().ok().and_then(|id: u64| self.channels.get(&id));
        let channel = channel.ok_or_else(ApiError::unknown_channel)?;
        if !self.is_in(bot, channel.guild) {
            return Err(ApiError::new(StatusCode::FORBIDDEN, 50_001, "Missing Access"));
        }
        Ok(channel)
    }

    fn is_in(&self, bot: u64, guild: u64) -> bool {
        self.bots.values().any(|known| known.id == bot && known.guilds.contains(&guild))
    }
}
