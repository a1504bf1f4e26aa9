//! Changing messages: `editMessageText`, `editMessageCaption`, `editMessageReplyMarkup`,
//! `pinChatMessage`.
//!
//! Source: <https://core.telegram.org/bots/api#updating-messages>.

use serde_json::Value;

use super::error::ApiError;
use super::extras;
use super::messages::Message;
use super::send::refuse_markup;
use super::{Call, Telegram, text};

const UNCHANGED: &str = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

impl Telegram {
    /// Gives a message another text.
    ///
    /// # Errors
    /// The text, the message, the chat; a text that is the same.
    pub(super) fn edit_text(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        refuse_markup(call)?;
        let text = text::message_text(&call.text("text").unwrap_or_default())?;
        let message = self.editable(call)?;
        if message.is_poll() {
            return Err(ApiError::bad("message can't be edited"));
        }
        if message.file.is_some() {
            return Err(ApiError::bad("there is no text in the message to edit"));
        }
        self.change(call, message, text)
    }

    /// Gives the file of a message another caption.
    ///
    /// # Errors
    /// The caption, the message, the chat; a caption that is the same.
    pub(super) fn edit_caption(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        refuse_markup(call)?;
        let caption = text::caption(&call.text("caption").unwrap_or_default())?;
        let message = self.editable(call)?;
        if message.file.is_none() {
            return Err(ApiError::bad("there is no caption in the message to edit"));
        }
        self.change(call, message, caption)
    }

    /// Gives a message another keyboard, or takes it away.
    ///
    /// # Errors
    /// The message, the keyboard; one that is the same.
    pub(super) fn edit_markup(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        let mut message = self.editable(call)?;
        let before = match extras::markup(call)? {
            Some(markup) => message.extras.insert("reply_markup".to_owned(), markup),
            None => message.extras.remove("reply_markup"),
        };
        if before.as_ref() == message.extras.get("reply_markup") {
            return Err(ApiError::bad(UNCHANGED));
        }
        message.edited_at = Some(call.context.now);
        let view = self.view(&message);
        self.messages.insert(message.id, message);
        Ok(view)
    }

    /// Pins a message.
    ///
    /// Source: <https://core.telegram.org/bots/api#pinchatmessage>, and of the refusal
    /// <https://github.com/teloxide/teloxide-core/issues/82>.
    ///
    /// # Errors
    /// The message is not there; the chat, or the right to pin in it.
    pub(super) fn pin_message(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        let chat = self.writable_chat(call)?;
        let (id, can_pin) = (chat.id, chat.can_pin);
        if !can_pin {
            return Err(ApiError::bad("not enough rights to manage pinned messages in the chat"));
        }
        let message = call.number("message_id").and_then(|id| self.messages.get(&id));
        let message = message.filter(|message| message.chat == id && !message.is_deleted);
        let message = message.ok_or_else(|| ApiError::bad("message to pin not found"))?.id;
        if let Some(chat) = self.chats.get_mut(&id) {
            chat.pinned = Some(message);
        }
        Ok(Value::from(true))
    }

    fn editable(&self, call: &Call<'_>) -> Result<Message, ApiError> {
        let chat = self.writable_chat(call)?.id;
        let id = call.number("message_id");
        let id = id.ok_or_else(|| ApiError::bad("message identifier is not specified"))?;
        let message = self.messages.get(&id).filter(|message| !message.is_deleted);
        let message = message.filter(|message| message.chat == chat);
        let message = message.ok_or_else(|| ApiError::bad("message to edit not found"))?;
        if message.bot != call.bot {
            return Err(ApiError::bad("message can't be edited"));
        }
        Ok(message.clone())
    }

    fn change(
        &mut self,
        call: &Call<'_>,
        message: Message,
        text: String,
    ) -> Result<Value, ApiError> {
        // What is not sent again is taken away.
        let mut extras = message.extras.clone();
        for name in [
            "reply_markup",
            "link_preview_options",
            "show_caption_above_media",
            "entities",
            "caption_entities",
        ] {
            extras.remove(name);
        }
        match message.file {
            None => extras::of_text(call, &mut extras),
            Some(_) => extras::of_caption(call, &mut extras),
        }
        if let Some(markup) = extras::markup(call)? {
            extras.insert("reply_markup".to_owned(), markup);
        }
        if message.text == text && message.extras == extras {
            return Err(ApiError::bad(UNCHANGED));
        }
        let message = Message { text, extras, edited_at: Some(call.context.now), ..message };
        let view = self.view(&message);
        self.messages.insert(message.id, message);
        Ok(view)
    }
}
