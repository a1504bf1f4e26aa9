//! Chats: what they are, who is in them.
//!
//! Source: <https://core.telegram.org/bots/api#getchat>, `getChatMember`, `getChatMemberCount`.

use serde_json::{Value, json};

use super::error::ApiError;
use super::{Call, Telegram};

/// Gifts that a chat may take.
///
/// Source: <https://core.telegram.org/bots/api#acceptedgifttypes>.
const GIFT_TYPES: [&str; 5] = [
    "unlimited_gifts",
    "limited_gifts",
    "unique_gifts",
    "premium_subscription",
    "gifts_from_channels",
];

/// What a chat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Group,
    Supergroup,
    Channel,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Supergroup => "supergroup",
            Self::Channel => "channel",
        }
    }
}

/// A chat.
#[derive(Clone, Debug)]
pub(super) struct Chat {
    pub(super) id: i64,
    pub(super) kind: Kind,
    pub(super) title: String,
    pub(super) username: Option<String>,
    /// The bot that is in it.
    pub(super) bot: i64,
    pub(super) members: u32,
    /// Whether it has topics.
    pub(super) is_forum: bool,
    /// Whether the bot may post.
    pub(super) can_post: bool,
    /// Whether the bot may pin messages.
    pub(super) can_pin: bool,
    /// The message that was pinned last.
    pub(super) pinned: Option<i64>,
    /// Whether messages with videos have no id when they are answered.
    pub(super) puts_videos_off: bool,
    /// The supergroup that it has become.
    pub(super) moved_to: Option<i64>,
}

impl Chat {
    /// Returns the chat as messages show it.
    pub(super) fn view(&self) -> Value {
        let mut view = json!({"id": self.id, "type": self.kind.name(), "title": self.title});
        if let Some(username) = &self.username {
            view["username"] = Value::from(username.as_str());
        }
        view
    }
}

impl Telegram {
    /// Finds the chat that a call names by id or username.
    ///
    /// # Errors
    /// It names none, or one that does not exist.
    pub(super) fn chat(&self, call: &Call<'_>) -> Result<&Chat, ApiError> {
        let named = call.text("chat_id").filter(|named| !named.is_empty());
        let named = named.ok_or_else(|| ApiError::bad("chat_id is empty"))?;
        let id = match named.strip_prefix('@') {
            Some(username) => self.usernames.get(&username.to_lowercase()).copied(),
            None => named.parse().ok(),
        };
        // A bot knows a chat without a username only once it is in it.
        let chat = id.and_then(|id| self.chats.get(&id));
        chat.filter(|chat| chat.username.is_some() || chat.bot == call.bot)
            .ok_or_else(|| ApiError::bad("chat not found"))
    }

    /// Finds the chat that a call writes to.
    ///
    /// # Errors
    /// Those of [`Telegram::chat`], and what keeps the bot from writing.
    pub(super) fn writable_chat(&self, call: &Call<'_>) -> Result<&Chat, ApiError> {
        let chat = self.chat(call)?;
        if let Some(supergroup) = chat.moved_to {
            return Err(ApiError::moved(supergroup));
        }
        if chat.bot != call.bot {
            let kind = chat.kind.name();
            return Err(ApiError::forbidden(&format!("bot is not a member of the {kind} chat")));
        }
        if !chat.can_post {
            return Err(ApiError::bad("need administrator rights in the channel chat"));
        }
        Ok(chat)
    }

    /// Answers what is known of a chat.
    ///
    /// # Errors
    /// Those of [`Telegram::chat`].
    pub(super) fn show_chat(&self, call: &Call<'_>) -> Result<Value, ApiError> {
        let chat = self.chat(call)?;
        let mut view = chat.view();
        view["accent_color_id"] = Value::from(0);
        view["max_reaction_count"] = Value::from(11);
        view["accepted_gift_types"] = GIFT_TYPES.map(|name| (name, false)).into_iter().collect();
        if let Some(username) = &chat.username {
            view["active_usernames"] = json!([username]);
        }
        if let Some(pinned) = chat.pinned.and_then(|id| self.messages.get(&id)) {
            view["pinned_message"] = self.view(pinned);
        }
        if chat.is_forum {
            view["is_forum"] = Value::from(true);
        }
        if chat.kind != Kind::Channel {
            view["permissions"] = json!({
                "can_send_messages": true,
                "can_send_audios": true,
                "can_send_documents": true,
                "can_send_photos": true,
                "can_send_videos": true,
                "can_send_video_notes": true,
                "can_send_voice_notes": true,
                "can_send_polls": true,
                "can_send_other_messages": true,
                "can_add_web_page_previews": true,
                "can_change_info": false,
                "can_invite_users": true,
                "can_pin_messages": false,
            });
            view["all_members_are_administrators"] = Value::from(false);
        }
        Ok(view)
    }

    /// Answers what a bot is in a chat.
    ///
    /// # Errors
    /// Those of [`Telegram::chat`]; a user that is not known, a bot that is not in the chat.
    pub(super) fn show_member(&self, call: &Call<'_>) -> Result<Value, ApiError> {
        let chat = self.chat(call)?;
        let user =
            call.number("user_id").ok_or_else(|| ApiError::bad("invalid user_id specified"))?;
        let bot = self.bots.values().find(|bot| bot.id == user);
        let bot = bot.ok_or_else(|| ApiError::bad("user not found"))?;
        if chat.bot != call.bot && chat.kind == Kind::Channel {
            return Err(ApiError::forbidden("bot is not a member of the channel chat"));
        }
        let status = match chat.kind {
            _ if chat.bot != user => "left",
            Kind::Channel => "administrator",
            Kind::Group | Kind::Supergroup => "member",
        };
        let mut view = json!({"user": bot.view(), "status": status});
        if status == "administrator" {
            for name in [
                "can_be_edited",
                "can_change_info",
                "can_edit_messages",
                "can_delete_messages",
                "can_invite_users",
                "can_restrict_members",
                "can_promote_members",
                "can_manage_video_chats",
                "can_post_stories",
                "can_edit_stories",
                "can_delete_stories",
                "is_anonymous",
            ] {
                view[name] = Value::from(false);
            }
            view["can_manage_chat"] = Value::from(true);
            view["can_post_messages"] = Value::from(chat.can_post);
        }
        Ok(view)
    }

    /// Answers how many are in a chat.
    ///
    /// # Errors
    /// Those of [`Telegram::chat`]; a bot that is not in it.
    pub(super) fn count_members(&self, call: &Call<'_>) -> Result<Value, ApiError> {
        let chat = self.chat(call)?;
        if chat.bot != call.bot {
            let kind = chat.kind.name();
            return Err(ApiError::forbidden(&format!("bot is not a member of the {kind} chat")));
        }
        Ok(Value::from(chat.members))
    }
}
