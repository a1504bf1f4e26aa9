//! The imitation of Bluesky.

mod feed;
mod lexicon;
mod records;
mod sessions;
mod videos;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Got, World, send};

pub(crate) const POST: &str = "app.bsky.feed.post";
pub(crate) const CREATED_AT: &str = "2026-11-20T10:00:00.000Z";

/// A logged-in account.
pub(crate) struct Actor {
    pub(crate) did: String,
    pub(crate) handle: String,
    pub(crate) app_password: String,
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("bluesky", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        let login = json!({"identifier": text("identifier"), "password": text("appPassword")});
        let session = procedure(world, "com.atproto.server.createSession", None, &login).await;
        assert_eq!(session.status, 200, "{session:?}");
        Self {
            did: text("did"),
            handle: text("handle"),
            app_password: text("appPassword"),
            access: session.text_of("accessJwt"),
            refresh: session.text_of("refreshJwt"),
        }
    }

    pub(crate) async fn call(&self, world: &World, method: &str, body: &Value) -> Got {
        procedure(world, method, Some(&self.access), body).await
    }

    pub(crate) async fn put(&self, world: &World, rkey: &str, record: &Value) -> Got {
        self.call(world, "com.atproto.repo.putRecord", &self.write(POST, rkey, record)).await
    }

    /// Returns the body of a write that expects nothing under the key.
    pub(crate) fn write(&self, collection: &str, rkey: &str, record: &Value) -> Value {
        json!({
            "repo": self.did,
            "collection": collection,
            "rkey": rkey,
            "swapRecord": null,
            "record": record,
        })
    }

    pub(crate) async fn upload(&self, world: &World, mime_type: &str, bytes: Vec<u8>) -> Got {
        let request = world
            .request(Method::POST, "/bluesky/xrpc/com.atproto.repo.uploadBlob")
            .bearer_auth(&self.access)
            .header("content-type", mime_type)
            .body(bytes);
        send(request).await
    }
}

pub(crate) async fn procedure(
    world: &World,
    method: &str,
    token: Option<&str>,
    body: &Value,
) -> Got {
    let mut request = world.request(Method::POST, &format!("/bluesky/xrpc/{method}")).json(body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    send(request).await
}

pub(crate) async fn query(world: &World, method: &str, parameters: &[(&str, &str)]) -> Got {
    let path = format!("/bluesky/xrpc/{method}");
    send(world.request(Method::GET, &path).query(parameters)).await
}

/// Returns a post record.
pub(crate) fn post(text: &str) -> Value {
    json!({"$type": POST, "text": text, "createdAt": CREATED_AT})
}

/// Returns the record of a reply.
pub(crate) fn reply(text: &str, root: &Got, parent: &Got) -> Value {
    let reference = |got: &Got| json!({"uri": got.body["uri"], "cid": got.body["cid"]});
    let mut record = post(text);
    record["reply"] = json!({"root": reference(root), "parent": reference(parent)});
    record
}

/// Returns a record key; keys grow with the number.
pub(crate) fn rkey(number: u8) -> String {
    const ALPHABET: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";
    format!("3mabcdefghi2{}", char::from(ALPHABET[usize::from(number)]))
}
