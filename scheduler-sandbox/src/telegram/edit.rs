//! Changing messages: `editMessageText`, `editMessageCaption`, `editMessageReplyMarkup`.
//!
//! Source: <https://core.telegram.org/bots/api#updating-messages>.

use serde_json::Value;

use super::error::ApiError;
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

    /// Takes a keyboard from a message, which never has one here.
    ///
    /// # Errors
    /// Always: the message, or that there is nothing to take.
    pub(super) fn edit_markup(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        self.editable(call)?;
        Err(ApiError::bad(UNCHANGED))
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
        if message.text == text {
            return Err(ApiError::bad(UNCHANGED));
        }
        let message = Message { text, edited_at: Some(call.context.now), ..message };
        let view = self.view(&message);
        self.messages.insert(message.id, message);
        Ok(view)
    }
}
