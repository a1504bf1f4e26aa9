//! Sending a text or a file: `sendMessage`, `sendPhoto`, `sendAnimation`, `sendVideo`,
//! `sendDocument`.
//!
//! Source: <https://core.telegram.org/bots/api#sendmessage>.

use serde_json::Value;

use super::error::ApiError;
use super::extras::{self, Extras};
use super::files::{Said, Shown, Stored};
use super::messages::Message;
use super::{Call, Telegram, text};

impl Telegram {
    /// Sends a text.
    ///
    /// # Errors
    /// The text, the chat, too many calls.
    pub(super) fn send_message(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        refuse_markup(call)?;
        let text = text::message_text(&call.text("text").unwrap_or_default())?;
        let chat = self.writable_chat(call)?.id;
        let mut extras = self.extras(call, chat)?;
        extras::of_text(call, &mut extras);
        self.take_sends(call, chat, 1)?;
        let message = self.add_message(call, chat, text, None, None, extras);
        Ok(self.sent_view(&message))
    }

    /// Sends a file by the method that shows it so.
    ///
    /// # Errors
    /// The file, its caption, the chat, too many calls.
    pub(super) fn send_file(&mut self, call: &Call<'_>, method: &str) -> Result<Value, ApiError> {
        refuse_markup(call)?;
        let (field, wanted) = match method {
            "sendphoto" => ("photo", Shown::Photo),
            "sendanimation" => ("animation", Shown::Animation),
            "senddocument" => ("document", Shown::Document),
            _ => ("video", Shown::Video),
        };
        let caption = text::caption(&call.text("caption").unwrap_or_default())?;
        let chat = self.writable_chat(call)?.id;
        let mut extras = self.extras(call, chat)?;
        extras::of_file(call, &mut extras);
        self.take_sends(call, chat, 1)?;
        let side = |name| call.number(name).and_then(|pixels| u32::try_from(pixels).ok());
        let said = Said {
            width: side("width"),
            height: side("height"),
            duration: call.number("duration"),
        };
        let mut file = self.take_file(call, field, call.text(field).as_deref(), wanted, &said)?;
        self.take_cover(call, call.text("cover").as_deref(), &mut file)?;
        let message = self.add_message(call, chat, caption, Some(file), None, extras);
        Ok(self.sent_view(&message))
    }

    /// Adds a message of the calling bot to a chat.
    pub(super) fn add_message(
        &mut self,
        call: &Call<'_>,
        chat: i64,
        text: String,
        file: Option<Stored>,
        album: Option<i64>,
        extras: Extras,
    ) -> Message {
        let id = self.next_id();
        let message = Message {
            id,
            chat,
            bot: call.bot,
            text,
            file,
            album,
            extras,
            sent_at: call.context.now,
            edited_at: None,
            is_deleted: false,
        };
        self.messages.insert(id, message.clone());
        message
    }
}

/// Refuses markup, which is not imitated.
pub(super) fn refuse_markup(call: &Call<'_>) -> Result<(), ApiError> {
    match call.text("parse_mode").filter(|mode| !mode.is_empty()) {
        Some(_) => Err(ApiError::bad("unsupported parse_mode")),
        None => Ok(()),
    }
}
