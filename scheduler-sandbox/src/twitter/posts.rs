//! Posts: making and deleting them.
//!
//! Source: <https://docs.x.com/x-api/posts/create-post>,
//! <https://docs.x.com/x-api/posts/manage-tweets/integrate>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::Twitter;
use super::accounts::User;
use super::error::ApiError;
use super::limits::{COST_OF_DELETE, COST_OF_POST, COST_OF_POST_WITH_LINK};
use super::media::File;
use super::text::{cashtags, has_forbidden, length, links, mentions};
use crate::answer::Answer;
use crate::network::{Context, LivePost};
use crate::request::Request;

/// Longest text, as it is counted.
const TEXT: usize = 280;
/// The same of accounts that pay for it.
///
/// Source: <https://help.x.com/en/using-x/x-premium>.
const LONG_TEXT: usize = 25_000;
/// How long the same text of the same account is refused; the real figure is not documented.
const DUPLICATE: TimeDelta = TimeDelta::hours(24);
/// What a body may hold and is imitated. Of a poll, `reply_settings` is taken and dropped.
const MEMBERS: [&str; 9] = [
    "community_id",
    "made_with_ai",
    "media",
    "paid_partnership",
    "poll",
    "reply",
    "reply_settings",
    "share_with_followers",
    "text",
];
/// What a body may hold besides.
///
/// Source: <https://api.x.com/2/openapi.json>, 2.167, `CreatePostsRequest`.
const NOT_IMITATED: [&str; 7] = [
    "card_uri",
    "direct_message_deep_link",
    "edit_options",
    "for_super_followers_only",
    "geo",
    "nullcast",
    "quote_tweet_id",
];
const FLAGS: [&str; 3] = ["made_with_ai", "paid_partnership", "share_with_followers"];
const REPLY_SETTINGS: [&str; 4] = ["following", "mentionedUsers", "subscribers", "verified"];

/// The communities that every account is a member of; invented.
const COMMUNITIES: [&str; 1] = ["1146654567674912769"];

/// A post.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) id: u64,
    pub(super) author: u64,
    /// As it was sent, without space around it.
    pub(super) text: String,
    /// The files that it shows.
    pub(super) files: Vec<u64>,
    pub(super) parent: Option<u64>,
    /// The first post of the thread that it is part of.
    pub(super) conversation: u64,
    pub(super) created_at: DateTime<Utc>,
    /// Who may answer it.
    pub(super) reply_settings: String,
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

/// Says whether a poll is one; `reply_settings` of it is taken and dropped.
///
/// Source: <https://api.x.com/2/openapi.json>, 2.167, `CreatePostsRequest.poll`.
fn is_poll(poll: &Value) -> bool {
    let is_known =
        |name: &String| ["duration_minutes", "options", "reply_settings"].contains(&name.as_str());
    let is_option = |option: &Value| {
        option.as_str().is_some_and(|text| (1..=25).contains(&text.chars().count()))
    };
    let options = poll["options"].as_array();
    let minutes = poll["duration_minutes"].as_u64();
    poll.as_object().is_some_and(|poll| poll.keys().all(is_known))
        && options.is_some_and(|all| (2..=4).contains(&all.len()) && all.iter().all(is_option))
        && minutes.is_some_and(|minutes| (5..=10_080).contains(&minutes))
}

/// Says whether what is told of files is imitated: their ids, and who is seen in them.
///
/// Source: <https://api.x.com/2/openapi.json>, 2.167, `CreatePostsRequest.media`.
fn is_media(media: &Value) -> bool {
    let is_known = |name: &String| ["media_ids", "tagged_user_ids"].contains(&name.as_str());
    let tagged = &media["tagged_user_ids"];
    let is_tagged = |id: &Value| id.as_str().is_some_and(is_id);
    let are_tagged =
        tagged.as_array().is_some_and(|all| all.len() <= 10 && all.iter().all(is_tagged));
    media.as_object().is_some_and(|media| media.keys().all(is_known))
        && (tagged.is_null() || are_tagged)
}

/// Says whether a text is an id of X.
fn is_id(text: &str) -> bool {
    (1..=19).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Checks what a body holds besides its text and what it answers.
fn check_members(body: &Map<String, Value>) -> Result<(), ApiError> {
    for (name, value) in body {
        let problem = match name.as_str() {
            known if NOT_IMITATED.contains(&known) => "is not imitated by this sandbox",
            unknown if !MEMBERS.contains(&unknown) => {
                "is not defined in the schema and the schema does not allow additional properties"
            }
            flag if FLAGS.contains(&flag) && !value.is_boolean() => {
                "is of the wrong type, boolean expected"
            }
            "media" if !is_media(value) => "holds something that is not imitated by this sandbox",
            "poll" if body.contains_key("media") => "does not go with media",
            "poll" if !is_poll(value) => "has to hold 2 to 4 options and 5 to 10080 minutes",
            "community_id" if !value.as_str().is_some_and(is_id) => "does not match ^[0-9]{1,19}$",
            "reply_settings"
                if !value.as_str().is_some_and(|words| REPLY_SETTINGS.contains(&words)) =>
            {
                "does not have a value in the enumeration"
            }
            _ => continue,
        };
        return Err(ApiError::invalid(name, value, &format!("$.{name}: {problem}")));
    }
    match body.get("community_id").and_then(Value::as_str) {
        Some(id) if !COMMUNITIES.contains(&id) => {
            Err(ApiError::forbidden("You are not a member of this Community."))
        }
        _ => Ok(()),
    }
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
        check_members(body)?;
        let files = self.shown_files(body.get("media"), author, context.now)?;
        let text = body.get("text").unwrap_or(&Value::Null);
        let trimmed = text.as_str().map(str::trim);
        let text = match trimmed.filter(|text| !text.is_empty()) {
            None if !files.is_empty() => "",
            given => given.ok_or_else(|| {
                ApiError::invalid("text", text, "$.text: is missing but it is required")
            })?,
        };
        if has_forbidden(text) {
            let message = "$.text: holds a character that is not allowed";
            return Err(ApiError::invalid("text", &json!(text), message));
        }
        let is_premium = self.users.get(&author).is_some_and(User::is_premium);
        if length(text) > if is_premium { LONG_TEXT } else { TEXT } {
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
        // The link that stands for the files makes each text another.
        let is_same = |post: &Post| post.text == text && post.files.is_empty();
        let is_repeat =
            self.live_posts_of(author).any(|post| post.created_at > since && is_same(post));
        if is_repeat && files.is_empty() {
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
            files,
            parent,
            conversation: conversation.map_or(id, |parent| parent.conversation),
            created_at: context.now,
            reply_settings: body
                .get("reply_settings")
                .and_then(Value::as_str)
                .unwrap_or("everyone")
                .to_owned(),
            is_deleted: false,
        };
        let view = json!({
            "id": id.to_string(),
            "text": self.shown_text(&post).0,
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
            media: post.files.iter().filter_map(|id| self.files.get(id)).map(File::live).collect(),
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
