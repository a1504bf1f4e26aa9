//! The imitation of Tumblr.

mod connecting;
mod faults;
mod files;
mod notes;
mod posts;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// A user with two blogs and a token for both.
pub(crate) struct Actor {
    pub(crate) uuid: String,
    pub(crate) blog: String,
    pub(crate) second: String,
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("tumblr", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self {
            uuid: text("account"),
            blog: text("blog"),
            second: text("secondBlog"),
            token: text("accessToken"),
            refresh_token: text("refreshToken"),
        }
    }

    pub(crate) fn request(&self, world: &World, method: Method, path: &str) -> RequestBuilder {
        let request = world.request(method, &format!("/tumblr/v2{path}"));
        request.bearer_auth(&self.token).header("user-agent", "test")
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    /// A call below the user's own blog.
    pub(crate) async fn read(&self, world: &World, path: &str) -> Got {
        self.get(world, &format!("/blog/{}/{path}", self.blog)).await
    }

    pub(crate) async fn post(&self, world: &World, body: &Value) -> Got {
        let path = format!("/blog/{}/posts", self.blog);
        send(self.request(world, Method::POST, &path).json(body)).await
    }

    pub(crate) async fn put(&self, world: &World, id: &str, body: &Value) -> Got {
        let path = format!("/blog/{}/posts/{id}", self.blog);
        send(self.request(world, Method::PUT, &path).json(body)).await
    }

    /// Posts a text and gives its id.
    pub(crate) async fn say(&self, world: &World, text: &str) -> String {
        let got = self.post(world, &said("published", text)).await;
        assert_eq!(got.status, 201, "{got:?}");
        id(&got)
    }
}

/// The body of a post of a text.
pub(crate) fn said(state: &str, text: &str) -> Value {
    json!({ "state": state, "content": [{ "type": "text", "text": text }] })
}

pub(crate) fn id(got: &Got) -> String {
    got.body["response"]["id"].as_str().unwrap_or_else(|| panic!("{got:?}")).to_owned()
}

/// The code of an error.
pub(crate) fn code(got: &Got) -> u64 {
    got.body["errors"][0]["code"].as_u64().unwrap_or_else(|| panic!("{got:?}"))
}
