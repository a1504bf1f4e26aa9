//! Posts: making, finding, reading and deleting them.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/multiimage-post-api>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Linkedin;
use super::accounts::Caller;
use super::error::ApiError;
use super::files::{File, Kind};
use super::little_text::shown;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia, LivePost};
use crate::request::Request;

/// Longest text, in characters that are shown.
const TEXT: usize = 3000;
/// Longest alternative text.
const ALT_TEXT: usize = 4086;
/// Longest question of a poll, number of its options, and longest of them.
const QUESTION: usize = 140;
const POLL_OPTIONS: std::ops::RangeInclusive<usize> = 2..=4;
const POLL_OPTION: usize = 30;
/// How long the same content of the same author is refused.
const DUPLICATE: TimeDelta = TimeDelta::minutes(10);
/// How long it is refused where the earlier post was deleted.
///
/// Source: <https://github.com/ComposioHQ/composio/issues/2710> (24 to 48 hours).
const GHOST: TimeDelta = TimeDelta::hours(24);

/// A post.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) urn: String,
    /// The number that comments name.
    pub(super) activity: u64,
    pub(super) author: String,
    commentary: String,
    /// The body as it was sent, without what does not count for duplicates.
    content: Value,
    media: Vec<LiveMedia>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) is_deleted: bool,
    pub(super) liked_by: Vec<String>,
}

/// Returns the error of a text that is too long.
pub(super) fn too_long(length: usize) -> ApiError {
    let message = format!(
        "ShareCommentary text length ({length} characters) exceeded the maximum allowed ({TEXT} characters)"
    );
    ApiError::input(StatusCode::BAD_REQUEST, "FIELD_LENGTH_TOO_LONG", &message, &message)
}

impl Linkedin {
    /// Makes a post.
    ///
    /// # Errors
    /// 400 for what is missing or wrong, 422 for a duplicate, those of tokens and authors.
    pub(super) fn create_post(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let body = request.json().filter(|body| body.is_object()).cloned();
        let body = body.ok_or_else(|| ApiError::missing("author"))?;
        for field in ["author", "commentary", "visibility", "lifecycleState"] {
            if !body[field].is_string() {
                return Err(ApiError::missing(field));
            }
        }
        if !body["distribution"]["feedDistribution"].is_string() {
            return Err(ApiError::missing("distribution/feedDistribution"));
        }
        let author = body["author"].as_str().unwrap_or_default().to_owned();
        self.check_publishes(&caller, &author, "posts.CREATE")?;
        match body["visibility"].as_str() {
            Some("PUBLIC" | "LOGGED_IN") => {}
            Some("CONNECTIONS") if author.starts_with("urn:li:person:") => {}
            Some("CONNECTIONS") => {
                let why = "CONNECTIONS is not allowed for organizations";
                return Err(ApiError::invalid("visibility", why));
            }
            // Groups are not imitated.
            Some("CONTAINER") => return Err(ApiError::missing("container")),
            _ => return Err(ApiError::invalid("visibility", "Unknown visibility")),
        }
        self.check_reshare(&body)?;
        check_poll(&body["content"])?;
        let commentary = body["commentary"].as_str().unwrap_or_default().to_owned();
        let length = shown(&commentary).encode_utf16().count();
        if length > TEXT {
            return Err(too_long(length));
        }
        let files = self.files_of(&body["content"], &author, context)?;
        if commentary.is_empty() && body.get("content").is_none_or(Value::is_null) {
            return Err(ApiError::missing("commentary"));
        }
        if let Some(earlier) = self.duplicate(&author, &body, context.now) {
            let message = format!("Content is a duplicate of {earlier}");
            let description = "Duplicate post is detected";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(ApiError::input(status, "DUPLICATE_POST", description, &message));
        }
        let is_image =
            |urn: &String| self.files.get(urn).is_some_and(|file| file.kind == Kind::Image);
        let is_share = files.len() < 2 && files.iter().all(is_image);
        let media = files.iter().filter_map(|urn| self.files.get(urn)).map(|file| file.live());
        let media = media.collect();
        let kind = if is_share { "share" } else { "ugcPost" };
        let urn = format!("urn:li:{kind}:{}", self.next_id(context.now));
        let activity = self.next_id(context.now);
        self.posts.push(Post {
            urn: urn.clone(),
            activity,
            author,
            commentary,
            content: body,
            media,
            created_at: context.now,
            is_deleted: false,
            liked_by: Vec::new(),
        });
        Ok(Answer::empty(StatusCode::CREATED).with_header("x-restli-id", &urn))
    }

    /// Answers the latest posts of an author.
    ///
    /// # Errors
    /// 403 without the permission, those of tokens.
    pub(super) fn find_posts(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if request.query("q") != Some("author")
            || request.header("x-restli-method") != Some("FINDER")
        {
            return Err(ApiError::invalid("q", "Unknown finder"));
        }
        let author = request.query("author").ok_or_else(|| ApiError::missing("author"))?;
        self.check_reads(&caller, author, "posts.FINDER-author")?;
        let count: usize =
            request.query("count").and_then(|count| count.parse().ok()).unwrap_or(10);
        let start: usize = request.query("start").and_then(|start| start.parse().ok()).unwrap_or(0);
        let elements: Vec<Value> = self
            .posts
            .iter()
            .rev()
            .filter(|post| post.author == author && !post.is_deleted)
            .skip(start)
            .take(count.clamp(1, 100))
            .map(view)
            .collect();
        let total = elements.len();
        Ok(Answer::ok(&json!({
            "elements": elements,
            "paging": { "start": start, "count": count, "total": total, "links": [] },
        })))
    }

    /// Answers a post.
    ///
    /// # Errors
    /// Not found, 403 without the permission, those of tokens.
    pub(super) fn show_post(
        &self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let post = self.posts.iter().find(|post| post.urn == urn);
        if let Some(post) = post {
            self.check_reads(&caller, &post.author, "posts.GET")?;
        }
        let post = post.filter(|post| !post.is_deleted).ok_or_else(ApiError::not_found)?;
        Ok(Answer::ok(&view(post)))
    }

    /// Takes a post down, with its comments; one that is gone is no error.
    ///
    /// # Errors
    /// Those of tokens and authors.
    pub(super) fn delete_post(
        &mut self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        if let Some(at) = self.posts.iter().position(|post| post.urn == urn) {
            self.check_publishes(&caller, &self.posts[at].author, "posts.DELETE")?;
            self.posts[at].is_deleted = true;
            for comment in self.comments.iter_mut().filter(|comment| comment.post == urn) {
                comment.is_deleted = true;
            }
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Finds the post that a call names by its own name or by its activity.
    pub(super) fn live_post_named(&self, urn: &str) -> Option<&Post> {
        let activity = urn.strip_prefix("urn:li:activity:").and_then(|id| id.parse::<u64>().ok());
        self.posts
            .iter()
            .find(|post| !post.is_deleted && (post.urn == urn || Some(post.activity) == activity))
    }

    /// Checks that a caller may publish as an author.
    ///
    /// # Errors
    /// 403.
    pub(super) fn check_publishes(
        &self,
        caller: &Caller,
        author: &str,
        what: &str,
    ) -> Result<(), ApiError> {
        self.check_acts(caller, author, &["w_member_social"], &["w_organization_social"], what)
    }

    /// Checks that a caller may read the comments on a post of an author.
    ///
    /// # Errors
    /// 403.
    pub(super) fn check_reads_comments(
        &self,
        caller: &Caller,
        author: &str,
        what: &str,
    ) -> Result<(), ApiError> {
        let member = &["r_member_social", "r_member_social_feed"];
        let page = &["r_organization_social", "r_organization_social_feed"];
        self.check_acts(caller, author, member, page, what)
    }

    /// Checks that a caller may read what an author has posted.
    ///
    /// # Errors
    /// 403.
    pub(super) fn check_reads(
        &self,
        caller: &Caller,
        author: &str,
        what: &str,
    ) -> Result<(), ApiError> {
        self.check_acts(caller, author, &["r_member_social"], &["r_organization_social"], what)
    }

    /// Returns a post as the control shows it.
    pub(super) fn live_post(&self, post: &Post) -> LivePost {
        LivePost {
            platform: super::NAME,
            account: post.author.clone(),
            author: self.name_of(&post.author),
            remote_id: post.urn.clone(),
            text: shown(&post.commentary),
            media: post.media.clone(),
            reply_to: None,
            created_at: post.created_at,
            is_deleted: post.is_deleted,
        }
    }

    /// Returns the files that a post shows, all of them ready.
    fn files_of(
        &self,
        content: &Value,
        author: &str,
        context: &Context<'_>,
    ) -> Result<Vec<String>, ApiError> {
        let mut shown: Vec<&Value> = Vec::new();
        if content["media"].is_object() {
            shown.push(&content["media"]);
        }
        if let Some(images) = content["multiImage"]["images"].as_array() {
            if !(2..=20).contains(&images.len()) {
                let why = "Array size of images is out of range";
                let code = "FIELD_ARRAY_SIZE_TOO_HIGH";
                return Err(ApiError::input(StatusCode::BAD_REQUEST, code, why, why));
            }
            shown.extend(images);
        }
        if content["article"].is_object() {
            for field in ["source", "title"] {
                if !content["article"][field].is_string() {
                    return Err(ApiError::missing(&format!("content/article/{field}")));
                }
            }
        }
        let is_multiple = shown.len() > 1;
        let mut urns = Vec::new();
        let thumbnail = &content["article"]["thumbnail"];
        if !thumbnail.is_null() {
            let urn = thumbnail.as_str().filter(|urn| urn.starts_with("urn:li:image:"));
            let urn = urn.ok_or_else(|| {
                ApiError::invalid("content/article/thumbnail", "The thumbnail is no image URN")
            })?;
            self.ready_file(urn, author, context)?;
            urns.push(urn.to_owned());
        }
        for entry in shown {
            let urn = entry["id"].as_str().ok_or_else(|| ApiError::missing("content/media/id"))?;
            let alt_text = entry["altText"].as_str().unwrap_or_default();
            if alt_text.encode_utf16().count() > ALT_TEXT {
                let why = "altText is too long";
                let code = "FIELD_LENGTH_TOO_LONG";
                return Err(ApiError::input(StatusCode::BAD_REQUEST, code, why, why));
            }
            let file = self.file_of(urn, author)?;
            if file.kind == Kind::Document {
                let title = entry["title"].as_str().unwrap_or_default();
                if title.trim().is_empty() {
                    return Err(ApiError::missing("content/media/title"));
                }
            }
            if is_multiple && file.kind != Kind::Image {
                return Err(ApiError::input(
                    StatusCode::BAD_REQUEST,
                    "INVALID_URN_TYPE",
                    "Only images can be shown together",
                    "Only images can be shown together",
                ));
            }
            self.ready_file(urn, author, context)?;
            urns.push(urn.to_owned());
        }
        Ok(urns)
    }

    /// Returns a file of an author.
    ///
    /// # Errors
    /// 400 where there is none of that name.
    fn file_of(&self, urn: &str, author: &str) -> Result<&File, ApiError> {
        self.files.get(urn).filter(|file| file.owner == author).ok_or_else(|| {
            let why = "Media does not exist or is not owned by the author";
            ApiError::input(StatusCode::BAD_REQUEST, "INVALID_URN_ID", why, why)
        })
    }

    /// Checks that a file of an author can be shown.
    ///
    /// # Errors
    /// 400 where it cannot.
    fn ready_file(&self, urn: &str, author: &str, context: &Context<'_>) -> Result<(), ApiError> {
        let code = match self.file_of(urn, author)?.status(context.now) {
            "AVAILABLE" => return Ok(()),
            "PROCESSING_FAILED" => "MEDIA_ASSET_PROCESSING_FAILED",
            _ => "MEDIA_ASSET_WAITING_UPLOAD",
        };
        let why = format!("Media asset {urn} cannot be shown");
        Err(ApiError::input(StatusCode::BAD_REQUEST, code, &why, &why))
    }

    /// Checks the post that another shares.
    fn check_reshare(&self, body: &Value) -> Result<(), ApiError> {
        let context = &body["reshareContext"];
        if context.is_null() {
            return Ok(());
        }
        let parent = context["parent"].as_str();
        let parent = parent.ok_or_else(|| ApiError::missing("reshareContext/parent"))?;
        let refused = |code, why: &str| ApiError::input(StatusCode::BAD_REQUEST, code, why, why);
        let kind = parent.strip_prefix("urn:li:").and_then(|rest| rest.split(':').next());
        if !matches!(kind, Some("share" | "ugcPost" | "groupPost")) {
            let why = "Allowed URN types are groupPost, share, ugcPost";
            return Err(refused("INVALID_URN_TYPE", why));
        }
        if self.live_post_named(parent).is_none() {
            return Err(refused("INVALID_URN_ID", "The parent does not exist"));
        }
        if !body["content"].is_null() {
            let why = "content cannot be given with reshareContext";
            return Err(ApiError::invalid("content", why));
        }
        Ok(())
    }

    fn duplicate(&self, author: &str, body: &Value, now: DateTime<Utc>) -> Option<&str> {
        let is_remembered = |post: &&Post| {
            let life = if post.is_deleted { GHOST } else { DUPLICATE };
            post.author == author && post.content == *body && now < post.created_at + life
        };
        self.posts.iter().rev().find(is_remembered).map(|post| post.urn.as_str())
    }
}

/// Checks a poll.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api>;
/// the lengths are those of clients.
fn check_poll(content: &Value) -> Result<(), ApiError> {
    let poll = &content["poll"];
    if poll.is_null() {
        return Ok(());
    }
    if content.as_object().is_some_and(|content| content.len() > 1) {
        return Err(ApiError::invalid("content", "A poll stands alone"));
    }
    let is_text = |text: &Value, most: usize| {
        text.as_str().is_some_and(|text| (1..=most).contains(&text.trim().chars().count()))
    };
    if !is_text(&poll["question"], QUESTION) {
        return Err(ApiError::invalid("content/poll/question", "The question is invalid"));
    }
    let options = poll["options"].as_array().map(Vec::as_slice).unwrap_or_default();
    let are_right = options.iter().all(|option| is_text(&option["text"], POLL_OPTION));
    if !POLL_OPTIONS.contains(&options.len()) || !are_right {
        return Err(ApiError::invalid("content/poll/options", "The options are invalid"));
    }
    let settings = &poll["settings"];
    let durations = ["ONE_DAY", "THREE_DAYS", "SEVEN_DAYS", "FOURTEEN_DAYS"];
    if !settings["duration"].as_str().is_some_and(|duration| durations.contains(&duration)) {
        return Err(ApiError::invalid("content/poll/settings/duration", "Unknown duration"));
    }
    if settings["voteSelectionType"] != "SINGLE_VOTE" {
        let why = "Only SINGLE_VOTE is supported";
        return Err(ApiError::invalid("content/poll/settings/voteSelectionType", why));
    }
    Ok(())
}

fn view(post: &Post) -> Value {
    let created_at = post.created_at.timestamp_millis();
    json!({
        "id": post.urn,
        "author": post.author,
        "commentary": post.commentary,
        "content": post.content["content"],
        "visibility": post.content["visibility"],
        "distribution": post.content["distribution"],
        "lifecycleState": "PUBLISHED",
        "createdAt": created_at,
        "publishedAt": created_at,
        "lastModifiedAt": created_at,
        "isReshareDisabledByAuthor": post.content["isReshareDisabledByAuthor"] == true,
        "reshareContext": post.content["reshareContext"],
    })
}
