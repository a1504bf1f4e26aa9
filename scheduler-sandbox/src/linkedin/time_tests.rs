//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Linkedin;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Linkedin,
    options: Options,
    now: DateTime<Utc>,
    account: Value,
}

impl World {
    fn new(options: Options) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut network = Linkedin::default();
        let context = Context { now, base: "http://x/linkedin", options: &options };
        let account = network.create_account(Some("Ana"), &context).unwrap();
        Self { network, options, now, account }
    }

    fn send(
        &mut self,
        method: Method,
        path: &str,
        query: &str,
        body: &Value,
    ) -> crate::answer::Answer {
        let bearer = format!("Bearer {}", self.account["accessToken"].as_str().unwrap());
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/json"),
            ("linkedin-version", "202607"),
            ("x-restli-protocol-version", "2.0.0"),
        ];
        let request = Request::of(method, path, &headers, body.to_string().into_bytes());
        let request =
            Request::new(request.method, path, Some(query), request.headers, request.body);
        let context = Context { now: self.now, base: "http://x/linkedin", options: &self.options };
        self.network.handle(&request, &context)
    }

    fn post(&mut self, text: &str) -> u16 {
        let body = json!({
            "author": self.account["account"],
            "commentary": text,
            "visibility": "PUBLIC",
            "distribution": { "feedDistribution": "MAIN_FEED" },
            "lifecycleState": "PUBLISHED",
        });
        self.send(Method::POST, "/rest/posts", "", &body).status.as_u16()
    }
}

#[test]
fn the_same_content_is_refused_for_ten_minutes() {
    let mut world = World::new(Options::default());
    assert_eq!(world.post("a"), 201);
    world.now += TimeDelta::minutes(10) - TimeDelta::seconds(1);
    assert_eq!((world.post("a"), world.post("b")), (422, 201));
    world.now += TimeDelta::seconds(1);
    assert_eq!(world.post("a"), 201);
}

#[test]
fn a_deleted_post_is_remembered_for_a_day() {
    let mut world = World::new(Options::default());
    assert_eq!(world.post("a"), 201);
    let urn = world.network.posts[0].urn.replace(':', "%3A");
    let deleted = world.send(Method::DELETE, &format!("/rest/posts/{urn}"), "", &Value::Null);
    assert_eq!(deleted.status.as_u16(), 204);
    world.now += TimeDelta::hours(23);
    assert_eq!(world.post("a"), 422);
    let gone = world.send(Method::GET, &format!("/rest/posts/{urn}"), "", &Value::Null);
    assert_eq!(gone.status.as_u16(), 404);
    world.now += TimeDelta::hours(1);
    assert_eq!(world.post("a"), 201);
}

#[test]
fn tokens_live_for_sixty_days_and_what_renews_them_for_a_year() {
    let mut world = World::new(Options::default());
    world.now += TimeDelta::days(60);
    assert_eq!(world.post("a"), 401);
    let refresh = json!({
        "grant_type": "refresh_token",
        "refresh_token": world.account["refreshToken"],
        "client_id": "id",
        "client_secret": "secret",
    });
    let refreshed = world.send(Method::POST, "/oauth/v2/accessToken", "", &refresh);
    assert_eq!(refreshed.status.as_u16(), 200);
    world.account["accessToken"] = refreshed.body_json()["access_token"].clone();
    assert_eq!(world.post("a"), 201);
    world.now += TimeDelta::days(305);
    let ended = world.send(Method::POST, "/oauth/v2/accessToken", "", &refresh);
    assert_eq!(ended.body_json()["error"], "invalid_grant");
}

#[test]
fn a_days_calls_end_at_midnight() {
    let mut world = World::new(Options { quotas: true, ..Options::default() });
    for number in 0..150 {
        assert_eq!(world.post(&number.to_string()), 201);
    }
    assert_eq!(world.post("one too many"), 429);
    let midnight = world.now.date_naive().succ_opt().unwrap().and_hms_opt(0, 0, 0).unwrap();
    world.now = midnight.and_utc();
    assert_eq!(world.post("one too many"), 201);
}
