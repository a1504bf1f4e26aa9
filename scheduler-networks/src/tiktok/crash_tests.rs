//! Crashes and lost answers at every request: what was asked for is there once.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::testing::{CREATOR, ok, photo_job, public, recorded, refused, tiktok, video_job};
use crate::conversation::{Answer, Body, Method, Request};
use crate::testing::crash::{Imitation, exhaust, exhaust_in_doubt};
use crate::testing::{answered_text, with_header};

/// A video of three chunks.
const VIDEO_BYTES: u64 = 30_000_123;

const PROCESSING: TimeDelta = TimeDelta::seconds(12);
const MODERATION: TimeDelta = TimeDelta::seconds(20);

/// A network that publishes whatever is whole, as often as it is told to.
#[derive(Clone)]
struct Network {
    publishes: Vec<Publish>,
    /// What a chunk is told that comes once all is there.
    when_whole: u16,
    /// Whether the status tells how many bytes have arrived.
    tells_bytes: bool,
    /// Whether posts may be listed.
    shows_posts: bool,
    /// So many publishes fail after they were taken.
    fails: usize,
}

#[derive(Clone)]
struct Publish {
    text: String,
    size: u64,
    arrived: u64,
    made_at: DateTime<Utc>,
    whole_at: Option<DateTime<Utc>>,
    is_draft: bool,
    is_failed: bool,
}

impl Network {
    fn new() -> Self {
        Self {
            publishes: Vec::new(),
            when_whole: 416,
            tells_bytes: true,
            shows_posts: true,
            fails: 0,
        }
    }

    fn begin(&mut self, text: &Value, size: u64, is_draft: bool, now: DateTime<Utc>) -> usize {
        self.publishes.push(Publish {
            text: text.as_str().unwrap_or("draft").to_owned(),
            size,
            arrived: 0,
            made_at: now,
            whole_at: None,
            is_draft,
            is_failed: false,
        });
        self.publishes.len() - 1
    }

    fn whole(&mut self, at: usize, now: DateTime<Utc>) {
        self.publishes[at].whole_at = Some(now);
        if self.fails > 0 {
            self.fails -= 1;
            self.publishes[at].is_failed = true;
        }
    }

    fn take_chunk(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let at: usize = request.url.query().unwrap().parse().unwrap();
        let when_whole = self.when_whole;
        let publish = &mut self.publishes[at];
        if now >= publish.made_at + TimeDelta::hours(1) {
            return answered_text(403, "");
        }
        let Body::File(file) = &request.body else { panic!("{request:?}") };
        let range = file.range.clone().unwrap();
        let there = |publish: &Publish| match publish.arrived {
            0 => format!("bytes */{}", publish.size),
            arrived => format!("bytes 0-{}/{}", arrived - 1, publish.size),
        };
        if publish.whole_at.is_some() && when_whole != 416 {
            return answered_text(when_whole, "");
        }
        if publish.whole_at.is_some() || range.start != publish.arrived {
            return with_header(answered_text(416, ""), "content-range", &there(publish));
        }
        publish.arrived = range.end;
        let there = there(publish);
        let is_whole = publish.arrived == publish.size;
        assert_eq!(request.is_visible, is_whole, "the last byte is what others can see");
        if is_whole {
            self.whole(at, now);
        }
        let status = if is_whole { 201 } else { 206 };
        with_header(answered_text(status, ""), "content-range", &there)
    }

    fn status(&self, id: &str, now: DateTime<Utc>) -> Answer {
        let at: usize = id.parse().unwrap();
        let publish = &self.publishes[at];
        let is_over = now >= publish.made_at + TimeDelta::hours(1);
        let failed = || ok(&json!({ "status": "FAILED", "fail_reason": "internal" }));
        match publish.whole_at {
            None if is_over => failed(),
            Some(whole_at) if now >= whole_at + PROCESSING => {
                if publish.is_failed {
                    return failed();
                }
                if publish.is_draft {
                    return ok(&json!({ "status": "SEND_TO_USER_INBOX" }));
                }
                let is_open = now >= whole_at + PROCESSING + MODERATION;
                let ids: Vec<u64> = is_open.then_some(post_id(at)).into_iter().collect();
                ok(&json!({ "status": "PUBLISH_COMPLETE", "publicaly_available_post_id": ids }))
            }
            None | Some(_) => ok(&json!({
                "status": "PROCESSING_UPLOAD",
                "uploaded_bytes": self.tells_bytes.then_some(publish.arrived),
            })),
        }
    }

    fn list(&self, now: DateTime<Utc>) -> Answer {
        let open = self.publishes.iter().enumerate().rev().filter(|(_, publish)| {
            let open_at = publish.whole_at.map(|at| at + PROCESSING + MODERATION);
            self.shows_posts && !publish.is_failed && open_at.is_some_and(|at| now >= at)
        });
        let videos = open.map(|(at, publish)| {
            json!({
                "id": post_id(at).to_string(),
                "create_time": publish.made_at.timestamp(),
                "video_description": publish.text,
            })
        });
        ok(&json!({ "videos": videos.collect::<Vec<_>>() }))
    }
}

fn post_id(at: usize) -> u64 {
    7_512_345_678_901_234_000 + u64::try_from(at).unwrap()
}

fn json_of(request: &Request) -> Value {
    match &request.body {
        Body::Json(value) => value.clone(),
        Body::JsonWithLinks(json) => json.value.clone(),
        other => panic!("no JSON: {other:?}"),
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path().trim_matches('/').split('/').collect();
        match (request.method, path.as_slice()) {
            (Method::Put, ["video"]) => self.take_chunk(request, now),
            (Method::Post, ["v2", "post", "publish", rest @ ..]) => match rest {
                ["creator_info", "query"] => recorded(CREATOR),
                ["video", "init"] | ["inbox", "video", "init"] => {
                    let body = json_of(request);
                    let size = body["source_info"]["video_size"].as_u64().unwrap();
                    let is_draft = rest.len() == 3;
                    let at = self.begin(&body["post_info"]["title"], size, is_draft, now);
                    ok(&json!({
                        "publish_id": at.to_string(),
                        "upload_url": format!("https://open-upload.tiktokapis.com/video/?{at}"),
                    }))
                }
                ["content", "init"] => {
                    assert!(request.is_visible, "naming the photos publishes them");
                    let body = json_of(request);
                    let is_draft = body["post_mode"] == "MEDIA_UPLOAD";
                    let at = self.begin(&body["post_info"]["description"], 0, is_draft, now);
                    self.whole(at, now);
                    ok(&json!({ "publish_id": at.to_string() }))
                }
                ["status", "fetch"] => {
                    self.status(json_of(request)["publish_id"].as_str().unwrap(), now)
                }
                _ => refused(404, "unsupported_path"),
            },
            (Method::Post, ["v2", "video", "list"]) => self.list(now),
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let live = self.publishes.iter();
        let live = live.filter(|publish| publish.whole_at.is_some() && !publish.is_failed);
        live.map(|publish| publish.text.clone()).collect()
    }
}

const TEXT: &str = "Harbour walk #sea";

#[test]
fn a_video_is_live_once_whatever_breaks() {
    for pause in [TimeDelta::minutes(1), TimeDelta::minutes(40), TimeDelta::hours(2)] {
        for when_whole in [416, 403, 404] {
            let network = Network { when_whole, ..Network::new() };
            exhaust(&tiktok(), &network, &video_job(public(), 1_000), pause, &[TEXT]);
        }
    }
}

#[test]
fn a_video_of_several_chunks_is_live_once_whatever_breaks() {
    for (pause, when_whole) in [(1, 416), (40, 404)] {
        let network = Network { when_whole, ..Network::new() };
        let job = video_job(public(), VIDEO_BYTES);
        exhaust(&tiktok(), &network, &job, TimeDelta::minutes(pause), &[TEXT]);
    }
}

#[test]
fn a_video_is_live_once_where_nobody_says_what_has_arrived() {
    for when_whole in [416, 403, 404] {
        let network = Network { when_whole, tells_bytes: false, ..Network::new() };
        let pause = TimeDelta::minutes(1);
        exhaust(&tiktok(), &network, &video_job(public(), 1_000), pause, &[TEXT]);
    }
}

#[test]
fn a_publish_that_fails_at_the_network_is_begun_anew_and_live_once() {
    let network = Network { fails: 1, ..Network::new() };
    let pause = TimeDelta::minutes(1);
    exhaust(&tiktok(), &network, &video_job(public(), 1_000), pause, &[TEXT]);
}

#[test]
fn drafts_and_posts_for_few_are_there_once_whatever_breaks() {
    let pause = TimeDelta::minutes(1);
    for (options, text) in
        [(json!({ "asDraft": true }), "draft"), (json!({ "privacy": "SELF_ONLY" }), TEXT)]
    {
        let job = video_job(options, VIDEO_BYTES);
        exhaust_in_doubt(&tiktok(), &Network::new(), &job, pause, &[text]);
    }
}

#[test]
fn photos_are_never_there_twice_and_what_is_not_known_is_said() {
    let pause = TimeDelta::minutes(1);
    for shows_posts in [true, false] {
        let network = Network { shows_posts, ..Network::new() };
        exhaust_in_doubt(&tiktok(), &network, &photo_job(public(), 2), pause, &[TEXT]);
    }
    for options in [json!({ "privacy": "SELF_ONLY" }), json!({ "asDraft": true })] {
        exhaust_in_doubt(&tiktok(), &Network::new(), &photo_job(options, 1), pause, &[TEXT]);
    }
}
