//! What the passing of time changes.

use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use serde_json::{Value, json};

use super::Telegram;
use crate::network::{Context, Network};
use crate::options::Options;
use crate::request::Request;

struct World {
    network: Telegram,
    options: Options,
    now: DateTime<Utc>,
    token: String,
    chat: i64,
}

impl World {
    fn new(quotas: bool) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let options = Options { quotas, ..Options::default() };
        let mut network = Telegram::default();
        let context = Context { now, base: "http://x/telegram", options: &options };
        let account = network.create_account(Some("acme"), &context).unwrap();
        let token = account["botToken"].as_str().unwrap().to_owned();
        let chat = account["chatId"].as_str().unwrap().parse().unwrap();
        Self { network, options, now, token, chat }
    }

    fn call(&mut self, method: &str, mut body: Value) -> (u16, Value) {
        body["chat_id"] = self.chat.into();
        let path = format!("/bot{}/{method}", self.token);
        let headers = [("content-type", "application/json")];
        let request = Request::of(Method::POST, &path, &headers, body.to_string().into_bytes());
        let context = Context { now: self.now, base: "http://x/telegram", options: &self.options };
        let answer = self.network.handle(&request, &context);
        (answer.status.as_u16(), answer.body_json())
    }

    fn say(&mut self, text: &str) -> (u16, Value) {
        self.call("sendMessage", json!({"text": text}))
    }
}

#[test]
fn a_message_can_be_deleted_for_two_days() {
    for (name, age, status) in [
        ("just within", TimeDelta::hours(48) - TimeDelta::seconds(1), 200),
        ("too old", TimeDelta::hours(48), 400),
    ] {
        let mut world = World::new(false);
        let id = world.say("hi").1["result"]["message_id"].clone();
        world.now += age;
        let (got, body) = world.call("deleteMessage", json!({"message_id": id}));
        assert_eq!(got, status, "{name}");
        if status == 400 {
            assert_eq!(body["description"], "Bad Request: message can't be deleted");
            let (got, _) = world.call("deleteMessages", json!({"message_ids": [id]}));
            assert_eq!((got, world.network.posts()[0].is_deleted), (200, false), "{name}");
        }
    }
}

#[test]
fn a_message_can_be_changed_for_ever() {
    let mut world = World::new(false);
    let id = world.say("hi").1["result"]["message_id"].clone();
    world.now += TimeDelta::days(400);
    let (status, body) = world.call("editMessageText", json!({"message_id": id, "text": "ho"}));
    assert_eq!((status, &body["result"]["text"]), (200, &json!("ho")));
    assert_eq!(body["result"]["edit_date"], world.now.timestamp());
}

#[test]
fn a_chat_takes_so_many_messages_a_minute() {
    let mut world = World::new(true);
    for number in 0..20 {
        assert_eq!(world.say(&number.to_string()).0, 200);
        world.now += TimeDelta::seconds(1);
    }
    let (status, body) = world.say("one too many");
    assert_eq!(status, 429);
    assert_eq!(body["parameters"]["retry_after"], 41);
    assert_eq!(body["description"], "Too Many Requests: retry after 41");
    world.now += TimeDelta::seconds(41);
    assert_eq!(world.say("and then it works").0, 200);
}
