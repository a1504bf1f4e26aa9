//! Comments and their replies.
//!
//! Source: `comment-moderation`.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::error::ApiError;
use super::media::graph_time;
use super::{Instagram, NAME, chosen, fields};
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::params::{flag, params, text};
use crate::request::Request;

/// Longest comment, in characters.
const CHARACTERS_MAX: usize = 300;
/// Most hashtags and links of a comment.
const HASHTAGS_MAX: usize = 4;
const LINKS_MAX: usize = 1;
/// Default and greatest length of a list.
const DEFAULT_LIST: usize = 25;
const MAX_LIST: usize = 50;

const NEED: &[&str] = &["instagram_manage_comments", "instagram_business_manage_comments"];

/// A comment, or a reply to one.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) id: u64,
    pub(super) media: u64,
    account: u64,
    parent: Option<u64>,
    text: String,
    created_at: DateTime<Utc>,
    is_hidden: bool,
    is_deleted: bool,
}

impl Instagram {
    /// Answers the comments of a post, newest first, without replies.
    ///
    /// # Errors
    /// Another's post, a field that does not exist, those of tokens.
    pub(super) fn list_comments(
        &self,
        request: &Request,
        media: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let id: u64 = media.parse().map_err(|_| ApiError::missing(media))?;
        if self.live_one(id)?.account != account {
            return Err(ApiError::missing(media));
        }
        let limit = request.query("limit").and_then(|limit| limit.parse().ok());
        let limit = limit.unwrap_or(DEFAULT_LIST).clamp(1, MAX_LIST);
        let after: u64 =
            request.query("after").and_then(|after| after.parse().ok()).unwrap_or(u64::MAX);
        let is_listed = |comment: &&Comment| {
            comment.media == id
                && comment.parent.is_none()
                && !comment.is_deleted
                && comment.id < after
        };
        let mut found = self.comments.values().rev().filter(is_listed);
        let page: Vec<&Comment> = found.by_ref().take(limit).collect();
        let fields = fields(request);
        let mut data = Vec::new();
        for comment in &page {
            data.push(chosen(&self.comment_view(comment, true), &fields)?);
        }
        let mut answer = json!({ "data": data });
        if let Some((first, last)) = page.first().zip(page.last()) {
            let cursors = json!({ "before": first.id.to_string(), "after": last.id.to_string() });
            answer["paging"] = json!({ "cursors": cursors });
            if found.next().is_some() {
                let next = format!("{}/v26.0/{id}/comments?after={}", context.base, last.id);
                answer["paging"]["next"] = json!(next);
            }
        }
        Ok(Answer::ok(&answer))
    }

    fn comment_view(&self, comment: &Comment, with_replies: bool) -> Value {
        let author = self.username(comment.account);
        let mut view = json!({
            "id": comment.id.to_string(),
            "text": comment.text,
            "timestamp": graph_time(comment.created_at),
            "username": author,
            "from": { "id": comment.account.to_string(), "username": author },
            "like_count": 0,
            "hidden": comment.is_hidden,
            "parent_id": comment.parent.map(|parent| parent.to_string()),
            "media": { "id": comment.media.to_string() },
            "replies": null,
        });
        let is_reply = |reply: &&Comment| reply.parent == Some(comment.id) && !reply.is_deleted;
        if with_replies {
            let replies = self.comments.values().filter(is_reply);
            let replies: Vec<Value> =
                replies.map(|reply| self.comment_view(reply, false)).collect();
            if !replies.is_empty() {
                view["replies"] = json!({ "data": replies });
            }
        }
        view
    }

    /// Writes a comment on a post.
    ///
    /// # Errors
    /// What is wrong with it, those of tokens.
    pub(super) fn comment(
        &mut self,
        request: &Request,
        media: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let id: u64 = media.parse().map_err(|_| ApiError::missing(media))?;
        let media = self.live_one(id)?.id;
        self.write(request, media, None, account, context)
    }

    /// Answers a comment.
    ///
    /// # Errors
    /// The comment is a reply itself, or hidden; what is wrong with the answer; those of tokens.
    pub(super) fn reply(
        &mut self,
        request: &Request,
        comment: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let parent = self.live_comment(comment)?;
        if parent.parent.is_some() {
            return Err(ApiError::parameter("A reply cannot be replied to"));
        }
        if parent.is_hidden {
            return Err(ApiError::parameter("A hidden comment cannot be replied to"));
        }
        let (media, parent) = (parent.media, parent.id);
        self.write(request, media, Some(parent), account, context)
    }

    fn write(
        &mut self,
        request: &Request,
        media: u64,
        parent: Option<u64>,
        account: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let message = text(&params(request), "message").filter(|text| !text.trim().is_empty());
        let message =
            message.ok_or_else(|| ApiError::parameter("The parameter message is required"))?;
        if message.chars().count() > CHARACTERS_MAX {
            return Err(ApiError::parameter("The message is too long"));
        }
        let hashtags = message.split_whitespace().filter(|word| word.starts_with('#')).count();
        if hashtags > HASHTAGS_MAX || message.matches("://").count() > LINKS_MAX {
            return Err(ApiError::parameter("The message has too many hashtags or links"));
        }
        let is_shouted =
            message.chars().any(char::is_uppercase) && !message.chars().any(char::is_lowercase);
        if is_shouted {
            return Err(ApiError::parameter("The message is all capitals"));
        }
        if self.live_one(media)?.is_closed {
            return Err(ApiError::parameter("Comments are turned off for this media"));
        }
        let id = self.next_id();
        let comment = Comment {
            id,
            media,
            account,
            parent,
            text: message,
            created_at: context.now,
            is_hidden: false,
            is_deleted: false,
        };
        self.comments.insert(id, comment);
        if !fields(request).is_empty() {
            // The comment is there all the same.
            return Err(ApiError::sub(20, 1_772_107, "The comment cannot be read."));
        }
        Ok(Answer::ok(&json!({ "id": id.to_string() })))
    }

    /// Answers a comment itself.
    ///
    /// # Errors
    /// It is on another's post; a field that does not exist; those of tokens.
    pub(super) fn show_comment(
        &self,
        request: &Request,
        comment: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.allowed(request, NEED, context)?;
        let found = self.live_comment(comment)?;
        Ok(Answer::ok(&chosen(&self.comment_view(found, true), &fields(request))?))
    }

    /// Hides a comment on an own post, or shows it again.
    ///
    /// # Errors
    /// It is an own comment, or on another's post; those of tokens.
    pub(super) fn hide_comment(
        &mut self,
        request: &Request,
        comment: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let found = self.live_comment(comment)?;
        let (id, author, media) = (found.id, found.account, found.media);
        if self.live_one(media)?.account != account {
            return Err(ApiError::missing(comment));
        }
        let hide = flag(&params(request), "hide")
            .ok_or_else(|| ApiError::parameter("The parameter hide is required"))?;
        if author == account {
            return Err(ApiError::parameter("An own comment cannot be hidden"));
        }
        if let Some(found) = self.comments.get_mut(&id) {
            found.is_hidden = hide;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Deletes an own comment, or one on an own post.
    ///
    /// # Errors
    /// It is neither; those of tokens.
    pub(super) fn delete_comment(
        &mut self,
        request: &Request,
        comment: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let found = self.live_comment(comment)?;
        let (id, author, media) = (found.id, found.account, found.media);
        if author != account && self.live_one(media)?.account != account {
            return Err(ApiError::missing(comment));
        }
        if let Some(found) = self.comments.get_mut(&id) {
            found.is_deleted = true;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    fn live_comment(&self, id: &str) -> Result<&Comment, ApiError> {
        let found = id.parse().ok().and_then(|number: u64| self.comments.get(&number));
        let found = found.filter(|comment| !comment.is_deleted);
        found
            .filter(|comment| self.live_one(comment.media).is_ok())
            .ok_or_else(|| ApiError::missing(id))
    }

    /// Returns a comment as the control shows it.
    pub(super) fn comment_post(&self, comment: &Comment) -> LivePost {
        LivePost {
            platform: NAME,
            account: comment.account.to_string(),
            author: self.username(comment.account),
            remote_id: comment.id.to_string(),
            text: comment.text.clone(),
            media: Vec::new(),
            reply_to: Some(comment.parent.unwrap_or(comment.media).to_string()),
            created_at: comment.created_at,
            is_deleted: comment.is_deleted,
        }
    }
}
