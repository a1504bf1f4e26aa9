//! Stories: `/{page}/photo_stories`, and the list of those of a day. Videos of stories are sent as
//! reels are.
//!
//! Source: <https://developers.facebook.com/docs/page-stories-api>.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::error::ApiError;
use super::posts::{New, Post};
use super::{Facebook, fields};
use crate::answer::Answer;
use crate::network::Context;
use crate::params::{params, text};
use crate::request::Request;

/// How long a story is shown.
const LIFE: TimeDelta = TimeDelta::hours(24);

impl Facebook {
    /// Makes a story of a photo that is part of no post.
    ///
    /// # Errors
    /// There is no such photo, or it is part of a post; those of tokens.
    pub(super) fn photo_story(
        &mut self,
        request: &Request,
        page: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_manage_posts", context)?;
        let photo = text(&params(request), "photo_id").filter(|photo| !photo.is_empty());
        let photo =
            photo.ok_or_else(|| ApiError::parameter("The parameter photo_id is required"))?;
        let photos = self.attach(page, &[photo], context.now)?;
        let new = New { photos, is_story: true, ..New::default() };
        self.add_post(page, new, context.now);
        Ok(Answer::ok(&json!({ "success": true, "post_id": self.last_id.to_string() })))
    }

    /// Answers the stories of the last day, newest first.
    ///
    /// # Errors
    /// Another's Page, a field that does not exist; those of tokens.
    pub(super) fn list_stories(
        &self,
        request: &Request,
        page: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_read_engagement", context)?;
        let is_shown = |post: &&Post| {
            post.page == page
                && post.is_story
                && !post.is_deleted
                && context.now < post.created_at + LIFE
        };
        let asked = fields(request);
        let mut data = Vec::new();
        for post in self.posts.values().rev().filter(is_shown) {
            data.push(story(post, &asked)?);
        }
        Ok(Answer::ok(&json!({ "data": data })))
    }
}

/// Returns what was asked for of a story, or all of it. Unlike other objects it has no id.
fn story(post: &Post, asked: &[String]) -> Result<Value, ApiError> {
    let media = post.video.or_else(|| post.photos.first().copied());
    let media_type = if post.video.is_some() { "video" } else { "photo" };
    let whole = json!({
        "post_id": post.id.to_string(),
        "status": "published",
        "creation_time": post.created_at.timestamp().to_string(),
        "media_type": media_type,
        "media_id": media.map(|id| id.to_string()),
        "url": format!("https://www.facebook.com/stories/{}/{}", post.page, post.id),
    });
    if asked.is_empty() {
        return Ok(whole);
    }
    let mut view = json!({});
    for name in asked {
        let Some(value) = whole.get(name) else {
            let message = format!("Tried accessing nonexisting field ({name})");
            return Err(ApiError::parameter(&message));
        };
        view[name] = value.clone();
    }
    Ok(view)
}
