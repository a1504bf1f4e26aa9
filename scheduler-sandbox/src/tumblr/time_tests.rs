//! What the passing of time changes.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Tumblr;
use crate::answer::Answer;
use crate::network::{Context, Network, Refusal};
use crate::options::Options;
use crate::request::Request;

const BASE: &str = "http://x/tumblr";

struct World {
    network: Tumblr,
    options: Options,
    now: DateTime<Utc>,
    account: Value,
}

impl World {
    fn new(options: Options) -> Self {
        // 2026-09-21T14:13:20Z
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut network = Tumblr::default();
        let context = Context { now, base: BASE, options: &options };
        let account = network.create_account(Some("ana"), &context).unwrap();
        Self { network, options, now, account }
    }

    fn text(&self, name: &str) -> String {
        self.account[name].as_str().unwrap().to_owned()
    }

    fn send(&mut self, method: Method, path: &str, content_type: &str, body: Vec<u8>) -> Answer {
        let bearer = format!("Bearer {}", self.text("accessToken"));
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", content_type),
            ("user-agent", "test"),
        ];
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request::of(method, path, &headers, body);
        let request =
            Request::new(request.method, path, Some(query), request.headers, request.body);
        let context = Context { now: self.now, base: BASE, options: &self.options };
        self.network.handle(&request, &context)
    }

    fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, "", Vec::new())
    }

    fn post(&mut self, body: &Value) -> Answer {
        let body = body.to_string().into_bytes();
        self.send(Method::POST, "/v2/blog/ana/posts", "application/json", body)
    }

    /// Posts a video as a form does.
    fn video(&mut self) -> Answer {
        let media = json!({ "type": "video/mp4", "identifier": "v" });
        let post = json!({ "content": [{ "type": "video", "media": media }] });
        let form = format!(
            "--b\r\nContent-Disposition: form-data; name=\"json\"\r\nContent-Type: \
             application/json\r\n\r\n{post}\r\n--b\r\nContent-Disposition: form-data; \
             name=\"v\"; filename=\"v.mp4\"\r\nContent-Type: video/mp4\r\n\r\n\0\0\0\x20ftypisom\
             \r\n--b--\r\n"
        );
        let kind = "multipart/form-data; boundary=b";
        self.send(Method::POST, "/v2/blog/ana/posts", kind, form.into_bytes())
    }
}

fn code(answer: &Answer) -> (u16, u64) {
    let code = answer.body_json()["errors"][0]["code"].as_u64();
    (answer.status.as_u16(), code.unwrap_or_default())
}

fn text() -> Value {
    json!({ "content": [{ "type": "text", "text": "hi" }] })
}

#[test]
fn a_video_is_published_under_another_id_when_it_is_ready() {
    let media_processing = Duration::from_secs(30);
    let mut world = World::new(Options { media_processing, ..Options::default() });
    let taken = world.video().body_json();
    assert_eq!(taken["response"]["state"], "transcoding");
    let provisional = taken["response"]["id"].as_str().unwrap().to_owned();
    let listed = |world: &mut World| {
        world.get("/v2/blog/ana/posts?npf=true").body_json()["response"]["posts"].clone()
    };
    assert_eq!(listed(&mut world), json!([]));
    assert_eq!(code(&world.video()), (403, 8010));
    assert!(world.network.posts().is_empty(), "nobody sees it");

    world.now += TimeDelta::seconds(30);
    let posts = listed(&mut world);
    assert_eq!(posts[0]["genesis_post_id"], provisional.as_str());
    assert_eq!(posts[0]["state"], "published");
    assert_ne!(posts[0]["id_string"], provisional.as_str());
    let gone = world.get(&format!("/v2/blog/ana/posts/{provisional}"));
    assert_eq!(gone.status.as_u16(), 404);
    assert_eq!(world.network.posts().len(), 1);
    assert_eq!(world.video().status.as_u16(), 201, "another may come then");
}

#[test]
fn an_access_token_lives_for_42_minutes() {
    let mut world = World::new(Options::default());
    world.now += TimeDelta::seconds(2_519);
    assert_eq!(world.get("/v2/user/info").status.as_u16(), 200);
    world.now += TimeDelta::seconds(1);
    assert_eq!(code(&world.get("/v2/user/info")), (401, 1016));
}

#[test]
fn days_are_counted_by_the_calendar() {
    let options = Options { quotas: true, media_processing: Duration::ZERO, ..Options::default() };
    let mut world = World::new(options);
    for number in 0..20 {
        assert_eq!(world.video().status.as_u16(), 201, "{number}");
    }
    assert_eq!(code(&world.video()), (403, 8011));
    for number in 0..230 {
        assert_eq!(world.post(&text()).status.as_u16(), 201, "{number}");
    }
    assert_eq!(code(&world.post(&text())), (403, 8023));
    let draft = json!({ "state": "draft", "content": [{ "type": "text", "text": "hi" }] });
    let draft = world.post(&draft);
    assert_eq!(draft.status.as_u16(), 201, "a draft is no post yet");
    let id = draft.body_json()["response"]["id"].as_str().unwrap().to_owned();
    let path = format!("/v2/blog/ana/posts/{id}");
    let body = text().to_string().into_bytes();
    let put = world.send(Method::PUT, &path, "application/json", body.clone());
    assert_eq!(code(&put), (403, 8023), "but becomes one");
    let limits = world.get("/v2/user/limits").body_json()["response"]["user"].clone();
    assert_eq!(limits["posts"]["remaining"], 0);
    assert_eq!(limits["videos"]["remaining"], 0);
    assert_eq!(limits["photos"]["remaining"], 250);
    assert_eq!(limits["video_seconds"]["remaining"], 3_400);
    let reset_at = limits["posts"]["reset_at"].as_i64().unwrap();
    assert_eq!(reset_at, 1_790_000_000 + (9 * 60 + 46) * 60 + 40);

    // Its token has ended by then.
    world.now = DateTime::from_timestamp(reset_at, 0).unwrap();
    let context = Context { now: world.now, base: BASE, options: &world.options };
    world.account = world.network.connect(1, &context);
    let put = world.send(Method::PUT, &path, "application/json", body);
    assert_eq!(put.status.as_u16(), 200);
}

#[test]
fn calls_of_an_application_are_counted_by_the_hour() {
    let mut world = World::new(Options { quotas: true, ..Options::default() });
    let header = |answer: Answer, name: &str| {
        let headers = answer.into_response().headers().clone();
        headers.get(name).map(|value| value.to_str().unwrap().to_owned())
    };
    for _ in 0..999 {
        world.get("/v2/user/info");
    }
    let last = world.get("/v2/user/info");
    assert_eq!(last.status.as_u16(), 200);
    assert_eq!(header(last, "x-ratelimit-perhour-remaining").as_deref(), Some("0"));
    let refused = world.get("/v2/user/info");
    assert_eq!(refused.status.as_u16(), 429);
    assert_eq!(header(refused, "x-ratelimit-perhour-reset").as_deref(), Some("3600"));
    let refused = world.get("/v2/user/info");
    assert_eq!(header(refused, "x-ratelimit-perday-remaining").as_deref(), Some("3998"));
}

#[test]
fn a_fault_names_the_window_that_is_used_up() {
    let world = World::new(Options::default());
    let request = Request::of(Method::GET, "/v2/user/info", &[], Vec::new());
    let context = Context { now: world.now, base: BASE, options: &world.options };
    let wait = Refusal::RateLimited(Duration::from_secs(7));
    let answer = world.network.refuse(wait, &request, &context).into_response();
    assert_eq!(answer.headers()["x-ratelimit-perhour-remaining"], "0");
    assert_eq!(answer.headers()["x-ratelimit-perhour-reset"], "7");
    assert!(answer.headers().get("retry-after").is_none(), "this network has none");
}
