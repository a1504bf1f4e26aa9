//! Crashes and lost answers at every request of a publish: each part is live once.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::PublishJob;
use serde_json::{Value, json};

use crate::conversation::{Answer, Body, Method, Request};
use crate::testing::crash::{Imitation, exhaust};
use crate::testing::files::{in_thread_of_images, with_file, with_images};
use crate::testing::{answered_text, begun_at, in_thread, with_options};
use crate::threads::testing::{fault, ok, threads, threads_job};

/// How long after a crash another holder goes on.
const PAUSE: TimeDelta = TimeDelta::minutes(2);

/// A network that makes containers and publishes each of them once.
#[derive(Clone, Debug, Default)]
struct Network {
    containers: Vec<Made>,
    posts: Vec<Post>,
    /// Containers whose status fails for so many looks before it is known.
    slow: bool,
}

#[derive(Clone, Debug)]
struct Made {
    form: Vec<(String, String)>,
    made_at: DateTime<Utc>,
    looks: u32,
    is_published: bool,
}

#[derive(Clone, Debug)]
struct Post {
    container: usize,
    at: DateTime<Utc>,
    /// An answer was refused once, since the post was new.
    is_known: bool,
}

impl Made {
    fn field(&self, name: &str) -> Option<&str> {
        self.form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn has_file(&self) -> bool {
        matches!(self.field("media_type"), Some("IMAGE" | "VIDEO"))
    }
}

impl Network {
    fn make(&mut self, form: Vec<(String, String)>, now: DateTime<Utc>) -> Answer {
        let parent = form.iter().find(|(name, _)| name == "reply_to_id");
        if let Some((_, parent)) = parent {
            let at: usize = parent.strip_prefix('p').unwrap().parse().unwrap();
            let post = &mut self.posts[at];
            if !post.is_known {
                post.is_known = true;
                return fault(400, 24, 2_207_006, "The requested resource does not exist");
            }
        }
        self.containers.push(Made { form, made_at: now, looks: 0, is_published: false });
        ok(&json!({ "id": format!("c{}", self.containers.len() - 1) }))
    }

    fn status(&mut self, id: &str, now: DateTime<Utc>) -> Answer {
        let slow = self.slow;
        let container = &mut self.containers[id.parse::<usize>().unwrap()];
        container.looks += 1;
        let status = if container.is_published {
            "PUBLISHED"
        } else if now - container.made_at > TimeDelta::hours(24) {
            "EXPIRED"
        } else if slow && container.has_file() && container.looks < 2 {
            "IN_PROGRESS"
        } else {
            "FINISHED"
        };
        ok(&json!({ "id": id, "status": status }))
    }

    fn publish(&mut self, id: &str, now: DateTime<Utc>) -> Answer {
        let at: usize = id.strip_prefix('c').unwrap().parse().unwrap();
        let container = &mut self.containers[at];
        if container.is_published || now - container.made_at > TimeDelta::hours(24) {
            return fault(400, 24, 2_207_008, "The requested resource does not exist");
        }
        container.is_published = true;
        self.posts.push(Post { container: at, at: now, is_known: false });
        ok(&json!({ "id": format!("p{}", self.posts.len() - 1) }))
    }

    /// The account's own posts or replies, newest first.
    fn list(&self, are_replies: bool) -> Answer {
        let shown = |(number, post): (usize, &Post)| {
            let made = &self.containers[post.container];
            let parent = made.field("reply_to_id");
            (parent.is_some() == are_replies).then(|| {
                let media_type = match made.field("media_type").unwrap() {
                    "TEXT" => "TEXT_POST",
                    "CAROUSEL" => "CAROUSEL_ALBUM",
                    other => other,
                };
                json!({
                    "id": format!("p{number}"),
                    "text": made.field("text").unwrap_or_default(),
                    "permalink": format!("https://www.threads.com/@ana/post/{number}"),
                    "timestamp": post.at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
                    "media_type": media_type,
                    "replied_to": parent.map(|id| json!({ "id": id })),
                })
            })
        };
        let posts: Vec<Value> = self.posts.iter().enumerate().rev().filter_map(shown).collect();
        ok(&json!({ "data": posts }))
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let form: Vec<(String, String)> = match &request.body {
            Body::Form(fields) => fields.clone(),
            Body::FormWithLinks(form) => form.fields.clone(),
            _ => Vec::new(),
        }
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        let segments: Vec<&str> = request.url.path_segments().unwrap().skip(1).collect();
        match (request.method, segments.as_slice()) {
            (Method::Get, [_, "threads_publishing_limit"]) => ok(&json!({ "data": [] })),
            (Method::Get, [_, "threads"]) => self.list(false),
            (Method::Get, [_, "replies"]) => self.list(true),
            (Method::Post, [_, "threads"]) => self.make(form, now),
            (Method::Post, [_, "threads_publish"]) => self.publish(&form[0].1, now),
            (Method::Get, [id]) => match id.split_at(1) {
                ("c", number) => self.status(number, now),
                (_, number) => ok(&json!({
                    "id": id,
                    "permalink": format!("https://www.threads.com/@ana/post/{number}"),
                })),
            },
            _ => answered_text(404, ""),
        }
    }

    fn live(&self) -> Vec<String> {
        let shown = |post: &Post| {
            let made = &self.containers[post.container];
            let text = made.field("text").unwrap_or_default();
            let children = made.field("children").map_or(0, |ids| ids.split(',').count());
            match made.field("media_type").unwrap() {
                "TEXT" => text.to_owned(),
                "CAROUSEL" => format!("{text} [{children} files]"),
                other => format!("{text} [{other}]"),
            }
        };
        self.posts.iter().map(shown).collect()
    }
}

fn slow() -> Network {
    Network { slow: true, ..Network::default() }
}

#[test]
fn a_text_is_live_once_whatever_breaks() {
    let job = threads_job();
    exhaust(&threads(), &Network::default(), &job, PAUSE, &["Hello #rust"]);
}

#[test]
fn a_poll_is_live_once_whatever_breaks() {
    let job = with_options(threads_job(), json!({ "poll": { "options": ["Tea", "Coffee"] } }));
    exhaust(&threads(), &Network::default(), &job, PAUSE, &["Hello #rust"]);
}

#[test]
fn a_file_is_live_once_whatever_breaks() {
    for (job, want) in [
        (with_images(threads_job(), 1), "Hello #rust [IMAGE]"),
        (with_file(threads_job(), "video/mp4", ""), "Hello #rust [VIDEO]"),
    ] {
        exhaust(&threads(), &slow(), &job, PAUSE, &[want]);
    }
}

#[test]
fn a_post_without_text_is_live_once_whatever_breaks() {
    let job = PublishJob { content: String::new(), ..threads_job() };
    exhaust(&threads(), &slow(), &with_images(job, 1), PAUSE, &[" [IMAGE]"]);
}

#[test]
fn a_carousel_is_live_once_whatever_breaks() {
    let job = with_file(with_images(threads_job(), 1), "video/mp4", "");
    exhaust(&threads(), &Network::default(), &job, PAUSE, &["Hello #rust [2 files]"]);
}

#[test]
fn every_part_of_a_thread_is_live_once_whatever_breaks() {
    // The second part says what the first says.
    let job = in_thread(threads_job(), &["Hello #rust"]);
    exhaust(&threads(), &Network::default(), &job, PAUSE, &["Hello #rust", "Hello #rust"]);
    let job = with_images(in_thread(threads_job(), &["two"]), 1);
    exhaust(&threads(), &slow(), &job, PAUSE, &["Hello #rust [IMAGE]", "two"]);
    let job = in_thread_of_images(threads_job(), &[("two", 1), ("three", 2)]);
    let parts = ["Hello #rust", "two [IMAGE]", "three [2 files]"];
    exhaust(&threads(), &slow(), &job, PAUSE, &parts);
}

#[test]
fn a_holder_that_comes_back_days_later_publishes_once() {
    use crate::conversation::{Conversation, Turn};
    use scheduler_core::ports::{Located, Step};
    // Published, and the answer lost; and never published, and the container gone.
    for was_published in [true, false] {
        let mut network = Network::default();
        let mut job = threads_job();
        let mut progress = threads().begin(&job);
        while !threads().is_visible(&progress) {
            let mut answers = Vec::new();
            progress = loop {
                match threads().advance(&job, &progress, &answers).unwrap() {
                    Turn::Send(request) => answers.push(network.answer(&request, job.now)),
                    Turn::Done(Step::Next(next) | Step::Wait { progress: next, .. }) => break next,
                    Turn::Done(other) => panic!("{other:?}"),
                }
            };
        }
        if was_published {
            network.publish("c0", job.now);
        }
        job.now = begun_at() + TimeDelta::days(3);
        let mut answers = Vec::new();
        let located = loop {
            match threads().locate(&job, &progress, &answers).unwrap() {
                Turn::Send(request) => answers.push(network.answer(&request, job.now)),
                Turn::Done(located) => break located,
            }
        };
        match located {
            Located::Live(live) => assert!(was_published, "{live:?}"),
            Located::Absent(next) => {
                assert!(!was_published);
                assert_eq!(next["stage"]["is"], "container");
            }
            other => panic!("{other:?}"),
        }
    }
}
