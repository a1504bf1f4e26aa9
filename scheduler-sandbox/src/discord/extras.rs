//! What a message may have besides its text and its files: cards, a poll, flags, who is told of it,
//! and the name under which a webhook posts.
//!
//! Source: <https://docs.discord.com/developers/resources/message>, "Embed Limits" and "Allowed
//! Mentions Object", `resources/poll`, `resources/webhook#execute-webhook`.

use serde_json::{Value, json};

use super::error::ApiError;

/// Most cards of a message, and most fields of a card.
const EMBEDS: usize = 10;
const FIELDS: usize = 25;
/// Code points of the texts of a card, by their place.
const TEXTS: [(&str, usize); 4] =
    [("/title", 256), ("/description", 4_096), ("/footer/text", 2_048), ("/author/name", 256)];
const FIELD_TEXTS: [(&str, usize); 2] = [("name", 256), ("value", 1_024)];
/// Code points of all cards together.
const ALL: usize = 6_000;
/// Characters of an address.
const URL: usize = 2_048;
/// Code points of a question and of an answer of a poll.
const QUESTION: usize = 300;
const ANSWER: usize = 55;
const ANSWERS: std::ops::RangeInclusive<usize> = 1..=10;
/// Hours that a poll lasts.
const HOURS: std::ops::RangeInclusive<u64> = 1..=768;
/// Most roles, and most users, that a message tells of it.
const TOLD: usize = 100;
/// Flags that may be set on a new message.
const FLAGS: u64 = 1 << 2 | 1 << 12;
/// Longest name of a webhook, and what it may not hold.
const NAME: usize = 80;
const FORBIDDEN: [&str; 2] = ["clyde", "discord"];

/// What a message shows of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    pub(super) embeds: Vec<Value>,
    pub(super) poll: Option<Value>,
    pub(super) flags: u64,
    /// The name and the picture in place of the webhook's own.
    pub(super) username: Option<String>,
    pub(super) avatar_url: Option<String>,
}

impl Extras {
    /// Says whether a message that has neither text nor files shows something.
    pub(super) fn is_empty(&self) -> bool {
        self.embeds.is_empty() && self.poll.is_none()
    }
}

/// Reads what every message may have.
///
/// # Errors
/// 50035 for what breaks a bound.
pub(super) fn read(message: &Value, path: &str) -> Result<Extras, ApiError> {
    let flags = message["flags"].as_u64().unwrap_or(0);
    if flags & !FLAGS != 0 {
        return Err(choice(&format!("{path}flags"), "Invalid flags."));
    }
    check_mentions(&message["allowed_mentions"], path)?;
    let poll = match &message["poll"] {
        Value::Null => None,
        poll => Some(read_poll(poll, path)?),
    };
    let embeds = message["embeds"].as_array().cloned().unwrap_or_default();
    check_embeds(&embeds, path)?;
    Ok(Extras { embeds, poll, flags, ..Extras::default() })
}

/// Reads the name and the picture under which a webhook posts.
///
/// # Errors
/// 50035 for a name that nobody may have.
pub(super) fn read_sender(message: &Value, extras: &mut Extras) -> Result<(), ApiError> {
    if let Some(name) = message["username"].as_str() {
        let lower = name.to_lowercase();
        if let Some(word) = FORBIDDEN.into_iter().find(|word| lower.contains(word)) {
            let message = format!("Username cannot contain \"{word}\"");
            return Err(ApiError::field("username", "USERNAME_INVALID_CONTAINS", &message));
        }
        bounded("username", name, 1, NAME)?;
        extras.username = Some(name.to_owned());
    }
    if let Some(url) = message["avatar_url"].as_str() {
        check_url("avatar_url", url)?;
        extras.avatar_url = Some(url.to_owned());
    }
    Ok(())
}

fn check_mentions(allowed: &Value, path: &str) -> Result<(), ApiError> {
    for key in ["roles", "users"] {
        let ids = allowed[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let at = format!("{path}allowed_mentions.{key}");
        if ids.len() > TOLD {
            let message = format!("Must be {TOLD} or fewer in length.");
            return Err(ApiError::field(&at, "BASE_TYPE_MAX_LENGTH", &message));
        }
        let is_id = |id: &Value| id.as_str().is_some_and(|id| id.parse::<u64>().is_ok());
        if let Some(index) = ids.iter().position(|id| !is_id(id)) {
            let message = "Value is not snowflake.";
            return Err(ApiError::field(&format!("{at}.{index}"), "NUMBER_TYPE_COERCE", message));
        }
    }
    Ok(())
}

fn check_embeds(embeds: &[Value], path: &str) -> Result<(), ApiError> {
    let at = format!("{path}embeds");
    if embeds.len() > EMBEDS {
        let message = format!("Must be {EMBEDS} or fewer in length.");
        return Err(ApiError::field(&at, "BASE_TYPE_MAX_LENGTH", &message));
    }
    let mut all = 0;
    for (index, embed) in embeds.iter().enumerate() {
        let at = format!("{at}.{index}");
        let mut shows = false;
        for (pointer, limit) in TEXTS {
            let Some(text) = embed.pointer(pointer).and_then(Value::as_str) else { continue };
            all += text.chars().count();
            bounded(&format!("{at}{}", pointer.replace('/', ".")), text, 1, limit)?;
            shows = true;
        }
        for pointer in [
            "/url",
            "/image/url",
            "/thumbnail/url",
            "/author/url",
            "/author/icon_url",
            "/footer/icon_url",
        ] {
            let Some(url) = embed.pointer(pointer).and_then(Value::as_str) else { continue };
            check_url(&format!("{at}{}", pointer.replace('/', ".")), url)?;
            shows |= pointer.starts_with("/image") || pointer.starts_with("/thumbnail");
        }
        let fields = embed["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
        if fields.len() > FIELDS {
            let message = format!("Must be {FIELDS} or fewer in length.");
            return Err(ApiError::field(&format!("{at}.fields"), "BASE_TYPE_MAX_LENGTH", &message));
        }
        for (number, field) in fields.iter().enumerate() {
            for (name, limit) in FIELD_TEXTS {
                let text = field[name].as_str().unwrap_or_default();
                all += text.chars().count();
                bounded(&format!("{at}.fields.{number}.{name}"), text, 1, limit)?;
            }
            shows = true;
        }
        let color = &embed["color"];
        if !color.is_null() && color.as_u64().is_none_or(|color| color > 0xff_ffff) {
            let message = "int value should be less than or equal to 16777215.";
            return Err(ApiError::field(&format!("{at}.color"), "NUMBER_TYPE_MAX", message));
        }
        if !shows {
            let message = "This field is required";
            return Err(ApiError::field(
                &format!("{at}.description"),
                "BASE_TYPE_REQUIRED",
                message,
            ));
        }
    }
    if all > ALL {
        let message = format!("Embed size exceeds maximum size of {ALL}");
        return Err(ApiError::field(&at, "MAX_EMBED_SIZE_EXCEEDED", &message));
    }
    Ok(())
}

fn read_poll(poll: &Value, path: &str) -> Result<Value, ApiError> {
    let at = format!("{path}poll");
    let question = poll["question"]["text"].as_str().unwrap_or_default();
    bounded(&format!("{at}.question.text"), question, 1, QUESTION)?;
    let answers = poll["answers"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !ANSWERS.contains(&answers.len()) {
        let message = "Must be between 1 and 10 in length.";
        return Err(ApiError::field(&format!("{at}.answers"), "BASE_TYPE_BAD_LENGTH", message));
    }
    let mut shown = Vec::new();
    for (index, answer) in answers.iter().enumerate() {
        let text = answer["poll_media"]["text"].as_str().unwrap_or_default();
        bounded(&format!("{at}.answers.{index}.poll_media.text"), text, 1, ANSWER)?;
        shown.push(json!({ "answer_id": index + 1, "poll_media": { "text": text } }));
    }
    let hours = poll["duration"].as_u64().unwrap_or(24);
    if !HOURS.contains(&hours) {
        return Err(choice(&format!("{at}.duration"), "Must be between 1 and 768."));
    }
    Ok(json!({
        "question": { "text": question },
        "answers": shown,
        "allow_multiselect": poll["allow_multiselect"] == true,
        "layout_type": 1,
        "duration": hours,
    }))
}

fn bounded(path: &str, text: &str, least: usize, most: usize) -> Result<(), ApiError> {
    if (least..=most).contains(&text.chars().count()) {
        return Ok(());
    }
    let message = format!("Must be between {least} and {most} in length.");
    Err(ApiError::field(path, "BASE_TYPE_BAD_LENGTH", &message))
}

fn check_url(path: &str, url: &str) -> Result<(), ApiError> {
    bounded(path, url, 1, URL)?;
    if url.starts_with("https://") || url.starts_with("http://") {
        return Ok(());
    }
    let message =
        format!("Scheme \"{url}\" is not supported. Scheme must be one of ('http', 'https').");
    Err(ApiError::field(path, "URL_TYPE_INVALID_SCHEME", &message))
}

fn choice(path: &str, message: &str) -> ApiError {
    ApiError::field(path, "BASE_TYPE_CHOICES", message)
}
