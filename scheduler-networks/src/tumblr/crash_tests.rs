//! Crashes and lost answers at every request of a publish: the post is live once.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::PublishJob;
use serde_json::{Value, json};

use super::testing::{created, fault, gone, ok, posts, tumblr, tumblr_job};
use crate::conversation::{Answer, Body, Method, PartContent, Request};
use crate::testing::crash::{Imitation, exhaust, exhaust_in_doubt};
use crate::testing::files::{with_file, with_images};
use crate::testing::{answered_text, with_options};

/// How long after a crash another holder goes on.
const PAUSE: TimeDelta = TimeDelta::minutes(2);

/// A network that gives a post another id whenever its state changes, and works on one video at a
/// time, which nobody sees meanwhile.
#[derive(Clone, Debug, Default)]
struct Network {
    posts: Vec<Post>,
    last_id: u64,
    transcoding: TimeDelta,
    /// Posts keep no trace of the id that they had.
    forgets_genesis: bool,
}

#[derive(Clone, Debug)]
struct Post {
    id: String,
    genesis: Option<String>,
    state: State,
    content: Value,
    tags: Vec<String>,
    /// The post that it reblogs.
    parent: Value,
    at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Draft,
    Transcoding(DateTime<Utc>),
    Published,
}

impl Post {
    fn shown(&self) -> Value {
        let state = match self.state {
            State::Draft => "draft",
            State::Transcoding(_) => "transcoding",
            State::Published => "published",
        };
        json!({
            "id": self.id.parse::<u64>().unwrap(),
            "id_string": self.id,
            "genesis_post_id": self.genesis,
            "post_url": format!("https://ana.tumblr.com/post/{}", self.id),
            "timestamp": self.at.timestamp(),
            "state": state,
            "tags": self.tags,
            "parent_post_id": self.parent,
            "content": self.content,
        })
    }
}

impl Network {
    fn next_id(&mut self) -> String {
        self.last_id += 1;
        self.last_id.to_string()
    }

    fn grow(&mut self, at: usize, now: DateTime<Utc>) {
        let id = self.next_id();
        let genesis = (!self.forgets_genesis).then(|| self.posts[at].id.clone());
        let post = &mut self.posts[at];
        (post.genesis, post.id) = (genesis, id);
        (post.state, post.at) = (State::Published, now);
    }

    fn settle(&mut self, now: DateTime<Utc>) {
        for at in 0..self.posts.len() {
            if let State::Transcoding(until) = self.posts[at].state
                && until <= now
            {
                self.grow(at, until);
            }
        }
    }

    fn create(&mut self, body: &Value, now: DateTime<Utc>) -> Answer {
        let has_video = body["content"].to_string().contains("\"video\"");
        let is_busy = self.posts.iter().any(|post| matches!(post.state, State::Transcoding(_)));
        if has_video && is_busy {
            return fault(403, 8010, "There is a video upload still transcoding.");
        }
        let (state, name) = match body["state"].as_str().unwrap() {
            "draft" => (State::Draft, "draft"),
            "published" if has_video => (State::Transcoding(now + self.transcoding), "transcoding"),
            other => panic!("{other} is nothing that is asked for"),
        };
        let tags = body["tags"].as_str().unwrap_or_default().split(',');
        let tags = tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        let (id, content) = (self.next_id(), body["content"].clone());
        let parent = body["parent_post_id"].clone();
        let post = Post { id: id.clone(), genesis: None, state, content, tags, parent, at: now };
        self.posts.push(post);
        created(&id, name)
    }

    fn find(&self, id: &str) -> Option<usize> {
        let is_open = |post: &Post| !matches!(post.state, State::Transcoding(_));
        self.posts.iter().position(|post| post.id == id && is_open(post))
    }

    fn publish(&mut self, id: &str, body: &Value, now: DateTime<Utc>) -> Answer {
        let Some(at) = self.find(id) else { return gone() };
        assert_eq!(
            (&body["state"], &body["content"]),
            (&"published".into(), &self.posts[at].content)
        );
        if self.posts[at].state == State::Draft {
            self.grow(at, now);
        }
        ok(&json!({ "id": self.posts[at].id }))
    }

    fn list(&self, state: State) -> Answer {
        let listed = self.posts.iter().rev().filter(|post| post.state == state);
        posts(&listed.map(Post::shown).collect::<Vec<_>>())
    }
}

fn json_of(body: &Body) -> Value {
    match body {
        Body::Json(value) => value.clone(),
        Body::Multipart(parts) => match &parts[0].content {
            PartContent::Json(value) if parts[0].name == "json" => value.clone(),
            _ => panic!("the first part is the post"),
        },
        _ => Value::Null,
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        self.settle(now);
        let body = json_of(&request.body);
        let segments: Vec<&str> = request.url.path_segments().unwrap().skip(1).collect();
        match (request.method, segments.as_slice()) {
            (Method::Get, ["user", "limits"]) => ok(&json!({ "user": {} })),
            (Method::Get, ["blog", name, "info"]) => ok(&json!({
                "blog": { "name": name, "uuid": "t:1", "url": "https://staff.tumblr.com/" },
            })),
            (Method::Post, ["blog", _, "posts"]) => self.create(&body, now),
            (Method::Get, ["blog", "staff", "posts"]) => ok(&json!({
                "blog": { "name": "staff", "uuid": "t:1" }, "posts": [{ "id": 17, "reblog_key": "key" }],
            })),
            (Method::Get, ["blog", _, "posts"]) => self.list(State::Published),
            (Method::Get, ["blog", _, "posts", "draft"]) => self.list(State::Draft),
            (Method::Get, ["blog", _, "posts", id]) => {
                self.find(id).map_or_else(gone, |at| ok(&self.posts[at].shown()))
            }
            (Method::Put, ["blog", _, "posts", id]) => self.publish(id, &body, now),
            _ => answered_text(404, ""),
        }
    }

    /// Posts that are out, or will be without another call.
    fn live(&self) -> Vec<String> {
        let out = self.posts.iter().filter(|post| post.state != State::Draft);
        out.map(|post| {
            let blocks = post.content.as_array().unwrap().iter();
            let shown = blocks.map(|block| {
                block["text"].as_str().unwrap_or_else(|| block["type"].as_str().unwrap())
            });
            shown.collect::<Vec<_>>().join(" ")
        })
        .collect()
    }
}

#[test]
fn a_text_is_live_once_whatever_breaks() {
    let link = PublishJob {
        link_url: Some("https://blog.example.com".to_owned()),
        ..with_options(tumblr_job(), json!({ "tags": "rust" }))
    };
    for forgets_genesis in [false, true] {
        let network = Network { forgets_genesis, ..Network::default() };
        exhaust(&tumblr(), &network, &tumblr_job(), PAUSE, &["Hello #rust"]);
        exhaust(&tumblr(), &network, &link, PAUSE, &["Hello #rust link"]);
    }
}

#[test]
fn a_text_with_a_name_is_live_once_whatever_breaks() {
    let job = PublishJob { content: "Hello @staff".to_owned(), ..tumblr_job() };
    exhaust(&tumblr(), &Network::default(), &job, PAUSE, &["Hello @staff"]);
}

/// What stands there already is another reblog without a word.
#[test]
fn a_reblog_is_live_once_whatever_breaks() {
    let options = json!({ "reblogOf": "https://www.tumblr.com/staff/17" });
    let job = with_options(tumblr_job(), options);
    let silent = PublishJob { content: String::new(), ..job.clone() };
    let other = Post {
        id: "900".to_owned(),
        genesis: None,
        state: State::Published,
        content: json!([]),
        tags: Vec::new(),
        parent: json!(16),
        at: job.begun_at + TimeDelta::seconds(5),
    };
    for forgets_genesis in [false, true] {
        let network = Network { forgets_genesis, posts: vec![other.clone()], ..Network::default() };
        exhaust(&tumblr(), &network, &job, PAUSE, &["", "Hello #rust"]);
        exhaust(&tumblr(), &network, &silent, PAUSE, &["", ""]);
    }
}

#[test]
fn pictures_are_live_once_whatever_breaks() {
    let job = with_images(tumblr_job(), 2);
    exhaust(&tumblr(), &Network::default(), &job, PAUSE, &["image image Hello #rust"]);
    let job = PublishJob { content: String::new(), ..with_images(tumblr_job(), 1) };
    exhaust(&tumblr(), &Network::default(), &job, PAUSE, &["image"]);
}

#[test]
fn a_video_is_never_live_twice_whatever_breaks() {
    // Soon ready, and long after a lost post has been given up.
    for minutes in [0, 2, 9] {
        let transcoding = TimeDelta::minutes(minutes);
        let network = Network { transcoding, ..Network::default() };
        let job = with_file(tumblr_job(), "video/mp4", "");
        exhaust_in_doubt(&tumblr(), &network, &job, PAUSE, &["video Hello #rust"]);
        let job = with_file(with_images(tumblr_job(), 1), "video/mp4", "");
        exhaust_in_doubt(&tumblr(), &network, &job, PAUSE, &["image video Hello #rust"]);
    }
}
