//! Posts: making and deleting them.
//!
//! Source: <https://docs.x.com/x-api/posts/create-post>,
//! <https://docs.x.com/x-api/posts/manage-tweets/integrate>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Twitter;
use super::error::ApiError;
use super::limits::{COST_OF_DELETE, COST_OF_POST, COST_OF_POST_WITH_LINK};
use super::text::{cashtags, has_forbidden, length, links, mentions};
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::request::Request;

/// Longest text, as it is counted.
const TEXT: usize = 280;
/// How long the same text of the same account is refused; the real figure is not documented.
const DUPLICATE: TimeDelta = TimeDelta::hours(24);
/// What a body may hold; nothing else is taken.
const MEMBERS: [&str; 3] = ["reply", "reply_settings", "text"];
const REPLY_SETTINGS: [&str; 4] = ["following", "mentionedUsers", "subscribers", "verified"];

/// A post.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) id: u64,
    pub(super) author: u64,
    /// As it was sent, without space around it.
    pub(super) text: String,
    pub(super) parent: Option<u64>,
    /// The first post of the thread that it is part of.
    pub(super) conversation: u64,
    pub(super) created_at: DateTime<Utc>,
    pub(super) is_deleted: bool,
}

/// Returns the post that a body answers.
pub(super) fn parent_of(body: &Value) -> Option<u64> {
    body.pointer("/reply/in_reply_to_tweet_id")?.as_str()?.parse().ok()
}

/// Returns the error of an answer to somebody who has not spoken to the account.
pub(super) fn not_engaged() -> ApiError {
    ApiError::forbidden(
        "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.",
    )
}

impl Twitter {
    /// Makes a post.
    ///
    /// # Errors
    /// 400 for what is missing or wrong, 403 for what is refused, those of tokens and credits.
    pub(super) fn create_post(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let scopes = ["tweet.read", "tweet.write", "users.read"];
        let author = self.caller(request, &scopes, context)?;
        let body = request.json().and_then(Value::as_object);
        let body = body.ok_or_else(|| {
            ApiError::invalid("body", &Value::Null, "The body has to be a JSON object.")
        })?;
        if let Some((name, value)) = body.iter().find(|(name, _)| !MEMBERS.contains(&name.as_str()))
        {
            let message = format!(
                "$.{name}: is not defined in the schema and the schema does not allow additional properties"
            );
            return Err(ApiError::invalid(name, value, &message));
        }
        if let Some(settings) = body.get("reply_settings")
            && !settings.as_str().is_some_and(|settings| REPLY_SETTINGS.contains(&settings))
        {
            let message = "$.reply_settings: does not have a value in the enumeration";
            return Err(ApiError::invalid("reply_settings", settings, message));
        }
        let text = body.get("text").unwrap_or(&Value::Null);
        let text =
            text.as_str().map(str::trim).filter(|text| !text.is_empty()).ok_or_else(|| {
                ApiError::invalid("text", text, "$.text: is missing but it is required")
            })?;
        if has_forbidden(text) {
            let message = "$.text: holds a character that is not allowed";
            return Err(ApiError::invalid("text", &json!(text), message));
        }
        if length(text) > TEXT {
            return Err(ApiError::problem(
                StatusCode::BAD_REQUEST,
                "",
                "Bad Request",
                "Your Tweet text is too long.",
            ));
        }
        let parent = self.answered(body.get("reply"), author)?;
        if cashtags(text) > 1 {
            return Err(ApiError::forbidden("Posts are limited to a maximum of one cashtag."));
        }
        let since = context.now - DUPLICATE;
        if self.live_posts_of(author).any(|post| post.created_at > since && post.text == text) {
            let detail = "You are not allowed to create a Tweet with duplicate content.";
            return Err(ApiError::forbidden(detail));
        }
        let has_links = !links(text).is_empty();
        self.spend(if has_links { COST_OF_POST_WITH_LINK } else { COST_OF_POST }, context)?;

        let id = self.next_id(context.now);
        let conversation = parent.and_then(|parent| self.posts.get(&parent));
        let post = Post {
            id,
            author,
            text: text.to_owned(),
            parent,
            conversation: conversation.map_or(id, |parent| parent.conversation),
            created_at: context.now,
            is_deleted: false,
        };
        let view = json!({
            "id": id.to_string(),
            "text": post.shown_text(),
            "edit_history_tweet_ids": [id.to_string()],
        });
        self.posts.insert(id, post);
        Ok(Answer::json(StatusCode::CREATED, &json!({ "data": view })))
    }

    /// Deletes a post.
    ///
    /// # Errors
    /// 404 when it is gone, 403 when it is another's, those of tokens and credits.
    pub(super) fn delete_post(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let scopes = ["tweet.read", "tweet.write", "users.read"];
        let caller = self.caller(request, &scopes, context)?;
        self.spend(COST_OF_DELETE, context)?;
        let post = id.parse().ok().and_then(|id: u64| self.posts.get_mut(&id));
        let post = post.filter(|post| !post.is_deleted).ok_or_else(|| ApiError::not_found(id))?;
        if post.author != caller {
            let detail = "You are not authorized to delete this Tweet. You are not permitted to perform this action.";
            return Err(ApiError::forbidden(detail));
        }
        post.is_deleted = true;
        Ok(Answer::ok(&json!({ "data": { "deleted": true } })))
    }

    /// Returns the posts of an account that are not deleted, oldest first.
    pub(super) fn live_posts_of(&self, author: u64) -> impl DoubleEndedIterator<Item = &Post> {
        self.posts.values().filter(move |post| post.author == author && !post.is_deleted)
    }

    /// Returns a post as the control shows it.
    pub(super) fn live_post(&self, post: &Post) -> LivePost {
        let author = self.users.get(&post.author).map(|user| format!("@{}", user.username));
        LivePost {
            platform: super::NAME,
            account: post.author.to_string(),
            author: author.unwrap_or_default(),
            remote_id: post.id.to_string(),
            text: post.text.clone(),
            media: Vec::new(),
            reply_to: post.parent.map(|parent| parent.to_string()),
            created_at: post.created_at,
            is_deleted: post.is_deleted,
        }
    }

    /// Returns the post that is answered, if the author may.
    fn answered(&self, reply: Option<&Value>, author: u64) -> Result<Option<u64>, ApiError> {
        let Some(reply) = reply else { return Ok(None) };
        let id = &reply["in_reply_to_tweet_id"];
        let is_id = id.as_str().is_some_and(|id| {
            (1..=19).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !is_id {
            let message = "$.reply.in_reply_to_tweet_id: does not match ^[0-9]{1,19}$";
            return Err(ApiError::invalid("reply.in_reply_to_tweet_id", id, message));
        }
        let parent = id.as_str().and_then(|id| self.posts.get(&id.parse().ok()?));
        let parent = parent.filter(|parent| !parent.is_deleted).ok_or_else(|| {
            ApiError::forbidden(
                "You attempted to reply to a Tweet that is deleted or not visible to you.",
            )
        })?;
        let username = self.users.get(&author).map(|user| user.username.as_str());
        let is_engaged = parent.author == author
            || username.is_some_and(|username| mentions(&parent.text, username));
        if is_engaged { Ok(Some(parent.id)) } else { Err(not_engaged()) }
    }
}
