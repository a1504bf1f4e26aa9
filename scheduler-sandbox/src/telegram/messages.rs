//! Messages: what they are, how the API and the control show them.
//!
//! Source: <https://core.telegram.org/bots/api#message>.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Telegram;
use super::chats::Kind;
use super::extras::Extras;
use super::files::{Shown, Stored};
use crate::network::LivePost;

/// A message of a bot.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) id: i64,
    pub(super) chat: i64,
    pub(super) bot: i64,
    /// The text, or the caption of the file.
    pub(super) text: String,
    pub(super) file: Option<Stored>,
    /// What the messages of an album have in common.
    pub(super) album: Option<i64>,
    /// What else it shows.
    pub(super) extras: Extras,
    pub(super) sent_at: DateTime<Utc>,
    pub(super) edited_at: Option<DateTime<Utc>>,
    pub(super) is_deleted: bool,
}

impl Message {
    /// Says whether it is a poll.
    pub(super) fn is_poll(&self) -> bool {
        self.extras.contains_key("poll")
    }
}

impl Telegram {
    /// Returns a message as the API shows it.
    pub(super) fn view(&self, message: &Message) -> Value {
        let chat = self.chats.get(&message.chat);
        let mut view = json!({
            "message_id": message.id,
            "date": message.sent_at.timestamp(),
            "chat": chat.map(super::Chat::view),
        });
        if chat.is_some_and(|chat| chat.kind == Kind::Channel) {
            view["sender_chat"] = view["chat"].clone();
        } else if let Some(bot) = self.bots.values().find(|bot| bot.id == message.bot) {
            view["from"] = bot.view();
        }
        if let Some(edited_at) = message.edited_at {
            view["edit_date"] = Value::from(edited_at.timestamp());
        }
        if let Some(album) = message.album {
            view["media_group_id"] = Value::from(album.to_string());
        }
        for (name, value) in &message.extras {
            view[name] = value.clone();
        }
        match &message.file {
            None if message.is_poll() => {}
            None => view["text"] = Value::from(message.text.as_str()),
            Some(file) => {
                file.add_to(&mut view);
                if !message.text.is_empty() {
                    view["caption"] = Value::from(message.text.as_str());
                }
            }
        }
        view
    }

    /// Returns a message as the call that sends it is answered: one that is put off has no id yet.
    pub(super) fn sent_view(&self, message: &Message) -> Value {
        let mut view = self.view(message);
        let is_video = message.file.as_ref().is_some_and(|file| file.shown == Shown::Video);
        let chat = self.chats.get(&message.chat);
        if is_video && chat.is_some_and(|chat| chat.puts_videos_off) {
            view["message_id"] = Value::from(0);
        }
        view
    }

    /// Returns every post as the control shows it: the messages of an album are one.
    pub(super) fn live_posts(&self) -> Vec<LivePost> {
        let mut posts: BTreeMap<i64, LivePost> = BTreeMap::new();
        for message in self.messages.values() {
            let file = message.file.iter().map(|file| file.media.clone());
            match posts.get_mut(&message.album.unwrap_or(message.id)) {
                Some(post) => {
                    post.media.extend(file);
                    post.is_deleted &= message.is_deleted;
                }
                None => {
                    let author = self.chats.get(&message.chat).map(|chat| chat.title.clone());
                    let post = LivePost {
                        platform: super::NAME,
                        account: message.chat.to_string(),
                        author: author.unwrap_or_default(),
                        remote_id: message.id.to_string(),
                        text: message.text.clone(),
                        media: file.collect(),
                        reply_to: None,
                        created_at: message.sent_at,
                        is_deleted: message.is_deleted,
                    };
                    posts.insert(message.album.unwrap_or(message.id), post);
                }
            }
        }
        posts.into_values().collect()
    }
}
