//! X, under the name that scheduling services still give it.
//!
//! Base URL of an adapter: the sandbox's URL and `/twitter`, in place of `api.x.com` and `x.com`
//! alike. Votes, quotes, reposts, likes, direct messages, search and the hiding of replies
//! are not imitated.
//!
//! Source: <https://docs.x.com/x-api/introduction> and <https://api.x.com/2/openapi.json>, 2.167.

mod accounts;
mod authorize;
mod error;
mod limits;
mod media;
mod oauth;
mod posts;
mod read;
mod text;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::Value;

use self::accounts::User;
use self::error::ApiError;
use self::media::File;
use self::oauth::{Code, RefreshToken, Token};
use self::posts::Post;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::{Quotas, Standing};
use crate::request::Request;

const NAME: &str = "twitter";

/// The instant from which ids count milliseconds.
///
/// Source: <https://docs.x.com/fundamentals/x-ids>.
const EPOCH_MILLISECONDS: i64 = 1_288_834_974_657;

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Twitter {
    users: BTreeMap<u64, User>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    refresh_tokens: HashMap<String, RefreshToken>,
    /// Everything that was posted, by id, oldest first.
    posts: BTreeMap<u64, Post>,
    files: HashMap<u64, File>,
    last_id: u64,
    quotas: Quotas,
    /// Where the caller of the request at hand stands within its limit.
    standing: Option<Standing>,
}

impl Twitter {
    /// Returns an id that is greater than all before: milliseconds, then a counter.
    fn next_id(&mut self, now: DateTime<Utc>) -> u64 {
        let since = (now.timestamp_millis() - EPOCH_MILLISECONDS).max(0);
        let at = u64::try_from(since).unwrap_or(0) << 22;
        self.last_id = at.max(self.last_id + 1);
        self.last_id
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["i", "oauth2", "authorize"]) => return Ok(self.authorize_page(request)),
            ("POST", ["i", "oauth2", "authorize"]) => {
                return Ok(self.authorize(request, context));
            }
            ("POST", ["2", "oauth2", "token"]) => return self.token(request, context),
            ("POST", ["2", "oauth2", "revoke"]) => return self.revoke(request),
            // A person who opens a post finds it on the sandbox's page.
            ("GET", [_, "status", id] | ["i", "web", "status", id]) => {
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))));
            }
            _ => {}
        }
        let ["2", call @ ..] = segments else { return Err(ApiError::no_such_call()) };
        self.take_point(request, call, context)?;
        match (request.method.as_str(), call) {
            ("POST", ["tweets"]) => self.create_post(request, context),
            ("POST", ["media", "upload"]) => self.upload_whole(request, context),
            ("POST", ["media", "upload", "initialize"]) => self.announce(request, context),
            ("POST", ["media", "upload", id, "append"]) => self.append(request, id, context),
            ("POST", ["media", "upload", id, "finalize"]) => self.finalize(request, id, context),
            ("GET", ["media", "upload"]) => self.show_file(request, context),
            ("POST", ["media", "metadata"]) => self.describe(request, context),
            ("DELETE", ["tweets", id]) => self.delete_post(request, id, context),
            ("GET", ["tweets"]) => self.show_posts(request, context),
            ("GET", ["tweets", id]) => self.show_post(request, id, context),
            ("GET", ["users", "me"]) => self.me(request, context),
            ("GET", ["users", id, "tweets"]) => self.posts_of(request, id, context),
            _ => Err(ApiError::no_such_call()),
        }
    }

    /// Says what a new post is for: answers to others are comments.
    fn post_operation(&self, request: &Request) -> Operation {
        let author = request.bearer().and_then(|token| self.tokens.get(token));
        let parent = request.json().and_then(posts::parent_of);
        let parent = parent.and_then(|parent| self.posts.get(&parent));
        match (parent, author) {
            (Some(parent), Some(author)) if parent.author != author.user => Operation::Comment,
            _ => Operation::Publish,
        }
    }
}

impl Network for Twitter {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let asks_for = |name: &str, field: &str| {
            request.query(name).is_some_and(|fields| fields.split(',').any(|known| known == field))
        };
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", ["2", "tweets"]) => self.post_operation(request),
            ("GET", ["2", "tweets"] | ["2", "tweets", _]) => Operation::Metrics,
            ("GET", ["2", "users", "me"]) if asks_for("user.fields", "public_metrics") => {
                Operation::Metrics
            }
            ("POST", ["2", "oauth2", "token" | "revoke"]) => Operation::Token,
            ("POST", ["2", "media", ..]) => Operation::Upload,
            ("GET", ["2", "media", "upload"]) => Operation::Poll,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let answer = self.call(request, &segments, context);
        self.with_standing(answer.unwrap_or_else(ApiError::into_answer))
    }

    fn refuse(&self, refusal: Refusal, request: &Request, context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => ApiError::problem(
                StatusCode::INTERNAL_SERVER_ERROR,
                "",
                "Internal Server Error",
                "Something is broken. This is usually a temporary error.",
            )
            .into_answer(),
            Refusal::RateLimited(wait) => {
                let wait = TimeDelta::from_std(wait).unwrap_or(TimeDelta::days(1));
                limits::refusal(context.now + wait)
            }
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        if request.path.starts_with("/2/oauth2/") {
            self.expire_grants(request);
            return;
        }
        let user = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(user) = user.map(|token| token.user) else { return };
        for token in self.tokens.values_mut().filter(|token| token.user == user) {
            token.expires_at = context.now;
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let user = self.add_user(name, context.now)?;
        Ok(self.connect(user, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        self.posts.values().map(|post| self.live_post(post)).collect()
    }

    fn reset(&mut self, accounts: bool) {
        let last_id = self.last_id;
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = last_id;
        if !accounts {
            self.users = earlier.users;
            self.tokens = earlier.tokens;
            self.refresh_tokens = earlier.refresh_tokens;
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish => ApiError::forbidden("Posts are limited to a maximum of one cashtag."),
        Operation::Comment => posts::not_engaged(),
        Operation::Metrics => ApiError::credits(),
        Operation::Token => oauth::invalid_token(),
        Operation::Upload => media::unusable(),
        Operation::Poll | Operation::Other => {
            ApiError::forbidden("You are not permitted to perform this action.")
        }
    }
}
