//! The imitation of Pinterest.

mod connecting;
mod faults;
mod media;
mod pins;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Got, World, png, send};

/// A user with a board and a token.
pub(crate) struct Actor {
    pub(crate) user: String,
    pub(crate) board: String,
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

impl Actor {
    pub(crate) async fn new(world: &World, name: &str) -> Self {
        let account = world.account("pinterest", name).await;
        let text = |member: &str| account[member].as_str().unwrap().to_owned();
        Self {
            user: text("account"),
            board: text("boardId"),
            token: text("accessToken"),
            refresh_token: text("refreshToken"),
        }
    }

    pub(crate) async fn call(
        &self,
        world: &World,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Got {
        let request = world.request(method, &format!("/pinterest/v5{path}"));
        let request = request.bearer_auth(&self.token);
        send(if body.is_null() { request } else { request.json(body) }).await
    }

    pub(crate) async fn get(&self, world: &World, path: &str) -> Got {
        self.call(world, Method::GET, path, &Value::Null).await
    }

    pub(crate) async fn post(&self, world: &World, path: &str, body: &Value) -> Got {
        self.call(world, Method::POST, path, body).await
    }

    pub(crate) async fn delete(&self, world: &World, path: &str) -> Got {
        self.call(world, Method::DELETE, path, &Value::Null).await
    }

    /// The body of a Pin of a picture.
    pub(crate) fn pin(&self, description: &str) -> Value {
        json!({ "board_id": self.board, "description": description, "media_source": image(1) })
    }

    /// Makes a Pin and gives its id.
    pub(crate) async fn publish(&self, world: &World, description: &str) -> String {
        let got = self.post(world, "/pins", &self.pin(description)).await;
        assert_eq!(got.status, 201, "{got:?}");
        got.text_of("id")
    }
}

/// A picture as a Pin carries it.
pub(crate) fn image(seed: u8) -> Value {
    let mut item = item(&png(seed));
    item["source_type"] = json!("image_base64");
    item
}

/// A picture as a carousel carries it.
pub(crate) fn item(bytes: &[u8]) -> Value {
    json!({ "content_type": "image/png", "data": base64(bytes) })
}

/// Bytes in the standard alphabet, with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        let number = number << (8 * (3 - group.len()));
        for place in 0..4 {
            let sign = SIGNS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { sign as char } else { '=' });
        }
    }
    text
}

#[test]
fn base64_of_known_texts() {
    // Source: RFC 4648, section 10.
    for (text, want) in
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
    {
        assert_eq!(base64(text.as_bytes()), want);
    }
}
