//! The imitation of TikTok.

mod connecting;
mod faults;
mod photos;
mod videos;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// An account and its tokens.
pub(crate) struct Actor {
    pub(crate) open_id: String,
    pub(crate) username: String,
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("tiktok", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self {
            open_id: text("openId"),
            username: text("username"),
            token: text("accessToken"),
            refresh_token: text("refreshToken"),
        }
    }

    pub(crate) fn request(&self, world: &World, method: Method, path: &str) -> RequestBuilder {
        world.request(method, &format!("/tiktok/v2/{path}")).bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    pub(crate) async fn post(&self, world: &World, path: &str, body: &Value) -> Got {
        send(self.request(world, Method::POST, path).json(body)).await
    }

    /// Announces a video of one chunk and sends it; the name of its publish.
    pub(crate) async fn publish(&self, world: &World, title: &str, privacy: &str) -> String {
        let init = self.post(world, "post/publish/video/init/", &video(title, privacy)).await;
        assert_eq!(code(&init), "ok", "{init:?}");
        let url = &init.body["data"]["upload_url"];
        let sent = put(world, url, "bytes 0-99/100", mp4()).await;
        assert_eq!(sent.status, 201, "{sent:?}");
        init.body["data"]["publish_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn status(&self, world: &World, publish_id: &str) -> Got {
        let body = json!({ "publish_id": publish_id });
        self.post(world, "post/publish/status/fetch/", &body).await
    }
}

/// A video of 100 bytes.
pub(crate) fn mp4() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(100, 7);
    bytes
}

/// The body that announces that video.
pub(crate) fn video(title: &str, privacy: &str) -> Value {
    json!({
        "post_info": {
            "title": title,
            "privacy_level": privacy,
            "disable_comment": true,
            "disable_duet": true,
            "disable_stitch": true,
            "brand_content_toggle": false,
            "brand_organic_toggle": false,
        },
        "source_info": {
            "source": "FILE_UPLOAD",
            "video_size": 100,
            "chunk_size": 100,
            "total_chunk_count": 1,
        },
    })
}

/// Sends bytes to an address of this sandbox.
pub(crate) async fn put(world: &World, url: &Value, range: &str, bytes: Vec<u8>) -> Got {
    let path = url.as_str().unwrap().strip_prefix(world.sandbox.url()).unwrap();
    let request = world.request(Method::PUT, path).header("content-type", "video/mp4");
    send(request.header("content-range", range).body(bytes)).await
}

pub(crate) fn code(got: &Got) -> &str {
    got.body["error"]["code"].as_str().unwrap_or_default()
}
