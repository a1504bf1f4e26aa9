//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Bluesky;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Bluesky,
    options: Options,
    now: DateTime<Utc>,
}

impl World {
    fn new() -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        Self { network: Bluesky::default(), options: Options::default(), now }
    }

    fn call(&mut self, method: &str, token: &str, body: &Value) -> (u16, Value) {
        self.send(method, token, "application/json", body.to_string().into_bytes())
    }

    fn send(&mut self, method: &str, token: &str, kind: &str, body: Vec<u8>) -> (u16, Value) {
        let bearer = format!("Bearer {token}");
        let headers = [("authorization", bearer.as_str()), ("content-type", kind)];
        let request = Request::of(Method::POST, &format!("/xrpc/{method}"), &headers, body);
        let context = Context { now: self.now, base: "http://x/bluesky", options: &self.options };
        let answer = self.network.handle(&request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn account(&mut self) -> Value {
        let context = Context { now: self.now, base: "http://x/bluesky", options: &self.options };
        self.network.create_account(Some("ana"), &context).unwrap()
    }

    fn log_in(&mut self, account: &Value) -> Value {
        let login =
            json!({"identifier": account["identifier"], "password": account["appPassword"]});
        self.call("com.atproto.server.createSession", "", &login).1
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn tokens_end_at_their_time() {
    let refresh = "com.atproto.server.refreshSession";
    let write = "com.atproto.repo.deleteRecord";
    for (name, uses_first, wait, method, want) in [
        ("access before its end", false, TimeDelta::minutes(119), write, None),
        ("access at its end", false, TimeDelta::minutes(120), write, Some("Token has expired")),
        ("refresh before its end", false, TimeDelta::days(89), refresh, None),
        ("refresh at its end", false, TimeDelta::days(90), refresh, Some("Token has expired")),
        ("used refresh before its end", true, TimeDelta::minutes(119), refresh, None),
        (
            "used refresh at its end",
            true,
            TimeDelta::hours(2),
            refresh,
            Some("Token has been revoked"),
        ),
    ] {
        let mut world = World::new();
        let account = world.account();
        let session = world.log_in(&account);
        let token = text(&session[if method == refresh { "refreshJwt" } else { "accessJwt" }]);
        if uses_first {
            assert_eq!(world.call(refresh, &token, &json!({})).0, 200, "{name}");
        }
        world.now += wait;
        let body = json!({"repo": account["did"], "collection": "app.bsky.feed.post", "rkey": "x"});
        let (status, answer) = world.call(method, &token, &body);
        match want {
            None => assert_eq!(status, 200, "{name}: {answer}"),
            Some(want) => {
                assert_eq!(
                    (status, &answer["error"], &answer["message"]),
                    (400, &json!("ExpiredToken"), &json!(want)),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn a_blob_without_a_record_is_swept_after_an_hour() {
    for (name, minutes, want) in [("before", 59, 200), ("after", 60, 400)] {
        let mut world = World::new();
        let account = world.account();
        let token = text(&world.log_in(&account)["accessJwt"]);
        let upload = "com.atproto.repo.uploadBlob";
        let blob = world.send(upload, &token, "image/png", vec![1]).1["blob"].clone();
        world.now += TimeDelta::minutes(minutes);
        let images = json!([{"image": blob, "alt": ""}]);
        let record = json!({
            "text": "", "createdAt": "2026-11-20T10:00:00Z",
            "embed": {"$type": "app.bsky.embed.images", "images": images},
        });
        let body = json!({
            "repo": account["did"], "collection": "app.bsky.feed.post",
            "rkey": "3mabcdefghi2k", "record": record,
        });
        let (status, answer) = world.call("com.atproto.repo.putRecord", &token, &body);
        assert_eq!(status, want, "{name}: {answer}");
        if want == 400 {
            assert_eq!(answer["error"], "BlobNotFound", "{name}");
        }
    }
}
