//! Posts: `/{user}/media_publish`, lists, links, taking down.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};

use super::containers::Status;
use super::error::ApiError;
use super::oauth::Way;
use super::{Instagram, NAME, chosen, fields};
use crate::answer::Answer;
use crate::network::{Context, LiveMedia, LivePost};
use crate::quota::Limit;
use crate::request::Request;

/// Posts that an account may publish within 24 hours.
const POSTS: usize = 100;
/// How long a story is shown.
const STORY_LIFE: TimeDelta = TimeDelta::hours(24);
/// Default and greatest length of a list.
const DEFAULT_LIST: usize = 25;
const MAX_LIST: usize = 100;
/// Calls of an account: the documentation gives 4,800 for each time that it was shown.
const CALLS: Limit = Limit { name: "calls", points: 4_800, window_seconds: 86_400 };

const READ: &[&str] = &["instagram_basic", "instagram_business_basic"];
const COMMENTS: &[&str] = &["instagram_manage_comments", "instagram_business_manage_comments"];
const PUBLISH: &[&str] = &["instagram_content_publish", "instagram_business_content_publish"];

/// A post.
#[derive(Clone, Debug)]
pub(super) struct Media {
    pub(super) id: u64,
    pub(super) account: u64,
    pub(super) caption: String,
    pub(super) product: &'static str,
    files: Vec<LiveMedia>,
    pub(super) created_at: DateTime<Utc>,
    /// Whether nobody may comment on it.
    pub(super) is_closed: bool,
    pub(super) is_deleted: bool,
}

impl Instagram {
    /// Counts a call of an account.
    ///
    /// # Errors
    /// There were too many.
    pub(super) fn take_point(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        let Some(account) = self.caller(request).filter(|_| context.options.quotas) else {
            return Ok(());
        };
        let standing = self.quotas.take(CALLS, &account.to_string(), 1, context.now);
        if standing.is_exceeded {
            return Err(ApiError::new(4, "(#4) Application request limit reached"));
        }
        Ok(())
    }

    /// Publishes a container.
    ///
    /// # Errors
    /// It is not there, not ready, spent, or published already; the day is used up; those of
    /// tokens.
    pub(super) fn publish(
        &mut self,
        request: &Request,
        user: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.own_account(request, user, PUBLISH, context)?;
        let params = crate::params::params(request);
        let sent = crate::params::text(&params, "creation_id");
        let sent =
            sent.ok_or_else(|| ApiError::parameter("The parameter creation_id is required"))?;
        if context.options.quotas && self.published(account, context.now) >= POSTS {
            let message = "The account has published as many posts as it may in a day.";
            return Err(ApiError::sub(9, 2_207_042, message));
        }
        let container = sent.parse().ok().and_then(|id: u64| self.containers.get_mut(&id));
        let container = container.filter(|found| found.account == account);
        let container = container
            .ok_or_else(|| ApiError::sub(24, 2_207_006, "The requested media was not found."))?;
        if matches!(container.kind, super::containers::Kind::Child { .. }) {
            return Err(ApiError::parameter("A part of a carousel cannot be published"));
        }
        match container.status(context) {
            Status::Finished => {}
            Status::InProgress => {
                let message = "The media is not ready for publishing. Please wait a moment.";
                return Err(ApiError::sub(9007, 2_207_027, message));
            }
            Status::Expired => return Err(ApiError::sub(-2, 2_207_020, "The media has expired.")),
            Status::Published => {
                return Err(ApiError::parameter("The media has been published already"));
            }
            Status::Error(error) => return Err(error),
        }
        container.is_published = true;
        let container = container.clone();
        let parts = if container.children.is_empty() {
            vec![container.id]
        } else {
            container.children.clone()
        };
        let files = parts.iter().filter_map(|id| self.containers.get(id)?.live_media());
        let files = files.collect();
        let id = self.next_id();
        let media = Media {
            id,
            account,
            // Nobody sees it in a story.
            caption: if container.kind.product() == "STORY" {
                String::new()
            } else {
                container.caption
            },
            product: container.kind.product(),
            files,
            created_at: context.now,
            is_closed: false,
            is_deleted: false,
        };
        self.media.insert(id, media);
        Ok(Answer::ok(&json!({ "id": id.to_string() })))
    }

    fn published(&self, account: u64, now: DateTime<Utc>) -> usize {
        let is_recent = |media: &&Media| {
            media.account == account && media.created_at > now - TimeDelta::hours(24)
        };
        self.media.values().filter(is_recent).count()
    }

    /// Answers how many posts went out within 24 hours.
    ///
    /// # Errors
    /// Another's account, a field that does not exist, those of tokens.
    pub(super) fn publishing_limit(
        &self,
        request: &Request,
        user: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.own_account(request, user, PUBLISH, context)?;
        let usage = self.published(account, context.now);
        let usage = if context.options.quotas { usage } else { usage.min(POSTS - 1) };
        let whole = json!({
            "id": Value::Null,
            "quota_usage": usage,
            "config": { "quota_total": POSTS, "quota_duration": 86_400 },
        });
        let mut chosen = chosen(&whole, &fields(request))?;
        if let Some(members) = chosen.as_object_mut() {
            members.remove("id");
        }
        Ok(Answer::ok(&json!({ "data": [chosen] })))
    }

    /// Answers the posts of an account, newest first: its stories, or everything else.
    ///
    /// # Errors
    /// Another's account, a field that does not exist, those of tokens.
    pub(super) fn list(
        &self,
        request: &Request,
        user: &str,
        is_stories: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.own_account(request, user, READ, context)?;
        let limit = request.query("limit").and_then(|limit| limit.parse().ok());
        let limit = limit.unwrap_or(DEFAULT_LIST).clamp(1, MAX_LIST);
        let is_shown = |media: &&Media| {
            media.account == account
                && !media.is_deleted
                && (media.product == "STORY") == is_stories
                && (!is_stories || context.now < media.created_at + STORY_LIFE)
        };
        let fields = fields(request);
        let mut found = Vec::new();
        for media in self.media.values().rev().filter(is_shown).take(limit) {
            found.push(chosen(&self.media_view(media), &fields)?);
        }
        Ok(Answer::ok(&json!({ "data": found })))
    }

    /// Answers a post.
    ///
    /// # Errors
    /// Another's post, a field that does not exist, those of tokens.
    pub(super) fn show_media(
        &self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, READ, context)?.id;
        let media = self.live_one(id)?;
        if media.account != account {
            return Err(ApiError::missing(&id.to_string()));
        }
        Ok(Answer::ok(&chosen(&self.media_view(media), &fields(request))?))
    }

    /// Changes whether others may comment on a post.
    ///
    /// # Errors
    /// Another's post, a story; those of tokens.
    pub(super) fn close_media(
        &mut self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, COMMENTS, context)?.id;
        let media = self.live_one(id)?;
        if media.account != account {
            return Err(ApiError::missing(&id.to_string()));
        }
        let is_open = crate::params::flag(&crate::params::params(request), "comment_enabled")
            .ok_or_else(|| ApiError::parameter("The parameter comment_enabled is required"))?;
        if media.product == "STORY" {
            return Err(ApiError::parameter("Comments of this media cannot be changed"));
        }
        if let Some(media) = self.media.get_mut(&id) {
            media.is_closed = !is_open;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Takes a post down, which only accounts of a Page can do.
    ///
    /// # Errors
    /// Another's post, those of tokens.
    pub(super) fn delete_media(
        &mut self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, READ, context)?.id;
        let token = self.token(request, context.now)?;
        if token.way == Way::Direct {
            let message = "(#3) Application does not have the capability to make this API call.";
            return Err(ApiError::new(3, message));
        }
        if !token.scopes.iter().any(|scope| scope == "instagram_manage_contents") {
            return Err(ApiError::permission("instagram_manage_contents"));
        }
        let media = self.live_one(id)?;
        if media.account != account {
            return Err(ApiError::missing(&id.to_string()));
        }
        if let Some(media) = self.media.get_mut(&id) {
            media.is_deleted = true;
        }
        Ok(Answer::ok(&json!({ "success": true, "deleted_id": id.to_string() })))
    }

    /// Returns a post that is still there.
    ///
    /// # Errors
    /// It is not.
    pub(super) fn live_one(&self, id: u64) -> Result<&Media, ApiError> {
        let media = self.media.get(&id).filter(|media| !media.is_deleted);
        media.ok_or_else(|| ApiError::missing(&id.to_string()))
    }

    fn media_view(&self, media: &Media) -> Value {
        let code = shortcode(media.id);
        let permalink = match media.product {
            "REELS" => format!("https://www.instagram.com/reel/{code}/"),
            "STORY" => format!(
                "https://www.instagram.com/stories/{}/{}",
                self.username(media.account),
                media.id
            ),
            _ => format!("https://www.instagram.com/p/{code}/"),
        };
        let comments = self.comments.values().filter(|comment| comment.media == media.id);
        json!({
            "id": media.id.to_string(),
            "caption": Some(&media.caption).filter(|caption| !caption.is_empty()),
            "permalink": permalink,
            "shortcode": code,
            "timestamp": graph_time(media.created_at),
            "media_product_type": media.product,
            "media_type": if media.files.len() > 1 { "CAROUSEL_ALBUM" } else { "IMAGE" },
            "username": self.username(media.account),
            "like_count": 0,
            "is_comment_enabled": !media.is_closed,
            "comments_count": comments.count(),
        })
    }

    /// Returns a post as the control shows it.
    pub(super) fn post(&self, media: &Media) -> LivePost {
        LivePost {
            platform: NAME,
            account: media.account.to_string(),
            author: self.username(media.account),
            remote_id: media.id.to_string(),
            text: media.caption.clone(),
            media: media.files.clone(),
            reply_to: None,
            created_at: media.created_at,
            is_deleted: media.is_deleted,
        }
    }
}

/// Writes a time as the Graph API does.
pub(super) fn graph_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, false).replace("+00:00", "+0000")
}

/// Writes an id as it stands in links.
fn shortcode(mut id: u64) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut code = Vec::new();
    while id > 0 {
        let letter = usize::try_from(id % 64).ok().and_then(|at| LETTERS.get(at));
        code.push(char::from(letter.copied().unwrap_or(b'A')));
        id /= 64;
    }
    code.iter().rev().collect()
}
