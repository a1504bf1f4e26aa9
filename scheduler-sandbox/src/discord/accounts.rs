//! Making a server with its channels, a webhook and a bot, and what connects them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::model::{ANNOUNCEMENT, Bot, Channel, FORUM, Guild, Member, TEXT, Webhook};
use super::{Discord, NAME};
use crate::network::Context;
use crate::outside::random_secret;

/// Longest name of a webhook.
///
/// Source: <https://docs.discord.com/developers/resources/webhook>.
const NAME_LIMIT: usize = 80;
/// The tags of every forum: their ids, and whether moderators alone may use them. Invented.
pub(super) const TAGS: [(u64, bool); 3] = [(701, false), (702, false), (703, true)];
/// What a webhook may not be called.
const FORBIDDEN: [&str; 2] = ["clyde", "discord"];

impl Discord {
    /// Makes a server with channels, webhooks and a bot.
    ///
    /// # Errors
    /// The name cannot be that of a webhook.
    pub(super) fn add_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let number = self.guilds.len() + 1;
        let name = name.map_or_else(|| format!("Sandbox {number}"), str::to_owned);
        let lower = name.to_lowercase();
        let is_name = (1..=NAME_LIMIT).contains(&name.trim().chars().count())
            && !FORBIDDEN.iter().any(|word| lower.contains(word));
        if !is_name {
            return Err(format!(
                "name must be 1 to {NAME_LIMIT} characters, and hold neither clyde nor discord."
            ));
        }
        let guild = self.add_guild(&name, context);
        let general = self.add_channel(guild, TEXT, "general", context);
        let news = self.add_channel(guild, ANNOUNCEMENT, "news", context);
        let forum = self.add_channel(guild, FORUM, "forum", context);
        let webhook = self.add_webhook(guild, general, &name, context);
        let in_forum = self.add_webhook(guild, forum, &name, context);
        let bot = self.next_id(context.now);
        let token = random_secret();
        let username = format!("{}_bot", lower.trim().replace(' ', "_"));
        let guilds = BTreeSet::from([guild]);
        self.bots.insert(token.clone(), Bot { id: bot, username: username.clone(), guilds });
        if let Some(guild) = self.guilds.get_mut(&guild) {
            let member = Member { id: bot, username, global_name: None, nick: None };
            guild.members.push(member);
        }
        Ok(json!({
            "platform": NAME,
            "account": webhook.id.to_string(),
            "name": name,
            "webhookUrl": address(&webhook, context),
            "webhookGuildId": guild.to_string(),
            "webhookChannelId": general.to_string(),
            "forum": {
                "account": in_forum.id.to_string(),
                "webhookUrl": address(&in_forum, context),
                "isForum": "true",
            },
            "bot": {
                "account": bot.to_string(),
                "botToken": token,
                "guildId": guild.to_string(),
                "textChannelId": general.to_string(),
                "announcementChannelId": news.to_string(),
                "forumChannelId": forum.to_string(),
            },
        }))
    }

    /// Makes a server; three people are in it.
    pub(super) fn add_guild(&mut self, name: &str, context: &Context<'_>) -> u64 {
        let people = [
            ("ana", Some("Ana"), Some("Ana of the sandbox")),
            ("anton", Some("Anton"), None),
            ("ben", None, None),
        ];
        let members = people.map(|(username, global_name, nick)| Member {
            id: self.next_id(context.now),
            username: username.to_owned(),
            global_name: global_name.map(str::to_owned),
            nick: nick.map(str::to_owned),
        });
        let id = self.next_id(context.now);
        let members = members.to_vec();
        self.guilds.insert(id, Guild { id, name: name.to_owned(), premium_tier: 0, members });
        id
    }

    /// Makes a channel.
    pub(super) fn add_channel(
        &mut self,
        guild: u64,
        kind: u8,
        name: &str,
        context: &Context<'_>,
    ) -> u64 {
        let id = self.next_id(context.now);
        let channel = Channel {
            id,
            guild,
            kind,
            name: name.to_owned(),
            parent: None,
            tags: if kind == FORUM { TAGS.map(|(id, _)| id).to_vec() } else { Vec::new() },
            owner: None,
            created_at: context.now,
        };
        self.channels.insert(id, channel);
        id
    }

    /// Makes a webhook in a channel.
    pub(super) fn add_webhook(
        &mut self,
        guild: u64,
        channel: u64,
        name: &str,
        context: &Context<'_>,
    ) -> Webhook {
        let id = self.next_id(context.now);
        let name = name.to_owned();
        let token = random_secret();
        let webhook = Webhook { id, token, name, guild, channel, is_revoked: false };
        self.webhooks.insert(id, webhook.clone());
        webhook
    }
}

/// Returns the address of a webhook, as a person copies it.
pub(super) fn address(webhook: &Webhook, context: &Context<'_>) -> String {
    format!("{}/api/webhooks/{}/{}", context.base, webhook.id, webhook.token)
}
