//! The imitation of YouTube.

mod connecting;
mod faults;
mod sessions;
mod social;
mod videos;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// What every piece but the last is a multiple of.
pub(crate) const UNIT: usize = 262_144;

/// A channel and a token for it.
pub(crate) struct Actor {
    pub(crate) channel: String,
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("youtube", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self {
            channel: text("account"),
            token: text("accessToken"),
            refresh_token: text("refreshToken"),
        }
    }

    pub(crate) fn request(&self, world: &World, method: Method, path: &str) -> RequestBuilder {
        world.request(method, &format!("/youtube{path}")).bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    pub(crate) async fn post(&self, world: &World, path: &str, body: &Value) -> Got {
        send(self.request(world, Method::POST, path).json(body)).await
    }

    pub(crate) async fn put(&self, world: &World, path: &str, body: &Value) -> Got {
        send(self.request(world, Method::PUT, path).json(body)).await
    }

    pub(crate) async fn delete(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::DELETE, path)).await
    }

    /// Opens a session for so many bytes.
    pub(crate) async fn open(&self, world: &World, body: &Value, bytes: usize) -> Got {
        let path = "/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status";
        let request = self.request(world, Method::POST, path).json(body);
        let request = request.header("x-upload-content-length", bytes.to_string());
        send(request.header("x-upload-content-type", "video/mp4").header("slug", "a.mp4")).await
    }

    /// Publishes a video under a title and gives its id.
    pub(crate) async fn publish(&self, world: &World, title: &str) -> String {
        let opened = self.open(world, &about(title), mp4().len()).await;
        let got = piece(world, &opened, None, mp4()).await;
        assert_eq!(got.status, 200, "{got:?}");
        got.text_of("id")
    }
}

/// What is said of a video.
pub(crate) fn about(title: &str) -> Value {
    json!({
        "snippet": { "title": title, "description": title, "categoryId": "22" },
        "status": { "privacyStatus": "public", "selfDeclaredMadeForKids": false },
    })
}

/// A small video.
pub(crate) fn mp4() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(1_000, 7);
    bytes
}

/// Sends bytes to the session of an answer.
pub(crate) async fn piece(world: &World, opened: &Got, range: Option<&str>, bytes: Vec<u8>) -> Got {
    let address = opened.header("location").unwrap_or_else(|| panic!("not opened: {opened:?}"));
    let path = address.strip_prefix(world.sandbox.url()).unwrap();
    let request = world.request(Method::PUT, path).body(bytes);
    send(match range {
        Some(range) => request.header("content-range", range),
        None => request,
    })
    .await
}

/// The reason of an error.
pub(crate) fn reason(got: &Got) -> &str {
    got.body.pointer("/error/errors/0/reason").and_then(Value::as_str).unwrap_or_default()
}
