//! What a message may have besides its text and its file: a topic, buttons, a preview, a poll.
//!
//! Source: <https://core.telegram.org/bots/api#sendmessage>, `sendPoll`, `LinkPreviewOptions`,
//! `InlineKeyboardMarkup`, and what the server answers to what it cannot read,
//! <https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/Client.cpp>.

use serde_json::{Map, Value, json};

use super::error::ApiError;
use super::{Call, Telegram, text};

/// The topics of every forum, besides the general one.
const TOPICS: std::ops::RangeInclusive<i64> = 2..=4;
/// Code points of a question, and of an option.
const QUESTION: usize = 300;
const OPTION: usize = 100;
/// Options of a poll.
const OPTIONS: std::ops::RangeInclusive<usize> = 1..=12;
/// Seconds that a poll may be open.
const OPEN_PERIOD: std::ops::RangeInclusive<i64> = 5..=2_628_000;

/// What messages show of it.
pub(super) type Extras = Map<String, Value>;

impl Telegram {
    /// Reads what every message may have.
    ///
    /// # Errors
    /// A topic that is not there, buttons that are none.
    pub(super) fn extras(&self, call: &Call<'_>, chat: i64) -> Result<Extras, ApiError> {
        let mut extras = Extras::new();
        if let Some(topic) = call.number("message_thread_id") {
            let is_forum = self.chats.get(&chat).is_some_and(|chat| chat.is_forum);
            if !is_forum || !TOPICS.contains(&topic) {
                return Err(ApiError::bad("message thread not found"));
            }
            extras.insert("message_thread_id".to_owned(), topic.into());
            extras.insert("is_topic_message".to_owned(), true.into());
        }
        if is_on(call, "protect_content") {
            extras.insert("has_protected_content".to_owned(), true.into());
        }
        if let Some(markup) = markup(call)? {
            extras.insert("reply_markup".to_owned(), markup);
        }
        Ok(extras)
    }

    /// Sends a poll.
    ///
    /// # Errors
    /// The question, the options, the chat, too many calls.
    pub(super) fn send_poll(&mut self, call: &Call<'_>) -> Result<Value, ApiError> {
        let question = text::clean(&call.text("question").unwrap_or_default())?;
        let options = options(call)?;
        let description = text::caption(&call.text("description").unwrap_or_default())?;
        check_question(&question)?;
        let period = call.number("open_period");
        if period.is_some_and(|seconds| !OPEN_PERIOD.contains(&seconds)) {
            return Err(ApiError::bad("invalid poll open period specified"));
        }
        let chat = self.writable_chat(call)?.id;
        let mut extras = self.extras(call, chat)?;
        self.take_sends(call, chat, 1)?;
        let id = self.next_id();
        let shown = |text: &String| json!({ "text": text, "voter_count": 0 });
        extras.insert(
            "poll".to_owned(),
            json!({
                "id": id.to_string(),
                "question": question,
                "options": options.iter().map(shown).collect::<Value>(),
                "total_voter_count": 0,
                "is_closed": false,
                "is_anonymous": true,
                "type": "regular",
                "allows_multiple_answers": is_on(call, "allows_multiple_answers"),
                "hide_results_until_closes": is_on(call, "hide_results_until_closes"),
                "open_period": period,
                "description": description,
            }),
        );
        let message = self.add_message(call, chat, question, None, None, extras);
        Ok(self.sent_view(&message))
    }
}

/// Reads what a message of text may have: how its link is shown.
pub(super) fn of_text(call: &Call<'_>, extras: &mut Extras) {
    if let Some(preview) = call.structured("link_preview_options").filter(Value::is_object) {
        extras.insert("link_preview_options".to_owned(), preview);
    }
    show_entities("entities", call.structured("entities"), extras);
}

/// Reads what a file may have.
pub(super) fn of_file(call: &Call<'_>, extras: &mut Extras) {
    show_entities("caption_entities", call.structured("caption_entities"), extras);
    let said = ["show_caption_above_media", "has_spoiler"].map(|name| is_on(call, name).into());
    let [above, spoiler]: [Value; 2] = said;
    shown_of_file(&above, &spoiler, extras);
}

/// Reads where the caption of a file stands.
pub(super) fn of_caption(call: &Call<'_>, extras: &mut Extras) {
    show_entities("caption_entities", call.structured("caption_entities"), extras);
    shown_of_file(&is_on(call, "show_caption_above_media").into(), &Value::Null, extras);
}

/// The same of an item of an album.
pub(super) fn of_item(item: &Value, extras: &mut Extras) {
    show_entities("caption_entities", item.get("caption_entities").cloned(), extras);
    shown_of_file(&item["show_caption_above_media"], &item["has_spoiler"], extras);
}

/// Shows how parts of a text are shown, as the sender said.
fn show_entities(name: &str, entities: Option<Value>, extras: &mut Extras) {
    if let Some(entities) = entities.filter(Value::is_array) {
        extras.insert(name.to_owned(), entities);
    }
}

fn shown_of_file(above: &Value, spoiler: &Value, extras: &mut Extras) {
    for (value, name) in [(above, "show_caption_above_media"), (spoiler, "has_media_spoiler")] {
        if *value == true {
            extras.insert(name.to_owned(), true.into());
        }
    }
}

fn is_on(call: &Call<'_>, name: &str) -> bool {
    call.text(name).as_deref() == Some("true")
}

fn check_question(question: &str) -> Result<(), ApiError> {
    match question.chars().count() {
        0 => Err(ApiError::bad("poll question must be non-empty")),
        1..=QUESTION => Ok(()),
        _ => Err(ApiError::bad("poll question length must not exceed 300")),
    }
}

fn options(call: &Call<'_>) -> Result<Vec<String>, ApiError> {
    let Some(Value::Array(given)) = call.structured("options") else {
        return Err(ApiError::bad("can't parse options JSON object"));
    };
    if given.len() < *OPTIONS.start() {
        return Err(ApiError::bad("poll must have at least 1 option"));
    }
    if given.len() > *OPTIONS.end() {
        return Err(ApiError::bad("poll can't have more than 12 options"));
    }
    let option = |option: &Value| {
        let text = text::clean(option["text"].as_str().unwrap_or_default())?;
        match text.chars().count() {
            0 => Err(ApiError::bad("poll options must be non-empty")),
            1..=OPTION => Ok(text),
            _ => Err(ApiError::bad("poll options length must not exceed 100")),
        }
    };
    given.iter().map(option).collect()
}

/// Reads the buttons below a message.
///
/// # Errors
/// They are none, or lead nowhere.
pub(super) fn markup(call: &Call<'_>) -> Result<Option<Value>, ApiError> {
    let Some(markup) = call.structured("reply_markup") else { return Ok(None) };
    let unread = || ApiError::bad("can't parse inline keyboard button");
    let rows = markup["inline_keyboard"].as_array().ok_or_else(unread)?;
    for button in rows.iter().flat_map(|row| row.as_array().into_iter().flatten()) {
        if button["text"].as_str().is_none_or(str::is_empty) {
            return Err(unread());
        }
        let url = button["url"].as_str().unwrap_or_default();
        if !["https://", "http://", "tg://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(ApiError::bad("BUTTON_URL_INVALID"));
        }
    }
    Ok(Some(markup))
}
