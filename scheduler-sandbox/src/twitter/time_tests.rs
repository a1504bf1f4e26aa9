//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Twitter;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Twitter,
    options: Options,
    now: DateTime<Utc>,
    account: Value,
}

impl World {
    fn new(options: Options) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut network = Twitter::default();
        let context = Context { now, base: "http://x/twitter", options: &options };
        let account = network.create_account(Some("ana"), &context).unwrap();
        Self { network, options, now, account }
    }

    fn send(&mut self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.account["accessToken"].as_str().unwrap());
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let request = Request::of(method, path, &headers, body.to_string().into_bytes());
        self.handle(&request)
    }

    fn handle(&mut self, request: &Request) -> (u16, Value) {
        let context = Context { now: self.now, base: "http://x/twitter", options: &self.options };
        let answer = self.network.handle(request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn post(&mut self, text: &str) -> u16 {
        self.send(Method::POST, "/2/tweets", &json!({ "text": text })).0
    }

    fn token(&mut self, form: &str) -> (u16, Value) {
        let headers = [
            ("authorization", "Basic YXBwOnNlY3JldA=="),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let body = form.as_bytes().to_vec();
        self.handle(&Request::of(Method::POST, "/2/oauth2/token", &headers, body))
    }

    fn refresh(&mut self) -> (u16, Value) {
        let token = self.account["refreshToken"].as_str().unwrap().to_owned();
        self.token(&format!("grant_type=refresh_token&refresh_token={token}"))
    }

    /// Lets time pass, and renews the tokens.
    fn pass(&mut self, time: TimeDelta) {
        self.now += time;
        let (status, renewed) = self.refresh();
        assert_eq!(status, 200, "{renewed}");
        self.account["accessToken"] = renewed["access_token"].clone();
        self.account["refreshToken"] = renewed["refresh_token"].clone();
    }
}

#[test]
fn the_same_text_is_refused_for_a_day() {
    let mut world = World::new(Options::default());
    assert_eq!((world.post("a"), world.post("a"), world.post(" a ")), (201, 403, 403));
    world.pass(TimeDelta::days(1) - TimeDelta::seconds(1));
    assert_eq!((world.post("a"), world.post("b")), (403, 201));
    world.pass(TimeDelta::seconds(1));
    assert_eq!(world.post("a"), 201);
}

#[test]
fn tokens_live_for_two_hours_and_are_renewed_once() {
    let mut world = World::new(Options::default());
    world.now += TimeDelta::hours(2) - TimeDelta::seconds(1);
    assert_eq!(world.post("a"), 201);
    world.now += TimeDelta::seconds(1);
    assert_eq!(world.post("b"), 401);
    let (status, renewed) = world.refresh();
    assert_eq!((status, &renewed["expires_in"]), (200, &json!(7200)));
    let (status, refused) = world.refresh();
    assert_eq!((status, &refused["error"]), (400, &json!("invalid_request")), "a second time");
    world.account["accessToken"] = renewed["access_token"].clone();
    world.account["refreshToken"] = renewed["refresh_token"].clone();
    assert_eq!(world.post("b"), 201);
    world.now += TimeDelta::days(180);
    assert_eq!(world.refresh().0, 400, "unused for too long");
}

#[test]
fn a_code_lives_for_thirty_seconds() {
    for (seconds, want) in [(29, 200), (30, 400)] {
        let mut world = World::new(Options::default());
        let user = world.account["account"].as_str().unwrap().to_owned();
        let form = format!(
            "response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fs.example&scope=tweet.read&state=s&code_challenge=v&code_challenge_method=plain&user={user}&decision=allow"
        );
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let path = "/i/oauth2/authorize";
        let request = Request::of(Method::POST, path, &headers, form.into_bytes());
        let context = Context { now: world.now, base: "http://x/twitter", options: &world.options };
        let status = world.network.handle(&request, &context).status.as_u16();
        assert_eq!(status, 302);
        let code = world.network.codes.keys().next().unwrap().clone();
        world.now += TimeDelta::seconds(seconds);
        let form = format!(
            "grant_type=authorization_code&code={code}&redirect_uri=https%3A%2F%2Fs.example&code_verifier=v"
        );
        let (status, given) = world.token(&form);
        assert_eq!(status, want, "{seconds}");
        assert!(given.get("refresh_token").is_none(), "offline.access was not allowed");
    }
}

#[test]
fn a_window_of_posts_ends_after_a_quarter_of_an_hour() {
    let mut world = World::new(Options { quotas: true, ..Options::default() });
    for number in 0..100 {
        assert_eq!(world.post(&number.to_string()), 201);
    }
    assert_eq!(world.post("one too many"), 429);
    world.now += TimeDelta::minutes(15);
    assert_eq!(world.post("one too many"), 201);
}

#[test]
fn credits_run_out_and_come_back() {
    let mut world = World::new(Options { quotas: true, ..Options::default() });
    // 25 dollars at 0.20 each.
    for number in 0..125 {
        if number == 100 {
            world.now += TimeDelta::minutes(15);
        }
        assert_eq!(world.post(&format!("https://a.example.com/{number}")), 201, "{number}");
    }
    let (status, body) = world.send(Method::POST, "/2/tweets", &json!({ "text": "one too many" }));
    assert_eq!((status, &body["title"]), (402, &json!("CreditsDepleted")));
    world.pass(TimeDelta::days(1));
    assert_eq!(world.post("one too many"), 201);
}
