//! What people do with posts: likes and reblogs.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Get notes for a specific Post", "Like a
//! Post" and "Unlike a Post".

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::error::{ApiError, ok};
use super::posts::Post;
use super::{Tumblr, nothing};
use crate::answer::Answer;
use crate::network::Context;
use crate::params::{params, text};
use crate::request::Request;

/// Notes of one page; not documented.
const PAGE: usize = 20;

/// A like.
#[derive(Clone, Debug)]
pub(super) struct Like {
    user: u64,
    post: u64,
    at: DateTime<Utc>,
}

impl Tumblr {
    /// Likes a post, or takes the like back. Twice is no error.
    ///
    /// # Errors
    /// Those of tokens; there is no such post, or its key is another.
    pub(super) fn like(
        &mut self,
        request: &Request,
        likes: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "write", context)?;
        let params = params(request);
        let (id, key) = (text(&params, "id"), text(&params, "reblog_key"));
        let post = self.posts.iter().find(|post| {
            post.is_live()
                && Some(post.id.to_string()) == id
                && Some(&post.reblog_key) == key.as_ref()
        });
        let post = post.ok_or_else(ApiError::not_found)?.id;
        self.likes.retain(|like| (like.user, like.post) != (user, post));
        if likes {
            self.likes.push(Like { user, post, at: context.now });
        }
        Ok(ok(&nothing()))
    }

    /// Returns how many notes a post has.
    pub(super) fn note_count(&self, id: u64) -> usize {
        self.likes_of(id).count() + self.reblogs_of(id).count()
    }

    fn likes_of(&self, id: u64) -> impl Iterator<Item = &Like> {
        self.likes.iter().filter(move |like| like.post == id)
    }

    fn reblogs_of(&self, id: u64) -> impl Iterator<Item = &Post> {
        self.posts.iter().filter(move |post| post.reblogged == Some(id) && post.is_live())
    }

    /// Answers the notes of a post, newest first.
    ///
    /// # Errors
    /// There is no such blog or post, or no key.
    pub(super) fn notes(
        &self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.check_key(request, context)?;
        let blog = self.blog(named).ok_or_else(ApiError::not_found)?;
        let id = request.query("id").and_then(|id| id.parse::<u64>().ok());
        let is_post =
            |post: &&Post| Some(post.id) == id && post.blog == blog.name && post.is_live();
        let post = self.posts.iter().find(is_post).ok_or_else(ApiError::not_found)?;
        let is_conversation = request.query("mode") == Some("conversation");
        let likes = self.likes_of(post.id).map(|like| (like.at, self.like_view(like), false));
        let reblogs = self.reblogs_of(post.id).map(|reblog| {
            let text = reblog.text();
            (reblog.at, self.reblog_view(reblog, &blog.name, &text), !text.is_empty())
        });
        let mut notes: Vec<(DateTime<Utc>, Value, bool)> = likes.chain(reblogs).collect();
        notes.sort_by_key(|(at, _, _)| std::cmp::Reverse(*at));
        let (total_likes, total_reblogs) =
            (self.likes_of(post.id).count(), self.reblogs_of(post.id).count());
        let before = request.query("before_timestamp").and_then(|at| at.parse::<i64>().ok());
        let is_shown = |(at, _, is_worded): &&(DateTime<Utc>, Value, bool)| {
            let at = if is_conversation { at.timestamp_micros() } else { at.timestamp() };
            before.is_none_or(|before| at < before) && (*is_worded || !is_conversation)
        };
        let shown: Vec<&(DateTime<Utc>, Value, bool)> = notes.iter().filter(is_shown).collect();
        let page = &shown[..shown.len().min(PAGE)];
        let mut answer = json!({
            "notes": page.iter().map(|(_, view, _)| view).collect::<Vec<_>>(),
            "total_notes": notes.len(),
        });
        if is_conversation {
            let rest = notes.iter().filter(|(_, _, is_worded)| !is_worded);
            answer["rollup_notes"] = rest.map(|(_, view, _)| view.clone()).collect();
            answer["total_likes"] = total_likes.into();
            answer["total_reblogs"] = total_reblogs.into();
        }
        if let (true, Some((at, _, _))) = (shown.len() > page.len(), page.last()) {
            let at = if is_conversation { at.timestamp_micros() } else { at.timestamp() };
            let mode = request.query("mode").unwrap_or("all");
            answer["_links"] = json!({ "next": {
                "type": "action",
                "method": "GET",
                "href": format!("/v2/blog/{}/notes?id={}&mode={mode}&before_timestamp={at}", blog.name, post.id),
                "query_params": {
                    "id": post.id.to_string(),
                    "mode": mode,
                    "before_timestamp": at.to_string(),
                },
            } });
        }
        Ok(ok(&answer))
    }

    fn like_view(&self, like: &Like) -> Value {
        let own = self.users.get(&like.user).and_then(|user| user.blogs.first());
        self.note_view("like", own.map_or("", String::as_str), like.at)
    }

    fn reblog_view(&self, reblog: &Post, parent: &str, text: &str) -> Value {
        let mut view = self.note_view("reblog", &reblog.blog, reblog.at);
        view["post_id"] = reblog.id.to_string().into();
        view["reblog_parent_blog_name"] = parent.into();
        if !text.is_empty() {
            view["added_text"] = text.into();
        }
        view
    }

    fn note_view(&self, kind: &str, blog: &str, at: DateTime<Utc>) -> Value {
        json!({
            "type": kind,
            "timestamp": at.timestamp(),
            "blog_name": blog,
            "blog_uuid": self.blogs.get(blog).map(|blog| blog.uuid.as_str()),
            "blog_url": format!("https://{blog}.tumblr.com/"),
            "followed": false,
            "avatar_shape": "square",
        })
    }
}
