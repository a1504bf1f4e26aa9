//! What there is, as the API and the control show it.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::Discord;
use super::accounts::{TAGS, address};
use super::model::{Attachment, Author, FORUM, Message, THREAD, Webhook};
use crate::network::{Context, LivePost};

/// Minutes after which a thread would be put away.
const AUTO_ARCHIVE_MINUTES: u32 = 4_320;

impl Discord {
    /// Returns a message as the API shows it.
    pub(super) fn message_view(&self, id: u64) -> Value {
        let Some(message) = self.messages.get(&id) else { return Value::Null };
        let mut view = json!({
            "id": id.to_string(),
            "type": if message.reference.is_some() { 19 } else { 0 },
            "channel_id": message.channel.to_string(),
            "author": author(message),
            "content": message.content,
            "timestamp": time(message.created_at),
            "edited_timestamp": message.edited_at.map(time),
            "tts": false,
            "mention_everyone": false,
            "mentions": [],
            "mention_roles": [],
            "attachments": message.attachments.iter().map(attachment).collect::<Value>(),
            "embeds": message.extras.embeds,
            "pinned": false,
            "flags": message.extras.flags | u64::from(message.is_crossposted),
            "components": [],
        });
        if let Some(poll) = &message.extras.poll {
            view["poll"] = poll.clone();
        }
        if let Author::Webhook(webhook) = message.author {
            view["webhook_id"] = webhook.to_string().into();
        }
        if let Some(reference) = message.reference {
            view["message_reference"] = json!({
                "type": 0,
                "channel_id": message.channel.to_string(),
                "message_id": reference.to_string(),
            });
        }
        if !message.reactions.is_empty() {
            let reactions = message.reactions.iter().map(|(emoji, who)| {
                json!({
                    "count": who.len(),
                    "me": true,
                    "emoji": { "id": null, "name": emoji },
                })
            });
            view["reactions"] = reactions.collect();
        }
        // A message that stands in its thread does not show it once more.
        if message.channel != id && self.channels.contains_key(&id) {
            view["thread"] = self.channel_view(id);
        }
        view
    }

    /// Returns a channel or a thread as the API shows it.
    pub(super) fn channel_view(&self, id: u64) -> Value {
        let Some(channel) = self.channels.get(&id) else { return Value::Null };
        let mut view = json!({
            "id": id.to_string(),
            "type": channel.kind,
            "guild_id": channel.guild.to_string(),
            "name": channel.name,
            "parent_id": channel.parent.map(|parent| parent.to_string()),
        });
        if channel.kind != THREAD {
            // Its place among the channels, and what is set apart for it: nothing.
            view["position"] = 0.into();
            view["permission_overwrites"] = json!([]);
            view["nsfw"] = false.into();
            view["topic"] = Value::Null;
        }
        view["rate_limit_per_user"] = 0.into();
        view["last_message_id"] = Value::Null;
        if channel.kind == FORUM {
            let tags = TAGS.map(|(id, is_moderated)| {
                json!({ "id": id.to_string(), "name": format!("tag {id}"), "moderated": is_moderated })
            });
            view["available_tags"] = tags.to_vec().into();
        }
        if channel.kind == THREAD {
            let tags = channel.tags.iter().map(u64::to_string);
            view["applied_tags"] = tags.collect();
            let said = self.messages.values().filter(|message| message.channel == id);
            // The first message is not counted.
            let said = said.filter(|message| message.id != id && !message.is_deleted).count();
            view["owner_id"] = channel.owner.map(|owner| owner.id().to_string()).into();
            view["message_count"] = said.into();
            view["total_message_sent"] = said.into();
            view["member_count"] = 1.into();
            view["thread_metadata"] = json!({
                "archived": false,
                "auto_archive_duration": AUTO_ARCHIVE_MINUTES,
                "archive_timestamp": time(channel.created_at),
                "locked": false,
            });
        }
        view
    }

    /// Returns a message as the control shows it.
    pub(super) fn live_post(&self, message: &Message) -> LivePost {
        let channel = self.channels.get(&message.channel);
        // What is said in a thread answers the message that opened it.
        let opener = channel.filter(|channel| channel.kind == THREAD && channel.id != message.id);
        LivePost {
            platform: super::NAME,
            account: message.author.id().to_string(),
            author: message.author_name.clone(),
            remote_id: message.id.to_string(),
            text: message.content.clone(),
            media: message.attachments.iter().map(|attachment| attachment.file.clone()).collect(),
            reply_to: message.reference.or(opener.map(|c| c.id)).map(|id| id.to_string()),
            created_at: message.created_at,
            is_deleted: message.is_deleted,
        }
    }
}

/// Returns a webhook as the API shows it.
pub(super) fn webhook(webhook: &Webhook, context: &Context<'_>) -> Value {
    json!({
        "id": webhook.id.to_string(),
        "type": 1,
        "token": webhook.token,
        "name": webhook.name,
        "avatar": null,
        "application_id": null,
        "channel_id": webhook.channel.to_string(),
        "guild_id": webhook.guild.to_string(),
        "url": address(webhook, context),
    })
}

fn author(message: &Message) -> Value {
    json!({
        "id": message.author.id().to_string(),
        "username": message.author_name,
        "global_name": null,
        "discriminator": "0000",
        "avatar": message.extras.avatar_url,
        "bot": true,
        "public_flags": 0,
        "flags": 0,
    })
}

fn attachment(attachment: &Attachment) -> Value {
    let id = attachment.id;
    let mut view = json!({
        "id": id.to_string(),
        "filename": attachment.filename,
        "size": attachment.file.bytes,
        "content_type": attachment.file.media_type,
        "url": format!("https://cdn.discordapp.com/attachments/{id}/{}", attachment.filename),
        "proxy_url": format!("https://media.discordapp.net/attachments/{id}/{}", attachment.filename),
    });
    if let Some(description) = &attachment.description {
        view["description"] = description.as_str().into();
    }
    view
}

/// Writes a time as the network does: microseconds and `+00:00`.
fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, false)
}
