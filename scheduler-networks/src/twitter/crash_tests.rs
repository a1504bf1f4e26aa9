//! Crashes and lost answers at every request of a publish: each part is live once.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::PublishJob;
use serde_json::{Value, json};

use super::testing::{duplicate, made, page, twitter, twitter_job, unseen};
use crate::conversation::{Answer, Body, Method, Request};
use crate::testing::crash::{Imitation, exhaust, exhaust_in_doubt};
use crate::testing::files::{in_thread_of_images, with_file, with_images};
use crate::testing::{answered, answered_text, in_thread};
use crate::twitter::testing::problem;

/// How long after a crash another holder goes on.
const PAUSE: TimeDelta = TimeDelta::minutes(2);

/// A network that refuses a text that the account has posted already, and shows a post among those
/// of its author only after a while.
#[derive(Clone, Debug, Default)]
struct Network {
    posts: Vec<Post>,
    /// How long a post is not shown.
    lag: TimeDelta,
    /// Each post can be answered from the second try on.
    is_shy: bool,
    /// Posts cannot be read, for want of credits.
    is_broke: bool,
    /// How many files were uploaded.
    files: usize,
}

#[derive(Clone, Debug)]
struct Post {
    text: String,
    parent: Option<String>,
    /// The ids of its files.
    files: Vec<String>,
    at: DateTime<Utc>,
    is_known: bool,
}

impl Network {
    fn post(&mut self, body: &Value, now: DateTime<Utc>) -> Answer {
        let text = body["text"].as_str().unwrap();
        let parent = body["reply"]["in_reply_to_tweet_id"].as_str();
        if let Some(parent) = parent {
            let post = &mut self.posts[parent.parse::<usize>().unwrap()];
            if self.is_shy && !post.is_known {
                post.is_known = true;
                return unseen();
            }
        }
        let files: Vec<String> = match &body["media"]["media_ids"] {
            Value::Null => Vec::new(),
            ids => serde_json::from_value(ids.clone()).unwrap(),
        };
        // The link of a file makes each text another.
        if files.is_empty() && self.posts.iter().any(|post| post.text == text) {
            return duplicate();
        }
        let (parent, text) = (parent.map(str::to_owned), text.to_owned());
        self.posts.push(Post { text, parent, files, at: now, is_known: false });
        made(&(self.posts.len() - 1).to_string())
    }

    fn list(&self, now: DateTime<Utc>) -> Answer {
        if self.is_broke {
            return problem(402, "credits", "CreditsDepleted", "No credits.");
        }
        let shown = self.posts.iter().enumerate().rev();
        let shown = shown.filter(|(_, post)| post.at + self.lag <= now).map(|(id, post)| {
            let references: Vec<Value> = post
                .parent
                .iter()
                .map(|parent| json!({ "type": "replied_to", "id": parent }))
                .collect();
            json!({
                "id": id.to_string(),
                "text": post.text,
                "created_at": post.at,
                "referenced_tweets": references,
                "attachments": {
                    "media_keys": post.files.iter().map(|id| format!("3_{id}")).collect::<Vec<_>>(),
                },
            })
        });
        page(&shown.collect(), None)
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        match (request.method, request.url.path(), &request.body) {
            (Method::Post, "/2/tweets", Body::Json(body)) => self.post(body, now),
            (Method::Get, "/2/users/2244994945/tweets", _) => self.list(now),
            (Method::Post, "/2/media/upload" | "/2/media/upload/initialize", _) => {
                self.files += 1;
                let id = self.files.to_string();
                answered(200, &json!({ "data": { "id": id, "media_key": format!("3_{id}") } }))
            }
            (Method::Post, path, _) if path.ends_with("/finalize") => {
                let id = path.split('/').nth(4);
                answered(200, &json!({ "data": { "id": id } }))
            }
            (Method::Post, path, _) if path.starts_with("/2/media/") => {
                answered(200, &json!({ "data": {} }))
            }
            _ => answered_text(404, ""),
        }
    }

    fn live(&self) -> Vec<String> {
        self.posts.iter().map(|post| post.text.clone()).collect()
    }
}

fn thread() -> PublishJob {
    in_thread(twitter_job(), &["two", "three"])
}

#[test]
fn a_text_is_live_once_whatever_breaks() {
    let want = ["Hello #rust"];
    exhaust(&twitter(), &Network::default(), &twitter_job(), PAUSE, &want);
}

#[test]
fn every_part_of_a_thread_is_live_once_whatever_breaks() {
    let want = ["Hello #rust", "two", "three"];
    exhaust(&twitter(), &Network::default(), &thread(), PAUSE, &want);
}

#[test]
fn a_thread_whose_parts_are_not_shown_at_once_is_live_once_whatever_breaks() {
    let lag = TimeDelta::seconds(10);
    let network = Network { is_shy: true, lag, ..Network::default() };
    let want = ["Hello #rust", "two", "three"];
    exhaust(&twitter(), &network, &thread(), PAUSE, &want);
}

#[test]
fn files_are_live_once_in_their_parts_whatever_breaks() {
    let images = in_thread_of_images(twitter_job(), &[("two", 1), ("three", 0)]);
    let images = with_file(with_images(images, 1), "image/jpeg", "A crab");
    let want = ["Hello #rust", "two", "three"];
    exhaust(&twitter(), &Network::default(), &images, PAUSE, &want);
    let video = with_file(twitter_job(), "video/mp4", "");
    exhaust(&twitter(), &Network::default(), &video, PAUSE, &["Hello #rust"]);
    let lag = TimeDelta::seconds(140);
    exhaust(&twitter(), &Network { lag, ..Network::default() }, &video, PAUSE, &["Hello #rust"]);
}

#[test]
fn posts_that_are_shown_much_later_are_live_once_or_in_doubt() {
    let network = Network { lag: TimeDelta::hours(1), ..Network::default() };
    let want = ["Hello #rust", "two", "three"];
    exhaust_in_doubt(&twitter(), &network, &thread(), PAUSE, &want);
}

#[test]
fn what_cannot_be_read_is_live_once_or_in_doubt() {
    let network = Network { is_broke: true, ..Network::default() };
    let want = ["Hello #rust", "two", "three"];
    exhaust_in_doubt(&twitter(), &network, &thread(), PAUSE, &want);
}
