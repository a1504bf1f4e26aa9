//! Threads.
//!
//! Base URL of an adapter: the sandbox's URL and `/threads`, which stands for `graph.threads.net`
//! and `threads.net`. Quotes, locations, spoilers, ghost posts, approvals of replies and keyword
//! searches are not imitated.
//!
//! Source: <https://developers.facebook.com/documentation/threads/>, API v1.0.

mod accounts;
mod containers;
mod error;
mod oauth;
mod posts;
mod publish;
mod text;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use self::accounts::{Account, Token};
use self::containers::Container;
use self::error::ApiError;
use self::oauth::Code;
use self::posts::Post;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::params::{params, text};
use crate::request::Request;

const NAME: &str = "threads";

/// The version that paths may begin with.
const VERSION: &str = "v1.0";

/// Where ids begin; invented.
const FIRST_ID: u64 = 17_840_000_000_000_000;

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    accounts: BTreeMap<u64, Account>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    containers: HashMap<u64, Container>,
    posts: BTreeMap<u64, Post>,
    /// Who has deleted something, and when.
    deletions: Vec<(u64, DateTime<Utc>)>,
    last_id: u64,
}

impl Threads {
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
            ("GET", ["oauth", "authorize"]) => Ok(self.authorize_page(request)),
            ("POST", ["oauth", "authorize"]) => Ok(self.authorize(request, context)),
            ("GET" | "POST", ["oauth", "access_token"]) => self.access_token(request, context),
            ("GET", ["access_token"]) => self.exchange(request, context),
            ("GET", ["refresh_access_token"]) => self.refresh(request, context),
            ("GET", ["debug_token"]) => self.debug_token(request, context),
            ("GET", ["me"]) => self.me(request, context),
            ("GET", ["profile_lookup"]) => self.profile_lookup(request, context),
            ("POST", [user, "threads"]) => self.create_container(request, user, context),
            ("POST", [user, "threads_publish"]) => self.publish(request, user, context),
            ("GET", [user, "threads"]) => self.own(request, user, false, context),
            ("GET", [user, "replies"]) if self.is_account(user) => {
                self.own(request, user, true, context)
            }
            ("GET", [user, "threads_publishing_limit"]) => {
                self.publishing_limit(request, user, context)
            }
            ("GET", [user, "threads_insights"]) => self.account_insights(request, user, context),
            ("GET", [id, "replies"]) => self.conversation(request, id, false, context),
            ("GET", [id, "conversation"]) => self.conversation(request, id, true, context),
            ("GET", [id, "insights"]) => self.insights(request, id, context),
            ("POST", [id, "manage_reply"]) => self.manage_reply(request, id, context),
            ("GET", [profile, "post", code]) if profile.starts_with('@') => Ok(self.open(code)),
            ("DELETE", [id]) => self.delete(request, id, context),
            ("GET", [id]) => self.show(request, id, context),
            _ => Err(ApiError::unknown(&request.path)),
        }
    }

    fn is_account(&self, name: &str) -> bool {
        name == "me" || name.parse().is_ok_and(|id: u64| self.accounts.contains_key(&id))
    }

    fn is_container(&self, id: &str) -> bool {
        id.parse().is_ok_and(|id: u64| self.containers.contains_key(&id))
    }

    /// Says whether a post answers one of somebody else.
    fn is_comment(&self, request: &Request, parent: Option<u64>) -> bool {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let parent = parent.and_then(|parent| self.posts.get(&parent));
        parent.is_some_and(|parent| Some(parent.account) != token.and_then(|token| token.account))
    }
}

/// Returns the segments of a path without its version.
fn segments(request: &Request) -> Vec<String> {
    let mut segments = request.segments();
    if segments.first().is_some_and(|first| first == VERSION) {
        segments.remove(0);
    }
    segments
}

impl Network for Threads {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = segments(request);
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let given = |name: &str| text(&params(request), name).and_then(|id| id.parse().ok());
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", [_, "threads"]) if self.is_comment(request, given("reply_to_id")) => {
                Operation::Comment
            }
            ("POST", [_, "threads"]) => Operation::Upload,
            ("POST", [_, "threads_publish"]) => {
                let container = given("creation_id").and_then(|id| self.containers.get(&id));
                let parent = container.and_then(|container| container.reply_to);
                let is_comment = self.is_comment(request, parent);
                if is_comment { Operation::Comment } else { Operation::Publish }
            }
            ("GET", [id]) if self.is_container(id) => Operation::Poll,
            ("GET", [_, "conversation"]) | ("POST", [_, "manage_reply"]) => Operation::Comment,
            ("GET", [id, "replies"]) if !self.is_account(id) => Operation::Comment,
            ("GET", [_, "insights" | "threads_insights"]) => Operation::Metrics,
            (_, ["oauth", "access_token"])
            | (_, ["access_token" | "refresh_access_token" | "debug_token"]) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = segments(request);
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        self.call(request, &segments, context).unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => ApiError::server().into_answer(),
            Refusal::RateLimited(wait) => {
                let usage = json!({ "sandbox": [{
                    "type": "threads",
                    "call_count": 100,
                    "total_cputime": 100,
                    "total_time": 100,
                    "estimated_time_to_regain_access": minutes(wait),
                }] });
                let answer = ApiError::too_many_calls().into_answer();
                answer.with_header("x-business-use-case-usage", &usage.to_string())
            }
            Refusal::Permanent => match self.operation(request) {
                Operation::Poll => Answer::ok(&json!({
                    "id": segments(request).first(),
                    "status": "ERROR",
                    "error_message": "FAILED_PROCESSING_VIDEO",
                })),
                Operation::Publish => ApiError::parameter("The post violates a rule").into_answer(),
                Operation::Upload | Operation::Comment => {
                    let message = "Param text must be at most 500 characters long";
                    ApiError::parameter(message).into_answer()
                }
                Operation::Token => {
                    ApiError::token("Error validating access token", 460).into_answer()
                }
                Operation::Metrics | Operation::Other => ApiError::permission().into_answer(),
            },
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        let given = request.bearer().map(str::to_owned);
        let given = given.or_else(|| text(&params(request), "access_token"));
        let account = given.and_then(|token| self.tokens.get(&token)?.account);
        if account.is_none() {
            return;
        }
        for token in self.tokens.values_mut().filter(|token| token.account == account) {
            token.ends_at = token.ends_at.min(context.now);
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let account = self.add_account(name)?;
        Ok(self.connect(account, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        self.posts.values().map(|post| self.live_post(post)).collect()
    }

    fn reset(&mut self, accounts: bool) {
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = earlier.last_id;
        if !accounts {
            self.accounts = earlier.accounts;
            self.tokens = earlier.tokens;
        }
    }
}

/// Returns a wait in minutes, as the network words it.
fn minutes(wait: Duration) -> u64 {
    wait.as_secs().div_ceil(60)
}
