//! What the passing of time changes, and what needs no connection to be seen.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Instagram;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Instagram,
    options: Options,
    now: DateTime<Utc>,
    account: Value,
    page_token: String,
}

impl World {
    fn new() -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let (mut network, options) = (Instagram::default(), Options::default());
        let context = Context { now, base: "http://x/instagram", options: &options };
        let account = network.create_account(Some("ana"), &context).unwrap();
        let mut world = Self { network, options, now, account, page_token: String::new() };
        let person = world.text("accessToken");
        let (status, pages) = world.send(&person, Method::GET, "/v26.0/me/accounts", "");
        assert_eq!(status, 200, "{pages}");
        world.page_token = pages["data"][0]["access_token"].as_str().unwrap().to_owned();
        world
    }

    fn text(&self, name: &str) -> String {
        self.account[name].as_str().unwrap().to_owned()
    }

    fn send(&mut self, token: &str, method: Method, path: &str, form: &str) -> (u16, Value) {
        let bearer = format!("Bearer {token}");
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
        let request = Request::of(method, path, headers, body);
        let context = Context { now: self.now, base: "http://x/instagram", options: &self.options };
        let answer = self.network.handle(&request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn page(&mut self, method: Method, path: &str, form: &str) -> (u16, Value) {
        let token = self.page_token.clone();
        self.send(&token, method, path, form)
    }

    /// Makes a reel whose bytes are there.
    fn reel(&mut self, caption: &str) -> String {
        let user = self.text("account");
        let form = format!("media_type=REELS&upload_type=resumable&caption={caption}");
        let (status, made) = self.page(Method::POST, &format!("/v26.0/{user}/media"), &form);
        assert_eq!(status, 200, "{made}");
        let id = made["id"].as_str().unwrap().to_owned();
        let token = format!("OAuth {}", self.page_token);
        let bytes = b"\0\0\0\x20ftypisom".to_vec();
        let headers = [
            ("authorization", token.as_str()),
            ("offset", "0"),
            ("file_size", "12"),
            ("content-type", "video/mp4"),
        ];
        let path = format!("/ig-api-upload/v26.0/{id}");
        let (status, taken) = self.call(Method::POST, &path, &headers, bytes.clone());
        assert_eq!((status, &taken["success"]), (200, &json!(true)), "{taken}");
        let (status, again) = self.call(Method::POST, &path, &headers, bytes);
        assert_eq!((status, &again["error"]["error_subcode"]), (400, &json!(2_207_082)));
        id
    }

    fn publish(&mut self, container: &str) -> (u16, Value) {
        let path = format!("/v26.0/{}/media_publish", self.text("account"));
        self.page(Method::POST, &path, &format!("creation_id={container}"))
    }
}

fn code(answer: &Value) -> (i64, i64) {
    let number = |name: &str| answer["error"][name].as_i64().unwrap_or_default();
    (number("code"), number("error_subcode"))
}

#[test]
fn a_container_is_processed_published_once_and_expires() {
    let mut world = World::new();
    world.options.quotas = true;
    let early = world.reel("early");
    assert_eq!(code(&world.publish(&early).1), (9007, 2_207_027), "still processed");
    world.now += TimeDelta::minutes(1);
    let (status, published) = world.publish(&early);
    assert_eq!(status, 200, "{published}");
    assert_eq!(code(&world.publish(&early).1), (100, 0), "a second time");
    let late = world.reel("late");
    world.now += TimeDelta::hours(24);
    assert_eq!(code(&world.publish(&late).1), (-2, 2_207_020));
    assert_eq!(code(&world.publish("17").1), (24, 2_207_006));
    assert_eq!(world.network.posts().len(), 1);
}

#[test]
fn the_posts_of_a_day_are_counted() {
    let mut world = World::new();
    world.options.quotas = true;
    for number in 0..100 {
        let reel = world.reel(&number.to_string());
        assert_eq!(world.publish(&reel).0, 400, "still processed");
        world.now += TimeDelta::minutes(1);
        assert_eq!(world.publish(&reel).0, 200, "{number}");
    }
    let last = world.reel("last");
    world.now += TimeDelta::minutes(1);
    assert_eq!(code(&world.publish(&last).1), (9, 2_207_042));
    world.now += TimeDelta::hours(22) + TimeDelta::minutes(20);
    assert_eq!(world.publish(&last).0, 200, "the first is a day old");
}

#[test]
fn tokens_are_renewed_after_a_day_and_run_out_after_sixty() {
    let mut world = World::new();
    let token = world.text("instagramToken");
    let renew = |world: &mut World, token: &str| {
        let form = format!("grant_type=ig_refresh_token&access_token={token}");
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        world.call(Method::GET, "/refresh_access_token", &headers, form.into_bytes())
    };
    let (status, new) = renew(&mut world, &token);
    assert_eq!((status, &new["expires_in"]), (200, &json!(5_184_000)));
    let new = new["access_token"].as_str().unwrap().to_owned();
    assert_eq!(code(&renew(&mut world, &new).1), (100, 0), "too young");
    world.now += TimeDelta::days(60);
    assert_eq!(code(&renew(&mut world, &new).1), (190, 463));
    let (status, _) = world.page(Method::GET, "/v26.0/me", "fields=username");
    assert_eq!(status, 200, "a token of a page does not run out");
}

#[test]
fn a_story_is_shown_for_a_day() {
    let mut world = World::new();
    let user = world.text("account");
    let form = "media_type=STORIES&upload_type=resumable";
    let (_, made) = world.page(Method::POST, &format!("/v26.0/{user}/media"), form);
    let id = made["id"].as_str().unwrap().to_owned();
    let token = format!("OAuth {}", world.page_token);
    let headers = [("authorization", token.as_str()), ("offset", "0"), ("file_size", "12")];
    let path = format!("/ig-api-upload/v26.0/{id}");
    world.call(Method::POST, &path, &headers, b"\0\0\0\x20ftypisom".to_vec());
    world.publish(&id);
    world.now += TimeDelta::minutes(1);
    assert_eq!(world.publish(&id).0, 200);
    let stories = format!("/v26.0/{user}/stories");
    let listed = |world: &mut World, path: &str| {
        world.page(Method::GET, path, "fields=id").1["data"].as_array().unwrap().len()
    };
    assert_eq!(listed(&mut world, &stories), 1);
    assert_eq!(listed(&mut world, &format!("/v26.0/{user}/media")), 0);
    world.now += TimeDelta::hours(24);
    assert_eq!(listed(&mut world, &stories), 0);
}

#[test]
fn what_each_login_may_do() {
    let mut world = World::new();
    let direct = world.text("instagramToken");
    let user = world.text("account");
    let media = format!("/v26.0/{user}/media");
    let form = "media_type=REELS&upload_type=resumable";
    let (status, _) = world.send(&direct, Method::POST, &media, form);
    assert_eq!(status, 400, "bytes are for accounts of a page");
    let reel = world.reel("x");
    world.publish(&reel);
    world.now += TimeDelta::minutes(1);
    let (_, published) = world.publish(&reel);
    let path = format!("/v26.0/{}", published["id"].as_str().unwrap());
    let (_, refused) = world.send(&direct, Method::DELETE, &path, "");
    assert_eq!(code(&refused), (3, 0));
    assert_eq!(world.page(Method::DELETE, &path, "").0, 200);
    assert_eq!(code(&world.page(Method::DELETE, &path, "").1), (100, 33));
    let looked = format!("/v26.0/{user}");
    let fields = "fields=business_discovery.username(ana){username,name}";
    let (_, found) = world.page(Method::GET, &looked, fields);
    assert_eq!(found["business_discovery"]["username"], "ana");
    let nobody = "fields=business_discovery.username(nobody){username,name}";
    assert_eq!(code(&world.page(Method::GET, &looked, nobody).1), (110, 2_207_013));
    assert_eq!(code(&world.send("none", Method::GET, &looked, fields).1), (190, 0));
}

#[test]
fn what_is_wrong_with_a_container_is_said() {
    let mut world = World::new();
    let path = format!("/v26.0/{}/media", world.text("account"));
    let long = format!("image_url=http://127.0.0.1:1/a&caption={}", "a".repeat(2201));
    let names = "image_url=http://127.0.0.1:1/a&caption=".to_owned() + &"@u1+".repeat(21);
    for (name, form, want) in [
        ("no file", "caption=a", (100, 0)),
        ("unknown type", "media_type=POLL", (100, 2_207_023)),
        ("a lone video", "media_type=VIDEO&video_url=x", (100, 2_207_023)),
        ("one child", "media_type=CAROUSEL&children=1", (100, 2_207_028)),
        ("unknown children", "media_type=CAROUSEL&children=1,2", (24, 2_207_006)),
        ("caption", long.as_str(), (36_004, 2_207_010)),
        ("mentions", names.as_str(), (100, 2_207_040)),
        ("child with names", "is_carousel_item=true&image_url=x&collaborators=[\"a\"]", (100, 0)),
        ("four names", "image_url=x&collaborators=[\"a\",\"b\",\"c\",\"d\"]", (100, 0)),
    ] {
        let (status, answer) = world.page(Method::POST, &path, form);
        assert_eq!((status, code(&answer)), (400, want), "{name}: {answer}");
    }
}
