//! Pinterest: users with boards, and Pins on them.
//!
//! Base URL of an adapter: the sandbox's URL and `/pinterest`, in place of `api.pinterest.com`,
//! `www.pinterest.com` and the place that takes the bytes of videos alike. Group
//! boards, saving other people's Pins and advertisers are not imitated, and a Pin whose
//! images are fetched by links is answered before they are there.
//!
//! Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`.

mod accounts;
mod authorize;
mod boards;
mod error;
mod figures;
mod limits;
mod media;
mod oauth;
mod pins;
mod source;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use http::{Method, StatusCode};
use serde_json::Value;

use self::accounts::User;
use self::boards::Board;
use self::error::ApiError;
use self::media::Video;
use self::oauth::{Code, Token};
use self::pins::Pin;
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::page::anchor;
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "pinterest";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Pinterest {
    users: BTreeMap<String, User>,
    boards: Vec<Board>,
    codes: HashMap<String, Code>,
    tokens: HashMap<String, Token>,
    refresh_tokens: HashMap<String, Token>,
    videos: HashMap<String, Video>,
    /// Every Pin, oldest first.
    pins: Vec<Pin>,
    last_id: u64,
    quotas: Quotas,
}

impl Pinterest {
    /// Returns a number of its own, greater than all before.
    fn next_id(&mut self, now: DateTime<Utc>) -> String {
        let at = u64::try_from(now.timestamp_millis()).unwrap_or(0) << 18;
        self.last_id = at.max(self.last_id + 1);
        self.last_id.to_string()
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["oauth"]) => return Ok(self.authorize_page(request)),
            ("POST", ["oauth"]) => return Ok(self.authorize(request, context)),
            ("POST", ["v5", "oauth", "token"]) => return self.token(request, context),
            // A person who opens a Pin finds it on the sandbox's page.
            ("GET", ["pin", id]) => {
                return Ok(Answer::redirect(&format!("/#{}", anchor(NAME, id))));
            }
            ("POST", ["media-upload"]) => return Ok(self.take_upload(request, context)),
            _ => {}
        }
        let ["v5", rest @ ..] = segments else { return Err(ApiError::no_call()) };
        let caller = self.caller(request, context)?;
        self.take_point(&caller, request, self.operation(request), context)?;
        match (request.method.as_str(), rest) {
            ("GET", ["user_account"]) => self.user_account(request, context),
            ("GET", ["boards"]) => self.list_boards(request, context),
            ("POST", ["boards"]) => self.create_board(request, context),
            ("GET", ["boards", id, "pins"]) => self.list_board_pins(request, id, context),
            ("GET", ["boards", id, "sections"]) => self.list_sections(request, id, context),
            ("POST", ["boards", id, "sections"]) => self.create_section(request, id, context),
            ("POST", ["media"]) => self.register_media(request, context),
            ("GET", ["media", id]) => self.show_media(request, id, context),
            ("POST", ["pins"]) => self.create_pin(request, context),
            ("GET", ["pins"]) => self.list_pins(request, context),
            ("GET", ["pins", id]) => self.show_pin(request, id, context),
            ("DELETE", ["pins", id]) => self.delete_pin(request, id, context),
            ("GET", ["pins", id, "analytics"]) => self.analytics(request, id, context),
            _ => Err(ApiError::no_call()),
        }
    }
}

impl Network for Pinterest {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", ["v5", "pins"]) => Operation::Publish,
            ("POST", ["v5", "media"] | ["media-upload"]) => Operation::Upload,
            ("GET", ["v5", "media", _]) => Operation::Poll,
            ("GET", ["v5", "pins", _, "analytics"]) => Operation::Metrics,
            ("GET", ["v5", "pins", _]) if request.query("pin_metrics").is_some() => {
                Operation::Metrics
            }
            ("POST", ["v5", "oauth", "token"]) => Operation::Token,
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let answer = self.call(request, &segments, context);
        answer.unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        if request.path.starts_with("/media-upload") {
            return match refusal {
                Refusal::ServerError => {
                    let message = "We encountered an internal error. Please try again.";
                    media::xml(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", message)
                }
                Refusal::RateLimited(_) => {
                    let message = "Please reduce your request rate.";
                    media::xml(StatusCode::SERVICE_UNAVAILABLE, "SlowDown", message)
                }
                Refusal::Permanent => {
                    let message = "Your proposed upload exceeds the maximum allowed size";
                    media::xml(StatusCode::BAD_REQUEST, "EntityTooLarge", message)
                }
            };
        }
        match refusal {
            Refusal::ServerError => {
                let message = "Something went wrong on our end. Sorry about that.";
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, 500, message).into_answer()
            }
            Refusal::RateLimited(wait) => {
                let seconds = wait.as_secs().to_string();
                let error = ApiError::too_many(i64::try_from(wait.as_secs()).unwrap_or(i64::MAX));
                error.into_answer().with_header("retry-after", &seconds)
            }
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        if request.method == Method::POST && request.path.starts_with("/v5/oauth/") {
            self.expire_grant(request);
            return;
        }
        let user = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(user) = user.map(|token| token.user.clone()) else { return };
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
        Ok(self.connect(&user, context))
    }

    fn posts(&self) -> Vec<LivePost> {
        self.pins.iter().map(|pin| self.live_post(pin)).collect()
    }

    fn reset(&mut self, accounts: bool) {
        let last_id = self.last_id;
        let earlier = std::mem::take(self);
        // Numbers are never given out twice, also not across a reset.
        self.last_id = last_id;
        if !accounts {
            self.users = earlier.users;
            self.boards = earlier.boards;
            self.tokens = earlier.tokens;
            self.refresh_tokens = earlier.refresh_tokens;
        }
    }
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish => ApiError::no_board(),
        Operation::Upload => ApiError::invalid("the media_type is not one of ['video']"),
        Operation::Token => oauth::invalid_grant("refresh token"),
        Operation::Poll | Operation::Comment | Operation::Metrics | Operation::Other => {
            ApiError::not_permitted()
        }
    }
}
