//! The imitation of X.

mod connecting;
mod faults;
mod media;
mod posts;
mod reading;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// An account with tokens.
pub(crate) struct Actor {
    pub(crate) id: String,
    pub(crate) username: String,
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("twitter", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self {
            id: text("account"),
            username: text("username"),
            token: text("accessToken"),
            refresh_token: text("refreshToken"),
        }
    }

    pub(crate) fn request(&self, world: &World, method: Method, path: &str) -> RequestBuilder {
        world.request(method, &format!("/twitter{path}")).bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    pub(crate) async fn delete(&self, world: &World, id: &str) -> Got {
        send(self.request(world, Method::DELETE, &format!("/2/tweets/{id}"))).await
    }

    pub(crate) async fn publish(&self, world: &World, body: &Value) -> Got {
        send(self.request(world, Method::POST, "/2/tweets").json(body)).await
    }

    /// Posts a text and gives its id.
    pub(crate) async fn say(&self, world: &World, text: &str) -> String {
        id_of(&self.publish(world, &json!({ "text": text })).await)
    }

    /// Answers a post and gives the id of the answer.
    pub(crate) async fn answer(&self, world: &World, parent: &str, text: &str) -> String {
        id_of(&self.publish(world, &answer(parent, text)).await)
    }
}

/// The body of an answer.
pub(crate) fn answer(parent: &str, text: &str) -> Value {
    json!({ "text": text, "reply": { "in_reply_to_tweet_id": parent } })
}

/// The id of a post that was made.
pub(crate) fn id_of(got: &Got) -> String {
    assert_eq!(got.status, 201, "{got:?}");
    got.body["data"]["id"].as_str().unwrap().to_owned()
}

/// The last part of the type of a problem.
pub(crate) fn kind(got: &Got) -> &str {
    got.body["type"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default()
}
