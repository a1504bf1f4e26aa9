//! The imitation of Telegram.

mod connecting;
mod extras;
mod faults;
mod messages;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// A bot and its chat.
pub(crate) struct Actor {
    pub(crate) chat: Value,
    pub(crate) token: String,
    pub(crate) code: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("telegram", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        let chat = text("chatId").parse::<i64>().unwrap().into();
        Self { chat, token: text("botToken"), code: text("connectCode") }
    }

    pub(crate) fn request(&self, world: &World, method: &str) -> reqwest::RequestBuilder {
        world.request(Method::POST, &format!("/telegram/bot{}/{method}", self.token))
    }

    /// Calls a method for the bot's chat.
    pub(crate) async fn call(&self, world: &World, method: &str, mut body: Value) -> Got {
        if body.get("chat_id").is_none() {
            body["chat_id"] = self.chat.clone();
        }
        send(self.request(world, method).json(&body)).await
    }

    /// Sends a form with files of these names in it.
    pub(crate) async fn form(
        &self,
        world: &World,
        method: &str,
        texts: &[(&'static str, String)],
        files: &[(&'static str, &'static str, Vec<u8>)],
    ) -> Got {
        let mut form = Form::new().text("chat_id", self.chat.to_string());
        for (name, text) in texts {
            form = form.text(*name, text.clone());
        }
        for (name, file_name, bytes) in files {
            let media_type = match file_name.rsplit_once('.').map(|(_, extension)| extension) {
                Some("mp4") => "video/mp4",
                Some("gif") => "image/gif",
                _ => "image/png",
            };
            let part = Part::bytes(bytes.clone()).file_name(*file_name).mime_str(media_type);
            form = form.part(*name, part.unwrap());
        }
        send(self.request(world, method).multipart(form)).await
    }

    pub(crate) async fn say(&self, world: &World, text: &str) -> Got {
        self.call(world, "sendMessage", json!({"text": text})).await
    }
}

/// Returns what a refused call says.
pub(crate) fn refusal(got: &Got) -> (u16, String) {
    assert_eq!((&got.body["ok"], &got.body["error_code"]), (&json!(false), &json!(got.status)));
    (got.status, got.text_of("description"))
}

/// Returns the beginning of an MP4.
pub(crate) fn mp4() -> Vec<u8> {
    b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41".to_vec()
}

/// Returns the beginning of an animation.
pub(crate) fn gif() -> Vec<u8> {
    b"GIF89a\x40\x01\xf0\x00".to_vec()
}
