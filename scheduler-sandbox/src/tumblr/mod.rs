//! Tumblr: users, and the blogs that they post to.
//!
//! Base URL of an adapter: the sandbox's URL and `/tumblr`, in place of `api.tumblr.com` and
//! `www.tumblr.com` alike. Queues, submissions, asks, audio, layouts, followed blogs, the dashboard
//! and OAuth 1 are not imitated. Replies are, but no call makes one: comments come from reblogs.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md` and `npf-spec.md`.

mod accounts;
mod authorize;
mod content;
mod create;
mod error;
mod limits;
mod notes;
mod oauth;
mod posts;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, HashMap};

use http::{Method, StatusCode};
use serde_json::{Value, json};

use self::accounts::{Blog, User};
use self::error::ApiError;
use self::limits::Used;
use self::notes::Like;
use self::oauth::{Code, RefreshToken, Token};
use self::posts::Post;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "tumblr";

/// Where ids of posts begin; invented.
const FIRST_ID: u64 = 730_000_000_000_000_000;

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Tumblr {
    users: BTreeMap<u64, User>,
    /// By name.
    blogs: BTreeMap<String, Blog>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    refresh_tokens: HashMap<String, RefreshToken>,
    /// Everything that was posted, oldest first.
    posts: Vec<Post>,
    likes: Vec<Like>,
    used: HashMap<(u64, chrono::NaiveDate), Used>,
    quotas: Quotas,
    last_id: u64,
    last_user: u64,
}

impl Tumblr {
    /// Returns an id that was never given out before.
    fn next_id(&mut self) -> u64 {
        self.last_id = self.last_id.max(FIRST_ID) + 1;
        self.last_id
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["oauth2", "authorize"]) => return Ok(self.authorize_page(request)),
            ("POST", ["oauth2", "authorize"]) => return Ok(self.authorize(request, context)),
            // A person who opens a post finds it on the sandbox's page.
            ("GET", [blog, id]) if *blog != "v2" && self.blog(blog).is_some() => {
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))));
            }
            _ => {}
        }
        let ["v2", rest @ ..] = segments else { return Err(ApiError::not_found()) };
        if request.header("user-agent").is_none_or(|name| name.trim().is_empty()) {
            return Err(ApiError::forbidden(0, "The User-Agent header is required."));
        }
        match (request.method.as_str(), rest) {
            ("POST", ["oauth2", "token"]) => self.access_token(request, context),
            ("GET", ["user", "info"]) => self.user_info(request, context),
            ("GET", ["user", "limits"]) => self.user_limits(request, context),
            ("POST", ["user", "like"]) => self.like(request, true, context),
            ("POST", ["user", "unlike"]) => self.like(request, false, context),
            ("GET", ["blog", blog, "info"]) => self.blog_info(request, blog, context),
            ("GET", ["blog", blog, "avatar", ..]) => self.avatar(blog, context),
            ("GET", ["blog", blog, "followers"]) => self.followers(request, blog, context),
            ("GET", ["blog", blog, "notes"]) => self.notes(request, blog, context),
            ("POST", ["blog", blog, "post", "delete"]) => self.delete(request, blog, context),
            ("POST", ["blog", blog, "posts"]) => self.create(request, blog, context),
            ("GET", ["blog", blog, "posts"]) => self.list(request, blog, context),
            ("GET", ["blog", blog, "posts", "draft"]) => self.drafts(request, blog, context),
            ("GET", ["blog", blog, "posts", id]) => self.fetch(request, blog, id, context),
            ("PUT", ["blog", blog, "posts", id]) => self.edit(request, blog, id, context),
            _ => Err(ApiError::not_found()),
        }
    }
}

impl Network for Tumblr {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", ["v2", "blog", _, "posts"]) => match create::asked_state(request).as_deref() {
                // Nobody sees a draft: it is where files are left.
                Some("draft") => Operation::Upload,
                _ if create::is_reblog(request) => Operation::Comment,
                _ => Operation::Publish,
            },
            ("PUT", ["v2", "blog", _, "posts", _]) => Operation::Publish,
            ("GET", ["v2", "blog", _, "posts", ..]) => Operation::Poll,
            ("GET", ["v2", "blog", _, "notes" | "followers"]) => Operation::Metrics,
            ("POST", ["v2", "user", "like" | "unlike"]) => Operation::Comment,
            ("POST", ["v2", "oauth2", "token"]) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        self.settle(context.now);
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let standing = match self.take_call(request, context) {
            Ok(standing) => standing,
            Err(answer) => return *answer,
        };
        let answer = self.call(request, &segments, context);
        limits::with_headers(answer.unwrap_or_else(ApiError::into_answer), standing)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, context: &Context<'_>) -> Answer {
        let operation = self.operation(request);
        match refusal {
            Refusal::ServerError => {
                let code = if operation == Operation::Upload { 8006 } else { 0 };
                ApiError::server(code).into_answer()
            }
            // No Retry-After: the windows say when they end.
            Refusal::RateLimited(wait) => limits::too_many(wait, context.now),
            Refusal::Permanent => permanent(operation).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        if request.method == Method::POST && request.path.starts_with("/v2/oauth2/") {
            self.expire_refresh_token(request);
            return;
        }
        let user = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(user) = user.map(|token| token.user) else { return };
        for token in self.tokens.values_mut().filter(|token| token.user == user) {
            token.ends_at = token.ends_at.min(context.now);
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let user = self.add_user(name)?;
        Ok(self.connect(user, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        let out = self.posts.iter().filter(|post| post.is_out());
        out.map(|post| self.live_post(post)).collect()
    }

    fn reset(&mut self, accounts: bool) {
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = earlier.last_id;
        self.last_user = earlier.last_user;
        if !accounts {
            self.users = earlier.users;
            self.blogs = earlier.blogs;
            self.tokens = earlier.tokens;
            self.refresh_tokens = earlier.refresh_tokens;
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish | Operation::Comment => {
            ApiError::new(StatusCode::BAD_REQUEST, 8001, "The NPF JSON is invalid.")
        }
        Operation::Upload => ApiError::unusable("The uploaded media is an invalid format."),
        Operation::Poll => ApiError::bad_request("The posts cannot be given out."),
        Operation::Token => ApiError::oauth("invalid_grant", "The token is invalid or expired."),
        Operation::Metrics | Operation::Other => {
            ApiError::forbidden(0, "You are not allowed to do this.")
        }
    }
}

/// Returns what an answer that has nothing to say holds.
fn nothing() -> Value {
    json!([])
}
