//! What the options of a target add to its message, in Discord's own names.
//!
//! Source: <https://docs.discord.com/developers/resources/message#create-message>,
//! <https://docs.discord.com/developers/resources/webhook#execute-webhook> and
//! <https://docs.discord.com/developers/resources/poll#poll-create-request-object>.

use scheduler_core::platform::Poll;
use scheduler_core::ports::{JobFile, PublishJob};
use serde_json::{Map, Value, json};

/// Bits of `flags`.
///
/// Source: <https://docs.discord.com/developers/resources/message#message-object-message-flags>.
const SUPPRESS_EMBEDS: u64 = 1 << 2;
const SUPPRESS_NOTIFICATIONS: u64 = 1 << 12;

/// The only layout of polls.
const LAYOUT: u64 = 1;

type Options = Map<String, Value>;

/// Adds what every message may have.
pub(super) fn add_to(message: &mut Value, job: &PublishJob, text: &str) {
    let options = &job.options;
    let flags = [("hideLinkPreviews", SUPPRESS_EMBEDS), ("silent", SUPPRESS_NOTIFICATIONS)];
    let flags = flags.into_iter().filter(|(key, _)| is_on(options, key));
    let flags = flags.fold(0, |all, (_, flag)| all | flag);
    if flags != 0 {
        message["flags"] = flags.into();
    }
    if let Some(embeds) = embeds(options) {
        message["embeds"] = embeds;
    }
    if let Some(poll) = poll(job) {
        message["poll"] = poll_of(&poll, text);
    }
}

/// The poll of a post; files have none beside them.
pub(super) fn poll(job: &PublishJob) -> Option<Poll> {
    if job.files.is_empty() { Poll::of(&job.options) } else { None }
}

/// True where the text of the post is what its poll asks, and so stands nowhere else.
pub(super) fn asks_by_text(job: &PublishJob) -> bool {
    poll(job).is_some_and(|poll| question(&poll).is_none())
}

fn question(poll: &Poll) -> Option<&str> {
    poll.question.as_deref().map(str::trim).filter(|question| !question.is_empty())
}

fn poll_of(poll: &Poll, text: &str) -> Value {
    let answer = |text: &String| json!({ "poll_media": { "text": text } });
    json!({
        "question": { "text": question(poll).unwrap_or(text.trim()) },
        "answers": poll.options.iter().map(answer).collect::<Value>(),
        "duration": poll.duration_minutes.unwrap_or(Poll::DEFAULT_MINUTES) / 60,
        "allow_multiselect": poll.multiple == Some(true),
        "layout_type": LAYOUT,
    })
}

/// What nobody is told of, whatever the text says.
pub(super) fn no_mentions() -> Value {
    json!({ "parse": [] })
}

/// Who is told of a message: nobody, unless the options name somebody.
pub(super) fn mentions(options: &Options) -> Value {
    let mut allowed = no_mentions();
    let Some(mentions) = options.get("mentions").and_then(Value::as_object) else {
        return allowed;
    };
    if is_on(mentions, "everyone") {
        allowed["parse"] = json!(["everyone"]);
    }
    for key in ["roles", "users"] {
        if let Some(ids) = mentions.get(key).and_then(Value::as_array).filter(|ids| !ids.is_empty())
        {
            allowed[key] = ids.iter().cloned().collect();
        }
    }
    allowed
}

/// The cards of a message; `None` for no list of them.
pub(super) fn embeds(options: &Options) -> Option<Value> {
    let embeds = options.get("embeds")?.as_array()?;
    (!embeds.is_empty()).then(|| embeds.iter().map(embed).collect())
}

fn embed(given: &Value) -> Value {
    let mut embed = json!({});
    for key in ["title", "description", "url", "timestamp", "fields"] {
        if let Some(value) = given.get(key) {
            embed[key] = value.clone();
        }
    }
    let color = given.get("color").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    if let Some(color) = color.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
        embed["color"] = color.into();
    }
    for (key, named) in [("author", ["name", "url"].as_slice()), ("footer", ["text"].as_slice())] {
        let Some(given) = given.get(key) else { continue };
        for name in named {
            if let Some(value) = given.get(name) {
                embed[key][name] = value.clone();
            }
        }
        if let Some(icon) = given.get("iconUrl") {
            embed[key]["icon_url"] = icon.clone();
        }
    }
    for key in ["image", "thumbnail"] {
        if let Some(url) = given.get(key) {
            embed[key]["url"] = url.clone();
        }
    }
    embed
}

/// Adds what a webhook alone can choose: the name and the picture under which it posts.
pub(super) fn add_sender(message: &mut Value, options: &Options) {
    for (key, name) in [("username", "username"), ("avatarUrl", "avatar_url")] {
        if let Some(text) = text(options, key) {
            message[name] = text.into();
        }
    }
}

/// The tags of a post of a forum.
pub(super) fn tags(options: &Options) -> Vec<&str> {
    let tags = options.get("forumTags").and_then(Value::as_array);
    tags.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The thread that is there already, and into which the post goes.
pub(super) fn thread_id(job: &PublishJob) -> Option<&str> {
    text(&job.options, "threadId")
}

/// True where a file is covered until somebody asks for it.
pub(super) fn hides_file(job: &PublishJob, file: &JobFile) -> bool {
    file.details.spoiler.unwrap_or_else(|| is_on(&job.options, "spoilerFiles"))
}

/// True where servers that follow the channel are sent the message as well.
pub(super) fn is_crossposted(job: &PublishJob) -> bool {
    is_on(&job.options, "crosspost")
}

fn text<'a>(options: &'a Options, key: &str) -> Option<&'a str> {
    let text = options.get(key).and_then(Value::as_str).map(str::trim);
    text.filter(|text| !text.is_empty())
}

fn is_on(options: &Options, key: &str) -> bool {
    options.get(key) == Some(&Value::Bool(true))
}
