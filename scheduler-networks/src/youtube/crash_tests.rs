//! Crashes and lost answers at every request: what was asked for is there once.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use scheduler_core::ports::{JobFile, PublishJob};
use serde_json::{Value, json};
use uuid::Uuid;

use super::publish::PIECE_BYTES;
use super::testing::{CHANNEL, has, opened, refused, youtube, youtube_job};
use crate::conversation::{Answer, Body, HeaderValue, Method, Request};
use crate::testing::answered;
use crate::testing::answered_text;
use crate::testing::crash::{Imitation, exhaust};

/// Sessions that know what they have, videos that are there with their last byte, and attachments
/// of which those that can be told apart are there once.
#[derive(Clone)]
struct Network {
    /// Sessions end as soon as their video is there.
    forgets: bool,
    processing: TimeDelta,
    sessions: Vec<Session>,
    videos: Vec<Video>,
    comments: Vec<(String, DateTime<Utc>)>,
}

#[derive(Clone)]
struct Session {
    title: String,
    name: String,
    total: u64,
    received: u64,
    video: Option<usize>,
}

#[derive(Clone)]
struct Video {
    title: String,
    name: String,
    total: u64,
    at: DateTime<Utc>,
    attached: Vec<String>,
}

fn header<'a>(request: &'a Request, name: &str) -> &'a str {
    let found = request.headers.iter().find(|header| header.name == name);
    match found.map(|header| &header.value) {
        Some(HeaderValue::Plain(text)) => text,
        Some(HeaderValue::Secret(_) | HeaderValue::Signed(_)) | None => "",
    }
}

impl Network {
    fn new() -> Self {
        Self {
            forgets: false,
            processing: TimeDelta::seconds(20),
            sessions: Vec::new(),
            videos: Vec::new(),
            comments: Vec::new(),
        }
    }

    fn put(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let number = request.url.query_pairs().find(|(name, _)| name == "upload_id").unwrap().1;
        let session = &mut self.sessions[number.parse::<usize>().unwrap()];
        if let Some(video) = session.video {
            return match self.forgets {
                true => answered_text(404, ""),
                false => answered(200, &json!({ "id": format!("v{video}") })),
            };
        }
        let range = header(request, "content-range").strip_prefix("bytes ").unwrap();
        let (bytes, total) = range.split_once('/').unwrap();
        assert_eq!(total, session.total.to_string());
        let Some((first, last)) = bytes.split_once('-') else { return has(session.received) };
        if first != session.received.to_string() {
            return answered_text(416, "");
        }
        let Body::File(file) = &request.body else { panic!("no file") };
        let sent = file.range.clone().unwrap();
        assert_eq!(
            (sent.start.to_string(), (sent.end - 1).to_string()),
            (first.into(), last.into())
        );
        session.received = sent.end;
        assert_eq!(request.is_visible, session.received == session.total);
        if session.received < session.total {
            return has(session.received);
        }
        let video = Video {
            title: session.title.clone(),
            name: session.name.clone(),
            total: session.total,
            at: now,
            attached: Vec::new(),
        };
        session.video = Some(self.videos.len());
        self.videos.push(video);
        answered(200, &json!({ "id": format!("v{}", self.videos.len() - 1) }))
    }

    fn attach(&mut self, what: &str, again: Answer) -> Answer {
        let video = self.videos.last_mut().unwrap();
        if video.attached.iter().any(|known| known == what) {
            return again;
        }
        video.attached.push(what.to_owned());
        answered(200, &json!({}))
    }
}

impl Imitation for Network {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().collect();
        match (request.method, path.as_slice(), &request.body) {
            (Method::Post, ["upload", _, _, "videos"], Body::Json(body)) => {
                self.sessions.push(Session {
                    title: body["snippet"]["title"].as_str().unwrap().to_owned(),
                    name: header(request, "slug").to_owned(),
                    total: header(request, "x-upload-content-length").parse().unwrap(),
                    received: 0,
                    video: None,
                });
                let mut answer = opened();
                let number = self.sessions.len() - 1;
                for (name, value) in &mut answer.headers {
                    assert_eq!(name, "location");
                    *value = value.replace("xyz", &number.to_string());
                }
                answer
            }
            (Method::Put, ["upload", _, _, "videos"], _) => self.put(request, now),
            (Method::Get, [_, _, "playlistItems"], _) => {
                let items = self.videos.iter().enumerate().rev().map(|(at, video)| {
                    json!({
                        "snippet": { "title": video.title, "publishedAt": video.at },
                        "contentDetails": { "videoId": format!("v{at}") },
                    })
                });
                match self.videos.len() {
                    0 => refused(404, "playlistNotFound"),
                    _ => answered(200, &json!({ "items": items.collect::<Vec<_>>() })),
                }
            }
            (Method::Get, [_, _, "videos"], _) => {
                let items = self.videos.iter().enumerate().map(|(at, video)| {
                    let is_ready = now >= video.at + self.processing;
                    let mut item = json!({
                        "id": format!("v{at}"),
                        "snippet": { "title": video.title },
                        "status": { "uploadStatus": if is_ready { "processed" } else { "uploaded" } },
                    });
                    if is_ready {
                        item["fileDetails"] = json!({
                            "fileSize": video.total.to_string(),
                            "fileName": video.name,
                        });
                    }
                    item
                });
                answered(200, &json!({ "items": items.collect::<Vec<_>>() }))
            }
            (Method::Post, ["upload", _, _, "thumbnails", "set"], Body::File(_)) => {
                self.attach("thumbnail", answered(200, &json!({})))
            }
            (Method::Post, ["upload", _, _, "captions"], Body::Bytes { .. }) => {
                self.attach("subtitles", refused(409, "captionExists"))
            }
            (Method::Post, [_, _, "playlistItems"], _) => {
                self.attach("playlist", refused(409, "videoAlreadyInPlaylist"))
            }
            (Method::Post, [_, _, "commentThreads"], Body::Json(body)) => {
                let text = &body["snippet"]["topLevelComment"]["snippet"]["textOriginal"];
                self.comments.push((text.as_str().unwrap().to_owned(), now));
                answered(200, &json!({ "id": "Ugz1" }))
            }
            (Method::Get, [_, _, "commentThreads"], _) => {
                let items = self.comments.iter().map(|(text, at)| {
                    json!({ "snippet": { "topLevelComment": { "id": "Ugz1", "snippet": {
                        "textDisplay": text,
                        "authorChannelId": { "value": CHANNEL },
                        "publishedAt": at,
                    } } } })
                });
                answered(200, &json!({ "items": items.collect::<Vec<_>>() }))
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let videos = self.videos.iter().map(|video| {
            let attached: String = video.attached.iter().map(|what| format!(" + {what}")).collect();
            format!("{}{attached}", video.title)
        });
        videos.chain(self.comments.iter().map(|(text, _)| text.clone())).collect()
    }
}

fn with_thumbnail(mut job: PublishJob) -> PublishJob {
    let id = MediaId(Uuid::from_u128(0x99));
    job.thumbnail = Some(JobFile::new(
        id,
        FileKey::folder(job.account.workspace_id, id),
        MediaFacts::of_kind(MediaKind::Image),
    ));
    job
}

fn of_size(options: Value, bytes: u64) -> PublishJob {
    let mut job = youtube_job(options);
    job.files[0].facts.size_bytes = Some(bytes);
    job
}

#[test]
fn whatever_breaks_a_video_is_there_once() {
    for (pause, bytes) in [
        (TimeDelta::zero(), PIECE_BYTES + 1),
        (TimeDelta::minutes(1), 1),
        (TimeDelta::minutes(1), PIECE_BYTES),
        (TimeDelta::minutes(1), 2 * PIECE_BYTES + 1),
        (TimeDelta::hours(2), PIECE_BYTES + 1),
    ] {
        let job = of_size(json!({}), bytes);
        exhaust(&youtube(), &Network::new(), &job, pause, &["Harbour walk"]);
    }
}

#[test]
fn also_where_the_session_ends_with_the_video() {
    for pause in [TimeDelta::minutes(1), TimeDelta::hours(2)] {
        let processing = TimeDelta::minutes(3);
        let network = Network { forgets: true, processing, ..Network::new() };
        let job = of_size(json!({}), PIECE_BYTES + 1);
        exhaust(&youtube(), &network, &job, pause, &["Harbour walk"]);
    }
}

#[test]
fn whatever_breaks_what_follows_is_there_once() {
    let subtitles = json!([{ "language": "en", "format": "srt", "content": "1" }]);
    let options = json!({ "subtitles": subtitles, "playlistId": "PL1" });
    let attached = "Harbour walk + thumbnail + subtitles + playlist";
    let job = with_thumbnail(of_size(options, 5));
    exhaust(&youtube(), &Network::new(), &job, TimeDelta::minutes(1), &[attached]);
}

#[test]
fn whatever_breaks_a_first_comment_is_there_once() {
    for pause in [TimeDelta::zero(), TimeDelta::minutes(1)] {
        let job = of_size(json!({ "firstComment": "More" }), 5);
        exhaust(&youtube(), &Network::new(), &job, pause, &["Harbour walk", "More"]);
    }
}
