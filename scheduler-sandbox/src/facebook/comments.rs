//! Comments and their replies.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/object/comments/>.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::error::ApiError;
use super::posts::graph_time;
use super::{Facebook, NAME, Object, chosen, fields, listed};
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::params::{flag, params, text};
use crate::request::Request;

/// Longest comment, in characters.
const CHARACTERS_MAX: usize = 8_000;
/// Default and greatest length of a list.
const DEFAULT_LIST: usize = 25;
const MAX_LIST: usize = 100;

const ENGAGE: &str = "pages_manage_engagement";

/// A comment, or a reply to one.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    id: u64,
    pub(super) post: u64,
    page: u64,
    parent: Option<u64>,
    message: String,
    created_at: DateTime<Utc>,
    is_hidden: bool,
    likes: BTreeSet<u64>,
    pub(super) is_deleted: bool,
}

impl Comment {
    fn name(&self) -> String {
        format!("{}_{}", self.post, self.id)
    }
}

impl Facebook {
    /// Returns the post that an id stands for: its own, or that of the video it shows.
    fn post_of(&self, id: &str) -> Result<u64, ApiError> {
        let post = match self.object(id) {
            Some(Object::Post(post)) => Some(post),
            Some(Object::Video(video)) => self.videos.get(&video).and_then(|video| video.post),
            Some(Object::Page(_) | Object::Photo(_) | Object::Comment(_)) | None => None,
        };
        let post = post.ok_or_else(|| ApiError::missing(id))?;
        self.live_one(post).map(|post| post.id)
    }

    /// Answers the comments of a post: those on it alone, or all in one stream.
    ///
    /// # Errors
    /// Another's post, a field that does not exist, those of tokens.
    pub(super) fn list_comments(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "pages_read_engagement", context)?;
        let may_name = self.token(request, context.now)?.has("pages_read_user_content");
        let post = self.post_of(id)?;
        if self.live_one(post)?.page != page {
            return Err(ApiError::missing(id));
        }
        let number = |name: &str| request.query(name).and_then(|text| text.parse::<u64>().ok());
        let limit = number("limit").and_then(|limit| usize::try_from(limit).ok());
        let limit = limit.unwrap_or(DEFAULT_LIST).clamp(1, MAX_LIST);
        let is_stream = request.query("filter") == Some("stream");
        let is_reverse = request.query("order") == Some("reverse_chronological");
        let after = number("after");
        let is_listed = |comment: &&Comment| {
            comment.post == post
                && !comment.is_deleted
                && (is_stream || comment.parent.is_none())
                && after.is_none_or(|after| match is_reverse {
                    true => comment.id < after,
                    false => comment.id > after,
                })
        };
        let mut all: Vec<&Comment> = self.comments.values().filter(is_listed).collect();
        if is_reverse {
            all.reverse();
        }
        let fields = fields(request);
        let mut found = Vec::new();
        for comment in all.iter().take(limit) {
            let view = self.comment_view(comment, page, may_name);
            found.push((comment.id, chosen(&view, &fields)?));
        }
        let next = format!("{}/v26.0/{id}/comments", context.base);
        Ok(listed(found, all.len() > limit, &next))
    }

    /// Answers a comment.
    ///
    /// # Errors
    /// It is gone, a field that does not exist, those of tokens.
    pub(super) fn show_comment(
        &self,
        request: &Request,
        comment: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "pages_read_engagement", context)?;
        let may_name = self.token(request, context.now)?.has("pages_read_user_content");
        let comment = self.live_comment_of(comment)?;
        let view = self.comment_view(comment, page, may_name);
        Ok(Answer::ok(&chosen(&view, &fields(request))?))
    }

    fn comment_view(&self, comment: &Comment, page: u64, may_name: bool) -> Value {
        let is_own = comment.page == page;
        let is_on_own = self.posts.get(&comment.post).is_some_and(|post| post.page == page);
        let from = json!({ "id": comment.page.to_string(), "name": self.page_name(comment.page) });
        let parent = comment.parent.and_then(|parent| self.comments.get(&parent));
        json!({
            "id": comment.name(),
            "from": Some(from).filter(|_| is_own || may_name),
            "message": comment.message,
            "created_time": graph_time(comment.created_at),
            "is_hidden": comment.is_hidden,
            "like_count": comment.likes.len(),
            "user_likes": comment.likes.contains(&page),
            "can_hide": is_on_own && !is_own,
            "can_remove": is_on_own || is_own,
            "can_comment": comment.parent.is_none(),
            "parent": parent.map(|parent| json!({ "id": parent.name() })),
        })
    }

    /// Writes a comment on a post, or answers one.
    ///
    /// # Errors
    /// What is wrong with it, those of tokens.
    pub(super) fn comment(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, ENGAGE, context)?;
        let (post, parent) = match self.object(id) {
            Some(Object::Comment(above)) => {
                let above = self.live_comment_of(above)?;
                if above.parent.is_some() {
                    return Err(ApiError::parameter("A reply cannot be replied to"));
                }
                (above.post, Some(above.id))
            }
            Some(Object::Page(_) | Object::Photo(_) | Object::Video(_) | Object::Post(_))
            | None => (self.post_of(id)?, None),
        };
        let message = written(request)?;
        let id = self.next_id();
        let comment = Comment {
            id,
            post,
            page,
            parent,
            message,
            created_at: context.now,
            is_hidden: false,
            likes: BTreeSet::new(),
            is_deleted: false,
        };
        let name = comment.name();
        self.comments.insert(id, comment);
        Ok(Answer::ok(&json!({ "id": name })))
    }

    /// Changes an own comment, or hides one on an own post.
    ///
    /// # Errors
    /// It is neither; those of tokens.
    pub(super) fn change_comment(
        &mut self,
        request: &Request,
        comment: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, ENGAGE, context)?;
        let found = self.live_comment_of(comment)?;
        let (is_own, post) = (found.page == page, found.post);
        let is_on_own = self.live_one(post)?.page == page;
        let hide = flag(&params(request), "is_hidden");
        if hide.is_some() && (is_own || !is_on_own) {
            return Err(ApiError::parameter("This comment cannot be hidden"));
        }
        if hide.is_none() && !is_own {
            return Err(ApiError::new(200, "(#200) Only an own comment can be changed"));
        }
        let message = if hide.is_none() { Some(written(request)?) } else { None };
        if let Some(found) = self.comments.get_mut(&comment) {
            found.is_hidden = hide.unwrap_or(found.is_hidden);
            found.message = message.unwrap_or_else(|| found.message.clone());
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Likes a comment, or takes that back.
    ///
    /// # Errors
    /// It is gone; those of tokens.
    pub(super) fn like(
        &mut self,
        request: &Request,
        id: &str,
        likes: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, ENGAGE, context)?;
        let Some(Object::Comment(comment)) = self.object(id) else {
            return Err(ApiError::missing(id));
        };
        self.live_comment_of(comment)?;
        if let Some(found) = self.comments.get_mut(&comment) {
            if likes {
                found.likes.insert(page);
            } else {
                found.likes.remove(&page);
            }
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
        comment: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, ENGAGE, context)?;
        let found = self.live_comment_of(comment)?;
        if found.page != page && self.live_one(found.post)?.page != page {
            return Err(ApiError::new(200, "(#200) This comment cannot be deleted"));
        }
        if let Some(found) = self.comments.get_mut(&comment) {
            found.is_deleted = true;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    fn live_comment_of(&self, comment: u64) -> Result<&Comment, ApiError> {
        let found = self.comments.get(&comment).filter(|found| !found.is_deleted);
        found
            .filter(|found| self.live_one(found.post).is_ok())
            .ok_or_else(|| ApiError::missing(&comment.to_string()))
    }

    /// Returns a comment as the control shows it.
    pub(super) fn live_comment(&self, comment: &Comment) -> LivePost {
        let above = comment.parent.and_then(|parent| self.comments.get(&parent));
        let post = self.posts.get(&comment.post);
        let reply_to = above.map(Comment::name).or_else(|| post.map(super::Post::name));
        LivePost {
            platform: NAME,
            account: comment.page.to_string(),
            author: self.page_name(comment.page),
            remote_id: comment.name(),
            text: comment.message.clone(),
            media: Vec::new(),
            reply_to,
            created_at: comment.created_at,
            is_deleted: comment.is_deleted,
        }
    }
}

/// Returns the text of a comment.
fn written(request: &Request) -> Result<String, ApiError> {
    let message = text(&params(request), "message").filter(|text| !text.trim().is_empty());
    let message =
        message.ok_or_else(|| ApiError::parameter("The parameter message is required"))?;
    if message.chars().count() > CHARACTERS_MAX {
        return Err(ApiError::parameter("The message is too long"));
    }
    Ok(message)
}
