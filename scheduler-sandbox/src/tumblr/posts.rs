//! Posts: reading, publishing drafts, changing, deleting.
//!
//! A post gets another id whenever it goes from a draft or from the work on its video to being
//! published; nothing is found under the earlier one then.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts", "Retrieve Draft
//! Posts", "Fetching a Post", "Editing a Post" and "Delete a Post".

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::accounts::Blog;
use super::content::Kept;
use super::create::{body, layout, tags};
use super::error::{ApiError, ok};
use super::limits::Used;
use super::{Tumblr, nothing};
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Usual and greatest length of a list.
const LIMIT: usize = 20;

/// A post.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) id: u64,
    /// The id that it had before.
    pub(super) genesis: Option<u64>,
    /// Name of its blog.
    pub(super) blog: String,
    pub(super) state: State,
    pub(super) content: Vec<Value>,
    pub(super) layout: Vec<Value>,
    pub(super) tags: Vec<String>,
    pub(super) more: Members,
    pub(super) files: Vec<Kept>,
    pub(super) at: DateTime<Utc>,
    pub(super) reblog_key: String,
    /// The post that it reblogs.
    pub(super) reblogged: Option<u64>,
    pub(super) is_deleted: bool,
}

/// What a post says besides its content and its tags.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    source_url: Option<String>,
    slug: Option<String>,
    is_closed: bool,
}

impl Members {
    /// Reads them from the body of a call.
    ///
    /// # Errors
    /// 400 for a source that is no address, 8001 for another word about reblogs.
    pub(super) fn read(json: &Value) -> Result<Self, ApiError> {
        let text = |name: &str| json[name].as_str().map(str::to_owned);
        let source_url = text("source_url");
        let is_web = |url: &str| url.starts_with("http://") || url.starts_with("https://");
        if source_url.as_deref().is_some_and(|url| !is_web(url)) {
            return Err(ApiError::bad_request("The source is no URL."));
        }
        let is_closed = match json["interactability_reblog"].as_str() {
            None | Some("everyone") => false,
            Some("noone") => true,
            Some(_) => return Err(ApiError::invalid("'interactability_reblog' is unknown")),
        };
        Ok(Self { source_url, slug: text("slug"), is_closed })
    }

    /// Says whether nobody may reblog it.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns who may reblog, as answers name it.
    pub(super) const fn reblog(&self) -> &'static str {
        if self.is_closed { "noone" } else { "everyone" }
    }
}

/// Where a post stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Draft,
    Queued,
    Private,
    /// The network works on its video; the post is out then.
    Transcoding {
        ready_at: DateTime<Utc>,
        is_private: bool,
    },
    Published,
}

impl State {
    /// Returns the name that answers use.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Queued => "queued",
            Self::Private => "private",
            Self::Transcoding { .. } => "transcoding",
            Self::Published => "published",
        }
    }
}

impl Post {
    /// Says whether everybody sees it.
    pub(super) fn is_live(&self) -> bool {
        self.is_out() && !self.is_deleted
    }

    /// Says whether everybody saw it once.
    pub(super) fn is_out(&self) -> bool {
        self.state == State::Published
    }

    /// Returns its page, whose name its author may choose.
    fn url(&self, blog: &str) -> String {
        let slug = self.more.slug.as_deref().map(|slug| format!("/{slug}")).unwrap_or_default();
        format!("https://{blog}.tumblr.com/post/{}{slug}", self.id)
    }

    /// Returns what it says.
    pub(super) fn text(&self) -> String {
        let texts = self.content.iter().filter(|block| block["type"] == "text");
        let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
        texts.join("\n\n")
    }
}

impl Tumblr {
    /// Publishes the posts whose videos are ready.
    pub(super) fn settle(&mut self, now: DateTime<Utc>) {
        for at in 0..self.posts.len() {
            if let State::Transcoding { ready_at, is_private } = self.posts[at].state
                && ready_at <= now
            {
                self.publish(at, is_private, ready_at);
            }
        }
    }

    /// Publishes a post, for everybody or for the members of its blog. It gets another id.
    fn publish(&mut self, at: usize, is_private: bool, now: DateTime<Utc>) {
        let id = self.next_id();
        let post = &mut self.posts[at];
        post.genesis = Some(post.id);
        post.id = id;
        post.state = if is_private { State::Private } else { State::Published };
        post.at = now;
    }

    /// Says whether the network works on a video of a user.
    pub(super) fn is_transcoding(&self, user: u64) -> bool {
        self.posts.iter().any(|post| {
            let owner = self.blogs.get(&post.blog).map(|blog| blog.owner);
            matches!(post.state, State::Transcoding { .. }) && owner == Some(user)
        })
    }

    /// Answers the published posts of a blog, newest first, or the one of an id.
    ///
    /// # Errors
    /// There is no such blog or post, or no key.
    pub(super) fn list(
        &self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.check_key(request, context)?;
        let blog = self.blog(named).ok_or_else(ApiError::not_found)?;
        let viewer = self.user(request, "basic", context).ok();
        let live = self.posts.iter().rev().filter(|post| post.blog == blog.name && post.is_live());
        let live: Vec<&Post> = match request.query("id") {
            Some(id) => live.filter(|post| post.id.to_string() == id).collect(),
            None => live.collect(),
        };
        if request.query("id").is_some() && live.is_empty() {
            return Err(ApiError::not_found());
        }
        let number = |name: &str| request.query(name).and_then(|text| text.parse::<usize>().ok());
        let shown = live
            .iter()
            .filter(|post| number("before").is_none_or(|before| is_before(post, before)))
            .skip(number("offset").unwrap_or(0))
            .take(number("limit").unwrap_or(LIMIT).clamp(1, LIMIT))
            .map(|post| self.view(post, blog, viewer == Some(blog.owner), request));
        Ok(ok(&json!({
            "blog": self.blog_view(blog),
            "posts": shown.collect::<Vec<_>>(),
            "total_posts": live.len(),
        })))
    }

    /// Answers the drafts of a blog of the user's, newest first.
    ///
    /// # Errors
    /// Those of tokens and blogs.
    pub(super) fn drafts(
        &self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let blog = self.own_blog(request, named, "basic", context)?;
        let drafts = self.posts.iter().rev().filter(|post| {
            post.blog == blog.name && post.state == State::Draft && !post.is_deleted
        });
        let before = request.query("before_id").and_then(|id| id.parse::<u64>().ok());
        let drafts = drafts.filter(|post| before.is_none_or(|before| post.id < before));
        let shown = drafts.take(LIMIT).map(|post| self.view(post, &blog, true, request));
        Ok(ok(&json!({ "posts": shown.collect::<Vec<_>>() })))
    }

    /// Answers a post of the user's for editing.
    ///
    /// # Errors
    /// Those of tokens and blogs; there is none under this id, or not any more.
    pub(super) fn fetch(
        &self,
        request: &Request,
        named: &str,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let blog = self.own_blog(request, named, "basic", context)?;
        let post = &self.posts[self.own_post(&blog, id)?];
        let (parent, parent_blog) = self.parent(post).unzip();
        Ok(ok(&json!({
            "parent_post_id": parent,
            "parent_tumblelog_uuid": parent_blog,
            "object_type": "post",
            "type": "blocks",
            "id": post.id.to_string(),
            "tumblelog_uuid": blog.uuid,
            "reblog_key": post.reblog_key,
            "trail": self.trail(post),
            "content": post.content,
            "layout": post.layout,
            "tags": post.tags,
            "state": post.state.name(),
            "interactability_reblog": post.more.reblog(),
        })))
    }

    /// Changes a post; a draft is published with it when its state says so.
    ///
    /// # Errors
    /// Those of tokens, blogs, content and budgets; there is none under this id, or not any more.
    pub(super) fn edit(
        &mut self,
        request: &Request,
        named: &str,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let blog = self.own_blog(request, named, "write", context)?;
        let at = self.own_post(&blog, id)?;
        let (json, files) = body(request)?;
        let is_reblog = self.posts[at].reblogged.is_some();
        // Its edit need not name the parent, and cannot change it.
        let named = self.reblogged(&json)?;
        if named.is_some_and(|named| self.posts[at].reblogged != Some(named)) {
            let why = "The reblog parent is invalid.";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, 8002, why));
        }
        let known = self.posts[at].files.clone();
        let checked = self.check_content(&json["content"], files, &known, is_reblog)?;
        let tags = tags(&json)?;
        let more = Members::read(&json)?;
        let layout = layout(&json, &checked.content)?;
        let becomes = match json["state"].as_str() {
            None | Some("published") => Some(State::Published),
            Some("private") => Some(State::Private),
            Some("draft" | "queue") => None,
            Some(_) => return Err(ApiError::invalid("'state' is unknown")),
        };
        let becomes = becomes.filter(|state| *state != self.posts[at].state);
        let used = Used {
            posts: u32::from(becomes.is_some()),
            photos: checked.new_images,
            ..Used::default()
        };
        self.take_uploads(blog.owner, used, context)?;
        let post = &mut self.posts[at];
        post.content = checked.content;
        post.files = checked.files;
        post.layout = layout;
        post.tags = tags;
        post.more = more;
        if let Some(state) = becomes {
            self.publish(at, state == State::Private, context.now);
        }
        Ok(ok(&json!({ "id": self.posts[at].id.to_string() })))
    }

    /// Takes a post or a draft down.
    ///
    /// # Errors
    /// Those of tokens and blogs; there is none under this id, or not any more.
    pub(super) fn delete(
        &mut self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let blog = self.own_blog(request, named, "write", context)?;
        let id = text(&params(request), "id");
        let id = id.ok_or_else(|| ApiError::bad_request("The id is missing."))?;
        let at = self.own_post(&blog, &id)?;
        self.posts[at].is_deleted = true;
        Ok(ok(&nothing()))
    }

    /// Returns the post that a post reblogs, by its id and its blog.
    fn parent(&self, post: &Post) -> Option<(String, String)> {
        let parent = self.posts.iter().find(|parent| Some(parent.id) == post.reblogged)?;
        Some((parent.id.to_string(), self.blogs.get(&parent.blog)?.uuid.clone()))
    }

    /// Returns what a post reblogs, as its readers see it above the post's own content.
    fn trail(&self, post: &Post) -> Value {
        let parent = self.posts.iter().find(|parent| Some(parent.id) == post.reblogged);
        let items = parent.map(|parent| {
            json!({
                "post": { "id": parent.id.to_string() },
                "blog": self.blogs.get(&parent.blog).map(|blog| self.blog_view(blog)),
                "content": parent.content,
                "layout": parent.layout,
            })
        });
        items.into_iter().collect()
    }

    fn own_post(&self, blog: &Blog, id: &str) -> Result<usize, ApiError> {
        let at = self.posts.iter().position(|post| {
            post.blog == blog.name && post.id.to_string() == id && !post.is_deleted
        });
        at.ok_or_else(ApiError::not_found)
    }

    fn view(&self, post: &Post, blog: &Blog, is_owner: bool, request: &Request) -> Value {
        let is_npf = request.query("npf") == Some("true");
        let mut view = json!({
            "object_type": "post",
            "type": if is_npf { "blocks" } else { "text" },
            "original_type": "regular",
            "note_count": self.note_count(post.id),
            "blog_name": blog.name,
            "id": post.id,
            "id_string": post.id.to_string(),
            "is_blocks_post_format": true,
            "post_url": post.url(&blog.name),
            "slug": post.more.slug,
            "source_url": post.more.source_url,
            "can_reblog": !post.more.is_closed,
            "date": post.at.format("%Y-%m-%d %H:%M:%S GMT").to_string(),
            "timestamp": post.at.timestamp(),
            "state": post.state.name(),
            "reblog_key": post.reblog_key,
            "tags": post.tags,
        });
        if is_npf {
            view["content"] = post.content.clone().into();
            view["layout"] = post.layout.clone().into();
            view["trail"] = self.trail(post);
        } else {
            view["body"] = format!("<p>{}</p>", escape(&post.text())).into();
        }
        if let Some((parent, parent_blog)) = self.parent(post) {
            view["parent_post_id"] = parent.into();
            view["parent_tumblelog_uuid"] = parent_blog.into();
        }
        // Whoever else looks is not told of the draft.
        if let Some(genesis) = post.genesis.filter(|_| is_owner) {
            view["genesis_post_id"] = genesis.to_string().into();
        }
        view
    }

    /// Returns a post as the control shows it.
    pub(super) fn live_post(&self, post: &Post) -> LivePost {
        let blog = self.blogs.get(&post.blog);
        LivePost {
            platform: super::NAME,
            account: blog.map(|blog| blog.uuid.clone()).unwrap_or_default(),
            author: blog.map(|blog| blog.title.clone()).unwrap_or_default(),
            remote_id: post.id.to_string(),
            text: post.text(),
            media: post.files.iter().map(|file| file.media.clone()).collect(),
            reply_to: post.reblogged.map(|id| id.to_string()),
            created_at: post.at,
            is_deleted: post.is_deleted,
        }
    }
}

fn is_before(post: &Post, before: usize) -> bool {
    i64::try_from(before).is_ok_and(|before| post.at.timestamp() < before)
}
