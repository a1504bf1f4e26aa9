//! The imitation of Facebook.

mod connecting;
mod faults;
mod posts;
mod social;
mod videos;

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use crate::support::{Got, World, png, send};

/// A Page with its token.
pub(crate) struct Actor {
    pub(crate) id: String,
    pub(crate) person: String,
    pub(crate) token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("facebook", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        let person = text("accessToken");
        let path = "/facebook/v26.0/me/accounts?fields=access_token,tasks";
        let pages = send(world.request(Method::GET, path).bearer_auth(&person)).await.body;
        let token = pages["data"][0]["access_token"].as_str().unwrap().to_owned();
        Self { id: text("account"), person, token }
    }

    pub(crate) async fn call(
        &self,
        world: &World,
        method: Method,
        path: &str,
        form: &[(&str, &str)],
    ) -> Got {
        let request = world.request(method, &format!("/facebook/v26.0{path}"));
        let request = request.bearer_auth(&self.token);
        send(if form.is_empty() { request } else { request.form(form) }).await
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        self.call(world, Method::GET, path, &[]).await
    }

    /// Calls below the Page.
    pub(crate) async fn post(&self, world: &World, edge: &str, form: &[(&str, &str)]) -> Got {
        self.call(world, Method::POST, &format!("/{}/{edge}", self.id), form).await
    }

    /// Makes a post, and returns what it is called.
    pub(crate) async fn publish(&self, world: &World, message: &str) -> String {
        let got = self.post(world, "feed", &[("message", message)]).await;
        assert_eq!(got.status, 200, "{got:?}");
        got.text_of("id")
    }

    /// Stages a photo, and returns what it is called.
    pub(crate) async fn photo(&self, world: &World, bytes: Vec<u8>) -> Got {
        let form = Form::new()
            .text("published", "false")
            .text("alt_text_custom", "a dot")
            .part("source", Part::bytes(bytes).file_name("a.png").mime_str("image/png").unwrap());
        let path = format!("/facebook/v26.0/{}/photos", self.id);
        send(world.request(Method::POST, &path).bearer_auth(&self.token).multipart(form)).await
    }

    /// Sends a piece of a video.
    pub(crate) async fn piece(
        &self,
        world: &World,
        session: &str,
        start: u64,
        bytes: Vec<u8>,
    ) -> Got {
        let form = Form::new()
            .text("upload_phase", "transfer")
            .text("upload_session_id", session.to_owned())
            .text("start_offset", start.to_string())
            .part("video_file_chunk", Part::bytes(bytes).file_name("a.mp4"));
        let path = format!("/facebook/v26.0/{}/videos", self.id);
        send(world.request(Method::POST, &path).bearer_auth(&self.token).multipart(form)).await
    }

    /// Makes a post of photos.
    pub(crate) async fn attach(&self, world: &World, message: &str, ids: &[&str]) -> Got {
        let attached: Vec<Value> = ids.iter().map(|id| json!({ "media_fbid": id })).collect();
        let body = json!({ "message": message, "attached_media": attached });
        let path = format!("/facebook/v26.0/{}/feed", self.id);
        send(world.request(Method::POST, &path).bearer_auth(&self.token).json(&body)).await
    }
}

/// A sandbox that needs no time for videos.
pub(crate) async fn quick() -> World {
    World::start(Options { media_processing: Duration::ZERO, ..Options::default() }).await
}

/// Returns a video of a length.
pub(crate) fn mp4(length: usize) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(length, 7);
    bytes
}

/// Returns code and subcode of an error.
pub(crate) fn code(got: &Got) -> (i64, i64) {
    let number = |name: &str| got.body["error"][name].as_i64().unwrap_or_default();
    (number("code"), number("error_subcode"))
}

/// Returns a picture of a size in bytes.
pub(crate) fn padded(length: usize) -> Vec<u8> {
    let mut bytes = png(1);
    bytes.resize(length, 0);
    bytes
}
