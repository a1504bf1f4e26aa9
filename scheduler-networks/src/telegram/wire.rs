//! What goes over the wire, in Telegram's own names.
//!
//! Source: <https://core.telegram.org/bots/api>.

use scheduler_core::target::Remote;
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::conversation::{Answer, Body, Request};
use crate::endpoint::Endpoint;

/// The server that Telegram runs itself.
pub(super) const PUBLIC_SERVER: &str = "https://api.telegram.org";

/// A bot, on the server that speaks for it.
#[derive(Debug)]
pub(super) struct Bot<'a> {
    pub(super) server: &'a Endpoint,
    pub(super) token: &'a SecretString,
}

impl Bot<'_> {
    /// A call of a method, which others cannot see unless the caller says so.
    pub(super) fn call(&self, method: &str, body: Body) -> Request {
        let bot = format!("bot{}", self.token.expose_secret());
        Request::act(self.server.at([bot.as_str(), method]), body)
    }
}

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    pub(super) bot_token: SecretString,
    pub(super) chat_id: i64,
}

impl Tokens {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        json!({ "botToken": self.bot_token.expose_secret(), "chatId": self.chat_id }).to_string()
    }
}

/// What is kept of a live post besides its id.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    /// The chat that it is in, which is not that of the account once a group was upgraded.
    pub(super) chat_id: i64,
    /// Its messages in their order: several for an album.
    pub(super) message_ids: Vec<i64>,
}

impl Record {
    /// What reaches a post; what is not recorded follows from its id and the account's chat.
    /// `None` when there is nothing to go by.
    pub(super) fn of(remote: &Remote, chat_id: i64) -> Option<Self> {
        let recorded: Option<Self> = Self::deserialize(&remote.record).ok();
        recorded.filter(|record| !record.message_ids.is_empty()).or_else(|| {
            let id = remote.id.parse().ok()?;
            Some(Self { chat_id, message_ids: vec![id] })
        })
    }

    /// The value to store.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct Response<T> {
    ok: bool,
    result: Option<T>,
}

/// The result of a call that was done; `None` for every other answer.
pub(super) fn result<T: DeserializeOwned>(answer: &Answer) -> Option<T> {
    let response: Option<Response<T>> = answer.is_success().then(|| answer.json()).flatten();
    response.filter(|response| response.ok)?.result
}

/// A call that was refused.
#[derive(Debug, Deserialize)]
pub(super) struct Refused {
    ok: bool,
    pub(super) error_code: u16,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) parameters: ResponseParameters,
}

/// What helps with a refusal.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResponseParameters {
    /// The supergroup that a group has become.
    pub(super) migrate_to_chat_id: Option<i64>,
    /// Seconds until the call may be repeated.
    pub(super) retry_after: Option<u32>,
}

impl Refused {
    /// The refusal in an answer; `None` when it is something else, such as a proxy's page.
    pub(super) fn read(answer: &Answer) -> Option<Self> {
        answer.json().filter(|refused: &Self| !refused.ok)
    }
}

/// What sending has made: a message, or the messages of an album.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Sent {
    /// A message alone.
    Message(Message),
    /// An album, in its order.
    Album(Vec<Message>),
}

impl Sent {
    /// The messages, in their order.
    pub(super) fn messages(self) -> Vec<Message> {
        match self {
            Self::Message(message) => vec![message],
            Self::Album(messages) => messages,
        }
    }
}

/// A message, as far as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    /// 0 for one that the server has put off and not yet numbered.
    pub(super) message_id: i64,
    pub(super) chat: Chat,
    pub(super) text: Option<String>,
}

/// A chat, as far as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct Chat {
    pub(super) id: i64,
    #[serde(rename = "type")]
    pub(super) kind: ChatKind,
    pub(super) title: Option<String>,
    pub(super) username: Option<String>,
    pub(super) first_name: Option<String>,
    /// It has topics.
    #[serde(default)]
    pub(super) is_forum: bool,
    /// What members may do, as `getChat` tells of a group.
    #[serde(default)]
    pub(super) permissions: SendRights,
}

/// What a chat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChatKind {
    /// One person.
    Private,
    /// A small group, without links to its messages.
    Group,
    /// A group with links to its messages.
    Supergroup,
    /// A channel.
    Channel,
    /// A kind that is newer than this program.
    #[serde(other)]
    Other,
}

/// What may be sent; `None` where the answer does not say.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SendRights {
    pub(super) can_send_messages: Option<bool>,
    pub(super) can_send_photos: Option<bool>,
    pub(super) can_send_videos: Option<bool>,
    /// Animations, among others.
    pub(super) can_send_other_messages: Option<bool>,
}

/// What the bot is in a chat.
#[derive(Debug, Deserialize)]
pub(super) struct ChatMember {
    pub(super) status: String,
    /// Of an administrator of a channel.
    pub(super) can_post_messages: Option<bool>,
    /// Of a restricted member.
    #[serde(flatten)]
    pub(super) rights: SendRights,
}

/// A bot's own account, as far as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: i64,
}

/// News for a bot, as far as they are read.
#[derive(Debug, Deserialize)]
pub(super) struct Update {
    pub(super) message: Option<Message>,
    pub(super) channel_post: Option<Message>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_prints_no_token() {
        let tokens = Tokens { bot_token: SecretString::from("1:secret"), chat_id: -5 };
        assert!(!format!("{tokens:?}").contains("secret"));
        let read: Tokens = serde_json::from_str(&tokens.to_text()).unwrap();
        assert_eq!((read.bot_token.expose_secret(), read.chat_id), ("1:secret", -5));
    }

    #[test]
    fn a_bot_and_its_calls_print_no_token() {
        let server = Endpoint::new(PUBLIC_SERVER.parse().unwrap());
        let token = SecretString::from("1:secret");
        let bot = Bot { server: &server, token: &token };
        let request = bot.call("getMe", Body::Empty);
        assert_eq!(request.url.as_str(), "https://api.telegram.org/bot1:secret/getMe");
        assert!(!format!("{bot:?} {request:?}").contains("secret"));
    }

    #[test]
    fn a_post_is_reached_by_its_record_else_by_its_id() {
        let with = |id: &str, record: Value| Remote { record, ..Remote::new(id, None) };
        for (name, remote, want) in [
            (
                "an album",
                with("7", json!({ "chatId": -9, "messageIds": [7, 8] })),
                Some((-9, vec![7, 8])),
            ),
            ("no record", with("7", Value::Null), Some((-5, vec![7]))),
            ("an unreadable record", with("7", json!({ "later": 1 })), Some((-5, vec![7]))),
            ("no number", with("x", Value::Null), None),
        ] {
            let found = Record::of(&remote, -5).map(|record| (record.chat_id, record.message_ids));
            assert_eq!(found, want, "{name}");
        }
    }
}
