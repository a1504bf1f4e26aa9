//! The imitation of Mastodon.

mod connecting;
mod faults;
mod media;
mod reading;
mod statuses;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// An account with its token.
pub(crate) struct Actor {
    pub(crate) id: String,
    pub(crate) acct: String,
    pub(crate) token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("mastodon", name).await;
        assert_eq!(account["instance"], format!("{}/mastodon", world.sandbox.url()));
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self { id: text("accountId"), acct: text("acct"), token: text("accessToken") }
    }

    pub(crate) fn request(
        &self,
        world: &World,
        method: Method,
        path: &str,
    ) -> reqwest::RequestBuilder {
        world.request(method, &format!("/mastodon{path}")).bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    pub(crate) async fn call(
        &self,
        world: &World,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Got {
        send(self.request(world, method, path).json(body)).await
    }

    pub(crate) async fn publish(&self, world: &World, body: &Value) -> Got {
        self.call(world, Method::POST, "/api/v1/statuses", body).await
    }

    pub(crate) async fn publish_with_key(&self, world: &World, key: &str, body: &Value) -> Got {
        let request = self.request(world, Method::POST, "/api/v1/statuses");
        send(request.header("idempotency-key", key).json(body)).await
    }

    pub(crate) async fn say(&self, world: &World, text: &str) -> Got {
        self.publish(world, &json!({"status": text})).await
    }

    pub(crate) async fn upload(&self, world: &World, mime_type: &str, bytes: Vec<u8>) -> Got {
        let file = Part::bytes(bytes).file_name("file").mime_str(mime_type).unwrap();
        let form = Form::new().part("file", file).text("description", "a dot");
        send(self.request(world, Method::POST, "/api/v2/media").multipart(form)).await
    }
}

/// Returns the beginning of an MP4.
pub(crate) fn mp4() -> Vec<u8> {
    b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41".to_vec()
}
