//! What the tests of this adapter share: posts, a Page, and a network that remembers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use serde_json::{Map, Value, json};

use super::Facebook;
use crate::conversation::{Answer, Body, Conversation, Method, PartContent, Request, Turn, shown};
use crate::registry::NetworkSettings;
use crate::testing::crash::Imitation;
use crate::testing::files::with_file;
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, begun_at, bluesky_job};

pub(super) const PAGE: &str = "1001";

/// The adapter as it is built without settings.
pub(super) fn facebook() -> Facebook {
    Facebook::new(NetworkSettings::default())
}

/// A post of a Page.
pub(super) fn facebook_job() -> PublishJob {
    let job = bluesky_job();
    let secret = json!({ "accessToken": "page-token", "pageId": PAGE });
    let account = Account {
        platform: Platform::Facebook,
        network_id: PAGE.to_owned(),
        server_url: None,
        username: Some("anaspage".to_owned()),
        display_name: Some("Ana's Page".to_owned()),
        ..job.account
    };
    let credentials = Credentials::new(secret.to_string(), None);
    PublishJob { account, credentials, ..job }
}

/// A post with a file of each type.
pub(super) fn job_with(media_types: &[&str]) -> PublishJob {
    let alt = |number: usize| format!("file {number}");
    let types = media_types.iter().enumerate();
    types.fold(facebook_job(), |job, (number, name)| with_file(job, name, &alt(number)))
}

/// The Page, some time after the post.
pub(super) fn access() -> Access {
    let PublishJob { account, credentials, now, .. } = facebook_job();
    Access { account, credentials, now, meter: Metered::free() }
}

/// A live post without files.
pub(super) fn live_post() -> LivePost {
    let url = "https://www.facebook.com/1001_2001".to_owned();
    LivePost {
        target_id: bluesky_job().target_id,
        remote: Remote::new("1001_2001", Some(url)),
        content: "Hello".to_owned(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// A live video.
pub(super) fn live_video() -> LivePost {
    let post = live_post();
    let record = json!({ "video": "3001", "isReel": false });
    LivePost { remote: Remote { record, ..post.remote }, file_count: 1, ..post }
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

/// Takes a step with these answers.
pub(super) fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> Result<Step, NetworkError> {
    take_step(&facebook(), job, progress, answers).1
}

/// The progress of a post once each of the answers was one step's only one; steps that ask nothing
/// are taken too.
pub(super) fn after_answers(job: &PublishJob, answers: &[Answer]) -> Value {
    let mut progress = facebook().begin(job);
    let mut answers = answers.iter();
    loop {
        match facebook().advance(job, &progress, &[]).unwrap() {
            Turn::Done(step) => progress = next(Ok(step)),
            Turn::Send(_) => match answers.next() {
                None => return progress,
                Some(answer) => {
                    progress = next(step(job, &progress, std::slice::from_ref(answer)));
                }
            },
        }
    }
}

/// What the step at a progress asks.
pub(super) fn asked(job: &PublishJob, progress: &Value) -> Value {
    shown(&asks(facebook().advance(job, progress, &[])))
}

/// An answer that it was done.
pub(super) fn ok(body: &Value) -> Answer {
    answered(200, body)
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

/// Bytes that the imitation wants at once.
const PIECE: u64 = 400;

/// A video of the imitation.
#[derive(Clone, Debug)]
struct Film {
    size: u64,
    bytes: u64,
    description: String,
    is_finished: bool,
    /// Questions that are still answered with "not yet".
    polls: u32,
}

/// A post of the imitation.
#[derive(Clone, Debug)]
struct Post {
    message: String,
    photos: Vec<String>,
    video: Option<String>,
    at: DateTime<Utc>,
}

/// A network whose photos and videos are part of one post each.
#[derive(Clone, Default)]
pub(super) struct Server {
    /// Questions about a video before it is shown.
    polls: u32,
    photos: usize,
    films: BTreeMap<String, Film>,
    posts: Vec<Post>,
    comments: Vec<(String, String, DateTime<Utc>)>,
}

fn field(request: &Request, name: &str) -> Option<String> {
    match &request.body {
        Body::Form(fields) => {
            fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
        }
        Body::Multipart(parts) => {
            parts.iter().find(|part| part.name == name).and_then(|part| match &part.content {
                PartContent::Text(text) => Some(text.clone()),
                PartContent::Json(_) | PartContent::Bytes { .. } | PartContent::File { .. } => None,
            })
        }
        Body::Json(value) => value[name].as_str().map(str::to_owned),
        _ => None,
    }
}

/// The number of bytes that a request brings.
fn length(request: &Request, whole: u64) -> u64 {
    let files = request.body.files();
    let range = files.first().and_then(|file| file.range.clone());
    range.map_or(whole, |range| range.end - range.start)
}

impl Server {
    /// A network that says so many times that a video is not ready.
    pub(super) fn polled(polls: u32) -> Self {
        Self { polls, ..Self::default() }
    }

    fn publish(&mut self, message: String, photos: Vec<String>, now: DateTime<Utc>) -> Answer {
        let is_taken = |photo: &String| self.posts.iter().any(|post| post.photos.contains(photo));
        if photos.iter().any(is_taken) {
            return error(100, 1_366_051, "These photos were already posted.");
        }
        let last = self.posts.last();
        let is_repeated =
            last.is_some_and(|last| last.message == message && last.photos.is_empty());
        if photos.is_empty() && is_repeated {
            return error(506, 1_455_006, "(#506) Duplicate status message");
        }
        self.posts.push(Post { message, photos, video: None, at: now });
        ok(&json!({ "id": format!("{PAGE}_{}", 2_000 + self.posts.len()) }))
    }

    fn shown(&self, at: usize) -> Value {
        let post = &self.posts[at];
        let attached = |photo: &String| json!({ "target": { "id": photo } });
        let attached: Vec<Value> = post.photos.iter().map(attached).collect();
        json!({
            "id": format!("{PAGE}_{}", 2_001 + at),
            "message": post.message,
            "created_time": post.at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
            "permalink_url": format!("https://www.facebook.com/{PAGE}/posts/{at}"),
            "attachments": { "data": [{ "subattachments": { "data": attached } }] },
        })
    }

    fn announce(&mut self, size: u64) -> (String, Answer) {
        let id = format!("{}", 3_000 + self.films.len());
        let film = Film {
            size,
            bytes: 0,
            description: String::new(),
            is_finished: false,
            polls: self.polls,
        };
        self.films.insert(id.clone(), film);
        let answer = ok(&json!({
            "upload_session_id": id,
            "video_id": id,
            "start_offset": "0",
            "end_offset": PIECE.min(size).to_string(),
        }));
        (id, answer)
    }

    fn transfer(&mut self, request: &Request) -> Answer {
        let film = field(request, "upload_session_id").and_then(|id| self.films.get_mut(&id));
        let film = film.unwrap();
        let start: u64 = field(request, "start_offset").unwrap().parse().unwrap();
        if start != film.bytes {
            let mut body = error_body(6000, 1_363_037, "Wrong offset");
            body["error"]["error_data"] = json!({
                "start_offset": film.bytes,
                "end_offset": film.size.min(film.bytes + PIECE),
            });
            return answered(400, &body);
        }
        film.bytes += length(request, film.size);
        ok(&json!({
            "start_offset": film.bytes.to_string(),
            "end_offset": film.size.min(film.bytes + PIECE).to_string(),
        }))
    }

    fn finish(&mut self, id: &str, description: String, now: DateTime<Utc>) -> Answer {
        let Some(film) = self.films.get_mut(id) else { return error(100, 33, "no such video") };
        if film.bytes < film.size {
            return error(6000, 1_363_021, "There was a problem uploading your video.");
        }
        if !film.is_finished {
            film.is_finished = true;
            film.description.clone_from(&description);
            let video = Some(id.to_owned());
            self.posts.push(Post { message: description, photos: Vec::new(), video, at: now });
        }
        ok(&json!({ "success": true }))
    }

    fn video(&mut self, id: &str) -> Answer {
        let film = self.films.get_mut(id).unwrap();
        let uploading = if film.bytes < film.size { "in_progress" } else { "complete" };
        let is_ready = film.is_finished && film.polls == 0;
        if film.is_finished {
            film.polls = film.polls.saturating_sub(1);
        }
        let status = match (is_ready, film.bytes < film.size) {
            (true, _) => "ready",
            (false, true) => "uploading",
            (false, false) if film.is_finished => "processing",
            (false, false) => "upload_complete",
        };
        let mut publishing = json!({ "status": if is_ready { "complete" } else { "not_started" } });
        if film.is_finished {
            publishing["publish_status"] = "published".into();
        }
        let at = self.posts.iter().position(|post| post.video.as_deref() == Some(id));
        ok(&json!({
            "id": id,
            "published": is_ready,
            "permalink_url": is_ready.then(|| format!("/{PAGE}/videos/{id}/")),
            "post_id": at.filter(|_| is_ready).map(|at| format!("{}", 2_001 + at)),
            "status": {
                "video_status": status,
                "uploading_phase": { "status": uploading, "bytes_transferred": self.films[id].bytes },
                "processing_phase": { "status": "in_progress" },
                "publishing_phase": publishing,
            },
        }))
    }

    fn list_stories(&self) -> Answer {
        let posts = self.posts.iter().enumerate().rev();
        let stories: Vec<Value> = posts
            .map(|(at, post)| {
                let id = 2_001 + at;
                json!({
                    "post_id": id.to_string(),
                    "media_id": post.video.as_ref().or(post.photos.first()),
                    "url": format!("https://www.facebook.com/stories/{PAGE}/{id}"),
                })
            })
            .collect();
        ok(&json!({ "data": stories }))
    }

    fn list_comments(&self, post: &str) -> Answer {
        let of_post = self.comments.iter().rev().filter(|(above, _, _)| above == post);
        let data: Vec<Value> = of_post
            .map(|(_, message, at)| {
                json!({
                    "id": "2001_1",
                    "from": { "id": PAGE },
                    "message": message,
                    "created_time": at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
                })
            })
            .collect();
        ok(&json!({ "data": data }))
    }
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().collect();
        let text = |name: &str| field(request, name).unwrap_or_default();
        match (request.method, path.as_slice()) {
            (Method::Post, [_, PAGE, "photos"]) => {
                assert_eq!(text("published"), "false");
                self.photos += 1;
                ok(&json!({ "id": format!("{}", 4_000 + self.photos) }))
            }
            (Method::Post, [_, PAGE, "feed"]) => {
                let Body::Json(body) = &request.body else { panic!("no JSON") };
                let attached = body["attached_media"].as_array().into_iter().flatten();
                let photos = attached.map(|photo| photo["media_fbid"].as_str().unwrap().to_owned());
                let photos = photos.collect();
                self.publish(text("message"), photos, now)
            }
            (Method::Get, [_, PAGE, "published_posts"]) => {
                let posts: Vec<Value> =
                    (0..self.posts.len()).rev().map(|at| self.shown(at)).collect();
                ok(&json!({ "data": posts }))
            }
            (Method::Post, [_, PAGE, "photo_stories"]) => {
                let published = self.publish(String::new(), vec![text("photo_id")], now);
                match published.is_success() {
                    true => {
                        let post_id = (2_000 + self.posts.len()).to_string();
                        ok(&json!({ "success": true, "post_id": post_id }))
                    }
                    false => published,
                }
            }
            (Method::Get, [_, PAGE, "stories"]) => self.list_stories(),
            (Method::Post, [_, PAGE, kind @ ("videos" | "video_reels" | "video_stories")]) => {
                match text("upload_phase").as_str() {
                    "start" if *kind == "videos" => {
                        self.announce(text("file_size").parse().unwrap()).1
                    }
                    "start" => self.announce(1_000).1,
                    "transfer" => self.transfer(request),
                    "finish" if *kind == "videos" => {
                        self.finish(&text("upload_session_id"), text("description"), now)
                    }
                    "finish" => self.finish(&text("video_id"), text("description"), now),
                    other => panic!("unknown phase: {other}"),
                }
            }
            (Method::Post, ["video-upload", _, id]) => {
                let film = self.films.get_mut(*id).unwrap();
                film.bytes += length(request, film.size);
                assert!(film.bytes <= film.size);
                ok(&json!({ "success": true }))
            }
            (Method::Post, [_, video, "thumbnails"]) => {
                assert!(self.films.contains_key(*video));
                assert_eq!(text("is_preferred"), "true");
                ok(&json!({ "success": true }))
            }
            (Method::Post, [_, post, "comments"]) => {
                self.comments.push(((*post).to_owned(), text("message"), now));
                ok(&json!({ "id": format!("2001_{}", self.comments.len()) }))
            }
            (Method::Get, [_, post, "comments"]) => self.list_comments(post),
            (Method::Get, [_, id]) if self.films.contains_key(*id) => self.video(id),
            (Method::Get, [_, id]) => {
                let at = id.split_once('_').and_then(|(_, at)| at.parse::<usize>().ok());
                match at.and_then(|at| at.checked_sub(2_001)).filter(|at| *at < self.posts.len()) {
                    Some(at) => ok(&self.shown(at)),
                    None => error(100, 33, "Unsupported get request"),
                }
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let posts = self.posts.iter().map(|post| post.message.clone());
        posts.chain(self.comments.iter().map(|(_, message, _)| message.clone())).collect()
    }
}
