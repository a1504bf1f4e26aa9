//! What the options of a target add to the call that sends it, in Telegram's own names.
//!
//! Source: <https://core.telegram.org/bots/api#sendmessage>, `sendPhoto`, `sendMediaGroup` and
//! `sendPoll`.

use scheduler_core::media::MediaKind;
use scheduler_core::platform::Poll;
use scheduler_core::ports::JobFile;
use scheduler_core::text::telegram_html::Entity;
use serde_json::{Map, Value, json};

/// Fields of a call, in their order.
pub(super) type Fields = Vec<(&'static str, Value)>;

/// The options of a target.
type Options = Map<String, Value>;

/// What every message may have.
pub(super) fn of_any(options: &Options) -> Fields {
    let topic = options.get("topicId").and_then(Value::as_u64);
    let topic = topic.map(|topic| ("message_thread_id", topic.into()));
    topic
        .into_iter()
        .chain(flag(options, "silent", "disable_notification"))
        .chain(flag(options, "protect", "protect_content"))
        .collect()
}

/// What a message of text may have besides. The size of a preview counts only where its address is
/// named, so the first link of the text is, unless another is.
pub(super) fn of_text(options: &Options, text: &str) -> Fields {
    let preview = match options.get("linkPreview") {
        Some(Value::Bool(false)) => Some(json!({ "is_disabled": true })),
        Some(Value::Object(preview)) => Some(preview_of(preview, text)),
        Some(_) | None => None,
    };
    let preview = preview.map(|preview| ("link_preview_options", preview));
    preview.into_iter().chain(buttons(options)).collect()
}

fn preview_of(preview: &Options, text: &str) -> Value {
    let mut fields = json!({});
    let given = preview.get("url").and_then(Value::as_str);
    if let Some(url) = given.map(str::to_owned).or_else(|| first_link(text)) {
        fields["url"] = url.into();
    }
    match preview.get("size").and_then(Value::as_str) {
        Some("small") => fields["prefer_small_media"] = true.into(),
        Some("large") => fields["prefer_large_media"] = true.into(),
        Some(_) | None => {}
    }
    if preview.get("above") == Some(&Value::Bool(true)) {
        fields["show_above_text"] = true.into();
    }
    fields
}

fn first_link(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let link = words.find(|word| word.starts_with("https://") || word.starts_with("http://"));
    link.map(|link| link.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).to_owned())
}

/// What a file may have: where its caption stands, and whether it is blurred until somebody asks
/// for it.
///
/// A document has neither.
pub(super) fn of_file(options: &Options, file: &JobFile) -> Fields {
    if file.facts.kind == MediaKind::Document {
        return Fields::new();
    }
    let spoiler = match file.details.spoiler {
        None => flag(options, "spoilerMedia", "has_spoiler"),
        Some(is_blurred) => is_blurred.then(|| ("has_spoiler", true.into())),
    };
    of_caption(options).into_iter().chain(spoiler).collect()
}

/// Whether a post is pinned once it is live.
pub(super) fn is_pinned(options: &Options) -> bool {
    options.get("pin") == Some(&Value::Bool(true))
}

/// Where the caption of a file stands.
pub(super) fn of_caption(options: &Options) -> Option<(&'static str, Value)> {
    flag(options, "captionAbove", "show_caption_above_media")
}

/// The links below a message that is alone.
pub(super) fn buttons(options: &Options) -> Option<(&'static str, Value)> {
    let rows = options.get("buttons").and_then(Value::as_array).filter(|rows| !rows.is_empty())?;
    Some(("reply_markup", json!({ "inline_keyboard": rows })))
}

/// The fields of a poll. The text of the post explains it, unless it is what is asked.
pub(super) fn of_poll(poll: &Poll, text: &str, entities: &[Entity]) -> Fields {
    let asked = poll.question.as_deref().map(str::trim).filter(|question| !question.is_empty());
    let options: Value = poll.options.iter().map(|option| json!({ "text": option })).collect();
    let mut fields = vec![("question", asked.unwrap_or(text).into()), ("options", options)];
    if asked.is_some() && !text.is_empty() {
        fields.push(("description", text.into()));
        fields.extend(self::entities("description_entities", entities));
    }
    for (is_so, name) in [
        (poll.multiple, "allows_multiple_answers"),
        (poll.hide_results, "hide_results_until_closes"),
    ] {
        if is_so == Some(true) {
            fields.push((name, true.into()));
        }
    }
    if let Some(minutes) = poll.duration_minutes {
        fields.push(("open_period", (u64::from(minutes) * 60).into()));
    }
    fields
}

/// How parts of a text are shown, in a field of this name.
pub(super) fn entities(name: &'static str, entities: &[Entity]) -> Option<(&'static str, Value)> {
    let value = serde_json::to_value(entities).unwrap_or_default();
    (!entities.is_empty()).then_some((name, value))
}

fn flag(options: &Options, key: &str, name: &'static str) -> Option<(&'static str, Value)> {
    (options.get(key) == Some(&Value::Bool(true))).then(|| (name, true.into()))
}
