//! Crashes and lost answers at every request: a Pin is there once.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::PublishJob;
use serde_json::{Value, json};

use super::testing::{fault, of_images, of_video, pinterest};
use crate::conversation::{Answer, Body, Method, Request};
use crate::testing::crash::{Imitation, exhaust, exhaust_in_doubt};
use crate::testing::{answered, answered_text};

/// A network that makes a Pin for every call, knows no repeat, and shows what it has to whoever
/// may read.
#[derive(Clone)]
struct Network {
    may_read: bool,
    /// How long a Pin takes to show in lists.
    lag: TimeDelta,
    /// How long a video takes.
    processing: TimeDelta,
    videos: Vec<Option<DateTime<Utc>>>,
    pins: Vec<(Value, DateTime<Utc>)>,
}

impl Network {
    fn new() -> Self {
        Self {
            may_read: true,
            lag: TimeDelta::zero(),
            processing: TimeDelta::seconds(25),
            videos: Vec::new(),
            pins: Vec::new(),
        }
    }

    fn list(&self, now: DateTime<Utc>) -> Answer {
        let shown = self.pins.iter().enumerate().rev().filter(|(_, (_, at))| *at + self.lag <= now);
        let shown = shown.map(|(number, (pin, at))| {
            let mut pin = pin.clone();
            pin["id"] = json!(number.to_string());
            pin["created_at"] = json!(at.format("%Y-%m-%dT%H:%M:%S").to_string());
            pin
        });
        answered(200, &json!({ "items": shown.collect::<Vec<_>>(), "bookmark": null }))
    }

    fn video(&self, id: &str) -> Option<DateTime<Utc>> {
        self.videos[id.parse::<usize>().unwrap()]
    }

    fn make(&mut self, pin: &Value, now: DateTime<Utc>) -> Answer {
        if let Some(id) = pin.pointer("/media_source/media_id").and_then(Value::as_str)
            && self.video(id).is_none_or(|at| now < at)
        {
            return fault(400, 1, "Media is not ready");
        }
        self.pins.push((pin.clone(), now));
        answered(201, &json!({ "id": (self.pins.len() - 1).to_string() }))
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let segments: Vec<&str> = request.url.path_segments().unwrap().collect();
        match (request.method, segments.as_slice(), &request.body) {
            (Method::Get, ["v5", "pins"], _) if !self.may_read => fault(403, 3, "Missing"),
            (Method::Get, ["v5", "pins"], _) => self.list(now),
            (Method::Post, ["v5", "pins"], Body::JsonWithFiles(json)) => {
                self.make(&json.value, now)
            }
            (Method::Post, ["v5", "pins"], Body::Json(json)) => self.make(json, now),
            (Method::Post, ["v5", "media"], _) => {
                self.videos.push(None);
                let id = (self.videos.len() - 1).to_string();
                answered(
                    201,
                    &json!({
                        "media_id": id,
                        "upload_url": "https://files.example/",
                        "upload_parameters": { "key": id },
                    }),
                )
            }
            (Method::Post, [""], Body::Multipart(parts)) => {
                let crate::conversation::PartContent::Text(id) = &parts[0].content else {
                    panic!("the file is not the last");
                };
                self.videos[id.parse::<usize>().unwrap()] = Some(now + self.processing);
                answered_text(204, "")
            }
            (Method::Get, ["v5", "media", id], _) => {
                let status = match self.video(id) {
                    None => "registered",
                    Some(at) if now < at => "processing",
                    Some(_) => "succeeded",
                };
                answered(200, &json!({ "status": status }))
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let shown = |(pin, _): &(Value, DateTime<Utc>)| {
            let items = pin.pointer("/media_source/items").and_then(Value::as_array);
            let kind = pin.pointer("/media_source/source_type").and_then(Value::as_str);
            format!("{} {}", kind.unwrap(), items.map_or(1, Vec::len))
        };
        self.pins.iter().map(shown).collect()
    }
}

fn kinds() -> [(PublishJob, &'static str); 3] {
    [
        (of_images(1), "image_base64 1"),
        (of_images(3), "multiple_image_base64 3"),
        (of_video(), "video_id 1"),
    ]
}

#[test]
fn whatever_breaks_a_pin_of_any_kind_is_there_once() {
    for (name, lag, pause) in [
        ("at once", TimeDelta::zero(), TimeDelta::zero()),
        ("a minute later", TimeDelta::zero(), TimeDelta::minutes(1)),
        ("hours later", TimeDelta::zero(), TimeDelta::hours(2)),
        ("a list that lags", TimeDelta::seconds(30), TimeDelta::minutes(1)),
    ] {
        for (job, live) in kinds() {
            // Shown where the test fails.
            eprintln!("{name}: {live}");
            exhaust(&pinterest(), &Network { lag, ..Network::new() }, &job, pause, &[live]);
        }
    }
}

#[test]
fn an_equal_pin_that_was_there_before_is_not_taken_for_it() {
    for (job, live) in kinds() {
        let earlier = json!({
            "board_id": super::testing::BOARD,
            "title": "Autumn soup",
            "description": "Ten minutes. #soup",
            "link": "https://example.com/soup",
            "media_source": { "source_type": "earlier" },
        });
        let pins = vec![(earlier, job.now - TimeDelta::seconds(20))];
        let network = Network { pins, ..Network::new() };
        exhaust(&pinterest(), &network, &job, TimeDelta::minutes(1), &["earlier 1", live]);
    }
}

#[test]
fn without_the_permission_to_look_nothing_is_sent_that_may_be_there() {
    for (job, live) in kinds() {
        let network = Network { may_read: false, ..Network::new() };
        exhaust_in_doubt(&pinterest(), &network, &job, TimeDelta::minutes(1), &[live]);
    }
}
