//! YouTube: channels, their videos, and what hangs below them.
//!
//! Base URL of an adapter: the sandbox's URL and `/youtube`, in place of `www.googleapis.com`,
//! `youtubeanalytics.googleapis.com`, `accounts.google.com`, `oauth2.googleapis.com` and
//! `www.youtube.com` alike. Live streams, members, ratings, localisations and the length of videos
//! are not imitated.
//!
//! Source: <https://developers.google.com/youtube/v3/docs>.

mod accounts;
mod attachments;
mod authorize;
mod comments;
mod error;
mod further;
mod limits;
mod moderation;
mod oauth;
mod playlists;
mod related;
mod reports;
mod search;
mod sessions;
#[cfg(test)]
mod time_tests;
mod videos;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use self::accounts::Channel;
use self::comments::Comment;
use self::error::ApiError;
use self::oauth::{Code, RefreshToken, Token};
use self::playlists::Playlist;
use self::sessions::{Session, is_last_piece};
use self::videos::Video;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::outside::random_secret;
use crate::page::anchor;
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "youtube";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Youtube {
    channels: BTreeMap<String, Channel>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    refresh_tokens: HashMap<String, RefreshToken>,
    sessions: HashMap<String, Session>,
    /// Every video, oldest first.
    videos: Vec<Video>,
    /// Every comment, oldest first.
    comments: Vec<Comment>,
    playlists: Vec<Playlist>,
    quotas: Quotas,
}

impl Youtube {
    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["o", "oauth2", "v2", "auth"]) => return Ok(self.authorize_page(request)),
            ("POST", ["o", "oauth2", "v2", "auth"]) => return Ok(self.authorize(request, context)),
            ("POST", ["token"]) => return self.token(request, context),
            ("POST", ["revoke"]) => return self.revoke(request),
            // A person who opens a video finds it on the sandbox's page.
            ("GET", ["watch"]) => {
                let id = request.query("v").unwrap_or_default();
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))));
            }
            ("GET", ["v2", "reports"]) => return self.report(request, context),
            // Its address alone lets in.
            ("PUT", ["upload", "youtube", "v3", "videos"]) => {
                return self.take_bytes(request, context);
            }
            _ => {}
        }
        self.take_units(request, segments, context)?;
        match (request.method.as_str(), segments) {
            ("POST", ["upload", "youtube", "v3", "videos"]) => self.open_session(request, context),
            ("POST", ["upload", "youtube", "v3", "thumbnails", "set"]) => {
                self.set_thumbnail(request, context)
            }
            ("POST", ["upload", "youtube", "v3", "captions"]) => {
                self.insert_caption(request, context)
            }
            ("GET", ["youtube", "v3", "captions"]) => self.list_captions(request, context),
            ("GET", ["youtube", "v3", "videos"]) => self.list_videos(request, context),
            ("PUT", ["youtube", "v3", "videos"]) => self.update_video(request, context),
            ("DELETE", ["youtube", "v3", "videos"]) => self.delete_video(request, context),
            ("GET", ["youtube", "v3", "channels"]) => self.list_channels(request, context),
            ("GET", ["youtube", "v3", "search"]) => self.search(request, context),
            ("GET", ["youtube", "v3", "playlists"]) => self.list_playlists(request, context),
            ("POST", ["youtube", "v3", "playlists"]) => self.insert_playlist(request, context),
            ("GET", ["youtube", "v3", "playlistItems"]) => {
                self.list_playlist_items(request, context)
            }
            ("POST", ["youtube", "v3", "playlistItems"]) => {
                self.insert_playlist_item(request, context)
            }
            ("GET", ["youtube", "v3", "commentThreads"]) => self.list_threads(request, context),
            ("POST", ["youtube", "v3", "commentThreads"]) => self.insert_thread(request, context),
            ("GET", ["youtube", "v3", "comments"]) => self.list_comments(request, context),
            ("POST", ["youtube", "v3", "comments"]) => self.insert_reply(request, context),
            ("PUT", ["youtube", "v3", "comments"]) => self.update_comment(request, context),
            ("DELETE", ["youtube", "v3", "comments"]) => self.delete_comment(request, context),
            ("POST", ["youtube", "v3", "comments", "setModerationStatus"]) => {
                self.set_moderation_status(request, context)
            }
            _ => Err(ApiError::not_found("notFound", "Not Found")),
        }
    }
}

impl Network for Youtube {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let part = request.query_all("part").collect::<Vec<_>>().join(",");
        match (request.method.as_str(), segments.as_slice()) {
            // A video is there with its last byte.
            ("PUT", ["upload", ..]) if is_last_piece(request) => Operation::Publish,
            ("POST", ["upload", "youtube", "v3", "videos"]) if is_multipart(request) => {
                Operation::Publish
            }
            (_, ["upload", ..]) => Operation::Upload,
            ("GET", ["youtube", "v3", "videos"]) if part.contains("processingDetails") => {
                Operation::Poll
            }
            (_, ["youtube", "v3", "commentThreads" | "comments", ..]) => Operation::Comment,
            ("GET", ["youtube", "v3", "videos" | "channels"]) if part == "statistics" => {
                Operation::Metrics
            }
            ("GET", ["v2", "reports"]) => Operation::Metrics,
            ("POST", ["token" | "revoke"]) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        self.call(request, &segments, context).unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "backendError",
                "Internal error encountered.",
            )
            .into_answer(),
            // No Retry-After: none is documented.
            Refusal::RateLimited(_) if is_opening(request) => ApiError::quota().into_answer(),
            Refusal::RateLimited(_) => ApiError::rate().into_answer(),
            Refusal::Permanent => self.permanent(request),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        if request.path == "/token" {
            self.end_refresh_token(request);
            return;
        }
        let channel = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(channel) = channel.map(|token| token.channel.clone()) else { return };
        for token in self.tokens.values_mut().filter(|token| token.channel == channel) {
            token.expires_at = context.now;
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let channel = self.add_channel(name, context.now)?;
        Ok(self.connect(&channel, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        let mut posts: Vec<LivePost> =
            self.videos.iter().map(|video| self.live_video(video)).collect();
        posts.extend(self.comments.iter().map(|comment| self.live_comment(comment)));
        posts.sort_by_key(|post| post.created_at);
        posts
    }

    fn reset(&mut self, accounts: bool) {
        let earlier = std::mem::take(self);
        if !accounts {
            self.channels = earlier.channels;
            self.tokens = earlier.tokens;
            self.refresh_tokens = earlier.refresh_tokens;
        }
    }
}

impl Youtube {
    /// Returns the refusal that a call typically meets.
    fn permanent(&self, request: &Request) -> Answer {
        let refused = |reason, message| ApiError::bad(reason, message).into_answer();
        match self.operation(request) {
            Operation::Publish => {
                refused("invalidVideoMetadata", "The request metadata is invalid.")
            }
            Operation::Upload if is_opening(request) => sessions::invalid_title().into_answer(),
            // A session that ends in the middle.
            Operation::Upload if request.method == http::Method::PUT => {
                Answer::empty(StatusCode::GONE)
            }
            Operation::Upload if request.path.ends_with("/captions") => {
                refused("invalidMetadata", "The request contains invalid metadata values.")
            }
            Operation::Upload => ApiError::forbidden(
                "forbidden",
                "The authenticated user doesn't have permissions to upload and set custom video thumbnails.",
            )
            .into_answer(),
            Operation::Poll => Answer::ok(&json!({
                "kind": "youtube#videoListResponse",
                "items": [{
                    "kind": "youtube#video",
                    "id": request.query("id"),
                    "status": { "uploadStatus": "rejected", "rejectionReason": "length" },
                    "processingDetails": { "processingStatus": "terminated" },
                }],
            })),
            Operation::Comment => ApiError::forbidden(
                "commentsDisabled",
                "The video identified by the videoId parameter has disabled comments.",
            )
            .into_answer(),
            Operation::Token => oauth::invalid_grant().into_answer(),
            Operation::Metrics | Operation::Other => ApiError::scope().into_answer(),
        }
    }
}

/// Says whether a request carries a video together with what is said of it.
fn is_multipart(request: &Request) -> bool {
    request.query("uploadType") == Some("multipart")
}

/// Says whether a request opens an upload, of which a project has few a day.
fn is_opening(request: &Request) -> bool {
    request.method == http::Method::POST && request.path == "/upload/youtube/v3/videos"
}

/// Returns an id of the network's kind.
fn id(prefix: &str, length: usize) -> String {
    let digits = random_secret();
    let signs = digits.as_bytes().chunks(2).filter_map(|pair| {
        const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let number = usize::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        SIGNS.get(number % SIGNS.len()).map(|sign| char::from(*sign))
    });
    prefix.chars().chain(signs.take(length)).collect()
}

/// Returns how long the network works on a file.
fn processing(context: &Context<'_>) -> TimeDelta {
    TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1))
}

/// Writes an instant as this network does, in whole seconds.
fn instant(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Returns a page of a list by the parameters `maxResults` and `pageToken`.
fn page(kind: &str, all: &[Value], request: &Request, default: usize, most: usize) -> Value {
    let number = |name: &str| request.query(name).and_then(|text| text.parse::<usize>().ok());
    let count = number("maxResults").unwrap_or(default).clamp(1, most);
    let start = request.query("pageToken").and_then(|token| token.strip_prefix('P'));
    let start = start.and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    let items: Vec<&Value> = all.iter().skip(start).take(count).collect();
    let mut page = json!({
        "kind": kind,
        "pageInfo": { "totalResults": all.len(), "resultsPerPage": count },
        "items": items,
    });
    if start + items.len() < all.len() {
        page["nextPageToken"] = Value::from(format!("P{}", start + count));
    }
    page
}
