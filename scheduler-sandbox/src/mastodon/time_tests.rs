//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Mastodon;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Mastodon,
    options: Options,
    now: DateTime<Utc>,
    token: String,
}

impl World {
    fn new() -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let (mut network, options) = (Mastodon::default(), Options::default());
        let context = Context { now, base: "http://x/mastodon", options: &options };
        let account = network.create_account(Some("ana"), &context).unwrap();
        let token = account["accessToken"].as_str().unwrap().to_owned();
        Self { network, options, now, token }
    }

    fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
        body: Vec<u8>,
    ) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token);
        let mut all = vec![("authorization", bearer.as_str())];
        all.extend_from_slice(headers);
        let request = Request::of(method, path, &all, body);
        let context = Context { now: self.now, base: "http://x/mastodon", options: &self.options };
        let answer = self.network.handle(&request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn publish(&mut self, key: &str, body: &Value) -> (u16, Value) {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        self.send(Method::POST, "/api/v1/statuses", &headers, body.to_string().into_bytes())
    }

    fn upload(&mut self, file: &[u8]) -> Value {
        let mut form =
            b"--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"
                .to_vec();
        form.extend_from_slice(file);
        form.extend_from_slice(b"\r\n--X--\r\n");
        let headers = [("content-type", "multipart/form-data; boundary=X")];
        self.send(Method::POST, "/api/v2/media", &headers, form).1
    }
}

#[test]
fn a_key_is_remembered_for_an_hour() {
    let mut world = World::new();
    let body = json!({"status": "hi"});
    let first = world.publish("k", &body).1["id"].clone();
    world.now += TimeDelta::minutes(59);
    assert_eq!(world.publish("k", &body).1["id"], first);
    world.now += TimeDelta::minutes(1);
    let second = world.publish("k", &body).1["id"].clone();
    assert_ne!(second, first, "the hour is over");
    world.now += TimeDelta::minutes(59);
    world.publish("other", &body);
    assert_eq!(world.publish("k", &body).1["id"], second, "the newer use counts");
    assert_eq!(world.network.posts().len(), 3);
}

#[test]
fn a_file_without_a_status_is_swept_after_a_day() {
    for (name, hours, want) in [("before", 23, 200), ("after", 24, 422)] {
        let mut world = World::new();
        let id = world.upload(b"\x89PNG\r\n\x1a\n")["id"].clone();
        world.now += TimeDelta::hours(hours);
        let (status, answer) = world.publish("k", &json!({"status": "", "media_ids": [id]}));
        assert_eq!(status, want, "{name}: {answer}");
    }
}

#[test]
fn a_video_is_ready_after_its_processing() {
    let mut world = World::new();
    let id = world.upload(b"\0\0\0\x20ftypisom")["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/media/{id}");
    for (name, wait, want) in [("at once", 0, 206), ("before", 499, 206), ("at its time", 1, 200)] {
        world.now += TimeDelta::milliseconds(wait);
        assert_eq!(world.send(Method::GET, &path, &[], Vec::new()).0, want, "{name}");
    }
}
