//! What the tests of this adapter share: posts, accounts, and a network that remembers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use serde_json::{Map, Value, json};

use super::Instagram;
use super::wire::Way;
use crate::conversation::{Answer, Body, Method, Request, Turn};
use crate::registry::NetworkSettings;
use crate::testing::crash::Imitation;
use crate::testing::files::with_file;
use crate::testing::{answered, begun_at, bluesky_job};

pub(super) const USER: &str = "17841400000000001";

/// The adapter as it is built without settings.
pub(super) fn instagram() -> Instagram {
    Instagram::new(NetworkSettings::default(), None)
}

/// A post of an account that is connected in a way.
pub(super) fn job(way: Way) -> PublishJob {
    let job = bluesky_job();
    let secret = json!({ "accessToken": "access-token", "userId": USER, "way": way });
    let account = Account {
        platform: Platform::Instagram,
        network_id: USER.to_owned(),
        server_url: None,
        username: Some("ana".to_owned()),
        connection: Some(way.connection()),
        ..job.account
    };
    let credentials = Credentials::new(secret.to_string(), None);
    PublishJob { account, credentials, ..job }
}

/// A post with a file of each type.
pub(super) fn job_with(way: Way, media_types: &[&str]) -> PublishJob {
    let alt = |number: usize| format!("file {number}");
    let types = media_types.iter().enumerate();
    types.fold(job(way), |job, (number, name)| with_file(job, name, &alt(number)))
}

/// The account of a way, some time after the post.
pub(super) fn access(way: Way) -> Access {
    let PublishJob { account, credentials, now, .. } = job(way);
    Access { account, credentials, now, meter: Metered::free() }
}

/// A live post of a product.
pub(super) fn live_post(product: &str) -> LivePost {
    let remote = Remote {
        record: json!({ "product": product }),
        ..Remote::new("18000000000000001", Some("https://www.instagram.com/p/a/".to_owned()))
    };
    LivePost {
        target_id: bluesky_job().target_id,
        remote,
        content: "Hello".to_owned(),
        link_url: None,
        file_count: 1,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// The request of the next turn.
pub(super) fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

/// What the last turn came to.
pub(super) fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

/// An error of the Graph API.
pub(super) fn error(code: i64, subcode: i64, message: &str) -> Answer {
    answered(400, &error_body(code, subcode, message))
}

pub(super) fn error_body(code: i64, subcode: i64, message: &str) -> Value {
    json!({ "error": {
        "message": message,
        "type": "OAuthException",
        "code": code,
        "error_subcode": subcode,
        "is_transient": false,
        "fbtrace_id": "A6LJ",
    } })
}

/// A container of the imitation.
#[derive(Clone, Debug)]
struct Box {
    caption: String,
    product: &'static str,
    /// Bytes are still to come.
    is_empty: bool,
    /// Questions that are still answered with "not yet".
    polls: u32,
    is_published: bool,
}

/// A post of the imitation.
#[derive(Clone, Debug)]
struct Post {
    caption: String,
    product: &'static str,
    timestamp: DateTime<Utc>,
}

/// A network whose containers can be published once, and tell whether they were.
#[derive(Clone, Default)]
pub(super) struct Server {
    /// Questions about a container before it is ready.
    polls: u32,
    boxes: BTreeMap<String, Box>,
    posts: Vec<Post>,
    comments: Vec<(String, String, DateTime<Utc>)>,
    /// Posts that others may not comment on.
    closed: Vec<String>,
}

fn field(request: &Request, name: &str) -> Option<String> {
    let fields = match &request.body {
        Body::Form(fields) => fields,
        Body::FormWithLinks(form) => &form.fields,
        _ => return None,
    };
    fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
}

impl Server {
    /// A network that says so many times that a container is not ready.
    pub(super) fn polled(polls: u32) -> Self {
        Self { polls, ..Self::default() }
    }

    fn shown(&self, at: usize) -> Value {
        let post = &self.posts[at];
        json!({
            "id": format!("{}", 18_000 + at),
            "caption": post.caption,
            "permalink": format!("https://www.instagram.com/p/{at}/"),
            "timestamp": post.timestamp.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
            "media_product_type": post.product,
        })
    }

    fn make(&mut self, request: &Request) -> Answer {
        let media_type = field(request, "media_type");
        if media_type.as_deref() == Some("CAROUSEL") {
            let children = field(request, "children").unwrap();
            for child in children.split(',') {
                let made =
                    self.boxes.get(child).is_some_and(|made| !made.is_empty && made.polls == 0);
                if !made {
                    return error(24, 2_207_006, "The requested resource does not exist");
                }
            }
        }
        let product = match media_type.as_deref() {
            Some("REELS") => "REELS",
            Some("STORIES") => "STORY",
            _ => "FEED",
        };
        let id = format!("{}", 17_000 + self.boxes.len());
        let made = Box {
            caption: field(request, "caption").unwrap_or_default(),
            product,
            is_empty: field(request, "upload_type").is_some(),
            polls: self.polls,
            is_published: false,
        };
        self.boxes.insert(id.clone(), made);
        answered(200, &json!({ "id": id }))
    }

    fn publish(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let made = field(request, "creation_id").and_then(|id| self.boxes.get_mut(&id));
        let Some(made) = made else { return error(24, 2_207_006, "not there") };
        if made.is_published {
            return error(100, 0, "It has been published already");
        }
        if made.is_empty || made.polls > 0 {
            return error(9007, 2_207_027, "The media is not ready for publishing");
        }
        made.is_published = true;
        let post = Post { caption: made.caption.clone(), product: made.product, timestamp: now };
        self.posts.push(post);
        answered(200, &json!({ "id": format!("{}", 18_000 + self.posts.len() - 1) }))
    }

    fn status(&mut self, id: &str) -> Answer {
        let Some(made) = self.boxes.get_mut(id) else {
            return self.media(id);
        };
        let code = if made.is_published {
            "PUBLISHED"
        } else if made.is_empty || made.polls > 0 {
            made.polls = made.polls.saturating_sub(u32::from(!made.is_empty));
            "IN_PROGRESS"
        } else {
            "FINISHED"
        };
        answered(200, &json!({ "id": id, "status_code": code, "status": code }))
    }

    fn list_comments(&self, post: &str) -> Answer {
        let of_post = self.comments.iter().rev().filter(|(above, _, _)| above == post);
        let data: Vec<Value> = of_post
            .map(|(_, text, at)| {
                json!({
                    "id": "19001",
                    "username": "ana",
                    "text": text,
                    "timestamp": at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
                })
            })
            .collect();
        answered(200, &json!({ "data": data }))
    }

    fn media(&self, id: &str) -> Answer {
        let at = id.parse::<usize>().ok().and_then(|id| id.checked_sub(18_000));
        match at.filter(|at| *at < self.posts.len()) {
            Some(at) => answered(200, &self.shown(at)),
            None => error(100, 33, "Unsupported get request"),
        }
    }
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().collect();
        match (request.method, path.as_slice()) {
            (Method::Get, [_, USER, "content_publishing_limit"]) => answered(
                200,
                &json!({ "data": [{ "quota_usage": 1, "config": { "quota_total": 100 } }] }),
            ),
            (Method::Post, [_, USER, "media"]) => self.make(request),
            (Method::Post, [_, USER, "media_publish"]) => self.publish(request, now),
            (Method::Post, ["ig-api-upload", _, id]) => {
                assert!(matches!(request.body, Body::File(_)));
                self.boxes.get_mut(*id).unwrap().is_empty = false;
                answered(200, &json!({ "success": true }))
            }
            (Method::Get, [_, USER, list @ ("media" | "stories")]) => {
                let is_story = |at: &usize| self.posts[*at].product == "STORY";
                let posts = (0..self.posts.len()).rev();
                let posts = posts.filter(|at| is_story(at) == (*list == "stories"));
                let posts: Vec<Value> = posts.map(|at| self.shown(at)).collect();
                answered(200, &json!({ "data": posts }))
            }
            (Method::Post, [_, post, "comments"]) => {
                let text = field(request, "message").unwrap();
                self.comments.push(((*post).to_owned(), text, now));
                answered(200, &json!({ "id": format!("{}", 19_000 + self.comments.len()) }))
            }
            (Method::Get, [_, post, "comments"]) => self.list_comments(post),
            (Method::Post, [_, post]) => {
                assert_eq!(field(request, "comment_enabled").as_deref(), Some("false"));
                self.closed.push((*post).to_owned());
                answered(200, &json!({ "success": true }))
            }
            (Method::Get, [_, id]) => self.status(id),
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let posts = self.posts.iter().map(|post| post.caption.clone());
        posts.chain(self.comments.iter().map(|(_, text, _)| text.clone())).collect()
    }
}
