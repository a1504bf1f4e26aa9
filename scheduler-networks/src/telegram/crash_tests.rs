//! Crashes and lost answers at every request: never twice, and in doubt where it cannot be known.

use chrono::{DateTime, TimeDelta, Utc};

use super::*;
use crate::settings::NetworkSettings;
use crate::telegram::Telegram;
use crate::telegram::testing::{CHAT_ID, moved, telegram_job};
use crate::testing::answered;
use crate::testing::crash::{Imitation, exhaust_in_doubt};
use crate::testing::files::{with_file, with_images};

/// A chat in which every call that arrives makes messages: nothing tells a repeat.
#[derive(Clone, Default)]
struct Chats {
    /// The supergroup that the account's group has become.
    moved_to: Option<i64>,
    messages: Vec<String>,
}

impl Chats {
    fn message(&self, at: usize, chat_id: i64) -> Value {
        let chat = json!({ "id": chat_id, "type": "channel", "username": "acme" });
        json!({ "message_id": at + 1, "date": 1_795_168_800, "chat": chat })
    }
}

impl Imitation for Chats {
    fn answer(&mut self, request: &Request, _now: DateTime<Utc>) -> Answer {
        let method = request.url.path_segments().unwrap().next_back().unwrap();
        let field = |parts: &[FormPart], name: &str| {
            let part = parts.iter().find(|part| part.name == name);
            part.map(|part| match &part.content {
                crate::conversation::PartContent::Text(text) => text.clone(),
                _ => panic!("{name} is no text"),
            })
        };
        let (chat_id, texts) = match &request.body {
            Body::Json(body) => {
                let text = format!("{method}: {}", body["text"].as_str().unwrap());
                (body["chat_id"].as_i64().unwrap(), vec![text])
            }
            Body::Multipart(parts) => {
                let chat_id = field(parts, "chat_id").unwrap().parse().unwrap();
                let texts = match field(parts, "media") {
                    None => {
                        let caption = field(parts, "caption").unwrap_or_default();
                        vec![format!("{method}: {caption}")]
                    }
                    Some(media) => {
                        let media: Vec<Value> = serde_json::from_str(&media).unwrap();
                        let caption =
                            |item: &Value| item["caption"].as_str().unwrap_or("").to_owned();
                        let shown = |item: &Value| {
                            format!("{}: {}", item["type"].as_str().unwrap(), caption(item))
                        };
                        media.iter().map(shown).collect()
                    }
                };
                (chat_id, texts)
            }
            other => panic!("{other:?}"),
        };
        if let Some(supergroup) = self.moved_to.filter(|supergroup| *supergroup != chat_id) {
            return moved(supergroup);
        }
        let first = self.messages.len();
        self.messages.extend(texts);
        let made = (first..self.messages.len()).map(|at| self.message(at, chat_id));
        let made: Vec<Value> = made.collect();
        let result = if method == "sendMediaGroup" { json!(made) } else { made[0].clone() };
        answered(200, &json!({ "ok": true, "result": result }))
    }

    fn live(&self) -> Vec<String> {
        self.messages.clone()
    }
}

/// The harness wants a request for each text; an album makes several messages with one.
#[derive(Clone, Default)]
struct Posts(Chats);

impl Imitation for Posts {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        self.0.answer(request, now)
    }

    fn live(&self) -> Vec<String> {
        match self.0.messages.as_slice() {
            [] => Vec::new(),
            messages => vec![messages.join(", ")],
        }
    }
}

#[test]
fn whatever_breaks_a_post_is_never_there_twice() {
    let text = telegram_job();
    let album = with_file(with_images(telegram_job(), 2), "video/mp4", "");
    for (job, want) in [
        (text, "sendMessage: Hello #rust"),
        (with_images(telegram_job(), 1), "sendPhoto: Hello #rust"),
        (with_file(telegram_job(), "image/gif", ""), "sendAnimation: Hello #rust"),
        (with_file(telegram_job(), "video/mp4", ""), "sendVideo: Hello #rust"),
        (with_file(telegram_job(), "application/pdf", ""), "sendDocument: Hello #rust"),
        (album, "photo: Hello #rust, photo: , video: "),
    ] {
        for moved_to in [None, Some(CHAT_ID - 1)] {
            for pause in [TimeDelta::minutes(1), TimeDelta::hours(25)] {
                let chats = Posts(Chats { moved_to, ..Chats::default() });
                exhaust_in_doubt(
                    &Telegram::new(NetworkSettings::default()),
                    &chats,
                    &job,
                    pause,
                    &[want],
                );
            }
        }
    }
}
