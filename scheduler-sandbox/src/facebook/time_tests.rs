//! What the passing of time changes.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::Value;

use super::Facebook;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Facebook,
    options: Options,
    now: DateTime<Utc>,
    page: String,
    token: String,
}

impl World {
    fn new(options: Options) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut network = Facebook::default();
        let context = Context { now, base: "http://x/facebook", options: &options };
        let account = network.create_account(Some("Ana"), &context).unwrap();
        let text = |name: &str| account[name].as_str().unwrap().to_owned();
        let mut world =
            Self { network, options, now, page: text("account"), token: text("accessToken") };
        let (status, pages) = world.send(Method::GET, "/v26.0/me/accounts", "");
        assert_eq!(status, 200, "{pages}");
        world.token = pages["data"][0]["access_token"].as_str().unwrap().to_owned();
        world
    }

    fn send(&mut self, method: Method, path: &str, form: &str) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token);
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        self.call(method, path, &headers, form.as_bytes().to_vec())
    }

    fn call(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
        body: Vec<u8>,
    ) -> (u16, Value) {
        let (path, query) =
            path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        let request = Request::of(method, path, headers, body);
        let request = Request::new(request.method, path, query, request.headers, request.body);
        let context = Context { now: self.now, base: "http://x/facebook", options: &self.options };
        let answer = self.network.handle(&request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn below(&mut self, edge: &str, form: &str) -> (u16, Value) {
        let path = format!("/v26.0/{}/{edge}", self.page);
        self.send(Method::POST, &path, form)
    }

    /// Sends a form with a file.
    fn with_file(
        &mut self,
        edge: &str,
        texts: &[(&str, &str)],
        name: &str,
        bytes: &[u8],
    ) -> (u16, Value) {
        let mut body = Vec::new();
        for (name, text) in texts {
            let part =
                format!("--X\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
            body.extend(part.into_bytes());
        }
        let head = format!(
            "--X\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a\"\r\nContent-Type: image/png\r\n\r\n"
        );
        body.extend(head.into_bytes());
        body.extend(bytes);
        body.extend(b"\r\n--X--\r\n");
        let bearer = format!("Bearer {}", self.token);
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "multipart/form-data; boundary=X"),
        ];
        let path = format!("/v26.0/{}/{edge}", self.page);
        self.call(Method::POST, &path, &headers, body)
    }

    /// Uploads a video, and returns what it and its session are called.
    fn video(&mut self) -> (String, String) {
        let (status, made) = self.below("videos", "upload_phase=start&file_size=1000");
        assert_eq!(status, 200, "{made}");
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        let (video, session) = (text("video_id"), text("upload_session_id"));
        let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
        bytes.resize(1_000, 7);
        let texts =
            [("upload_phase", "transfer"), ("upload_session_id", &session), ("start_offset", "0")];
        let (status, taken) = self.with_file("videos", &texts, "video_file_chunk", &bytes);
        assert_eq!(status, 200, "{taken}");
        (video, session)
    }

    fn video_status(&mut self, video: &str) -> String {
        let path = format!("/v26.0/{video}?fields=status");
        let (_, state) = self.send(Method::GET, &path, "");
        state["status"]["video_status"].as_str().unwrap_or_default().to_owned()
    }
}

#[test]
fn a_video_is_shown_once_it_is_processed() {
    let options = Options { media_processing: Duration::from_secs(60), ..Options::default() };
    let mut world = World::new(options);
    let (video, session) = world.video();
    assert_eq!(world.video_status(&video), "upload_complete");
    let form = format!("upload_phase=finish&upload_session_id={session}&description=film");
    assert_eq!(world.below("videos", &form).0, 200);
    assert_eq!(world.video_status(&video), "processing");
    assert!(world.network.posts().is_empty());
    world.now += TimeDelta::seconds(60);
    assert_eq!(world.video_status(&video), "ready");
    assert_eq!(world.network.posts().len(), 1);
    world.now += TimeDelta::seconds(60);
    assert_eq!(world.video_status(&video), "ready");
    assert_eq!(world.network.posts().len(), 1);
}

#[test]
fn an_upload_ends_after_a_day() {
    let mut world = World::new(Options::default());
    let (video, session) = world.video();
    world.now += TimeDelta::hours(24);
    assert_eq!(world.video_status(&video), "expired");
    let form = format!("upload_phase=finish&upload_session_id={session}");
    let (status, refused) = world.below("videos", &form);
    assert_eq!((status, &refused["error"]["error_subcode"]), (400, &1_363_021.into()));
}

#[test]
fn a_staged_photo_ends_after_a_day() {
    let mut world = World::new(Options::default());
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x30";
    for (hours, status) in [(23, 200), (24, 400)] {
        let (_, made) = world.with_file("photos", &[("published", "false")], "source", png);
        let id = made["id"].as_str().unwrap().to_owned();
        world.now += TimeDelta::hours(hours);
        let form = format!("attached_media[0]={{\"media_fbid\":\"{id}\"}}");
        let (found, answer) = world.below("feed", &form);
        assert_eq!(found, status, "{hours}: {answer}");
    }
}

#[test]
fn thirty_reels_a_day_with_quotas() {
    let quotas = Options { quotas: true, ..Options::default() };
    let mut world = World::new(quotas);
    let publish = |world: &mut World| {
        let (_, made) = world.below("video_reels", "upload_phase=start");
        let video = made["video_id"].as_str().unwrap().to_owned();
        let token = format!("OAuth {}", world.token);
        let headers = [("authorization", token.as_str()), ("offset", "0"), ("file_size", "12")];
        let path = format!("/video-upload/v26.0/{video}");
        let bytes = b"\0\0\0\x20ftypisom".to_vec();
        assert_eq!(world.call(Method::POST, &path, &headers, bytes).0, 200);
        let form = format!("upload_phase=finish&video_id={video}&video_state=PUBLISHED");
        world.below("video_reels", &form).0
    };
    for number in 0..30 {
        assert_eq!(publish(&mut world), 200, "{number}");
    }
    assert_eq!(publish(&mut world), 400);
    world.now += TimeDelta::hours(24);
    assert_eq!(publish(&mut world), 200);
}

#[test]
fn a_persons_token_ends_and_a_pages_does_not() {
    let mut world = World::new(Options::default());
    world.now += TimeDelta::days(100);
    assert_eq!(world.below("feed", "message=x").0, 200);
    let context = Context { now: world.now, base: "http://x/facebook", options: &world.options };
    let account = world.network.create_account(None, &context).unwrap();
    world.token = account["accessToken"].as_str().unwrap().to_owned();
    assert_eq!(world.send(Method::GET, "/v26.0/me/permissions", "").0, 200);
    world.now += TimeDelta::days(60);
    let (status, refused) = world.send(Method::GET, "/v26.0/me/permissions", "");
    assert_eq!((status, &refused["error"]["error_subcode"]), (401, &463.into()));
}

#[test]
fn calls_are_counted_only_with_quotas() {
    for quotas in [false, true] {
        let mut world = World::new(Options { quotas, ..Options::default() });
        let path = format!("/v26.0/{}?fields=name", world.page);
        // One has been made before.
        for number in 1..4_800 {
            assert_eq!(world.send(Method::GET, &path, "").0, 200, "{number}");
        }
        let (status, answer) = world.send(Method::GET, &path, "");
        assert_eq!(status == 400, quotas, "{answer}");
        if quotas {
            assert_eq!(answer["error"]["code"], 32);
            world.now += TimeDelta::days(1);
            assert_eq!(world.send(Method::GET, &path, "").0, 200);
        }
    }
}
