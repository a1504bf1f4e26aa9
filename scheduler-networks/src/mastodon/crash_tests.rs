//! Publishing to Mastodon, broken off at every request.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::conversation::{Answer, Body, HeaderValue, Method, Request};
use crate::mastodon::testing::mastodon;
use crate::testing::crash::{Imitation, exhaust};
use crate::testing::{answered, in_thread, mastodon_job};

fn key(request: &Request) -> &str {
    let header = request.headers.iter().find(|header| header.name == "idempotency-key");
    match &header.unwrap().value {
        HeaderValue::Plain(text) => text,
        HeaderValue::Secret(_) | HeaderValue::Signed(_) => panic!("a key is no secret"),
    }
}

/// A server that remembers keys for an hour, or never.
#[derive(Clone, Default)]
struct Server {
    knows_keys: bool,
    statuses: Vec<(Value, DateTime<Utc>)>,
    keys: BTreeMap<String, usize>,
}

impl Server {
    fn shown(&self, at: usize) -> Value {
        let (input, created_at) = &self.statuses[at];
        json!({
            "id": (at + 1).to_string(),
            "url": format!("https://m.example/@ana/{}", at + 1),
            "created_at": created_at.to_rfc3339(),
            "application": { "name": "scheduler" },
            "in_reply_to_id": input["in_reply_to_id"],
        })
    }
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().collect();
        match (request.method, path.as_slice()) {
            (Method::Post, ["api", "v1", "statuses"]) => {
                let Body::Json(input) = &request.body else { panic!("no JSON") };
                if self.knows_keys
                    && let Some(at) = self.keys.get(key(request))
                    && now < self.statuses[*at].1 + TimeDelta::hours(1)
                {
                    return answered(200, &self.shown(*at));
                }
                let at = self.statuses.len();
                self.keys.insert(key(request).to_owned(), at);
                self.statuses.push((input.clone(), now));
                answered(200, &self.shown(at))
            }
            (Method::Get, ["api", "v1", "accounts", _, "statuses"]) => {
                let before = request.url.query_pairs().find(|(name, _)| name == "max_id");
                let before = before.map_or(usize::MAX, |(_, id)| id.parse().unwrap());
                let known = (0..self.statuses.len()).rev().filter(|at| at + 1 < before);
                let list = known.map(|at| self.shown(at));
                answered(200, &Value::Array(list.collect()))
            }
            (Method::Get, ["api", "v1", "statuses", id]) => {
                answered(200, &self.shown(id.parse::<usize>().unwrap() - 1))
            }
            (Method::Get, ["api", "v1", "statuses", id, "source"]) => {
                let at: usize = id.parse().unwrap();
                let text = &self.statuses[at - 1].0["status"];
                answered(200, &json!({ "id": id, "text": text, "spoiler_text": "" }))
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let text = |(input, _): &(Value, _)| input["status"].as_str().unwrap().to_owned();
        self.statuses.iter().map(text).collect()
    }
}

#[test]
fn whatever_breaks_where_every_part_is_there_once() {
    let texts = ["Hello #rust", "two", "three", "four"];
    for (is_mastodon, pause) in [
        (true, TimeDelta::minutes(1)),
        (true, TimeDelta::minutes(25)),
        (true, TimeDelta::hours(2)),
        (false, TimeDelta::minutes(1)),
        (false, TimeDelta::hours(2)),
    ] {
        let job = in_thread(mastodon_job(is_mastodon), &texts[1..]);
        let server = Server { knows_keys: is_mastodon, ..Server::default() };
        exhaust(&mastodon(), &server, &job, pause, &texts);
    }
}
