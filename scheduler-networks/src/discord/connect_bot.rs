//! Connecting a bot: every channel of its servers that it can post to is an account.

use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use secrecy::SecretString;

use super::connect::{avatar_url, refused};
use super::errors::unreadable;
use super::hosts::{Hosts, called_by_bot};
use super::wire::{
    ANNOUNCEMENT, Bot, Channel, Guild, Sender, User, can_be_posted_to, is_forum, is_snowflake,
};
use crate::conversation::{Answer, Request, Turn, TurnResult};
use crate::settings::Client;

/// Servers that are looked through for channels; of more, one has to be named.
const GUILDS_MAX: usize = 20;

/// What a bot is asked to be allowed: the sum of [`RIGHTS`] and of embedding links.
///
/// Source: <https://docs.discord.com/developers/topics/permissions>.
const PERMISSIONS: &str = "309237763072";

/// What a bot needs, by the bit of its permission, and what it cannot do without.
const RIGHTS: [(u32, &str); 6] = [
    (10, "see channels"),
    (11, "send messages"),
    (15, "attach files"),
    (16, "read what was said, by which a lost post is found"),
    (35, "open threads"),
    (38, "write in threads"),
];

/// The bit of the permission that stands for all.
const ADMINISTRATOR: u32 = 3;

const MIB: u64 = 1024 * 1024;

/// The next turn of connecting. Reads `channelId` and `guildId` where one of them is to be picked.
pub(super) fn connect(
    hosts: &Hosts,
    client: Option<&Client>,
    token: &str,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let named_channel = named(input, "channelId")?;
    let named_guild = named(input, "guildId")?;
    let read = |segments: &[&str]| {
        Turn::Send(called_by_bot(Request::read(hosts.api(segments, &[])), token))
    };
    let mut answers = answers.iter();

    let Some(answer) = answers.next() else { return Ok(read(&["users", "@me"])) };
    let user: User = opened(answer, "Discord does not accept this bot token.")?;
    let Some(answer) = answers.next() else { return Ok(read(&["users", "@me", "guilds"])) };
    let mut guilds: Vec<Guild> = opened(answer, "Discord does not show the servers of the bot.")?;

    let mut channel: Option<Channel> = None;
    let mut guild_id = named_guild.map(str::to_owned);
    if let Some(id) = named_channel {
        let Some(answer) = answers.next() else { return Ok(read(&["channels", id])) };
        let found: Channel = opened(answer, "The bot cannot see this channel: check channelId.")?;
        guild_id = found.guild_id.clone();
        if !can_be_posted_to(found.kind) || guild_id.is_none() {
            return Err(NetworkError::permanent(
                "This channel takes no posts: pick a text or forum channel.",
            ));
        }
        channel = Some(found);
    }
    guilds.retain(|guild| guild_id.as_ref().is_none_or(|wanted| guild.id == *wanted));
    if guilds.is_empty() {
        return Err(NetworkError::permanent(invitation(hosts, client)));
    }
    if guilds.len() > GUILDS_MAX {
        let message = format!(
            "The bot is in more than {GUILDS_MAX} servers: name a channel of one with channelId."
        );
        return Err(NetworkError::permanent(message));
    }

    let mut connected = Vec::new();
    for listed in guilds {
        let Some(answer) = answers.next() else { return Ok(read(&["guilds", &listed.id])) };
        let guild: Guild = opened(answer, "The bot cannot see its server.")?;
        let channels: Vec<Channel> = match &channel {
            Some(channel) => vec![channel.clone()],
            None => {
                let Some(answer) = answers.next() else {
                    return Ok(read(&["guilds", &listed.id, "channels"]));
                };
                opened(answer, "The bot cannot see the channels of its server.")?
            }
        };
        let lacks = lacks(listed.permissions.as_deref());
        let channels = channels.into_iter().filter(|channel| can_be_posted_to(channel.kind));
        connected.extend(
            channels.map(|channel| account(hosts, token, &user, &guild, channel, lacks.clone())),
        );
    }
    if connected.is_empty() {
        return Err(NetworkError::permanent("The bot sees no channel that it can post to."));
    }
    Ok(Turn::Done(connected))
}

fn account(
    hosts: &Hosts,
    token: &str,
    user: &User,
    guild: &Guild,
    channel: Channel,
    lacks: Vec<String>,
) -> Connected {
    let sender = Sender::Bot(Bot {
        id: user.id.clone(),
        token: SecretString::from(token.to_owned()),
        guild_id: guild.id.clone(),
        channel_id: channel.id.clone(),
        channel_type: channel.kind,
    });
    let name = channel.name.as_deref().unwrap_or(&channel.id);
    Connected {
        server_url: hosts.other_address().map(str::to_owned),
        username: Some(user.username.clone()),
        display_name: Some(format!("{} · #{name}", guild.name)),
        avatar_url: user.avatar.as_deref().map(|avatar| avatar_url(&user.id, avatar)),
        lacks,
        limits: limits(guild.premium_tier, channel.kind),
        ..Connected::new(
            format!("{}/{}", user.id, channel.id),
            Credentials::new(sender.to_text(), None),
        )
    }
}

/// What a server allows a bot, by how far people have boosted it, and what a channel asks for.
///
/// Source: <https://docs.discord.com/developers/resources/guild>, "Premium Tier"; 50 MiB a file on
/// level 2, 100 MiB on level 3, for all 25 MiB a message.
pub(super) fn limits(premium_tier: u8, channel_type: u8) -> AccountLimits {
    let max_bytes = match premium_tier {
        0 | 1 => None,
        2 => Some(50 * MIB),
        _ => Some(100 * MIB),
    };
    AccountLimits {
        max_image_bytes: max_bytes,
        max_video_bytes: max_bytes,
        // A bot can open a thread in any channel.
        is_forum: is_forum(channel_type).then_some(true),
        posts_as_bot: Some(true),
        is_announcement: Some(channel_type == ANNOUNCEMENT),
        ..AccountLimits::default()
    }
}

/// What the bot cannot do, a sentence for each; nothing where Discord does not say.
fn lacks(permissions: Option<&str>) -> Vec<String> {
    let Some(permissions) = permissions.and_then(|text| text.parse::<u64>().ok()) else {
        return Vec::new();
    };
    let has = |bit: u32| permissions >> bit & 1 == 1;
    if has(ADMINISTRATOR) {
        return Vec::new();
    }
    let missing = RIGHTS.iter().filter(|(bit, _)| !has(*bit));
    missing.map(|(_, what)| format!("The bot may not {what}.")).collect()
}

fn invitation(hosts: &Hosts, client: Option<&Client>) -> String {
    let client_id = client.map_or("YOUR_APPLICATION_ID", |client| client.id.as_str());
    let page = hosts.authorize_page(&[
        ("client_id", client_id),
        ("scope", "bot"),
        ("permissions", PERMISSIONS),
    ]);
    format!("The bot is in no such server: invite it with {page}")
}

fn named<'a>(input: &'a ConnectInput, name: &str) -> Result<Option<&'a str>, NetworkError> {
    match input.given(name) {
        Some(id) if !is_snowflake(id) => {
            Err(NetworkError::permanent(format!("{name} is not an id of Discord.")))
        }
        id => Ok(id),
    }
}

fn opened<T: serde::de::DeserializeOwned>(
    answer: &Answer,
    message: &str,
) -> Result<T, NetworkError> {
    if !answer.is_success() {
        return Err(refused(answer, message));
    }
    answer.json().ok_or_else(unreadable)
}

#[cfg(test)]
#[path = "connect_bot_tests.rs"]
mod tests;
