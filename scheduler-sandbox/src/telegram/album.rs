//! Sending an album: `sendMediaGroup`.
//!
//! Source: <https://core.telegram.org/bots/api#sendmediagroup>.

use serde_json::Value;

use super::error::ApiError;
use super::extras;
use super::files::{Said, Shown};
use super::send::refuse_markup;
use super::{Call, Telegram, text};

/// Files of an album.
const ITEMS: std::ops::RangeInclusive<usize> = 2..=10;

/// What is said of an item that failed alone. Words that mean something else about a whole message.
const ITEM_ERROR: &str = "Bad Request: PHOTO_INVALID_DIMENSIONS";

impl Telegram {
    /// Sends an album. What is wrong with it as a whole keeps all of it from being sent; where one
    /// item fails later, those that were sent stay.
    ///
    /// Source: <https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/Client.cpp>,
    /// `process_send_media_group_query`.
    ///
    /// # Errors
    /// The files, their captions, how they are mixed, the chat, too many calls; an item that
    /// failed alone.
    pub(super) fn send_album(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        refuse_markup(call)?;
        let Some(Value::Array(items)) = call.structured("media") else {
            return Err(ApiError::bad("can't parse media JSON object"));
        };
        if items.len() > *ITEMS.end() {
            return Err(ApiError::bad("too many messages to send as an album"));
        }
        if items.len() < *ITEMS.start() {
            return Err(ApiError::bad("there are too few messages to send as an album"));
        }
        let kinds: Vec<&str> =
            items.iter().map(|item| item["type"].as_str().unwrap_or_default()).collect();
        check_mix(&kinds)?;
        let mut captions = Vec::new();
        for item in &items {
            captions.push(text::caption(item["caption"].as_str().unwrap_or_default())?);
        }
        let chat = self.writable_chat(call)?.id;
        let mut of_all = self.extras(call, chat)?;
        // The method knows no buttons.
        of_all.remove("reply_markup");
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        self.take_sends(call, chat, count)?;
        let mut files = Vec::new();
        for item in &items {
            let wanted = match item["type"].as_str() {
                Some("photo") => Shown::Photo,
                Some("video") => Shown::Video,
                _ => Shown::Document,
            };
            let side =
                |name: &str| item[name].as_u64().and_then(|pixels| u32::try_from(pixels).ok());
            let said = Said {
                width: side("width"),
                height: side("height"),
                duration: item["duration"].as_i64(),
            };
            let given = item["media"].as_str().ok_or_else(|| {
                ApiError::bad("can't parse InputMedia: Field \"media\" must be of type String")
            })?;
            let mut file = self.take_file(call, "media", Some(given), wanted, &said)?;
            self.take_cover(call, item["cover"].as_str(), &mut file)?;
            files.push(file);
        }
        let album = self.next_id();
        let sent_count = if call.is_in_part { items.len() / 2 } else { items.len() };
        let mut sent = Vec::new();
        let said = captions.into_iter().zip(files).zip(&items);
        for ((caption, file), item) in said.take(sent_count) {
            let mut extras = of_all.clone();
            extras::of_item(item, &mut extras);
            let message = self.add_message(call, chat, caption, Some(file), Some(album), extras);
            sent.push(self.sent_view(&message));
        }
        if call.is_in_part {
            let what = format!(
                "failed to send message #{} with the error message \"{ITEM_ERROR}\"",
                sent_count + 1
            );
            return Err(ApiError::bad(&what));
        }
        Ok(Value::Array(sent))
    }
}

/// Photos and videos go together, documents and audio only with their own kind.
fn check_mix(kinds: &[&str]) -> Result<(), ApiError> {
    let first = kinds.first().copied().unwrap_or_default();
    for kind in kinds {
        let is_known = matches!(*kind, "photo" | "video" | "document" | "audio" | "animation");
        if !is_known {
            return Err(ApiError::bad("can't parse InputMedia: type must be one of them"));
        }
        if *kind == "animation" {
            return Err(ApiError::bad("animation can't be sent in an album"));
        }
        let is_visual = |kind: &str| matches!(kind, "photo" | "video");
        if *kind != first && !(is_visual(kind) && is_visual(first)) {
            let other = if is_visual(kind) { first } else { kind };
            let what = format!("{other} can't be mixed with other media types");
            return Err(ApiError::bad(&what));
        }
    }
    Ok(())
}
