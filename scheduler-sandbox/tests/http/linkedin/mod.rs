//! The imitation of LinkedIn.

mod connecting;
mod faults;
mod files;
mod posts;
mod social;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::{Got, World, send};

/// A member with a page and a token for both.
pub(crate) struct Actor {
    pub(crate) member: String,
    pub(crate) page: String,
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("linkedin", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self {
            member: text("account"),
            page: text("page"),
            token: text("accessToken"),
            refresh_token: text("refreshToken"),
        }
    }

    /// The same member with a token of its own, for these permissions.
    pub(crate) async fn allowing(&self, world: &World, scopes: &str) -> Self {
        let location = connecting::allow(world, &self.member, scopes).await;
        let token = connecting::exchange(world, &location, "app", connecting::REDIRECT).await;
        Self {
            member: self.member.clone(),
            page: self.page.clone(),
            token: token.text_of("access_token"),
            refresh_token: token.text_of("refresh_token"),
        }
    }

    /// A request with the headers that every call of the versioned interface needs.
    pub(crate) fn request(&self, world: &World, method: Method, path: &str) -> RequestBuilder {
        world
            .request(method, &format!("/linkedin{path}"))
            .bearer_auth(&self.token)
            .header("linkedin-version", "202607")
            .header("x-restli-protocol-version", "2.0.0")
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    pub(crate) async fn post(&self, world: &World, path: &str, body: &Value) -> Got {
        send(self.request(world, Method::POST, path).json(body)).await
    }

    pub(crate) async fn delete(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::DELETE, path).header("x-restli-method", "DELETE")).await
    }

    pub(crate) async fn publish(&self, world: &World, body: &Value) -> Got {
        self.post(world, "/rest/posts", body).await
    }

    /// Posts a text as the member and gives its name.
    pub(crate) async fn say(&self, world: &World, text: &str) -> String {
        let got = self.publish(world, &post(&self.member, text)).await;
        assert_eq!((got.status, got.text.as_str()), (201, ""), "{got:?}");
        got.header("x-restli-id").unwrap().to_owned()
    }
}

/// The body of a post of a text.
pub(crate) fn post(author: &str, text: &str) -> Value {
    json!({
        "author": author,
        "commentary": text,
        "visibility": "PUBLIC",
        "distribution": {
            "feedDistribution": "MAIN_FEED",
            "targetEntities": [],
            "thirdPartyDistributionChannels": [],
        },
        "lifecycleState": "PUBLISHED",
        "isReshareDisabledByAuthor": false,
    })
}

/// A name as it stands in a path.
pub(crate) fn encoded(urn: &str) -> String {
    let pairs = [(':', "%3A"), ('(', "%28"), (')', "%29"), (',', "%2C")];
    pairs.iter().fold(urn.to_owned(), |urn, (sign, code)| urn.replace(*sign, code))
}

/// The code of the first input that was refused, or the error's own.
pub(crate) fn code(got: &Got) -> &str {
    let input = got.body.pointer("/errorDetails/inputErrors/0/code");
    input.or_else(|| got.body.get("code")).and_then(Value::as_str).unwrap_or_default()
}
