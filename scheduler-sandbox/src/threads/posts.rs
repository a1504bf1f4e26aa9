//! Posts and replies: reading, deleting, hiding, figures.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reference/media-retrieval>,
//! <https://developers.facebook.com/documentation/threads/reply-management>,
//! <https://developers.facebook.com/documentation/threads/insights>.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::Threads;
use super::containers::{Extras, Kind};
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia, LivePost};
use crate::page::anchor;
use crate::params::{flag, params};
use crate::request::Request;

/// Usual and greatest length of a list.
const DEFAULT_LIMIT: usize = 25;
const MAX_LIMIT: usize = 100;

/// A post or a reply.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) id: u64,
    pub(super) account: u64,
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) link: Option<String>,
    pub(super) extras: Extras,
    pub(super) media: Vec<LiveMedia>,
    pub(super) reply_to: Option<u64>,
    /// The post that all began with; itself for one that answers nothing.
    pub(super) root: u64,
    pub(super) at: DateTime<Utc>,
    /// Whether it is known to every part of the network, so that it can be answered.
    pub(super) is_known: bool,
    pub(super) is_hidden: bool,
    pub(super) is_deleted: bool,
}

impl Threads {
    fn post_view(&self, post: &Post, viewer: u64, context: &Context<'_>) -> Value {
        let username = self.username(post.account);
        let shortcode = shortcode(post.id);
        let reference = |id: u64| json!({ "id": id.to_string() });
        let mut view = json!({
            "id": post.id.to_string(),
            "media_product_type": "THREADS",
            "media_type": post.kind.shown(),
            "permalink": format!("{}/@{username}/post/{shortcode}", context.base),
            "owner": reference(post.account),
            "username": username,
            "text": post.text,
            "timestamp": post.at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
            "shortcode": shortcode,
            "is_quote_post": post.extras.quote.is_some(),
            "is_spoiler_media": post.extras.blurs_files,
            "reply_audience":
                post.extras.reply_control.as_deref().unwrap_or("everyone").to_uppercase(),
            "has_replies": self.replies(post.id, false).next().is_some(),
            "is_reply": post.reply_to.is_some(),
            "link_attachment_url": post.link,
        });
        if post.text.is_empty() || post.link.is_none() {
            let name = if post.text.is_empty() { "text" } else { "link_attachment_url" };
            view.as_object_mut().map(|members| members.remove(name));
        }
        if let Some(topic) = &post.extras.topic {
            view["topic_tag"] = topic.clone().into();
        }
        if let Some(quoted) = post.extras.quote {
            view["quoted_post"] = reference(quoted);
        }
        if post.extras.is_ghost {
            let ends_at = post.at + TimeDelta::hours(24);
            view["ghost_post_status"] = "active".into();
            view["ghost_post_expiration_timestamp"] =
                ends_at.format("%Y-%m-%dT%H:%M:%S+0000").to_string().into();
        }
        if let Some(parent) = post.reply_to {
            view["is_reply_owned_by_me"] = (post.account == viewer).into();
            view["hide_status"] = if post.is_hidden { "HIDDEN" } else { "NOT_HUSHED" }.into();
            view["root_post"] = reference(post.root);
            view["replied_to"] = reference(parent);
        }
        view
    }

    /// Returns the replies below a post, oldest first: the direct ones, or those of every level.
    fn replies(&self, id: u64, of_every_level: bool) -> impl Iterator<Item = &Post> {
        self.posts.values().filter(move |post| {
            let is_below = if of_every_level {
                post.root == id && post.id != id
            } else {
                post.reply_to == Some(id)
            };
            is_below && !post.is_deleted
        })
    }

    pub(super) fn post(&self, id: &str) -> Result<&Post, ApiError> {
        let post = id.parse().ok().and_then(|id: u64| self.posts.get(&id));
        post.filter(|post| !post.is_deleted).ok_or_else(|| ApiError::unknown(id))
    }

    /// Answers a container or a post.
    ///
    /// # Errors
    /// Those of tokens; there is none.
    pub(super) fn show(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        if let Some(container) = id.parse().ok().filter(|id| self.containers.contains_key(id)) {
            return self.show_container(request, container, context);
        }
        let user = self.user(request, "threads_basic", context)?;
        let view = self.post_view(self.post(id)?, user, context);
        Ok(Answer::ok(&chosen(request, view)))
    }

    /// Answers the account's own posts or replies, newest first.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn own(
        &self,
        request: &Request,
        user: &str,
        are_replies: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user_at(request, user, "threads_basic", context)?;
        let own = self.posts.values().rev().filter(|post| {
            post.account == account && !post.is_deleted && post.reply_to.is_some() == are_replies
        });
        let views = own.map(|post| self.post_view(post, account, context)).collect();
        Ok(list(request, views, context))
    }

    /// Answers the replies below a post, newest first unless told otherwise.
    ///
    /// # Errors
    /// Those of tokens; there is no such post, or it is a reply and all levels are asked for.
    pub(super) fn conversation(
        &self,
        request: &Request,
        id: &str,
        of_every_level: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "threads_read_replies", context)?;
        let post = self.post(id)?;
        if post.account != user || (of_every_level && post.reply_to.is_some()) {
            return Err(ApiError::unknown(id));
        }
        let replies = self.replies(post.id, of_every_level);
        let mut views: Vec<Value> =
            replies.map(|reply| self.post_view(reply, user, context)).collect();
        if flag(&params(request), "reverse").unwrap_or(true) {
            views.reverse();
        }
        Ok(list(request, views, context))
    }

    /// Deletes a post or reply of the account.
    ///
    /// # Errors
    /// Those of tokens; there is none, it is another's, or the quota is used up.
    pub(super) fn delete(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "threads_delete", context)?;
        let post = self.post(id)?;
        if post.account != user {
            return Err(ApiError::permission());
        }
        if self.may_not_delete(user, context) {
            return Err(ApiError::quota());
        }
        let post = post.id;
        if let Some(post) = self.posts.get_mut(&post) {
            post.is_deleted = true;
        }
        self.deletions.push((user, context.now));
        Ok(Answer::ok(&json!({ "success": true, "deleted_id": id })))
    }

    /// Hides a reply, with the replies below it, or shows it again.
    ///
    /// # Errors
    /// Those of tokens; it is no reply of the first level to a post of the account.
    pub(super) fn manage_reply(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "threads_manage_replies", context)?;
        let hide = flag(&params(request), "hide");
        let hide = hide.ok_or_else(|| ApiError::parameter("Param hide is required"))?;
        let reply = self.post(id)?;
        let is_ours = self.posts.get(&reply.root).is_some_and(|root| root.account == user);
        if !is_ours {
            return Err(ApiError::permission());
        }
        if reply.reply_to != Some(reply.root) {
            return Err(ApiError::parameter("Only top-level replies can be hidden"));
        }
        let hidden = reply.id;
        if let Some(reply) = self.posts.get_mut(&hidden) {
            reply.is_hidden = hide;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Answers the figures of a post; all but the replies are invented.
    ///
    /// # Errors
    /// Those of tokens; there is none, or it is another's.
    pub(super) fn insights(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "threads_manage_insights", context)?;
        let post = self.post(id)?;
        if post.account != user {
            return Err(ApiError::permission());
        }
        let replies = self.replies(post.id, false).count();
        let figures = [
            ("views", 120),
            ("likes", 12),
            ("replies", replies),
            ("reposts", 3),
            ("quotes", 2),
            ("shares", 1),
        ];
        let wanted = request.query("metric").unwrap_or_default();
        let data: Vec<Value> = wanted
            .split(',')
            .filter_map(|wanted| figures.iter().find(|(name, _)| *name == wanted))
            .map(|(name, value)| {
                json!({
                    "name": name,
                    "period": "lifetime",
                    "values": [{ "value": value }],
                    "title": name,
                    "description": "",
                    "id": format!("{id}/insights/{name}/lifetime"),
                })
            })
            .collect();
        if data.len() != wanted.split(',').count() {
            return Err(ApiError::parameter("Param metric is invalid"));
        }
        Ok(Answer::ok(&json!({ "data": data })))
    }

    /// Leads a person who opens a post to the sandbox's page.
    pub(super) fn open(&self, code: &str) -> Answer {
        let post = self.posts.keys().find(|id| shortcode(**id) == code);
        let anchor = post.map(|id| anchor(super::NAME, &id.to_string())).unwrap_or_default();
        Answer::redirect(&format!("/#{anchor}"))
    }

    /// Returns a post as the control and the page show it.
    pub(super) fn live_post(&self, post: &Post) -> LivePost {
        LivePost {
            platform: super::NAME,
            account: post.account.to_string(),
            author: format!("@{}", self.username(post.account)),
            remote_id: post.id.to_string(),
            text: post.text.clone(),
            media: post.media.clone(),
            reply_to: post.reply_to.map(|id| id.to_string()),
            created_at: post.at,
            is_deleted: post.is_deleted,
        }
    }
}

/// Returns the members that a request asks for by `fields`, and always the id.
pub(super) fn chosen(request: &Request, mut view: Value) -> Value {
    let fields = request.query("fields").unwrap_or("id");
    if let Some(members) = view.as_object_mut() {
        members.retain(|name, _| name == "id" || fields.split(',').any(|field| field == name));
    }
    view
}

/// Answers a page of a list.
fn list(request: &Request, views: Vec<Value>, context: &Context<'_>) -> Answer {
    let limit = request.query("limit").and_then(|text| text.parse().ok());
    let limit = limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let after = request.query("after");
    let begin = after.and_then(|after| views.iter().position(|view| view["id"] == after));
    let begin = begin.map_or(0, |at| at + 1);
    let has_more = views.len() > begin + limit;
    let page: Vec<Value> = views.into_iter().skip(begin).take(limit).collect();
    let id_of = |view: Option<&Value>| view.map(|view| view["id"].clone());
    let cursors = json!({ "before": id_of(page.first()), "after": id_of(page.last()) });
    let mut paging = json!({ "cursors": cursors });
    if has_more {
        let after = page.last().and_then(|view| view["id"].as_str()).unwrap_or_default();
        paging["next"] = format!("{}{}?after={after}", context.base, request.path).into();
    }
    let is_empty = page.is_empty();
    let data: Vec<Value> = page.into_iter().map(|view| chosen(request, view)).collect();
    let mut body = json!({ "data": data });
    if !is_empty {
        body["paging"] = paging;
    }
    Answer::ok(&body)
}

/// Returns the short name of a post in its address.
fn shortcode(id: u64) -> String {
    format!("D{id:x}")
}
