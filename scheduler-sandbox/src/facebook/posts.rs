//! Posts: `/{page}/feed`, lists, changes, taking down.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/feed/>.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use super::error::ApiError;
use super::{Facebook, NAME, chosen, fields, listed};
use crate::answer::Answer;
use crate::network::{Context, LiveMedia, LivePost};
use crate::params::{flag, params, text};
use crate::request::Request;

/// Longest text, in code points.
const MESSAGE_LIMIT: usize = 63_206;
/// Default and greatest length of a list.
const DEFAULT_LIST: usize = 25;
const MAX_LIST: usize = 100;
/// The application that all posts are made by.
const APPLICATION: &str = "770";

/// A post.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) id: u64,
    pub(super) page: u64,
    pub(super) message: String,
    link: Option<String>,
    pub(super) photos: Vec<u64>,
    pub(super) video: Option<u64>,
    /// Whether it is shown for a day, among the stories alone.
    pub(super) is_story: bool,
    pub(super) is_published: bool,
    pub(super) created_at: DateTime<Utc>,
    pub(super) is_deleted: bool,
}

/// What a new post is made of.
#[derive(Debug, Default)]
pub(super) struct New {
    pub(super) message: String,
    pub(super) link: Option<String>,
    pub(super) photos: Vec<u64>,
    pub(super) video: Option<u64>,
    pub(super) is_story: bool,
    pub(super) is_staged: bool,
}

impl Post {
    /// Returns what the network calls it.
    pub(super) fn name(&self) -> String {
        format!("{}_{}", self.page, self.id)
    }
}

impl Facebook {
    /// Makes a post, and returns what it is called.
    pub(super) fn add_post(&mut self, page: u64, new: New, now: DateTime<Utc>) -> String {
        let id = self.next_id();
        let post = Post {
            id,
            page,
            message: new.message,
            link: new.link,
            photos: new.photos,
            video: new.video,
            is_story: new.is_story,
            is_published: !new.is_staged,
            created_at: now,
            is_deleted: false,
        };
        let name = post.name();
        self.posts.insert(id, post);
        name
    }

    /// Makes a post of a text, a link, or photos.
    ///
    /// # Errors
    /// What is wrong with it, the same text as the last post's; those of tokens.
    pub(super) fn create_post(
        &mut self,
        request: &Request,
        page: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_manage_posts", context)?;
        let params = params(request);
        let message = text(&params, "message").unwrap_or_default();
        let link = text(&params, "link").filter(|link| !link.is_empty());
        let attached = attached(&params)?;
        if message.trim().is_empty() && link.is_none() && attached.is_empty() {
            return Err(ApiError::parameter(
                "Requires one of the params: message, link, attached_media",
            ));
        }
        check_message(&message)?;
        if let Some(link) = &link {
            check_link(link)?;
        }
        check_place(&params)?;
        if let Some(background) = text(&params, "text_format_preset_id") {
            check_background(&background)?;
            if link.is_some() || !attached.is_empty() {
                let message = "Param text_format_preset_id is only allowed for a text alone";
                return Err(ApiError::parameter(message));
            }
        }
        let photos = self.attach(page, &attached, context.now)?;
        let is_staged = !flag(&params, "published").unwrap_or(true);
        let last = self.posts.values().rev().find(|post| {
            post.page == page && post.is_published && !post.is_story && !post.is_deleted
        });
        let is_same = last.is_some_and(|last| {
            last.message == message && last.link == link && last.photos.is_empty()
        });
        if photos.is_empty() && is_same && !is_staged {
            return Err(ApiError::sub(506, 1_455_006, "(#506) Duplicate status message"));
        }
        let new = New { message, link, photos, is_staged, ..New::default() };
        let name = self.add_post(page, new, context.now);
        Ok(Answer::ok(&json!({ "id": name })))
    }

    /// Answers the posts of a Page, newest first.
    ///
    /// # Errors
    /// Another's Page, a field that does not exist, those of tokens.
    pub(super) fn list_posts(
        &self,
        request: &Request,
        page: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_read_engagement", context)?;
        let number = |name: &str| request.query(name).and_then(|text| text.parse::<u64>().ok());
        let limit = number("limit").and_then(|limit| usize::try_from(limit).ok());
        let limit = limit.unwrap_or(DEFAULT_LIST).clamp(1, MAX_LIST);
        let after = number("after").unwrap_or(u64::MAX);
        let is_listed = |post: &&Post| {
            post.page == page
                && post.is_published
                && !post.is_story
                && !post.is_deleted
                && post.id < after
        };
        let fields = fields(request);
        let mut posts = self.posts.values().rev().filter(is_listed);
        let mut found = Vec::new();
        for post in posts.by_ref().take(limit) {
            found.push((post.id, chosen(&self.post_view(post), &fields)?));
        }
        let next = format!("{}/v26.0/{page}/published_posts", context.base);
        Ok(listed(found, posts.next().is_some(), &next))
    }

    /// Answers a post.
    ///
    /// # Errors
    /// Another's post, a field that does not exist, those of tokens.
    pub(super) fn show_post(
        &self,
        request: &Request,
        post: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "pages_read_engagement", context)?;
        let post = self.live_one(post)?;
        if post.page != page {
            return Err(ApiError::missing(&post.name()));
        }
        let fields = fields(request);
        let may_read = self.token(request, context.now)?.has("pages_read_user_content");
        if fields.iter().any(|field| field == "comments") && !may_read {
            return Err(ApiError::permission("pages_read_user_content"));
        }
        Ok(Answer::ok(&chosen(&self.post_view(post), &fields)?))
    }

    /// Changes the text of a post, or shows one that is staged.
    ///
    /// # Errors
    /// Another's post, a text that is too long, those of tokens.
    pub(super) fn change_post(
        &mut self,
        request: &Request,
        post: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "pages_manage_posts", context)?;
        let name = self.live_one(post)?.name();
        let params = params(request);
        let message = text(&params, "message");
        if let Some(message) = &message {
            check_message(message)?;
        }
        let found = self.posts.get_mut(&post).filter(|post| post.page == page);
        let found = found.ok_or_else(|| ApiError::missing(&name))?;
        if let Some(message) = message {
            found.message = message;
        }
        if flag(&params, "is_published") == Some(true) {
            found.is_published = true;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Takes a post down.
    ///
    /// # Errors
    /// Another's post, those of tokens.
    pub(super) fn delete_post(
        &mut self,
        request: &Request,
        post: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "pages_manage_posts", context)?;
        let name = self.live_one(post)?.name();
        let is_own = self.posts.get(&post).is_some_and(|post| post.page == page);
        if !is_own {
            return Err(ApiError::missing(&name));
        }
        self.remove_post(post);
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Removes a post, and its comments with it.
    pub(super) fn remove_post(&mut self, post: u64) {
        if let Some(post) = self.posts.get_mut(&post) {
            post.is_deleted = true;
        }
        for comment in self.comments.values_mut().filter(|comment| comment.post == post) {
            comment.is_deleted = true;
        }
    }

    /// Returns a post that is still there.
    ///
    /// # Errors
    /// It is not.
    pub(super) fn live_one(&self, post: u64) -> Result<&Post, ApiError> {
        let found = self.posts.get(&post).filter(|post| !post.is_deleted);
        found.ok_or_else(|| ApiError::missing(&post.to_string()))
    }

    fn post_view(&self, post: &Post) -> Value {
        let comments = self.comments.values();
        let comments = comments.filter(|it| it.post == post.id && !it.is_deleted).count();
        let attached: Vec<Value> =
            post.photos.iter().map(|id| json!({ "target": { "id": id.to_string() } })).collect();
        let attachments = match (attached.as_slice(), post.video) {
            ([], None) => Value::Null,
            ([], Some(video)) => json!({ "data": [{ "target": { "id": video.to_string() } }] }),
            ([one], _) => json!({ "data": [one] }),
            (several, _) => json!({ "data": [{
                "target": { "id": post.id.to_string() },
                "subattachments": { "data": several },
            }] }),
        };
        let permalink = match post.video {
            Some(video) => format!("https://www.facebook.com/{}/videos/{video}/", post.page),
            None => format!("https://www.facebook.com/{}/posts/{}", post.page, post.id),
        };
        json!({
            "id": post.name(),
            "message": Some(&post.message).filter(|message| !message.is_empty()),
            "created_time": graph_time(post.created_at),
            "permalink_url": permalink,
            "application": { "id": APPLICATION, "name": "An app" },
            "attachments": attachments,
            "is_published": post.is_published,
            "shares": null,
            "comments": {
                "data": [],
                "summary": { "order": "ranked", "total_count": comments, "can_comment": true },
            },
            "reactions": {
                "data": [],
                "summary": { "total_count": 0, "viewer_reaction": "NONE" },
            },
        })
    }

    /// Returns a post as the control shows it.
    pub(super) fn live_post(&self, post: &Post) -> LivePost {
        let photos = post.photos.iter().filter_map(|id| self.photos.get(id)?.live_media());
        let video = post.video.and_then(|id| self.videos.get(&id)?.live_media());
        let media: Vec<LiveMedia> = photos.chain(video).collect();
        LivePost {
            platform: NAME,
            account: post.page.to_string(),
            author: self.page_name(post.page),
            remote_id: post.name(),
            text: match &post.link {
                Some(link) if post.message.is_empty() => link.clone(),
                Some(link) => format!("{}\n{link}", post.message),
                None => post.message.clone(),
            },
            media,
            reply_to: None,
            created_at: post.created_at,
            is_deleted: post.is_deleted,
        }
    }
}

/// Returns the photos that a post names, in any of the shapes in which they can be sent.
fn attached(params: &Map<String, Value>) -> Result<Vec<String>, ApiError> {
    let wrong = || ApiError::parameter("Param attached_media must be a list of media_fbid");
    let listed: Vec<Value> = match params.get("attached_media") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items.clone(),
        // Of a form: `attached_media[0]`.
        Some(Value::Object(items)) => items.values().cloned().collect(),
        Some(Value::String(text)) => serde_json::from_str(text).map_err(|_| wrong())?,
        Some(Value::Bool(_) | Value::Number(_)) => return Err(wrong()),
    };
    let id = |item: Value| {
        let item = match item {
            Value::String(text) => serde_json::from_str(&text).ok()?,
            other => other,
        };
        item["media_fbid"].as_str().map(str::to_owned)
    };
    listed.into_iter().map(|item| id(item).ok_or_else(wrong)).collect()
}

/// Refuses a text that is too long.
pub(super) fn check_message(message: &str) -> Result<(), ApiError> {
    if message.chars().count() > MESSAGE_LIMIT {
        return Err(ApiError::parameter("Name parameter too long"));
    }
    Ok(())
}

/// Refuses a place that is no id of a Page. Whether the Page has one is not looked at.
pub(super) fn check_place(params: &Map<String, Value>) -> Result<(), ApiError> {
    check_targeting(params)?;
    let is_id = |id: &String| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    match text(params, "place") {
        Some(place) if !is_id(&place) => {
            Err(ApiError::parameter("Param place must be a valid place tag ID"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Refuses a targeting that is none.
///
/// Source: <https://developers.facebook.com/docs/graph-api/reference/page/feed/>, `targeting`.
fn check_targeting(params: &Map<String, Value>) -> Result<(), ApiError> {
    let read = |given: &Value| match given {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => Some(other.clone()),
    };
    let Some(given) = params.get("targeting") else { return Ok(()) };
    let targeting: Option<Map<String, Value>> =
        read(given).and_then(|targeting| targeting.as_object().cloned());
    let is_country = |code: &Value| {
        let code = code.as_str().unwrap_or_default();
        code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_right = targeting.is_some_and(|targeting| {
        let countries = targeting.get("geo_locations").and_then(|geo| geo["countries"].as_array());
        let age = targeting.get("age_min").map(|age| age.as_u64());
        countries.is_none_or(|countries| countries.iter().all(is_country))
            && age.is_none_or(|age| age.is_some_and(|age| (13..=65).contains(&age)))
    });
    if is_right { Ok(()) } else { Err(ApiError::parameter("Param targeting is invalid")) }
}

/// Refuses a background that is not known: one whose id has another form than those of the network,
/// 15 or more digits.
fn check_background(id: &str) -> Result<(), ApiError> {
    if id.len() < 15 || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ApiError::parameter("Invalid parameter text_format_preset_id"));
    }
    Ok(())
}

fn check_link(link: &str) -> Result<(), ApiError> {
    let uri: Option<http::Uri> = link.parse().ok();
    let uri = uri.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
    let host = uri.as_ref().and_then(http::Uri::host).map(str::to_ascii_lowercase);
    let Some(host) = host else {
        return Err(ApiError::sub(100, 2_061_006, "(#100) link URL is not properly formatted"));
    };
    if host == "facebook.com" || host.ends_with(".facebook.com") {
        return Err(ApiError::sub(100, 1_609_008, "Links to facebook.com cannot be posted."));
    }
    if host.ends_with(".invalid") {
        let message = "(#100) The url you supplied could not be read";
        return Err(ApiError::sub(100, 1_609_005, message));
    }
    Ok(())
}

/// Writes a time as the Graph API does.
pub(super) fn graph_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, false).replace("+00:00", "+0000")
}
