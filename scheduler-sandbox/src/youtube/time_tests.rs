//! What the passing of time changes.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Youtube;
use crate::answer::Answer;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Youtube,
    options: Options,
    now: DateTime<Utc>,
    account: Value,
}

impl World {
    fn new(options: Options) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut network = Youtube::default();
        let context = Context { now, base: "http://x/youtube", options: &options };
        let account = network.create_account(Some("Ana"), &context).unwrap();
        Self { network, options, now, account }
    }

    fn send(
        &mut self,
        method: Method,
        path: &str,
        query: &str,
        headers: &[(&'static str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        let bearer = format!("Bearer {}", self.account["accessToken"].as_str().unwrap());
        let mut all = vec![("authorization", bearer.as_str())];
        all.extend(headers);
        let request = Request::of(method, path, &all, body);
        let request =
            Request::new(request.method, path, Some(query), request.headers, request.body);
        let context = Context { now: self.now, base: "http://x/youtube", options: &self.options };
        self.network.handle(&request, &context)
    }

    fn open(&mut self) -> u16 {
        let body = json!({ "snippet": { "title": "T" }, "status": {} }).to_string().into_bytes();
        let headers = [
            ("content-type", "application/json"),
            ("x-upload-content-length", "12"),
            ("x-upload-content-type", "video/mp4"),
        ];
        let query = "uploadType=resumable&part=snippet,status";
        let path = "/upload/youtube/v3/videos";
        self.send(Method::POST, path, query, &headers, body).status.as_u16()
    }

    fn put(&mut self) -> Answer {
        let upload_id = self.network.sessions.keys().next().unwrap().clone();
        let query = format!("upload_id={upload_id}");
        let bytes = b"\0\0\0\x20ftypisom".to_vec();
        self.send(Method::PUT, "/upload/youtube/v3/videos", &query, &[], bytes)
    }
}

#[test]
fn a_session_lives_for_a_week() {
    let mut world = World::new(Options::default());
    assert_eq!(world.open(), 200);
    world.now += TimeDelta::days(7);
    assert_eq!(world.put().status.as_u16(), 404);
    world.now -= TimeDelta::seconds(1);
    assert_eq!(world.network.sessions.values().next().unwrap().received(), 0);
    assert_eq!(world.put().status.as_u16(), 200);
    assert_eq!(world.network.sessions.values().next().unwrap().received(), 12);
}

#[test]
fn a_video_is_processed_after_a_while() {
    let media_processing = Duration::from_secs(10);
    let mut world = World::new(Options { media_processing, ..Options::default() });
    assert_eq!(world.open(), 200);
    let id = world.put().body_json()["id"].as_str().unwrap().to_owned();
    let query = format!("part=status,fileDetails&id={id}");
    for (seconds, want, is_known) in [(9, "uploaded", false), (1, "processed", true)] {
        world.now += TimeDelta::seconds(seconds);
        let answer = world.send(Method::GET, "/youtube/v3/videos", &query, &[], Vec::new());
        let video = &answer.body_json()["items"][0];
        assert_eq!(video["status"]["uploadStatus"], want);
        assert_eq!(video["fileDetails"].is_object(), is_known);
    }
}

#[test]
fn tokens_end_and_a_day_of_units_begins_at_midnight_in_the_west() {
    let mut world = World::new(Options { quotas: true, ..Options::default() });
    // 2026-09-21T14:13:20Z
    for _ in 0..100 {
        assert_eq!(world.open(), 200);
    }
    assert_eq!(world.open(), 429);
    world.now = "2026-09-22T07:59:59Z".parse().unwrap();
    assert_eq!(world.open(), 429);
    world.now += TimeDelta::seconds(1);
    assert_eq!(world.open(), 200);
    world.now += TimeDelta::days(60);
    assert_eq!(world.open(), 401);
}
