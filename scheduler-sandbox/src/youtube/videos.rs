//! Videos: read, changed, deleted.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos>.

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::attachments::Caption;
use super::error::ApiError;
use super::further::{self, Further};
use super::oauth::{MANAGING, READING};
use super::sessions::{invalid_title, member};
use super::{Youtube, instant};
use crate::answer::Answer;
use crate::network::{Context, LiveMedia, LivePost};
use crate::request::Request;

/// Characters of a title, bytes of a description, characters of all tags.
pub(super) const TITLE: usize = 100;
pub(super) const DESCRIPTION: usize = 5000;
const TAGS: usize = 500;
/// Videos that one call names at most.
const IDS: usize = 50;
/// Categories that a video can have.
const CATEGORIES: [&str; 15] =
    ["1", "2", "10", "15", "17", "19", "20", "22", "23", "24", "25", "26", "27", "28", "29"];

/// What is said of a video.
#[derive(Clone, Debug)]
pub(super) struct Details {
    pub(super) title: String,
    description: String,
    tags: Vec<String>,
    category_id: String,
    pub(super) privacy: String,
    made_for_kids: Option<bool>,
    further: Further,
}

/// A video.
#[derive(Clone, Debug)]
pub(super) struct Video {
    pub(super) id: String,
    pub(super) channel: String,
    pub(super) details: Details,
    pub(super) file: LiveMedia,
    pub(super) file_name: String,
    pub(super) is_video: bool,
    pub(super) published_at: DateTime<Utc>,
    pub(super) processed_at: DateTime<Utc>,
    pub(super) thumbnail: Option<LiveMedia>,
    pub(super) captions: Vec<Caption>,
    pub(super) is_deleted: bool,
}

/// Says whether a title or a description holds what the network refuses.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>; of control characters
/// <https://github.com/FriendTeamInc/VodBot/issues/46>.
pub(super) fn is_refused(text: &str) -> bool {
    let is_control = |sign: char| sign.is_ascii_control() && !"\t\n\r\u{7f}".contains(sign);
    text.contains(['<', '>']) || text.contains(is_control)
}

impl Details {
    /// Says whether it is made for children, where nobody can comment.
    pub(super) fn is_for_kids(&self) -> bool {
        self.made_for_kids == Some(true)
    }

    /// Reads what an upload says of its video.
    ///
    /// # Errors
    /// 400 with the reason of what is wrong.
    pub(super) fn checked(body: &Value, parts: &str) -> Result<Self, ApiError> {
        let parts = further::parts(parts)?;
        // Without a word on it, everybody sees a video since 2026-11-02.
        let privacy = member(body, "/status/privacyStatus").unwrap_or("public");
        if !matches!(privacy, "public" | "unlisted" | "private") {
            return Err(ApiError::bad("invalidVideoMetadata", "Invalid privacyStatus."));
        }
        let mut details = Self {
            title: String::new(),
            description: String::new(),
            tags: Vec::new(),
            category_id: "22".to_owned(),
            privacy: privacy.to_owned(),
            made_for_kids: body.pointer("/status/selfDeclaredMadeForKids").and_then(Value::as_bool),
            further: Further::checked(body, &parts)?,
        };
        details.take_snippet(&body["snippet"])?;
        Ok(details)
    }

    /// Takes a snippet; what it does not hold is gone.
    fn take_snippet(&mut self, snippet: &Value) -> Result<(), ApiError> {
        let text = |name: &str| snippet.get(name).and_then(Value::as_str).unwrap_or_default();
        let title = text("title");
        if title.trim().is_empty() || title.chars().count() > TITLE || is_refused(title) {
            return Err(invalid_title());
        }
        let description = text("description");
        if description.len() > DESCRIPTION || is_refused(description) {
            let message = "The request metadata specifies an invalid video description.";
            return Err(ApiError::bad("invalidDescription", message));
        }
        let tags: Vec<String> = snippet
            .get("tags")
            .and_then(Value::as_array)
            .map(|tags| tags.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default();
        let one = |tag: &String| tag.chars().count() + if tag.contains(' ') { 2 } else { 0 };
        let together = tags.iter().map(one).sum::<usize>() + tags.len().saturating_sub(1);
        if together > TAGS || tags.iter().any(|tag| tag.is_empty() || tag.contains(['<', '>'])) {
            let message = "The request metadata specifies invalid video keywords.";
            return Err(ApiError::bad("invalidTags", message));
        }
        let category = snippet.get("categoryId").and_then(Value::as_str);
        let category = category.unwrap_or(&self.category_id);
        if !CATEGORIES.contains(&category) {
            let message = "The snippet.categoryId property specifies an invalid category ID.";
            return Err(ApiError::bad("invalidCategoryId", message));
        }
        self.category_id = category.to_owned();
        self.title = title.to_owned();
        self.description = description.to_owned();
        self.tags = tags;
        self.further.take_snippet(snippet)
    }
}

impl Youtube {
    /// Answers videos by their ids. Those that the caller may not see are left out.
    ///
    /// # Errors
    /// 400 for too many ids; those of tokens.
    pub(super) fn list_videos(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, READING)?;
        let ids: Vec<&str> = request.query_all("id").flat_map(|ids| ids.split(',')).collect();
        if ids.len() > IDS {
            return Err(ApiError::bad("invalidFilters", "Too many ids."));
        }
        let parts: Vec<&str> = request.query_all("part").flat_map(|part| part.split(',')).collect();
        let shown: Vec<Value> = ids
            .iter()
            .filter_map(|id| self.live_by_id(id))
            .filter(|video| video.channel == caller || video.details.privacy != "private")
            .map(|video| {
                let mut parts = parts.clone();
                // What is known of its file is told to its owner alone.
                parts.retain(|part| video.channel == caller || !part.ends_with("Details"));
                self.view(video, &parts, context)
            })
            .collect();
        Ok(Answer::ok(&json!({
            "kind": "youtube#videoListResponse",
            "pageInfo": { "totalResults": shown.len(), "resultsPerPage": shown.len() },
            "items": shown,
        })))
    }

    /// Changes what is said of a video.
    ///
    /// # Errors
    /// 400 for what cannot be said, 403 for another's, 404; those of tokens.
    pub(super) fn update_video(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, MANAGING)?;
        let body = request.json().cloned().unwrap_or_default();
        if request.query("part") != Some("snippet") {
            return Err(ApiError::bad("unexpectedPart", "Only the snippet is imitated."));
        }
        let at = self.own(member(&body, "/id").unwrap_or_default(), &caller)?;
        if member(&body, "/snippet/categoryId").is_none() {
            let message = "The snippet.categoryId property specifies an invalid category ID.";
            return Err(ApiError::bad("invalidCategoryId", message));
        }
        self.videos[at].details.take_snippet(&body["snippet"])?;
        Ok(Answer::ok(&self.view(&self.videos[at], &["snippet"], context)))
    }

    /// Deletes a video, with its comments.
    ///
    /// # Errors
    /// 403 for another's, 404; those of tokens.
    pub(super) fn delete_video(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, MANAGING)?;
        let at = self.own(request.query("id").unwrap_or_default(), &caller)?;
        self.videos[at].is_deleted = true;
        let id = self.videos[at].id.clone();
        for comment in self.comments.iter_mut().filter(|comment| comment.video == id) {
            comment.is_deleted = true;
        }
        for playlist in &mut self.playlists {
            playlist.videos.retain(|video| *video != id);
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Finds a video that is there.
    pub(super) fn live_by_id(&self, id: &str) -> Option<&Video> {
        self.videos.iter().find(|video| video.id == id && !video.is_deleted)
    }

    /// Finds a video of the caller.
    ///
    /// # Errors
    /// 403 for another's, 404.
    pub(super) fn own(&self, id: &str, caller: &str) -> Result<usize, ApiError> {
        let at = self.videos.iter().position(|video| video.id == id && !video.is_deleted);
        let at = at.ok_or_else(ApiError::no_video)?;
        if self.videos[at].channel == caller {
            return Ok(at);
        }
        Err(ApiError::forbidden("forbidden", "The video belongs to another channel."))
    }

    /// Returns the parts of a video that were asked for.
    pub(super) fn view(&self, video: &Video, parts: &[&str], context: &Context<'_>) -> Value {
        let details = &video.details;
        let is_processed = video.processed_at <= context.now;
        let mut view = json!({ "kind": "youtube#video", "id": video.id });
        if parts.contains(&"snippet") {
            view["snippet"] = json!({
                "publishedAt": instant(video.published_at),
                "channelId": video.channel,
                "channelTitle": self.title_of(&video.channel),
                "title": details.title,
                "description": details.description,
                "categoryId": details.category_id,
                "liveBroadcastContent": "none",
                "thumbnails": {},
            });
            if !details.tags.is_empty() {
                view["snippet"]["tags"] = json!(details.tags);
            }
        }
        if parts.contains(&"status") {
            let status = match (is_processed, video.is_video) {
                (false, _) => "uploaded",
                (true, true) => "processed",
                (true, false) => "failed",
            };
            view["status"] = json!({
                "uploadStatus": status,
                "privacyStatus": details.privacy,
                "madeForKids": details.made_for_kids.unwrap_or(false),
            });
            if let Some(made_for_kids) = details.made_for_kids {
                view["status"]["selfDeclaredMadeForKids"] = Value::from(made_for_kids);
            }
            if status == "failed" {
                view["status"]["failureReason"] = Value::from("invalidFile");
            }
        }
        details.further.show(&mut view, parts);
        if parts.contains(&"processingDetails") {
            view["processingDetails"] = json!({
                "processingStatus": match (is_processed, video.is_video) {
                    (false, _) => "processing",
                    (true, true) => "succeeded",
                    (true, false) => "failed",
                },
            });
        }
        // While the network works on a video it says nothing of its file.
        if parts.contains(&"fileDetails") && is_processed {
            view["fileDetails"] = json!({
                "fileName": video.file_name,
                "fileSize": video.file.bytes.to_string(),
                "fileType": if video.is_video { "video" } else { "other" },
            });
        }
        if parts.contains(&"statistics") {
            view["statistics"] = json!({
                "viewCount": "240",
                "likeCount": "12",
                "favoriteCount": "0",
                "commentCount": self.comment_count(&video.id).to_string(),
            });
        }
        view
    }

    /// Returns a video as the control shows it.
    pub(super) fn live_video(&self, video: &Video) -> LivePost {
        let Details { title, description, .. } = &video.details;
        let text = match description.is_empty() || title == description {
            true => title.clone(),
            false => format!("{title}\n\n{description}"),
        };
        let files = std::iter::once(&video.file).chain(&video.thumbnail);
        LivePost {
            platform: super::NAME,
            account: video.channel.clone(),
            author: self.title_of(&video.channel),
            remote_id: video.id.clone(),
            text,
            media: files.cloned().collect(),
            reply_to: None,
            created_at: video.published_at,
            is_deleted: video.is_deleted,
        }
    }
}
