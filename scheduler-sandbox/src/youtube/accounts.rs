//! Channels, and who may act for them.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/channels>.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::{READING, SCOPE, SCOPES};
use super::{Youtube, id, instant};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Longest title.
const MAX_NAME: usize = 100;

/// Life of a token that the control gives: nobody has an application to renew it with.
const CONTROL_LIFE: TimeDelta = TimeDelta::days(60);

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) handle: String,
    pub(super) created_at: DateTime<Utc>,
}

impl Channel {
    /// Returns the playlist that holds every upload.
    pub(super) fn uploads(&self) -> String {
        format!("UU{}", self.id.strip_prefix("UC").unwrap_or(&self.id))
    }
}

impl Youtube {
    /// Makes a channel.
    ///
    /// # Errors
    /// The name is empty, too long or taken.
    pub(super) fn add_channel(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<String, String> {
        let title = match name {
            Some(name) => name.trim().to_owned(),
            None => format!("Sandbox Channel {}", self.channels.len() + 1),
        };
        if title.is_empty() || title.chars().count() > MAX_NAME {
            return Err(format!("name must be 1 to {MAX_NAME} characters."));
        }
        if self.channels.values().any(|channel| channel.title == title) {
            return Err(format!("There is a channel {title} already."));
        }
        let channel = id("UC", 22);
        let handle = title.to_lowercase().replace(' ', "-");
        let made = Channel { id: channel.clone(), title, handle, created_at: now };
        self.channels.insert(channel.clone(), made);
        Ok(channel)
    }

    /// Returns what connects a channel: tokens with every permission.
    pub(super) fn connect(&mut self, channel: &str, context: &Context<'_>) -> Value {
        let scopes: Vec<String> = SCOPES.iter().map(|name| format!("{SCOPE}{name}")).collect();
        let access = self.give_access(channel, &scopes, context.now, CONTROL_LIFE);
        let refresh = self.give_refresh(channel, &scopes);
        json!({
            "platform": super::NAME,
            "account": channel,
            "accessToken": access,
            "refreshToken": refresh,
            "scope": scopes.join(" "),
        })
    }

    /// Answers the caller's own channel.
    ///
    /// # Errors
    /// 400 unless `mine=true`; those of tokens.
    pub(super) fn list_channels(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, READING)?;
        if request.query("mine") != Some("true") {
            let message = "No filter selected. Expected one of: mine";
            return Err(ApiError::bad("missingRequiredParameter", message));
        }
        let channel = self.channels.get(&caller).ok_or_else(ApiError::no_video)?;
        let parts: Vec<&str> = request.query_all("part").flat_map(|part| part.split(',')).collect();
        let mut shown = json!({ "kind": "youtube#channel", "id": channel.id });
        if parts.contains(&"snippet") {
            shown["snippet"] = json!({
                "title": channel.title,
                "description": "",
                "customUrl": format!("@{}", channel.handle),
                "publishedAt": instant(channel.created_at),
                "thumbnails": {
                    "default": { "url": format!("{}/picture/{}", context.base, channel.id) },
                },
            });
        }
        if parts.contains(&"statistics") {
            let videos = self.videos.iter().filter(|video| video.channel == caller);
            shown["statistics"] = json!({
                "viewCount": "2400",
                "subscriberCount": "512",
                "hiddenSubscriberCount": false,
                "videoCount": videos.count().to_string(),
            });
        }
        if parts.contains(&"contentDetails") {
            shown["contentDetails"] =
                json!({ "relatedPlaylists": { "likes": "LL", "uploads": channel.uploads() } });
        }
        Ok(Answer::ok(&json!({
            "kind": "youtube#channelListResponse",
            "pageInfo": { "totalResults": 1, "resultsPerPage": 5 },
            "items": [shown],
        })))
    }

    /// Returns what a channel is called.
    pub(super) fn title_of(&self, channel: &str) -> String {
        self.channels.get(channel).map(|channel| channel.title.clone()).unwrap_or_default()
    }
}
