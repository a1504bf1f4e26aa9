//! TikTok.
//!
//! Base URL of an adapter: the sandbox's URL and `/tiktok`, which stands for `open.tiktokapis.com`,
//! `open-upload.tiktokapis.com` and `www.tiktok.com`. The application is an audited one. Webhooks,
//! duets, stitches and the choice of a cover are not imitated.
//!
//! Source: <https://developers.tiktok.com/docs/en/>, Content Posting API and Display API, v2.

mod accounts;
mod authorize;
mod error;
mod limits;
mod oauth;
mod publish;
mod status;
#[cfg(test)]
mod time_tests;
mod upload;
mod videos;

use std::collections::{BTreeMap, HashMap};

use http::StatusCode;
use serde_json::Value;

use self::accounts::Account;
use self::error::ApiError;
use self::oauth::{Code, RefreshToken, Token};
use self::publish::Publish;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "tiktok";

/// Where ids begin: numbers that need all 64 bits.
const FIRST_ID: u64 = 7_512_345_678_901_234_567;

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Tiktok {
    accounts: BTreeMap<String, Account>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    refresh_tokens: HashMap<String, RefreshToken>,
    /// Every publish, oldest first.
    publishes: Vec<Publish>,
    last_id: u64,
    quotas: Quotas,
}

impl Tiktok {
    /// Returns a number that is greater than all before.
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
            ("PUT", ["video"]) => return Ok(self.take_chunk(request, context)),
            // The picture of an account, which needs no token.
            ("GET", [picture]) if self.accounts.values().any(|account| account.has(picture)) => {
                return Ok(Answer::picture());
            }
            // A person who opens a post finds it on the sandbox's page.
            ("GET", [profile, "video" | "photo", id]) if profile.starts_with('@') => {
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))));
            }
            _ => {}
        }
        let ["v2", rest @ ..] = segments else { return Err(ApiError::not_found()) };
        match (request.method.as_str(), rest) {
            ("GET", ["auth", "authorize"]) => Ok(self.authorize_page(request)),
            ("POST", ["auth", "authorize"]) => Ok(self.authorize(request, context)),
            ("POST", ["oauth", "token"]) => self.token(request, context),
            ("POST", ["oauth", "revoke"]) => self.revoke(request),
            ("GET", ["user", "info"]) => self.user_info(request, context),
            ("POST", ["post", "publish", "creator_info", "query"]) => {
                self.creator_info(request, context)
            }
            ("POST", ["post", "publish", "video", "init"]) => {
                self.init_video(request, false, context)
            }
            ("POST", ["post", "publish", "inbox", "video", "init"]) => {
                self.init_video(request, true, context)
            }
            ("POST", ["post", "publish", "content", "init"]) => self.init_content(request, context),
            ("POST", ["post", "publish", "status", "fetch"]) => self.fetch_status(request, context),
            ("POST", ["post", "publish", "cancel"]) => self.cancel(request, context),
            ("POST", ["video", "list"]) => self.list_videos(request, context),
            ("POST", ["video", "query"]) => self.query_videos(request, context),
            _ => Err(ApiError::not_found()),
        }
    }
}

/// Says what a request is for. The last byte of a video publishes it.
fn operation(request: &Request) -> Operation {
    let segments = request.segments();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match (request.method.as_str(), segments.as_slice()) {
        ("PUT", ["video"]) if upload::is_last(request) => Operation::Publish,
        ("POST", ["v2", "post", "publish", "content", "init"]) => Operation::Publish,
        ("PUT", ["video"])
        | ("POST", ["v2", "post", "publish", "video", "init"])
        | ("POST", ["v2", "post", "publish", "inbox", "video", "init"]) => Operation::Upload,
        ("POST", ["v2", "post", "publish", "status", "fetch"]) => Operation::Poll,
        ("POST", ["v2", "video", "query"]) => Operation::Metrics,
        ("GET", ["v2", "user", "info"]) => {
            let fields = request.query("fields").unwrap_or_default();
            let is_figure = fields.split(',').any(|field| field.ends_with("_count"));
            if is_figure { Operation::Metrics } else { Operation::Other }
        }
        ("POST", ["v2", "oauth", "token" | "revoke"]) => Operation::Token,
        _ => Operation::Other,
    }
}

impl Network for Tiktok {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        operation(request)
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        self.call(request, &segments, context).unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        let is_chunk = request.method.as_str() == "PUT";
        match refusal {
            Refusal::ServerError if is_chunk => Answer::empty(StatusCode::INTERNAL_SERVER_ERROR),
            Refusal::ServerError => ApiError::server().into_answer(),
            // No Retry-After: none is documented.
            Refusal::RateLimited(_) => ApiError::too_many().into_answer(),
            Refusal::Permanent if is_chunk => Answer::empty(StatusCode::BAD_REQUEST),
            Refusal::Permanent => match operation(request) {
                Operation::Publish | Operation::Upload | Operation::Comment => {
                    ApiError::invalid("The title is longer than allowed").into_answer()
                }
                Operation::Poll => self.refuse_publish(request),
                Operation::Token => {
                    let why = "Refresh token is invalid or expired.";
                    ApiError::invalid_grant(why).into_answer()
                }
                Operation::Metrics | Operation::Other => ApiError::scope().into_answer(),
            },
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        match operation(request) {
            Operation::Token => self.expire_grant(request),
            Operation::Publish
            | Operation::Upload
            | Operation::Poll
            | Operation::Comment
            | Operation::Metrics
            | Operation::Other => self.expire_access(request, context.now),
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let open_id = self.add_account(name)?;
        Ok(self.connect(&open_id, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        let live = self.publishes.iter().filter(|publish| publish.is_live());
        live.map(|publish| self.live_post(publish)).collect()
    }

    fn reset(&mut self, accounts: bool) {
        let earlier = std::mem::take(self);
        // Ids are never given out twice, also not across a reset.
        self.last_id = earlier.last_id;
        if !accounts {
            self.accounts = earlier.accounts;
            self.tokens = earlier.tokens;
            self.refresh_tokens = earlier.refresh_tokens;
        }
    }
}
