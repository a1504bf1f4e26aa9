//! What the passing of time changes.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Pinterest;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Pinterest,
    options: Options,
    now: DateTime<Utc>,
    token: String,
    refresh_token: String,
}

impl World {
    fn new() -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let media_processing = Duration::from_secs(60);
        let options = Options { media_processing, ..Options::default() };
        let mut network = Pinterest::default();
        let context = Context { now, base: "http://x/pinterest", options: &options };
        let account = network.create_account(Some("Ana"), &context).unwrap();
        let text = |name: &str| account[name].as_str().unwrap().to_owned();
        let (token, refresh_token) = (text("accessToken"), text("refreshToken"));
        Self { network, options, now, token, refresh_token }
    }

    fn send(&mut self, request: &Request) -> (u16, Value) {
        let base = "http://x/pinterest";
        let context = Context { now: self.now, base, options: &self.options };
        let answer = self.network.handle(request, &context);
        let status = answer.status.as_u16();
        let is_json = status != 204 && !request.path.starts_with("/media-upload");
        (status, if is_json { answer.body_json() } else { Value::Null })
    }

    fn call(&mut self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let request = Request::of(method, path, &headers, body.to_string().into_bytes());
        self.send(&request)
    }

    fn refresh(&mut self, refresh_token: &str) -> (u16, Value) {
        let basic = format!("Basic {}", STANDARD.encode("app:secret"));
        let headers = [
            ("authorization", basic.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
        let body = serde_urlencoded::to_string(form).unwrap().into_bytes();
        self.send(&Request::of(Method::POST, "/v5/oauth/token", &headers, body))
    }

    fn upload(&mut self, registered: &Value, bytes: &[u8]) -> u16 {
        let mut form = Vec::new();
        for (name, value) in registered["upload_parameters"].as_object().unwrap() {
            let value = value.as_str().unwrap();
            let field = format!(
                "--XX\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            form.extend_from_slice(field.as_bytes());
        }
        form.extend_from_slice(
            b"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.mp4\"\r\n\r\n",
        );
        form.extend_from_slice(bytes);
        form.extend_from_slice(b"\r\n--XX--\r\n");
        let headers = [("content-type", "multipart/form-data; boundary=XX")];
        self.send(&Request::of(Method::POST, "/media-upload/", &headers, form)).0
    }

    fn status(&mut self, id: &Value) -> Value {
        let path = format!("/v5/media/{}", id.as_str().unwrap());
        self.call(Method::GET, &path, &Value::Null).1["status"].clone()
    }
}

#[test]
fn a_video_is_worked_on_for_a_while() {
    let mut world = World::new();
    for (bytes, want) in
        [(b"\0\0\0\x20ftypisom".as_slice(), "succeeded"), (b"no video".as_slice(), "failed")]
    {
        let made = world.call(Method::POST, "/v5/media", &json!({ "media_type": "video" }));
        assert_eq!(made.0, 201);
        let id = &made.1["media_id"];
        assert_eq!(world.status(id), "registered");
        assert_eq!(world.upload(&made.1, bytes), 204);
        assert_eq!(world.status(id), "processing");
        world.now += TimeDelta::seconds(59);
        assert_eq!(world.status(id), "processing");
        world.now += TimeDelta::seconds(1);
        assert_eq!(world.status(id), want);
    }
}

#[test]
fn a_place_ends_after_an_hour() {
    let mut world = World::new();
    let made = world.call(Method::POST, "/v5/media", &json!({ "media_type": "video" })).1;
    world.now += TimeDelta::minutes(59);
    assert_eq!(world.upload(&made, b"\0\0\0\x20ftypisom"), 204);
    world.now += TimeDelta::minutes(1);
    assert_eq!(world.upload(&made, b"\0\0\0\x20ftypisom"), 403);
}

#[test]
fn an_access_token_lives_for_thirty_days_and_what_renews_it_for_sixty_and_once() {
    let mut world = World::new();
    let first = world.refresh_token.clone();
    world.now += TimeDelta::days(30) - TimeDelta::seconds(1);
    assert_eq!(world.call(Method::GET, "/v5/user_account", &Value::Null).0, 200);
    world.now += TimeDelta::seconds(1);
    let over = world.call(Method::GET, "/v5/user_account", &Value::Null);
    assert_eq!((over.0, &over.1["code"]), (401, &json!(2)));

    let (status, new) = world.refresh(&first);
    assert_eq!((status, &new["expires_in"]), (200, &json!(2_592_000)));
    assert_eq!(world.refresh(&first).0, 400, "it was used");
    world.token = new["access_token"].as_str().unwrap().to_owned();
    assert_eq!(world.call(Method::GET, "/v5/user_account", &Value::Null).0, 200);
    world.now += TimeDelta::days(60);
    assert_eq!(world.refresh(new["refresh_token"].as_str().unwrap()).0, 400, "it is over");
}

#[test]
fn limits_of_a_minute_and_of_a_day() {
    let mut world = World::new();
    world.options.quotas = true;
    for number in 0..100 {
        let made = world.call(Method::POST, "/v5/boards", &json!({ "name": number.to_string() }));
        assert_eq!(made.0, 201, "{number}");
    }
    let more = world.call(Method::POST, "/v5/boards", &json!({ "name": "more" }));
    assert_eq!((more.0, &more.1["code"]), (429, &json!(8)));
    assert_eq!(world.call(Method::GET, "/v5/boards", &Value::Null).0, 200, "reads go on");
    world.now += TimeDelta::seconds(60);
    assert_eq!(world.call(Method::POST, "/v5/boards", &json!({ "name": "more" })).0, 201);
}
