//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Tiktok;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

const BASE: &str = "http://x/tiktok";

struct World {
    network: Tiktok,
    options: Options,
    now: DateTime<Utc>,
    account: Value,
}

impl World {
    fn new(options: Options) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut network = Tiktok::default();
        let context = Context { now, base: BASE, options: &options };
        let account = network.create_account(Some("ana"), &context).unwrap();
        Self { network, options, now, account }
    }

    fn send(
        &mut self,
        method: Method,
        address: &str,
        headers: &[(&'static str, &str)],
        body: Vec<u8>,
    ) -> crate::answer::Answer {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let request = Request::of(method, path, headers, body);
        let request =
            Request::new(request.method, path, Some(query), request.headers, request.body);
        let context = Context { now: self.now, base: BASE, options: &self.options };
        self.network.handle(&request, &context)
    }

    fn call(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.account["accessToken"].as_str().unwrap());
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/json; charset=UTF-8"),
        ];
        let answer = self.send(Method::POST, path, &headers, body.to_string().into_bytes());
        (answer.status.as_u16(), answer.body_json())
    }

    fn init(&mut self, title: &str) -> (u16, Value) {
        let body = json!({
            "post_info": { "title": title, "privacy_level": "PUBLIC_TO_EVERYONE" },
            "source_info": {
                "source": "FILE_UPLOAD", "video_size": 12, "chunk_size": 12, "total_chunk_count": 1,
            },
        });
        self.call("/v2/post/publish/video/init/", &body)
    }

    fn put(&mut self, url: &Value) -> u16 {
        let address = url.as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
        let headers = [("content-type", "video/mp4"), ("content-range", "bytes 0-11/12")];
        self.send(Method::PUT, &address, &headers, b"\0\0\0\x20ftypisom".to_vec()).status.as_u16()
    }

    fn status(&mut self, publish_id: &Value) -> Value {
        let body = json!({ "publish_id": publish_id });
        self.call("/v2/post/publish/status/fetch/", &body).1["data"].clone()
    }
}

#[test]
fn a_video_is_processed_then_posted_and_then_open_to_everybody() {
    let mut world = World::new(Options::default());
    let init = world.init("Harbour").1["data"].clone();
    assert_eq!(world.status(&init["publish_id"])["uploaded_bytes"], 0);
    assert_eq!(world.put(&init["upload_url"]), 201);
    let mut seen = Vec::new();
    for milliseconds in [0, 499, 500, 999, 1000] {
        let begun = world.now;
        world.now += TimeDelta::milliseconds(milliseconds);
        let status = world.status(&init["publish_id"]);
        let ids = status["publicaly_available_post_id"].as_array().map(Vec::len);
        seen.push((status["status"].as_str().unwrap().to_owned(), ids));
        world.now = begun;
    }
    let of = |status: &str, ids| (status.to_owned(), ids);
    let works = || of("PROCESSING_UPLOAD", None);
    let posted = |ids| of("PUBLISH_COMPLETE", Some(ids));
    assert_eq!(seen, [works(), works(), posted(0), posted(0), posted(1)]);
    world.now += TimeDelta::seconds(1);
    let id = world.status(&init["publish_id"])["publicaly_available_post_id"][0].as_u64().unwrap();
    assert!(id > 1 << 53, "no number of 53 bits: {id}");
    assert_eq!(world.network.posts()[0].remote_id, id.to_string());
}

#[test]
fn the_address_of_a_video_ends_after_an_hour_and_its_publish_with_it() {
    let mut world = World::new(Options::default());
    let init = world.init("late").1["data"].clone();
    world.now += TimeDelta::hours(1) - TimeDelta::seconds(1);
    assert_eq!(world.status(&init["publish_id"])["status"], "PROCESSING_UPLOAD");
    world.now += TimeDelta::seconds(1);
    assert_eq!(world.put(&init["upload_url"]), 403);
    assert_eq!(world.status(&init["publish_id"])["status"], "FAILED");
    assert!(world.network.posts().is_empty());
}

#[test]
fn tokens_live_for_two_hours_and_what_renews_them_for_half_a_year() {
    let mut world = World::new(Options::default());
    let refresh = |world: &mut World| {
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", world.account["refreshToken"].as_str().unwrap()),
            ("client_key", "key"),
            ("client_secret", "secret"),
        ];
        let body = serde_urlencoded::to_string(form).unwrap().into_bytes();
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let answer = world.send(Method::POST, "/v2/oauth/token/", &headers, body);
        (answer.status.as_u16(), answer.body_json())
    };
    world.now += TimeDelta::hours(2);
    let refused = world.init("x");
    assert_eq!((refused.0, &refused.1["error"]["code"]), (401, &json!("access_token_invalid")));
    let renewed = refresh(&mut world).1;
    assert_eq!(renewed["expires_in"], 7_200);
    let again = refresh(&mut world);
    assert_eq!((again.0, &again.1["error"]), (200, &json!("invalid_grant")), "it was used");
    world.account["accessToken"] = renewed["access_token"].clone();
    world.account["refreshToken"] = renewed["refresh_token"].clone();
    assert_eq!(world.init("x").0, 200);
    world.now += TimeDelta::days(180);
    assert_eq!(refresh(&mut world).1["error"], "invalid_grant");
}

#[test]
fn minutes_and_days_have_their_limits() {
    let mut world = World::new(Options { quotas: true, ..Options::default() });
    for _ in 0..6 {
        assert_eq!(world.init("x").0, 200);
    }
    let limited = world.init("x");
    assert_eq!((limited.0, &limited.1["error"]["code"]), (429, &json!("rate_limit_exceeded")));
    for minute in 1..=2 {
        world.now += TimeDelta::seconds(60);
        for _ in 0..if minute == 1 { 6 } else { 3 } {
            assert_eq!(world.init("x").0, 200);
        }
    }
    let limited = world.init("x");
    assert_eq!((limited.0, &limited.1["error"]["code"]), (403, &json!("spam_risk_too_many_posts")));
    let told = world.call("/v2/post/publish/creator_info/query/", &json!({}));
    assert_eq!((told.0, &told.1["error"]["code"]), (200, &json!("spam_risk_too_many_posts")));
    world.now += TimeDelta::hours(24);
    // The hours have ended the token, not the limit.
    let connected = {
        let context = Context { now: world.now, base: BASE, options: &world.options };
        let open_id = world.account["account"].as_str().unwrap().to_owned();
        world.network.connect(&open_id, &context)
    };
    world.account = connected;
    assert_eq!(world.init("x").0, 200);
}
