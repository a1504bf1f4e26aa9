//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Threads;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Threads,
    options: Options,
    now: DateTime<Utc>,
    token: String,
    user: String,
}

impl World {
    fn new() -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let (mut network, options) = (Threads::default(), Options::default());
        let context = Context { now, base: "http://x/threads", options: &options };
        let account = network.create_account(Some("ana"), &context).unwrap();
        let text = |name: &str| account[name].as_str().unwrap().to_owned();
        Self { network, options, now, token: text("accessToken"), user: text("accountId") }
    }

    fn send(&mut self, method: Method, path: &str, form: &[(&str, &str)]) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token);
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let body = serde_urlencoded::to_string(form).unwrap();
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request::of(method, path, &headers, body.into_bytes());
        let request =
            Request::new(request.method, &request.path, Some(query), request.headers, request.body);
        let context = Context { now: self.now, base: "http://x/threads", options: &self.options };
        let answer = self.network.handle(&request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn make(&mut self, text: &str) -> String {
        let path = format!("/v1.0/{}/threads", self.user);
        let made = self.send(Method::POST, &path, &[("media_type", "TEXT"), ("text", text)]).1;
        made["id"].as_str().unwrap().to_owned()
    }

    fn publish(&mut self, container: &str) -> (u16, Value) {
        let path = format!("/v1.0/{}/threads_publish", self.user);
        self.send(Method::POST, &path, &[("creation_id", container)])
    }

    fn status(&mut self, container: &str) -> Value {
        let path = format!("/v1.0/{container}?fields=id,status,error_message");
        self.send(Method::GET, &path, &[]).1["status"].clone()
    }
}

#[test]
fn a_container_is_published_once_and_within_a_day() {
    let mut world = World::new();
    let container = world.make("hi");
    assert_eq!(world.status(&container), "FINISHED");
    assert_eq!(world.publish(&container).0, 200);
    assert_eq!(world.status(&container), "PUBLISHED");
    let (status, refused) = world.publish(&container);
    assert_eq!((status, &refused["error"]["code"]), (400, &json!(24)));
    assert_eq!(world.network.posts().len(), 1);

    let late = world.make("late");
    world.now += TimeDelta::hours(24);
    assert_eq!(world.status(&late), "EXPIRED");
    assert_eq!(world.publish(&late).0, 400);
    assert_eq!(world.status(&container), "PUBLISHED");
    assert_eq!(world.network.posts().len(), 1);
}

#[test]
fn a_token_lives_for_sixty_days_and_is_exchanged_after_one() {
    let mut world = World::new();
    let path = "/refresh_access_token?grant_type=th_refresh_token";
    assert_eq!(world.send(Method::GET, path, &[]).1["error"]["code"], 100, "too young");
    world.now += TimeDelta::hours(24);
    let (status, new) = world.send(Method::GET, path, &[]);
    assert_eq!((status, &new["expires_in"]), (200, &json!(5_184_000)));
    world.now += TimeDelta::days(59);
    assert_eq!(world.send(Method::GET, "/v1.0/me", &[]).1["error"]["code"], 190, "the old one");
    assert_eq!(world.send(Method::GET, path, &[]).1["error"]["code"], 190, "it is over");
    world.token = new["access_token"].as_str().unwrap().to_owned();
    assert_eq!(world.send(Method::GET, "/v1.0/me", &[]).0, 200);
}

#[test]
fn a_post_of_a_moment_ago_cannot_be_answered_at_once() {
    let mut world = World::new();
    let container = world.make("one");
    let post = world.publish(&container).1["id"].as_str().unwrap().to_owned();
    let path = format!("/v1.0/{}/threads", world.user);
    let form = [("media_type", "TEXT"), ("text", "two"), ("reply_to_id", post.as_str())];
    assert_eq!(world.send(Method::POST, &path, &form).1["error"]["code"], 24);
    assert_eq!(world.send(Method::POST, &path, &form).0, 200);
}

#[test]
fn quotas_of_a_day() {
    let mut world = World::new();
    world.options.quotas = true;
    for number in 0..250 {
        let container = world.make(&number.to_string());
        assert_eq!(world.publish(&container).0, 200, "{number}");
    }
    let container = world.make("one more");
    assert_eq!(world.publish(&container).1["error"]["code"], 9);
    let path = format!("/v1.0/{}/threads_publishing_limit?fields=quota_usage", world.user);
    assert_eq!(world.send(Method::GET, &path, &[]).1["data"][0]["quota_usage"], 250);
    world.now += TimeDelta::hours(23);
    assert_eq!(world.publish(&container).1["error"]["code"], 9);
    world.now += TimeDelta::minutes(59);
    let container = world.make("later");
    world.now += TimeDelta::minutes(1);
    assert_eq!(world.publish(&container).0, 200);
}
