//! The imitation of Threads.

mod connecting;
mod faults;
mod files;
mod posts;

use reqwest::Method;
use serde_json::Value;

use crate::support::{Got, World, send};

/// An account with its token.
pub(crate) struct Actor {
    pub(crate) id: String,
    pub(crate) token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("threads", name).await;
        assert_eq!(account["username"], name);
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self { id: text("accountId"), token: text("accessToken") }
    }

    pub(crate) fn request(
        &self,
        world: &World,
        method: Method,
        path: &str,
    ) -> reqwest::RequestBuilder {
        world.request(method, &format!("/threads/v1.0{path}")).bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        send(self.request(world, Method::GET, path)).await
    }

    pub(crate) async fn post(&self, world: &World, path: &str, form: &[(&str, &str)]) -> Got {
        send(self.request(world, Method::POST, path).form(form)).await
    }

    pub(crate) async fn delete(&self, world: &World, id: &str) -> Got {
        send(self.request(world, Method::DELETE, &format!("/{id}"))).await
    }

    /// Makes a container.
    pub(crate) async fn make(&self, world: &World, form: &[(&str, &str)]) -> Got {
        self.post(world, &format!("/{}/threads", self.id), form).await
    }

    pub(crate) async fn publish(&self, world: &World, container: &str) -> Got {
        let path = format!("/{}/threads_publish", self.id);
        self.post(world, &path, &[("creation_id", container)]).await
    }

    pub(crate) async fn status(&self, world: &World, container: &str) -> Value {
        self.get(world, &format!("/{container}?fields=id,status,error_message")).await.body
    }

    /// Says something, below a post where one is given; the id of what is live then.
    pub(crate) async fn say(&self, world: &World, text: &str, below: Option<&str>) -> String {
        let mut form = vec![("media_type", "TEXT"), ("text", text)];
        form.extend(below.map(|id| ("reply_to_id", id)));
        let mut made = self.make(world, &form).await;
        if made.status == 400 && made.body["error"]["code"] == 24 {
            // A post of a moment ago; it is known at the second time of asking.
            made = self.make(world, &form).await;
        }
        let got = self.publish(world, &made.text_of("id")).await;
        assert_eq!(got.status, 200, "{made:?} {got:?}");
        got.text_of("id")
    }
}

/// Returns the code and the subcode of a refusal.
pub(crate) fn code(got: &Got) -> (i64, i64) {
    let error = &got.body["error"];
    (error["code"].as_i64().unwrap_or(0), error["error_subcode"].as_i64().unwrap_or(0))
}
