//! Publishing: one call sends the text, or the files with their caption; another pins it.
//!
//! Source: <https://core.telegram.org/bots/api#sendmessage>, `sendPhoto`, `sendAnimation`,
//! `sendVideo`, `sendDocument`, `sendMediaGroup` and `pinChatMessage`.

use std::time::Duration;

use scheduler_core::media::{MediaFacts, MediaKind, Recipe};
use scheduler_core::platform::Poll;
use scheduler_core::ports::{JobFile, Live, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::Remote;
use scheduler_core::text::telegram_html::Entity;
use serde_json::{Map, Value, json};

use super::errors::{album_failure, failure, is_of_one_item, moved_to};
use super::extras::{self, Fields};
use super::progress::Progress;
use super::wire::{Bot, Chat, ChatKind, Message, Record, Refused, Sent, result};
use crate::conversation::{
    Answer, Body, CallTimeout, FileBody, FormPart, Request, StoredProgress, Turn, TurnResult,
};
use crate::document_name::document_name;

/// What becomes of an animation in an album, where only its first picture can go.
///
/// Source: <https://core.telegram.org/bots/api#sendphoto>: at most 10 MB, width and height
/// together at most 10 000.
static STILL_PICTURE: Recipe = Recipe::jpeg("telegram-still", 5_000, 10_485_760);

/// How long a call with files may take besides sending them: the Bot API server keeps it open
/// until the message is through, for at most 500 s.
///
/// Source: <https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/HttpServer.h>;
/// that it is 10 minutes is our decision.
const FILES_ANSWER: Duration = Duration::from_secs(600);

/// How long the call may take.
pub(super) fn call_timeout(job: &PublishJob) -> CallTimeout {
    if job.files.is_empty() {
        return CallTimeout::USUAL;
    }
    let call_timeout = CallTimeout::USUAL.answered_within(FILES_ANSWER).with_files_of(job);
    // The still picture of an animation can be larger than the animation.
    let animations = job.files.iter().filter(|file| Shown::of(file) == Shown::Animation).count();
    let stills = STILL_PICTURE.bytes_max.saturating_mul(animations.try_into().unwrap_or(u64::MAX));
    CallTimeout { bytes: call_timeout.bytes.saturating_add(stills), ..call_timeout }
}

/// How Telegram shows a file that is alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Photo,
    Animation,
    Video,
    Document,
}

impl Shown {
    fn of(file: &JobFile) -> Self {
        match file.facts.mime_type.as_deref() {
            Some("image/gif") => Self::Animation,
            _ => match file.facts.kind {
                MediaKind::Image => Self::Photo,
                MediaKind::Video => Self::Video,
                MediaKind::Document => Self::Document,
            },
        }
    }

    const fn method(self) -> &'static str {
        match self {
            Self::Photo => "sendPhoto",
            Self::Animation => "sendAnimation",
            Self::Video => "sendVideo",
            Self::Document => "sendDocument",
        }
    }

    const fn field(self) -> &'static str {
        match self {
            Self::Photo => "photo",
            Self::Animation => "animation",
            Self::Video => "video",
            Self::Document => "document",
        }
    }

    /// What an item of an album is, where an animation is a photo.
    const fn in_album(self) -> &'static str {
        match self {
            Self::Photo | Self::Animation => "photo",
            Self::Video => "video",
            Self::Document => "document",
        }
    }
}

/// What a file is called, which people see of a document.
fn file_name(file: &JobFile) -> String {
    document_name(file).unwrap_or_else(|| file.id.to_string())
}

/// The name of the part of a form that carries the cover of a video.
const COVER: &str = "cover_file";

/// The next turn of a step: the post is sent, and pinned where that is wanted.
pub(super) fn advance(
    bot: &Bot<'_>,
    chat_id: i64,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let chat_id = progress.moved_to.unwrap_or(chat_id);
    if let Some(sent) = &progress.sent {
        return pin(bot, chat_id, job, sent, answers);
    }
    let Some(answer) = answers.first() else {
        let files = progress.files(job)?;
        let Progress { text, entities, .. } = &progress;
        let cover = job.thumbnail.as_ref();
        let message = Outgoing { chat_id, text, entities, options: &job.options, cover };
        return Ok(Turn::Send(message.send(bot, &files).visible()));
    };
    let messages = result(answer).map(Sent::messages).unwrap_or_default();
    if !messages.is_empty() {
        let mut live = live(&messages);
        if extras::is_pinned(&job.options)
            && let Some(sent) = live.remote.clone()
        {
            live.then = Some(progress.pins(sent));
        }
        return Ok(Turn::Done(Step::Live(live)));
    }
    let is_album = progress.is_album();
    match moved_to(answer).filter(|_| !is_album || !is_of_one_item(answer)) {
        // Nothing was sent; the new chat is stored before it is used. A group moves once.
        Some(chat_id) if progress.moved_to.is_none() => {
            Ok(Turn::Done(Step::Next(progress.moved(chat_id))))
        }
        _ if answer.is_success() && Refused::read(answer).is_none() => Err(NetworkError::new(
            NetworkErrorKind::InDoubt,
            "Telegram took the post, but its answer cannot be read. Look into the chat; retry only if the post is not there.",
        )),
        _ if is_album => Err(album_failure(answer, Some(job.now))),
        _ => Err(failure(answer, true, Some(job.now))),
    }
}

/// Pins the first message of a post that is live.
fn pin(
    bot: &Bot<'_>,
    chat_id: i64,
    job: &PublishJob,
    sent: &Remote,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let record = Record::of(sent, chat_id).ok_or_else(Progress::unreadable)?;
        let mut body = json!({
            "chat_id": record.chat_id,
            "message_id": record.message_ids.first(),
        });
        if job.options.get("silent") == Some(&Value::Bool(true)) {
            body["disable_notification"] = true.into();
        }
        return Ok(Turn::Send(bot.call("pinChatMessage", Body::Json(body))));
    };
    if result::<bool>(answer) == Some(true) {
        return Ok(Turn::Done(Step::Live(sent.clone().into())));
    }
    let error = failure(answer, false, Some(job.now));
    Err(error.of_follow_up("The post could not be pinned"))
}

/// What is sent, without its files.
struct Outgoing<'a> {
    chat_id: i64,
    /// The text, or the caption of the files.
    text: &'a str,
    entities: &'a [Entity],
    options: &'a Map<String, Value>,
    /// What the first video is shown by until it plays.
    cover: Option<&'a JobFile>,
}

impl Outgoing<'_> {
    fn send(&self, bot: &Bot<'_>, files: &[&JobFile]) -> Request {
        match files {
            [] => match Poll::of(self.options) {
                Some(poll) => {
                    let fields = extras::of_poll(&poll, self.text, self.entities).into_iter();
                    let fields = fields.chain(extras::buttons(self.options)).collect();
                    self.send_json(bot, "sendPoll", fields)
                }
                None => self.send_text(bot),
            },
            [file] => self.send_file(bot, file),
            files => self.send_album(bot, files),
        }
    }

    fn send_text(&self, bot: &Bot<'_>) -> Request {
        let text = [("text", self.text.into())].into_iter();
        let text = text.chain(extras::entities("entities", self.entities));
        let fields = text.chain(extras::of_text(self.options, self.text)).collect();
        self.send_json(bot, "sendMessage", fields)
    }

    fn send_json(&self, bot: &Bot<'_>, method: &str, fields: Fields) -> Request {
        let mut body = json!({ "chat_id": self.chat_id });
        for (name, value) in fields.into_iter().chain(extras::of_any(self.options)) {
            body[name] = value;
        }
        bot.call(method, Body::Json(body))
    }

    fn send_file(&self, bot: &Bot<'_>, file: &JobFile) -> Request {
        let shown = Shown::of(file);
        let mut parts = vec![
            FormPart::text("chat_id", self.chat_id.to_string()),
            FormPart::file(shown.field(), file_name(file), FileBody::of(file)),
        ];
        if !self.text.is_empty() {
            parts.push(FormPart::text("caption", self.text));
            parts.extend(form(extras::entities("caption_entities", self.entities)));
        }
        if shown == Shown::Video {
            let figures = figures(&file.facts).into_iter();
            parts.extend(figures.map(|(name, figure)| FormPart::text(name, figure.to_string())));
            parts.push(FormPart::text("supports_streaming", "true"));
            if let Some(cover) = self.cover {
                parts.push(FormPart::text("cover", format!("attach://{COVER}")));
                parts.push(FormPart::file(COVER, file_name(cover), FileBody::of(cover)));
            }
        }
        let extras = extras::of_file(self.options, file).into_iter();
        let extras = extras.chain(extras::buttons(self.options));
        parts.extend(form(extras.chain(extras::of_any(self.options))));
        bot.call(shown.method(), Body::Multipart(parts))
    }

    /// Clients show the caption of the first item as that of the whole album.
    fn send_album(&self, bot: &Bot<'_>, files: &[&JobFile]) -> Request {
        let mut media = Vec::new();
        let mut parts = Vec::new();
        let mut cover = self.cover;
        for (index, file) in files.iter().enumerate() {
            let name = format!("f{index}");
            let shown = Shown::of(file);
            let mut item = json!({ "type": shown.in_album(), "media": format!("attach://{name}") });
            if index == 0 && !self.text.is_empty() {
                item["caption"] = self.text.into();
                if let Some((name, value)) = extras::entities("caption_entities", self.entities) {
                    item[name] = value;
                }
            }
            if shown == Shown::Video {
                for (name, figure) in figures(&file.facts) {
                    item[name] = figure.into();
                }
                item["supports_streaming"] = true.into();
                if let Some(cover) = cover.take() {
                    item["cover"] = format!("attach://{COVER}").into();
                    parts.push(FormPart::file(COVER, file_name(cover), FileBody::of(cover)));
                }
            }
            for (name, value) in extras::of_file(self.options, file) {
                item[name] = value;
            }
            let body = FileBody::of(file);
            let body = match shown {
                Shown::Animation => body.made_by(&STILL_PICTURE),
                Shown::Photo | Shown::Video | Shown::Document => body,
            };
            media.push(item);
            parts.push(FormPart::file(name, file_name(file), body));
        }
        let mut fields = vec![
            FormPart::text("chat_id", self.chat_id.to_string()),
            FormPart::text("media", Value::Array(media).to_string()),
        ];
        fields.append(&mut parts);
        fields.extend(form(extras::of_any(self.options)));
        bot.call("sendMediaGroup", Body::Multipart(fields))
    }
}

/// Fields of a call as parts of a form.
fn form(fields: impl IntoIterator<Item = (&'static str, Value)>) -> impl Iterator<Item = FormPart> {
    fields.into_iter().map(|(name, value)| FormPart::text(name, value.to_string()))
}

/// What is said of a video: its sides in pixels, its length in whole seconds.
fn figures(facts: &MediaFacts) -> Vec<(&'static str, u64)> {
    let whole_seconds = |seconds: f64| {
        // Longer than any video, and far below what the cast can hold.
        let seconds = seconds.round().clamp(0.0, 1e9);
        seconds as u64
    };
    let figures = [
        ("width", facts.width.map(u64::from)),
        ("height", facts.height.map(u64::from)),
        ("duration", facts.duration_seconds.map(whole_seconds)),
    ];
    let known = figures.into_iter().filter_map(|(name, figure)| Some((name, figure?)));
    known.filter(|(_, figure)| *figure > 0).collect()
}

/// What we call a post. One that the server has put off has no id yet, and never tells it.
fn live(messages: &[Message]) -> Live<Progress> {
    let numbered = messages.iter().filter(|message| message.message_id != 0);
    let message_ids = numbered.map(|message| message.message_id).collect();
    let first = messages.first().filter(|message| message.message_id != 0);
    let remote = first.map(|first| Remote {
        record: Record { chat_id: first.chat.id, message_ids }.to_value(),
        ..Remote::new(first.message_id.to_string(), link(&first.chat, first.message_id))
    });
    Live { remote, then: None }
}

/// The link to a message: for everybody, for members, or none.
fn link(chat: &Chat, message_id: i64) -> Option<String> {
    match (chat.kind, &chat.username) {
        (ChatKind::Channel | ChatKind::Supergroup, Some(username)) => {
            Some(format!("https://t.me/{username}/{message_id}"))
        }
        (ChatKind::Channel | ChatKind::Supergroup, None) => {
            let id = chat.id.to_string();
            let id = id.strip_prefix("-100")?;
            Some(format!("https://t.me/c/{id}/{message_id}"))
        }
        (ChatKind::Group | ChatKind::Private | ChatKind::Other, _) => None,
    }
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "options_tests.rs"]
mod options_tests;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
