//! Comments below videos, in threads of two levels.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/commentThreads>,
//! <https://developers.google.com/youtube/v3/docs/comments>.

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::COMMENTING;
use super::sessions::member;
use super::{Youtube, id, instant, page};
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::request::Request;

/// Characters of a comment; the figure of clients.
const TEXT: usize = 10_000;
/// Replies that come with a thread.
const SHOWN_REPLIES: usize = 5;

/// A comment, or a reply to one.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) id: String,
    pub(super) video: String,
    /// The comment that it answers.
    pub(super) parent: Option<String>,
    pub(super) author: String,
    text: String,
    pub(super) created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    /// `published`, `heldForReview` or `rejected`.
    pub(super) moderation: &'static str,
    pub(super) is_deleted: bool,
}

impl Youtube {
    /// Answers the threads of a video, newest first.
    ///
    /// # Errors
    /// 403 for those that are held back of another's video, 404; those of tokens.
    pub(super) fn list_threads(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let video = request.query("videoId").unwrap_or_default();
        let video = self.live_by_id(video).ok_or_else(ApiError::no_video)?;
        let wanted = request.query("moderationStatus").unwrap_or("published");
        if wanted != "published" && video.channel != caller {
            let message = "One or more of the requested comment threads cannot be retrieved due to insufficient permissions.";
            return Err(ApiError::forbidden("forbidden", message));
        }
        let of_video = |comment: &&Comment| comment.video == video.id && !comment.is_deleted;
        let all: Vec<Value> = self
            .comments
            .iter()
            .rev()
            .filter(of_video)
            .filter(|comment| comment.parent.is_none() && comment.moderation == wanted)
            .map(|comment| self.thread(comment, request, &caller))
            .collect();
        Ok(Answer::ok(&page("youtube#commentThreadListResponse", &all, request, 20, 100)))
    }

    /// Makes a comment below a video.
    ///
    /// # Errors
    /// 400 for a text that cannot be used, 403 below a video that is private, 404; those of tokens.
    pub(super) fn insert_thread(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let author = self.caller(request, context, COMMENTING)?;
        let body = request.json().cloned().unwrap_or_default();
        let text = checked(member(&body, "/snippet/topLevelComment/snippet/textOriginal"))?;
        let video = member(&body, "/snippet/videoId")
            .ok_or_else(|| ApiError::bad("channelOrVideoIdMissing", "The video id is missing."))?;
        let video = self.live_by_id(video).ok_or_else(ApiError::no_video)?;
        if video.details.is_for_kids() {
            let message = "The video identified by the videoId parameter has disabled comments.";
            return Err(ApiError::forbidden("commentsDisabled", message));
        }
        if video.details.privacy == "private" {
            let message = "The comment thread cannot be created due to insufficient permissions.";
            return Err(ApiError::forbidden("forbidden", message));
        }
        let comment = Comment {
            id: id("Ug", 24),
            video: video.id.clone(),
            parent: None,
            author: author.clone(),
            text,
            created_at: context.now,
            edited_at: None,
            moderation: "published",
            is_deleted: false,
        };
        let answer = Answer::ok(&self.thread(&comment, request, &author));
        self.comments.push(comment);
        Ok(answer)
    }

    /// Answers comments by their ids, or the replies to one, oldest first.
    ///
    /// # Errors
    /// 404 for replies to what is not there; those of tokens.
    pub(super) fn list_comments(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let live = self.comments.iter().filter(|comment| !comment.is_deleted);
        let found: Vec<Value> = match (request.query("parentId"), request.query("id")) {
            (Some(parent), _) => {
                self.live_comment_named(parent)?;
                let replies = live.filter(|comment| comment.parent.as_deref() == Some(parent));
                let replies = replies.filter(|comment| comment.moderation == "published");
                replies.map(|comment| self.comment_view(comment, request, &caller)).collect()
            }
            (None, Some(ids)) => {
                let ids: Vec<&str> = ids.split(',').collect();
                let named = live.filter(|comment| ids.contains(&comment.id.as_str()));
                named.map(|comment| self.comment_view(comment, request, &caller)).collect()
            }
            (None, None) => {
                let message = "No filter selected. Expected one of: id, parentId";
                return Err(ApiError::bad("missingRequiredParameter", message));
            }
        };
        Ok(Answer::ok(&page("youtube#commentListResponse", &found, request, 20, 100)))
    }

    /// Answers a comment.
    ///
    /// # Errors
    /// 400 for a text that cannot be used or a reply to a reply, 404; those of tokens.
    pub(super) fn insert_reply(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let author = self.caller(request, context, COMMENTING)?;
        let body = request.json().cloned().unwrap_or_default();
        let text = checked(member(&body, "/snippet/textOriginal"))?;
        let parent = member(&body, "/snippet/parentId").ok_or_else(|| {
            ApiError::bad("parentIdMissing", "The snippet.parentId property has to be there.")
        })?;
        let at = self.live_comment_named(parent).map_err(|_| {
            let message = "The specified parent comment could not be found.";
            ApiError::not_found("parentCommentNotFound", message)
        })?;
        let parent = &self.comments[at];
        if parent.parent.is_some() {
            let message = "The comment cannot be created as a reply to a reply.";
            return Err(ApiError::bad("operationNotSupported", message));
        }
        let comment = Comment {
            id: format!("{}.{}", parent.id, id("", 22)),
            video: parent.video.clone(),
            parent: Some(parent.id.clone()),
            author: author.clone(),
            text,
            created_at: context.now,
            edited_at: None,
            moderation: "published",
            is_deleted: false,
        };
        let answer = Answer::ok(&self.comment_view(&comment, request, &author));
        self.comments.push(comment);
        Ok(answer)
    }

    /// Gives a comment another text; only its author may.
    ///
    /// # Errors
    /// 400 for a text that cannot be used, 403, 404; those of tokens.
    pub(super) fn update_comment(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let body = request.json().cloned().unwrap_or_default();
        let text = checked(member(&body, "/snippet/textOriginal"))?;
        let at = self.live_comment_named(member(&body, "/id").unwrap_or_default())?;
        if self.comments[at].author != caller {
            let message = "The comment cannot be updated due to insufficient permissions.";
            return Err(ApiError::forbidden("forbidden", message));
        }
        self.comments[at].text = text;
        self.comments[at].edited_at = Some(context.now);
        Ok(Answer::ok(&self.comment_view(&self.comments[at], request, &caller)))
    }

    /// Deletes a comment, with the replies to it; only its author may.
    ///
    /// # Errors
    /// 403, 404; those of tokens.
    pub(super) fn delete_comment(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let at = self.live_comment_named(request.query("id").unwrap_or_default())?;
        if self.comments[at].author != caller {
            let message = "The comment cannot be deleted due to insufficient permissions.";
            return Err(ApiError::forbidden("forbidden", message));
        }
        let id = self.comments[at].id.clone();
        for comment in &mut self.comments {
            comment.is_deleted |= comment.id == id || comment.parent.as_ref() == Some(&id);
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }

    /// Finds a comment that is there.
    ///
    /// # Errors
    /// 404.
    pub(super) fn live_comment_named(&self, id: &str) -> Result<usize, ApiError> {
        let is_it = |comment: &Comment| comment.id == id && !comment.is_deleted;
        self.comments.iter().position(is_it).ok_or_else(|| {
            ApiError::not_found("commentNotFound", "The specified comment could not be found.")
        })
    }

    /// Counts the comments of a video that everybody sees.
    pub(super) fn comment_count(&self, video: &str) -> usize {
        let shown = self.comments.iter().filter(|comment| !comment.is_deleted);
        shown.filter(|comment| comment.video == video && comment.moderation == "published").count()
    }

    /// Returns a comment as the control shows it.
    pub(super) fn live_comment(&self, comment: &Comment) -> LivePost {
        LivePost {
            platform: super::NAME,
            account: comment.author.clone(),
            author: self.title_of(&comment.author),
            remote_id: comment.id.clone(),
            text: comment.text.clone(),
            media: Vec::new(),
            reply_to: comment.parent.clone().or_else(|| Some(comment.video.clone())),
            created_at: comment.created_at,
            is_deleted: comment.is_deleted || comment.moderation == "rejected",
        }
    }

    fn thread(&self, comment: &Comment, request: &Request, caller: &str) -> Value {
        let replies: Vec<&Comment> = self
            .comments
            .iter()
            .filter(|reply| reply.parent.as_ref() == Some(&comment.id) && !reply.is_deleted)
            .filter(|reply| reply.moderation == "published")
            .collect();
        let mut thread = json!({
            "kind": "youtube#commentThread",
            "id": comment.id,
            "snippet": {
                "videoId": comment.video,
                "topLevelComment": self.comment_view(comment, request, caller),
                "canReply": true,
                "totalReplyCount": replies.len(),
                "isPublic": comment.moderation == "published",
            },
        });
        let mut parts = request.query_all("part").flat_map(|part| part.split(','));
        if parts.any(|part| part == "replies") && !replies.is_empty() {
            let shown = replies.iter().rev().take(SHOWN_REPLIES);
            let shown: Vec<Value> =
                shown.map(|reply| self.comment_view(reply, request, caller)).collect();
            thread["replies"] = json!({ "comments": shown });
        }
        thread
    }

    fn comment_view(&self, comment: &Comment, request: &Request, caller: &str) -> Value {
        let is_plain = request.query("textFormat") == Some("plainText");
        let shown = match is_plain {
            true => comment.text.clone(),
            false => crate::page::escape(&comment.text),
        };
        let edited_at = comment.edited_at.unwrap_or(comment.created_at);
        let mut view = json!({
            "kind": "youtube#comment",
            "id": comment.id,
            "snippet": {
                "videoId": comment.video,
                "textDisplay": shown,
                "authorDisplayName": format!("@{}", self.title_of(&comment.author)),
                "authorChannelId": { "value": comment.author },
                "canRate": true,
                "viewerRating": "none",
                "likeCount": 0,
                "publishedAt": instant(comment.created_at),
                "updatedAt": instant(edited_at),
            },
        });
        // As it was written, it is shown to its author alone.
        if comment.author == caller {
            view["snippet"]["textOriginal"] = Value::from(comment.text.clone());
        }
        if comment.moderation != "published" {
            view["snippet"]["moderationStatus"] = Value::from(comment.moderation);
        }
        if let Some(parent) = &comment.parent {
            view["snippet"]["parentId"] = Value::from(parent.clone());
        }
        view
    }
}

fn checked(text: Option<&str>) -> Result<String, ApiError> {
    let text = text.filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| {
        let message = "The value of the textOriginal property is empty.";
        ApiError::bad("commentTextRequired", message)
    })?;
    if text.chars().count() > TEXT {
        let message = "The comment resource that is being inserted contains too many characters.";
        return Err(ApiError::bad("commentTextTooLong", message));
    }
    Ok(text.to_owned())
}
