//! Mastodon: one server (instance) with its own accounts.
//!
//! Base URL of an adapter, and the instance that a person would type: the sandbox's URL and
//! `/mastodon`. Scheduled statuses, quotes, votes, boosts and follows are not imitated; a status
//! that asks for one of the first two is refused. The filter for spam knows one phrase.
//!
//! Source: <https://docs.joinmastodon.org/>, server 4.6.5.

mod accounts;
mod authorize;
mod error;
mod html;
mod instance;
mod limits;
mod media;
mod oauth;
mod statuses;
mod text;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::Value;

use self::accounts::Account;
use self::error::ApiError;
use self::media::Media;
use self::oauth::{App, Code, Token};
use self::statuses::Status;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::{Quotas, Standing};
use crate::request::Request;

const NAME: &str = "mastodon";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Mastodon {
    accounts: BTreeMap<u64, Account>,
    usernames: HashMap<String, u64>,
    apps: BTreeMap<String, App>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    statuses: BTreeMap<u64, Status>,
    by_account: HashMap<u64, BTreeSet<u64>>,
    replies: HashMap<u64, BTreeSet<u64>>,
    media: HashMap<u64, Media>,
    /// What an account's `Idempotency-Key` made, and when.
    keys: HashMap<(u64, String), (u64, DateTime<Utc>)>,
    /// The keys in the order of their use.
    key_ages: VecDeque<(DateTime<Utc>, (u64, String))>,
    taken_down: Vec<LivePost>,
    last_id: u64,
    quotas: Quotas,
    /// Where the caller of the request at hand stands within its limits.
    standing: Option<Standing>,
}

impl Mastodon {
    /// Returns an id that is greater than all before: milliseconds, then a counter.
    fn next_id(&mut self, now: DateTime<Utc>) -> u64 {
        let at = u64::try_from(now.timestamp_millis()).unwrap_or(0) << 16;
        self.last_id = at.max(self.last_id + 1);
        self.last_id
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.take_points(request, segments, context)?;
        match (request.method.as_str(), segments) {
            ("GET", ["api", "v2", "instance"]) => Ok(Self::instance(context)),
            ("GET", ["api", "v1", "instance"]) => Ok(self.instance_v1(context)),
            ("GET", [".well-known", "oauth-authorization-server"]) => {
                Ok(Self::oauth_metadata(context))
            }
            ("POST", ["api", "v1", "apps"]) => self.register_app(request),
            ("GET", ["api", "v1", "apps", "verify_credentials"]) => self.verify_app(request),
            ("GET", ["oauth", "authorize"]) => Ok(self.authorize_page(request)),
            ("POST", ["oauth", "authorize"]) => Ok(self.authorize(request, context)),
            ("GET", ["oauth", "authorize", "native"]) => Ok(Self::native_page(request)),
            ("POST", ["oauth", "token"]) => self.token(request, context),
            ("POST", ["oauth", "revoke"]) => self.revoke(request),
            ("GET", ["api", "v1", "accounts", "verify_credentials"]) => {
                self.verify_credentials(request, context)
            }
            ("GET", ["api", "v1", "accounts", "search"]) => self.search_accounts(request, context),
            ("GET", ["api", "v1", "accounts", id]) => self.show_account(request, id, context),
            ("GET", ["api", "v1", "accounts", id, "statuses"]) => {
                self.account_statuses(request, id, context)
            }
            ("GET", ["api", "v2", "search"]) => self.search(request, context),
            ("POST", ["api", "v2", "media"]) => self.upload(request, false, context),
            ("POST", ["api", "v1", "media"]) => self.upload(request, true, context),
            ("GET", ["api", "v1", "media", id]) => self.show_media(request, id, context),
            ("PUT", ["api", "v1", "media", id]) => self.update_media(request, id, context),
            ("POST", ["api", "v1", "statuses"]) => self.create_status(request, context),
            ("GET", ["api", "v1", "statuses"]) => self.show_statuses(request, context),
            ("GET", ["api", "v1", "statuses", id]) => self.show_status(request, id, context),
            ("PUT", ["api", "v1", "statuses", id]) => self.edit_status(request, id, context),
            ("DELETE", ["api", "v1", "statuses", id]) => self.delete_status(request, id, context),
            ("GET", ["api", "v1", "statuses", id, "source"]) => self.status_source(request, id),
            ("GET", ["api", "v1", "statuses", id, "history"]) => {
                self.status_history(request, id, context)
            }
            ("GET", ["api", "v1", "statuses", id, "context"]) => {
                self.status_context(request, id, context)
            }
            ("POST", ["api", "v1", "statuses", id, "favourite"]) => {
                self.favourite(request, id, true, context)
            }
            ("POST", ["api", "v1", "statuses", id, "unfavourite"]) => {
                self.favourite(request, id, false, context)
            }
            // A person who opens a status finds it on the sandbox's page.
            ("GET", [profile, id]) if profile.starts_with('@') => {
                Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))))
            }
            _ => Err(ApiError::new(StatusCode::NOT_FOUND, "Not Found")),
        }
    }

    /// Says what a new status is for: replies to others are comments.
    fn status_operation(&self, request: &Request) -> Operation {
        let params = crate::params::params(request);
        let parent = crate::params::text(&params, "in_reply_to_id")
            .and_then(|id| id.parse::<u64>().ok())
            .and_then(|id| self.statuses.get(&id));
        let author = request.bearer().and_then(|token| self.tokens.get(token)?.account);
        match parent {
            Some(parent) if Some(parent.account) != author => Operation::Comment,
            _ => Operation::Publish,
        }
    }
}

impl Network for Mastodon {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", ["api", "v1", "statuses"]) => self.status_operation(request),
            ("POST", ["api", "v1" | "v2", "media"]) => Operation::Upload,
            ("GET", ["api", "v1", "media", _]) => Operation::Poll,
            ("GET", ["api", "v1", "statuses", _, "context"])
            | ("POST", ["api", "v1", "statuses", _, "favourite" | "unfavourite"]) => {
                Operation::Comment
            }
            ("GET", ["api", "v1", "statuses"] | ["api", "v1", "statuses", _])
            | ("GET", ["api", "v1", "accounts", "verify_credentials"]) => Operation::Metrics,
            ("POST", ["oauth", "token" | "revoke"]) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let answer = self.call(request, &segments, context);
        self.with_standing(answer.unwrap_or_else(ApiError::into_answer), context)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => Answer::html(
                StatusCode::INTERNAL_SERVER_ERROR,
                "<!doctype html>\n<title>We're sorry, but something went wrong (500)</title>\n"
                    .to_owned(),
            ),
            Refusal::RateLimited(wait) => {
                let wait = TimeDelta::from_std(wait).unwrap_or(TimeDelta::days(1));
                limits::refusal(context.now + wait)
            }
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, _context: &Context<'_>) {
        let account = request.bearer().and_then(|token| self.tokens.get(token)?.account);
        if account.is_none() {
            return;
        }
        for token in self.tokens.values_mut().filter(|token| token.account == account) {
            token.is_revoked = true;
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let account = self.add_account(name, context.now)?;
        Ok(self.connect(account, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        let mut posts = self.taken_down.clone();
        posts.extend(self.statuses.values().map(|status| self.live_post(status, false)));
        posts.sort_by_key(|post| post.created_at);
        posts
    }

    fn reset(&mut self, accounts: bool) {
        let last_id = self.last_id;
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = last_id;
        if !accounts {
            self.accounts = earlier.accounts;
            self.usernames = earlier.usernames;
            self.apps = earlier.apps;
            self.tokens = earlier.tokens;
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish | Operation::Comment => {
            ApiError::validation("Text character limit of 500 exceeded")
        }
        Operation::Upload => ApiError::validation("File content type is invalid, File is invalid"),
        Operation::Poll => ApiError::unprocessable("Error processing thumbnail for uploaded media"),
        Operation::Token => oauth::invalid_grant(),
        Operation::Metrics | Operation::Other => {
            ApiError::new(StatusCode::FORBIDDEN, "This action is not allowed")
        }
    }
}
