//! Facebook: Pages of people, connected by Facebook's login.
//!
//! Every server of the network answers below one address: `graph.facebook.com` and
//! `graph-video.facebook.com` at `/v26.0/…`, the login's page at `/v26.0/dialog/oauth`, and bytes
//! of reels at `/video-upload/v26.0/…`. Files are fetched from this machine only. All Pages of the
//! sandbox may comment on each other's posts, so that there is somebody to answer. Pages that lie
//! behind links are not read, but those of hosts that end in `.invalid` cannot be.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/>, v26.0.

mod accounts;
mod comments;
mod error;
mod insights;
mod oauth;
mod pages;
mod photos;
mod posts;
mod reels;
mod stories;
#[cfg(test)]
mod time_tests;
mod video_extras;
mod videos;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use http::header::AUTHORIZATION;
use serde_json::{Value, json};

use self::accounts::Account;
use self::comments::Comment;
use self::error::ApiError;
use self::oauth::{Code, Holder, Token};
use self::photos::Photo;
use self::posts::Post;
use self::videos::{Place, Video};
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::params::{params, text};
use crate::quota::{Limit, Quotas};
use crate::request::Request;

const NAME: &str = "facebook";

/// Calls of a Page: the documentation gives 4,800 for each of its engaged users.
const CALLS: Limit = Limit { name: "calls", points: 4_800, window_seconds: 86_400 };

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Facebook {
    /// Pages, each with the person who has it.
    accounts: BTreeMap<u64, Account>,
    tokens: HashMap<String, Token>,
    codes: HashMap<String, Code>,
    photos: BTreeMap<u64, Photo>,
    videos: BTreeMap<u64, Video>,
    posts: BTreeMap<u64, Post>,
    comments: BTreeMap<u64, Comment>,
    last_id: u64,
    quotas: Quotas,
}

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Page(u64),
    Photo(u64),
    Video(u64),
    Post(u64),
    Comment(u64),
}

impl Facebook {
    /// Returns an id that is greater than all before.
    fn next_id(&mut self) -> u64 {
        self.last_id = self.last_id.max(122_100_000_000_000) + 1;
        self.last_id
    }

    /// Says what is behind an id: posts and comments carry that of what they hang on in front.
    fn object(&self, id: &str) -> Option<Object> {
        if let Some((above, own)) = id.split_once('_') {
            let (above, own): (u64, u64) = (above.parse().ok()?, own.parse().ok()?);
            let post = self.posts.get(&own).filter(|post| post.page == above);
            let comment = self.comments.get(&own).filter(|comment| comment.post == above);
            return match (post, comment) {
                (Some(_), _) => Some(Object::Post(own)),
                (None, Some(_)) => Some(Object::Comment(own)),
                (None, None) => None,
            };
        }
        let id: u64 = id.parse().ok()?;
        if self.accounts.contains_key(&id) {
            Some(Object::Page(id))
        } else if self.photos.contains_key(&id) {
            Some(Object::Photo(id))
        } else if self.videos.contains_key(&id) {
            Some(Object::Video(id))
        } else {
            None
        }
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", [version, "dialog", "oauth"]) if is_version(version) => {
                return Ok(self.page(request));
            }
            ("POST", [version, "dialog", "oauth"]) if is_version(version) => {
                return Ok(self.decide(request, context));
            }
            ("POST", ["video-upload", version, id]) if is_version(version) => {
                return self.upload_reel(request, id, context);
            }
            _ => {}
        }
        let Some((version, path)) = segments.split_first() else {
            return Err(ApiError::new(2500, "Unknown path components"));
        };
        if !is_version(version) {
            return Err(ApiError::new(2500, format!("Unknown path components: /{version}")));
        }
        self.take_point(request, context)?;
        match (request.method.as_str(), path) {
            ("GET", ["oauth", "access_token"]) => self.exchange(request, context),
            ("GET", ["debug_token"]) => self.debug_token(request, context),
            ("GET", ["me"]) => self.me(request, context),
            ("GET", ["me", "permissions"]) => self.permissions(request, context),
            ("GET", ["me", "accounts"]) => self.list_pages(request, context),
            ("GET", ["me", "businesses"]) => self.businesses(request, context),
            ("GET", [business, "owned_pages" | "client_pages"]) => {
                self.token(request, context.now)?;
                Err(ApiError::missing(business))
            }
            ("POST", [page, "photos"]) => self.add_photo(request, page, context),
            ("POST", [page, "feed"]) => self.create_post(request, page, context),
            ("GET", [page, "published_posts"]) => self.list_posts(request, page, context),
            ("POST", [page, "videos"]) => self.video_call(request, page, context),
            ("POST", [page, "video_reels"]) => self.reel_call(request, page, Place::Reel, context),
            ("POST", [page, "video_stories"]) => {
                self.reel_call(request, page, Place::Story, context)
            }
            ("POST", [page, "photo_stories"]) => self.photo_story(request, page, context),
            ("GET", [page, "stories"]) => self.list_stories(request, page, context),
            ("GET", [post, "insights"]) => self.insights(request, post, context),
            ("GET", [id, "comments"]) => self.list_comments(request, id, context),
            ("POST", [id, "comments"]) => self.comment(request, id, context),
            ("POST", [video, "captions"]) => self.add_captions(request, video, context),
            ("POST", [video, "thumbnails"]) => self.add_cover(request, video, context),
            ("POST", [id, "likes"]) => self.like(request, id, true, context),
            ("DELETE", [id, "likes"]) => self.like(request, id, false, context),
            ("GET", [id]) => self.read(request, id, context),
            ("POST", [id]) => self.change(request, id, context),
            ("DELETE", [id]) => self.delete(request, id, context),
            _ => Err(ApiError::new(2500, "Unknown path components")),
        }
    }

    fn read(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match self.object(id) {
            Some(Object::Page(page)) => self.show_page(request, page, context),
            Some(Object::Video(video)) => self.show_video(request, video, context),
            Some(Object::Post(post)) => self.show_post(request, post, context),
            Some(Object::Comment(comment)) => self.show_comment(request, comment, context),
            Some(Object::Photo(_)) | None => {
                self.token(request, context.now)?;
                Err(ApiError::missing(id))
            }
        }
    }

    fn change(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match self.object(id) {
            Some(Object::Video(video)) => self.change_video(request, video, context),
            Some(Object::Post(post)) => self.change_post(request, post, context),
            Some(Object::Comment(comment)) => self.change_comment(request, comment, context),
            Some(Object::Page(_) | Object::Photo(_)) | None => {
                self.token(request, context.now)?;
                Err(ApiError::missing(id))
            }
        }
    }

    fn delete(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match self.object(id) {
            Some(Object::Photo(photo)) => self.delete_photo(request, photo, context),
            Some(Object::Video(video)) => self.delete_video(request, video, context),
            Some(Object::Post(post)) => self.delete_post(request, post, context),
            Some(Object::Comment(comment)) => self.delete_comment(request, comment, context),
            Some(Object::Page(_)) | None => {
                self.token(request, context.now)?;
                Err(ApiError::missing(id))
            }
        }
    }

    /// Counts a call of a Page.
    fn take_point(&mut self, request: &Request, context: &Context<'_>) -> Result<(), ApiError> {
        let Some(page) = self.caller(request).filter(|_| context.options.quotas) else {
            return Ok(());
        };
        let standing = self.quotas.take(CALLS, &page.to_string(), 1, context.now);
        if standing.is_exceeded {
            let left = (standing.resets_at - context.now).num_minutes().max(1);
            return Err(ApiError::too_many(page.to_string(), left.unsigned_abs()));
        }
        Ok(())
    }

    /// Returns the Page that a request speaks for, be its token good or not.
    fn caller(&self, request: &Request) -> Option<u64> {
        let token = sent_token(request)?;
        self.tokens.get(&token).map(|token| token.page)
    }

    /// Returns the token of a request.
    ///
    /// # Errors
    /// There is none, or it has run out.
    fn token(&self, request: &Request, now: DateTime<Utc>) -> Result<&Token, ApiError> {
        let sent = sent_token(request).ok_or_else(ApiError::token)?;
        let token = self.tokens.get(&sent).ok_or_else(ApiError::token)?;
        if token.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(ApiError::expired());
        }
        let proof = request.query("appsecret_proof");
        if proof.is_some_and(|proof| !token.is_proved_by(&sent, proof)) {
            let message = "Invalid appsecret_proof provided in the API argument";
            return Err(ApiError::new(100, message));
        }
        Ok(token)
    }

    /// Returns the Page of a token that may do something.
    ///
    /// # Errors
    /// Those of tokens, a permission that was not given, and the token of a person.
    fn allowed(
        &self,
        request: &Request,
        need: &str,
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let token = self.token(request, context.now)?;
        if !token.has(need) {
            return Err(ApiError::permission(need));
        }
        if token.holder == Holder::Person {
            return Err(ApiError::new(210, "(#210) A page access token is required"));
        }
        Ok(token.page)
    }

    /// The same for a call below a Page, which has to be the token's own.
    ///
    /// # Errors
    /// The same, and another's Page.
    fn own_page(
        &self,
        request: &Request,
        page: &str,
        need: &str,
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let own = self.allowed(request, need, context)?;
        if page == "me" || page == own.to_string() { Ok(own) } else { Err(ApiError::missing(page)) }
    }
}

fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Returns the token of a request: a header of either scheme, or a parameter.
fn sent_token(request: &Request) -> Option<String> {
    let header = request.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let header = header.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim());
    header.map(str::to_owned).or_else(|| text(&params(request), "access_token"))
}

/// Returns the fields that a call asks for, by their names.
fn fields(request: &Request) -> Vec<String> {
    let asked = text(&params(request), "fields").unwrap_or_default();
    let (mut fields, mut depth, mut field) = (Vec::new(), 0_usize, String::new());
    for letter in asked.chars() {
        match letter {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter == ',' && depth == 0 {
            fields.push(std::mem::take(&mut field));
        } else {
            field.push(letter);
        }
    }
    fields.push(field);
    let name = |field: String| field.split(['{', '.', '(']).next().unwrap_or_default().to_owned();
    fields.into_iter().map(name).filter(|name| !name.is_empty()).collect()
}

/// Returns what was asked for of an object, and its id.
///
/// # Errors
/// A field that the object does not have.
fn chosen(whole: &Value, fields: &[String]) -> Result<Value, ApiError> {
    let mut answer = json!({});
    for name in fields {
        let Some(value) = whole.get(name) else {
            let message = format!("Tried accessing nonexisting field ({name})");
            return Err(ApiError::parameter(&message));
        };
        if !value.is_null() {
            answer[name] = value.clone();
        }
    }
    answer["id"] = whole["id"].clone();
    Ok(answer)
}

/// Returns a part of a list, newest first, with what leads to the next.
fn listed(found: Vec<(u64, Value)>, is_more: bool, next: &str) -> Answer {
    let ends = found.first().zip(found.last()).map(|((first, _), (last, _))| (*first, *last));
    let data: Vec<Value> = found.into_iter().map(|(_, value)| value).collect();
    let mut answer = json!({ "data": data });
    if let Some((first, last)) = ends {
        let cursors = json!({ "before": first.to_string(), "after": last.to_string() });
        answer["paging"] = json!({ "cursors": cursors });
        if is_more {
            answer["paging"]["next"] = json!(format!("{next}?after={last}"));
        }
    }
    Answer::ok(&answer)
}

impl Network for Facebook {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let phase = || text(&params(request), "upload_phase");
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", [_, _, "feed" | "photo_stories"]) => Operation::Publish,
            ("POST", [_, _, "videos" | "video_reels" | "video_stories"]) => {
                match phase().as_deref() {
                    Some("start" | "transfer") => Operation::Upload,
                    _ => Operation::Publish,
                }
            }
            ("POST", [_, _, "photos" | "thumbnails" | "captions"] | ["video-upload", _, _]) => {
                Operation::Upload
            }
            ("GET" | "POST", [_, _, "comments"]) | ("POST" | "DELETE", [_, _, "likes"]) => {
                Operation::Comment
            }
            ("GET", [_, _, "insights"]) => Operation::Metrics,
            ("GET", [_, "oauth", "access_token"] | [_, "debug_token"]) => Operation::Token,
            ("GET" | "POST" | "DELETE", [version, id]) if is_version(version) => {
                let is_read = request.method == http::Method::GET;
                let asked = || text(&params(request), "fields").unwrap_or_default();
                match self.object(id) {
                    Some(Object::Comment(_)) => Operation::Comment,
                    Some(Object::Video(_)) if is_read => Operation::Poll,
                    Some(Object::Page(_)) if is_read => Operation::Metrics,
                    Some(Object::Post(_)) if is_read && asked().contains("summary(") => {
                        Operation::Metrics
                    }
                    Some(_) | None => Operation::Other,
                }
            }
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        self.show_finished(context);
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        self.call(request, &segments, context).unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        let error = match refusal {
            Refusal::ServerError => ApiError::server(),
            Refusal::RateLimited(wait) => {
                let page = self.caller(request).map_or_else(|| "0".to_owned(), |id| id.to_string());
                ApiError::too_many(page, wait.as_secs().div_ceil(60))
            }
            Refusal::Permanent => permanent(self.operation(request)),
        };
        error.into_answer()
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        let Some(page) = self.caller(request) else { return };
        for token in self.tokens.values_mut().filter(|token| token.page == page) {
            token.expires_at = Some(context.now);
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let page = self.add_account(name)?;
        Ok(self.connect(page, context.now))
    }

    fn posts(&self) -> Vec<LivePost> {
        let mut posts: Vec<LivePost> = self
            .posts
            .values()
            .filter(|post| post.is_published)
            .map(|post| self.live_post(post))
            .collect();
        let comments = self.comments.values().map(|comment| self.live_comment(comment));
        posts.extend(comments);
        posts.sort_by_key(|post| post.created_at);
        posts
    }

    fn reset(&mut self, accounts: bool) {
        let last_id = self.last_id;
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = last_id;
        if !accounts {
            self.accounts = earlier.accounts;
            self.tokens = earlier.tokens;
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish => ApiError::sub(100, 1_346_003, "This content was flagged as abusive."),
        Operation::Upload => ApiError::sub(
            100,
            1_366_046,
            "Your photos couldn't be uploaded. Photos should be less than 4 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files.",
        ),
        Operation::Comment => ApiError::permission("pages_manage_engagement"),
        Operation::Poll | Operation::Metrics | Operation::Other => ApiError::missing("0"),
        Operation::Token => ApiError::sub(190, 460, "The session has been invalidated."),
    }
}
