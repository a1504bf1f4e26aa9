//! Crashes and lost answers at every request: what was asked for is there once.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::testing::{
    EVERYTHING, MEMBER, PAGE, SELF_SERVE, created, denied, duplicate, gone, job, linkedin, refused,
};
use crate::conversation::{Answer, Body, Method, Request};
use crate::testing::crash::{Imitation, exhaust, exhaust_in_doubt};
use crate::testing::files::{with_file, with_images};
use crate::testing::{answered, answered_text, with_header, with_options};

/// A network that refuses the same content for ten minutes and shows what it has to whoever may
/// read. A comment that comes twice is a mistake wherever it happens.
#[derive(Clone)]
struct Network {
    may_read: bool,
    processing: TimeDelta,
    files: Vec<Uploaded>,
    posts: Vec<(Value, DateTime<Utc>)>,
    comments: Vec<(Value, DateTime<Utc>)>,
    shows_comments: bool,
}

#[derive(Clone)]
struct Uploaded {
    is_video: bool,
    pieces: usize,
    ready_at: Option<DateTime<Utc>>,
}

impl Network {
    fn new(may_read: bool) -> Self {
        Self {
            may_read,
            processing: TimeDelta::seconds(25),
            files: Vec::new(),
            posts: Vec::new(),
            comments: Vec::new(),
            shows_comments: true,
        }
    }

    fn post(&mut self, body: &Value, now: DateTime<Utc>) -> Answer {
        let life = TimeDelta::minutes(10);
        let earlier = self.posts.iter().rposition(|(known, at)| known == body && now < *at + life);
        let named = |at: usize| format!("urn:li:share:{}", at + 1);
        let one = body.pointer("/content/media").into_iter();
        let many = body.pointer("/content/multiImage/images").and_then(Value::as_array);
        for file in one.chain(many.into_iter().flatten()) {
            let id = file["id"].as_str().unwrap().rsplit_once(':').unwrap().1;
            let file = &self.files[id.parse::<usize>().unwrap()];
            if file.ready_at.is_none_or(|at| now < at) {
                return refused(400, "MEDIA_ASSET_WAITING_UPLOAD", "not yet");
            }
        }
        if let Some(at) = earlier {
            return duplicate(&named(at));
        }
        self.posts.push((body.clone(), now));
        created(&named(self.posts.len() - 1))
    }

    fn announce(&mut self, kind: &str) -> Answer {
        let at = self.files.len();
        let is_video = kind == "videos";
        self.files.push(Uploaded { is_video, pieces: 0, ready_at: None });
        let url = |piece: usize| format!("https://www.linkedin.com/dms-uploads/{at}/{piece}");
        if !is_video {
            let name = kind.trim_end_matches('s');
            let urn = format!("urn:li:{name}:{at}");
            return answered(200, &json!({ "value": { "uploadUrl": url(0), name: urn } }));
        }
        let pieces: Vec<Value> = (0..2)
            .map(|piece| json!({ "uploadUrl": url(piece), "firstByte": piece * 500, "lastByte": piece * 500 + 499 }))
            .collect();
        answered(
            200,
            &json!({ "value": {
                "video": format!("urn:li:video:{at}"),
                "uploadInstructions": pieces,
                "uploadToken": "",
            } }),
        )
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().collect();
        let processing = self.processing;
        match (request.method, path.as_slice(), &request.body) {
            (Method::Post, ["rest", "posts"], Body::Json(body)) => self.post(body, now),
            (Method::Get, ["rest", "posts"], _) if !self.may_read => denied(),
            (Method::Get, ["rest", "posts"], _) => {
                let shown = self.posts.iter().enumerate().rev().map(|(at, (body, made_at))| {
                    json!({
                        "id": format!("urn:li:share:{}", at + 1),
                        "commentary": body["commentary"],
                        "createdAt": made_at.timestamp_millis(),
                    })
                });
                answered(200, &json!({ "elements": shown.collect::<Vec<_>>() }))
            }
            (Method::Get, ["rest", "posts", _], _) if !self.may_read => denied(),
            (Method::Get, ["rest", "posts", _], _) => answered(200, &json!({ "id": "1" })),
            (
                Method::Post,
                ["rest", kind @ ("images" | "videos" | "documents")],
                Body::Json(body),
            ) => {
                if body.get("finalizeUploadRequest").is_none() {
                    return self.announce(kind);
                }
                let body = &body["finalizeUploadRequest"];
                let id = body["video"].as_str().unwrap().rsplit_once(':').unwrap().1;
                let file = &mut self.files[id.parse::<usize>().unwrap()];
                assert_eq!(body["uploadedPartIds"], json!(["tag-0", "tag-1"]));
                assert_eq!(file.pieces, 2, "put together before it is whole");
                file.ready_at.get_or_insert(now + processing);
                answered_text(200, "")
            }
            (Method::Put, ["dms-uploads", id, piece], Body::File(_)) => {
                let file = &mut self.files[id.parse::<usize>().unwrap()];
                file.pieces = file.pieces.max(piece.parse::<usize>().unwrap() + 1);
                if !file.is_video {
                    file.ready_at = Some(now);
                }
                with_header(answered_text(200, ""), "etag", &format!("tag-{piece}"))
            }
            (Method::Get, ["rest", "images" | "videos" | "documents", _], _) if !self.may_read => {
                denied()
            }
            (Method::Get, ["rest", "images" | "videos" | "documents", urn], _) => {
                let id = urn.rsplit_once("%3A").unwrap().1;
                let file = &self.files[id.parse::<usize>().unwrap()];
                let is_ready = file.ready_at.is_some_and(|at| now >= at);
                let status = if is_ready { "AVAILABLE" } else { "PROCESSING" };
                answered(200, &json!({ "status": status }))
            }
            (Method::Post, ["rest", "socialActions", _, "comments"], Body::Json(body)) => {
                if self.posts.is_empty() {
                    return gone();
                }
                assert!(self.comments.is_empty(), "a second comment");
                self.comments.push((body.clone(), now));
                created("2")
            }
            (Method::Get, ["rest", "socialActions", _, "comments"], _) => {
                let shown = self.comments.iter().map(|(body, at)| {
                    json!({
                        "id": "2",
                        "actor": body["actor"],
                        "message": body["message"],
                        "created": { "time": at.timestamp_millis() },
                    })
                });
                answered(200, &json!({ "elements": shown.collect::<Vec<_>>() }))
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let posts = self.posts.iter().map(|(body, _)| {
            let images = body.pointer("/content/multiImage/images").and_then(Value::as_array);
            let one = usize::from(body.pointer("/content/media").is_some());
            format!("post with {}", images.map_or(one, Vec::len))
        });
        let comments = self.comments.iter().filter(|_| self.shows_comments);
        posts.chain(comments.map(|_| "comment".to_owned())).collect()
    }
}

#[test]
fn whatever_breaks_a_post_of_any_kind_is_there_once() {
    for (name, author, scope, may_read, pause) in [
        ("a member's", MEMBER, SELF_SERVE, false, TimeDelta::minutes(1)),
        ("a member's, without a pause", MEMBER, SELF_SERVE, false, TimeDelta::zero()),
        ("a page's", PAGE, EVERYTHING, true, TimeDelta::minutes(1)),
        ("a page's, much later", PAGE, EVERYTHING, true, TimeDelta::hours(2)),
        ("a permission that is not there", PAGE, EVERYTHING, false, TimeDelta::minutes(1)),
    ] {
        let text = job(author, scope);
        let image = with_images(job(author, scope), 1);
        let images = with_images(job(author, scope), 2);
        let video = with_file(job(author, scope), "video/mp4", "");
        let document = with_file(job(author, scope), "application/pdf", "");
        for (kind, job, live) in [
            ("text", text, "post with 0"),
            ("image", image, "post with 1"),
            ("images", images, "post with 2"),
            ("video", video, "post with 1"),
            ("document", document, "post with 1"),
        ] {
            // How a file comes is the same for every author.
            if matches!(kind, "images" | "document") && name != "a member's" {
                continue;
            }
            // Shown where the test fails.
            eprintln!("{name}: {kind}");
            // Whoever may not read cannot tell whether a post that the network names is there.
            let run = if may_read { exhaust } else { exhaust_in_doubt };
            run(&linkedin(), &Network::new(may_read), &job, pause, &[live]);
        }
    }
}

#[test]
fn beyond_the_minutes_of_a_repeat_nothing_is_sent_that_may_be_there() {
    let pause = TimeDelta::minutes(11);
    let job = with_images(job(MEMBER, SELF_SERVE), 1);
    exhaust_in_doubt(&linkedin(), &Network::new(false), &job, pause, &["post with 1"]);
}

#[test]
fn a_first_comment_is_there_once_or_left_out() {
    let options = json!({ "firstComment": "More" });
    let job_of = |author, scope| with_options(job(author, scope), options.clone());
    let pause = TimeDelta::minutes(1);
    let page = job_of(PAGE, EVERYTHING);
    exhaust(&linkedin(), &Network::new(true), &page, pause, &["post with 0", "comment"]);
    let member = job_of(MEMBER, SELF_SERVE);
    let network = Network { shows_comments: false, ..Network::new(false) };
    exhaust_in_doubt(&linkedin(), &network, &member, pause, &["post with 0"]);
}
