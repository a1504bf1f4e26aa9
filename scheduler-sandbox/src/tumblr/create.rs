//! Making posts: `POST /v2/blog/{blog}/posts`.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Create/Reblog a Post (Neue Post Format)";
//! <https://github.com/tumblr/TMTumblrSDK/issues/146> (videos) and
//! <https://github.com/tumblr/docs/issues/128> (heavy calls).

use http::StatusCode;
use serde_json::{Value, json};

use super::Tumblr;
use super::error::{ApiError, enveloped};
use super::limits::{Used, VIDEO_SECONDS};
use super::posts::{Members, Post, State};
use crate::answer::Answer;
use crate::multipart::Part;
use crate::network::Context;
use crate::outside::random_bytes;
use crate::request::Request;

/// Most tags of a post, and the longest.
///
/// Source: <https://github.com/AprilSylph/XKit-Rewritten/issues/2069>.
const TAGS: usize = 30;
const TAG: usize = 140;

/// Bytes of a call beyond which it is answered 504 although it was done; the real figure is not
/// known.
const HEAVY: u64 = 400 * 1024 * 1024;

/// Returns the JSON of a call and the files that came with it.
///
/// # Errors
/// 400 when it is neither JSON nor a form with a part that is; tumblr.js sends that one last.
pub(super) fn body(request: &Request) -> Result<(Value, &[Part]), ApiError> {
    let unreadable = || ApiError::invalid("The request body cannot be read.");
    if request.content_type() != "multipart/form-data" {
        let body = request.json().filter(|body| body.is_object());
        return Ok((body.cloned().ok_or_else(unreadable)?, &[]));
    }
    // A file has a name; the JSON has none, and need not tell its type.
    let part = request.body.parts.iter().find(|part| part.name == "json");
    let json = part.and_then(|part| serde_json::from_slice(&part.head).ok());
    let json = json.filter(Value::is_object).ok_or_else(unreadable)?;
    Ok((json, &request.body.parts))
}

/// Returns the state that a new post is to have.
pub(super) fn asked_state(request: &Request) -> Option<String> {
    let (json, _) = body(request).ok()?;
    json["state"].as_str().map(str::to_owned)
}

/// Says whether a call reblogs another post.
pub(super) fn is_reblog(request: &Request) -> bool {
    body(request).is_ok_and(|(json, _)| !json["parent_post_id"].is_null())
}

/// Reads the tags of a post.
///
/// # Errors
/// 400 when they are no text, too many or too long.
pub(super) fn tags(json: &Value) -> Result<Vec<String>, ApiError> {
    let text = match &json["tags"] {
        Value::Null => return Ok(Vec::new()),
        Value::String(text) => text,
        _ => return Err(ApiError::invalid("'tags' must be a string")),
    };
    let tags = text.split(',').map(str::trim).filter(|tag| !tag.is_empty());
    let tags: Vec<String> = tags.map(str::to_owned).collect();
    if tags.len() > TAGS || tags.iter().any(|tag| tag.chars().count() > TAG) {
        return Err(ApiError::invalid("There are too many tags, or one is too long."));
    }
    Ok(tags)
}

/// Reads the layout of a post. Of rows, each block of the content has to stand in one, and only
/// images stand beside each other; a place of "Read more" that is not there is ignored.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Layout Block Type: Rows".
///
/// # Errors
/// 8001 for rows that leave a block out or put other blocks than images beside each other.
pub(super) fn layout(json: &Value, content: &[Value]) -> Result<Vec<Value>, ApiError> {
    let mut layout = json["layout"].as_array().cloned().unwrap_or_default();
    for rows in layout.iter_mut().filter(|layout| layout["type"] == "rows") {
        let mut named = Vec::new();
        for row in rows["display"].as_array().into_iter().flatten() {
            let blocks: Vec<u64> =
                row["blocks"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            let at = |block: &u64| usize::try_from(*block).ok().and_then(|at| content.get(at));
            let are_images =
                blocks.iter().all(|block| at(block).is_some_and(|block| block["type"] == "image"));
            if blocks.len() > 1 && !are_images {
                return Err(ApiError::invalid("Only images can share a row."));
            }
            named.extend(blocks);
        }
        named.sort_unstable();
        if !named.into_iter().eq((0u64..).zip(content).map(|(at, _)| at)) {
            return Err(ApiError::invalid("The layout does not name every block once."));
        }
        let last = i64::try_from(content.len()).unwrap_or(i64::MAX) - 1;
        let is_there = rows["truncate_after"].as_i64().is_some_and(|at| (-1..=last).contains(&at));
        if let Some(rows) = rows.as_object_mut().filter(|_| !is_there) {
            rows.remove("truncate_after");
        }
    }
    Ok(layout)
}

impl Tumblr {
    /// Makes a post, a draft or a reblog.
    ///
    /// # Errors
    /// Those of tokens, blogs, content, budgets; 403 with 8010 while another video is worked on.
    pub(super) fn create(
        &mut self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let blog = self.own_blog(request, named, "write", context)?;
        let (json, files) = body(request)?;
        let reblogged = self.reblogged(&json)?;
        let content = &json["content"];
        let checked = self.check_content(content, files, &[], reblogged.is_some())?;
        if reblogged.is_some() && checked.new_videos > 0 {
            return Err(ApiError::forbidden(8008, "Videos cannot be uploaded in a reblog."));
        }
        let tags = tags(&json)?;
        let members = Members::read(&json)?;
        let layout = layout(&json, &checked.content)?;
        let state = match json["state"].as_str() {
            None | Some("published") => State::Published,
            Some("draft") => State::Draft,
            Some("private") => State::Private,
            Some("queue") => State::Queued,
            Some(_) => return Err(ApiError::invalid("'state' is unknown")),
        };
        if checked.new_videos > 0 && self.is_transcoding(blog.owner) {
            let why = "There is a video upload still transcoding.";
            return Err(ApiError::forbidden(8010, why));
        }
        let more = Used {
            posts: u32::from(matches!(state, State::Published | State::Private)),
            photos: checked.new_images,
            videos: checked.new_videos,
            video_seconds: checked.new_videos * VIDEO_SECONDS,
        };
        self.take_uploads(blog.owner, more, context)?;
        let state = match state {
            // Nobody sees it until its video is ready.
            State::Published | State::Private if checked.new_videos > 0 => State::Transcoding {
                ready_at: context.now + context.options.media_processing,
                is_private: state == State::Private,
            },
            other => other,
        };
        let id = self.next_id();
        let answer = json!({
            "id": id.to_string(),
            "state": state.name(),
            "display_text": format!("Posted to {}", blog.name),
        });
        self.posts.push(Post {
            id,
            genesis: None,
            blog: blog.name,
            state,
            more: members,
            content: checked.content,
            layout,
            tags,
            files: checked.files,
            at: context.now,
            reblog_key: hex::encode(&random_bytes()[..4]),
            reblogged,
            is_deleted: false,
        });
        if request.body.length > HEAVY {
            let why = "The request took too long.";
            return Err(ApiError::new(StatusCode::GATEWAY_TIMEOUT, 0, why));
        }
        Ok(enveloped(StatusCode::CREATED, &answer))
    }

    /// Returns the post that a call reblogs.
    ///
    /// # Errors
    /// 8002 for one that is not there or whose key is another, 403 for one that nobody may reblog.
    pub(super) fn reblogged(&self, json: &Value) -> Result<Option<u64>, ApiError> {
        let id = match &json["parent_post_id"] {
            Value::Null => return Ok(None),
            Value::String(text) => text.parse().ok(),
            other => other.as_u64(),
        };
        let parent = self.posts.iter().find(|post| Some(post.id) == id && post.is_live());
        let fits = |post: &&Post| {
            let blog = self.blogs.get(&post.blog);
            json["reblog_key"] == post.reblog_key.as_str()
                && blog.is_some_and(|blog| json["parent_tumblelog_uuid"] == blog.uuid.as_str())
        };
        let parent = parent.filter(fits).ok_or_else(|| {
            ApiError::new(StatusCode::BAD_REQUEST, 8002, "The reblog parent is invalid.")
        })?;
        if parent.more.is_closed() {
            return Err(ApiError::forbidden(0, "You are not allowed to reblog this post."));
        }
        Ok(Some(parent.id))
    }
}
