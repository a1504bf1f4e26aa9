//! Instagram: professional accounts, connected by Instagram's own login or through a Facebook
//! Page.
//!
//! Every server of the network answers below one address: `graph.instagram.com` and
//! `graph.facebook.com` at `/v26.0/…` (the token says which of the two was meant), the tokens of
//! Instagram's own login at `/oauth/access_token`, `/access_token` and `/refresh_access_token`,
//! the pages of both logins at `/oauth/authorize` and `/v26.0/dialog/oauth`, and bytes of videos
//! at `/ig-api-upload/v26.0/…`. Files are fetched from this machine only. All accounts of the
//! sandbox may comment on each other's posts, so that there is somebody to answer.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/>, v26.0.

mod accounts;
mod comments;
mod containers;
mod error;
mod insights;
mod media;
mod oauth;
mod pages;
#[cfg(test)]
mod time_tests;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use http::header::AUTHORIZATION;
use serde_json::{Value, json};

use self::accounts::Account;
use self::comments::Comment;
use self::containers::Container;
use self::error::ApiError;
use self::media::Media;
use self::oauth::{Code, Token, Way};
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::params::{params, text};
use crate::quota::Quotas;
use crate::request::Request;

const NAME: &str = "instagram";

/// The imitated network.
#[derive(Debug, Default)]
pub(crate) struct Instagram {
    accounts: BTreeMap<u64, Account>,
    tokens: HashMap<String, Token>,
    codes: HashMap<String, Code>,
    containers: BTreeMap<u64, Container>,
    media: BTreeMap<u64, Media>,
    comments: BTreeMap<u64, Comment>,
    last_id: u64,
    quotas: Quotas,
}

impl Instagram {
    /// Returns an id that is greater than all before.
    fn next_id(&mut self) -> u64 {
        self.last_id = self.last_id.max(17_841_400_000_000_000) + 1;
        self.last_id
    }

    fn call(
        &mut self,
        request: &Request,
        segments: &[&str],
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match (request.method.as_str(), segments) {
            ("GET", ["oauth", "authorize"]) => return Ok(self.page(request, Way::Direct)),
            ("POST", ["oauth", "authorize"]) => {
                return Ok(self.decide(request, Way::Direct, context));
            }
            ("GET", [version, "dialog", "oauth"]) if is_version(version) => {
                return Ok(self.page(request, Way::ViaPage));
            }
            ("POST", [version, "dialog", "oauth"]) if is_version(version) => {
                return Ok(self.decide(request, Way::ViaPage, context));
            }
            ("POST", ["oauth", "access_token"]) => return Ok(self.short_token(request, context)),
            ("GET", ["access_token"]) => return self.long_token(request, context),
            ("GET", ["refresh_access_token"]) => return self.refresh_token(request, context),
            ("POST", ["ig-api-upload", version, id]) if is_version(version) => {
                return self.upload(request, id, context);
            }
            _ => {}
        }
        let Some((version, path)) = segments.split_first() else {
            return Err(ApiError::new(2500, "Unknown path components"));
        };
        if !is_version(version) {
            return Err(ApiError::new(2500, format!("Unknown path components: /{version}")));
        }
        self.take_point(request, context)?;
        match (request.method.as_str(), path) {
            ("GET", ["oauth", "access_token"]) => self.page_token(request, context),
            ("GET", ["me"]) => self.me(request, context),
            ("GET", ["me", "permissions"]) => self.permissions(request, context),
            ("GET", ["me", "accounts"]) => self.page_accounts(request, context),
            ("GET", ["me", "businesses"]) => self.businesses(request, context),
            ("GET", [_, "owned_pages" | "client_pages"]) => self.business_pages(request, context),
            ("POST", [user, "media"]) => self.create_container(request, user, context),
            ("POST", [user, "media_publish"]) => self.publish(request, user, context),
            ("GET", [user, "content_publishing_limit"]) => {
                self.publishing_limit(request, user, context)
            }
            ("GET", [user, "media"]) => self.list(request, user, false, context),
            ("GET", [user, "stories"]) => self.list(request, user, true, context),
            ("GET", [media, "insights"]) => self.insights(request, media, context),
            ("GET", [media, "comments"]) => self.list_comments(request, media, context),
            ("POST", [media, "comments"]) => self.comment(request, media, context),
            ("POST", [comment, "replies"]) => self.reply(request, comment, context),
            ("GET", [id]) => self.read(request, id, context),
            ("POST", [id]) => self.change(request, id, context),
            ("DELETE", [id]) => self.delete(request, id, context),
            _ => Err(ApiError::new(2500, "Unknown path components")),
        }
    }

    /// Answers what is behind an id.
    fn read(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let number: u64 = id.parse().map_err(|_| ApiError::missing(id))?;
        if self.accounts.contains_key(&number) {
            self.show_account(request, number, context)
        } else if self.containers.contains_key(&number) {
            self.show_container(request, number, context)
        } else if self.media.contains_key(&number) {
            self.show_media(request, number, context)
        } else {
            self.show_comment(request, id, context)
        }
    }

    /// Changes who may comment on a post, or hides a comment.
    fn change(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        match id.parse().ok().filter(|id| self.media.contains_key(id)) {
            Some(media) => self.close_media(request, media, context),
            None => self.hide_comment(request, id, context),
        }
    }

    /// Removes a post or a comment.
    fn delete(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let number: u64 = id.parse().map_err(|_| ApiError::missing(id))?;
        if self.media.contains_key(&number) {
            self.delete_media(request, number, context)
        } else {
            self.delete_comment(request, id, context)
        }
    }
}

fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Returns the fields that a call asks for; those of a field that has its own stay with it.
fn fields(request: &Request) -> Vec<String> {
    let asked = text(&params(request), "fields").unwrap_or_default();
    let (mut fields, mut depth, mut field) = (Vec::new(), 0_usize, String::new());
    for letter in asked.chars() {
        match letter {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter == ',' && depth == 0 {
            fields.push(std::mem::take(&mut field));
        } else {
            field.push(letter);
        }
    }
    fields.push(field);
    fields.retain(|field| !field.is_empty());
    fields
}

/// Returns what was asked for of an object, and its id.
///
/// # Errors
/// A field that the object does not have.
fn chosen(whole: &Value, fields: &[String]) -> Result<Value, ApiError> {
    let mut answer = json!({});
    for field in fields {
        let name = field.split(['{', '.', '(']).next().unwrap_or(field);
        let Some(value) = whole.get(name) else {
            let message = format!("Tried accessing nonexisting field ({name})");
            return Err(ApiError::parameter(&message));
        };
        if !value.is_null() {
            answer[name] = value.clone();
        }
    }
    answer["id"] = whole["id"].clone();
    Ok(answer)
}

impl Network for Instagram {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, request: &Request) -> Operation {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("POST", [_, _, "media_publish"]) => Operation::Publish,
            ("POST", [_, _, "media"] | ["ig-api-upload", _, _]) => Operation::Upload,
            ("GET", [_, _, "comments"]) | ("POST", [_, _, "comments" | "replies"]) => {
                Operation::Comment
            }
            ("GET", [_, _, "insights"]) | ("GET", [_, "me"]) => Operation::Metrics,
            ("POST", ["oauth", "access_token"])
            | ("GET", ["access_token" | "refresh_access_token"] | [_, "oauth", "access_token"]) => {
                Operation::Token
            }
            ("GET" | "POST" | "DELETE", [version, id]) if is_version(version) => {
                let number: u64 = id.parse().unwrap_or_default();
                let is_read = request.method == http::Method::GET;
                if is_read && self.containers.contains_key(&number) {
                    Operation::Poll
                } else if self.comments.contains_key(&number) {
                    Operation::Comment
                } else if is_read && self.accounts.contains_key(&number) {
                    Operation::Metrics
                } else {
                    Operation::Other
                }
            }
            _ => Operation::Other,
        }
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let segments = request.segments();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        self.call(request, &segments, context).unwrap_or_else(ApiError::into_answer)
    }

    fn refuse(&self, refusal: Refusal, request: &Request, _context: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => ApiError::server().into_answer(),
            Refusal::RateLimited(wait) => {
                let minutes = wait.as_secs().div_ceil(60);
                let id = self.caller(request).map_or_else(|| "0".to_owned(), |id| id.to_string());
                too_many(&id, minutes)
            }
            Refusal::Permanent => permanent(self.operation(request)).into_answer(),
        }
    }

    fn expire_tokens(&mut self, request: &Request, context: &Context<'_>) {
        let Some(account) = self.caller(request) else { return };
        for token in self.tokens.values_mut().filter(|token| token.account == account) {
            token.expires_at = Some(context.now);
        }
    }

    fn create_account(
        &mut self,
        name: Option<&str>,
        context: &Context<'_>,
    ) -> Result<Value, String> {
        let account = self.add_account(name)?;
        Ok(self.connect(account, context.now))
    }

    fn posts(&self) -> Vec<LivePost> {
        let mut posts: Vec<LivePost> = self.media.values().map(|media| self.post(media)).collect();
        let comments = self.comments.values().map(|comment| self.comment_post(comment));
        posts.extend(comments);
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
            self.tokens = earlier.tokens;
        }
    }
}

impl Instagram {
    /// Returns the account that a request speaks for, be its token good or not.
    fn caller(&self, request: &Request) -> Option<u64> {
        let token = sent_token(request)?;
        self.tokens.get(&token).map(|token| token.account)
    }

    /// Returns the token of a request, and whose it is.
    ///
    /// # Errors
    /// There is none, or it has run out.
    fn token(&self, request: &Request, now: DateTime<Utc>) -> Result<&Token, ApiError> {
        let token = sent_token(request).ok_or_else(ApiError::token)?;
        let token = self.tokens.get(&token).ok_or_else(ApiError::token)?;
        if token.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(ApiError::expired());
        }
        Ok(token)
    }

    /// Returns the account of a token that may do something on it.
    ///
    /// # Errors
    /// Those of tokens, a permission that was not given, and a token of a person, who has no
    /// account.
    fn allowed(
        &self,
        request: &Request,
        need: &'static [&'static str],
        context: &Context<'_>,
    ) -> Result<&Account, ApiError> {
        let token = self.token(request, context.now)?;
        if !need.iter().any(|scope| token.scopes.iter().any(|given| given == scope)) {
            return Err(ApiError::permission(need.first().copied().unwrap_or_default()));
        }
        if token.way == Way::Person {
            return Err(ApiError::new(210, "(#210) A page access token is required"));
        }
        self.accounts.get(&token.account).ok_or_else(ApiError::token)
    }

    /// The same for a call below an account, which has to be the token's own.
    ///
    /// # Errors
    /// The same, and another's account.
    fn own_account(
        &self,
        request: &Request,
        user: &str,
        need: &'static [&'static str],
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let account = self.allowed(request, need, context)?.id;
        if user == "me" || user == account.to_string() {
            Ok(account)
        } else {
            Err(ApiError::missing(user))
        }
    }
}

/// Returns the token of a request: a header of either scheme, or a parameter.
fn sent_token(request: &Request) -> Option<String> {
    let header = request.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let header = header.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim());
    header.map(str::to_owned).or_else(|| text(&params(request), "access_token"))
}

/// Returns the answer to too many calls, which are allowed again after some minutes.
fn too_many(account: &str, minutes: u64) -> Answer {
    let usage = json!({ account: [{
        "type": "instagram",
        "call_count": 100,
        "total_cputime": 25,
        "total_time": 25,
        "estimated_time_to_regain_access": minutes,
    }] });
    ApiError::new(4, "(#4) Application request limit reached")
        .into_answer()
        .with_header("x-business-use-case-usage", &usage.to_string())
}

/// Returns the refusal that a call of the operation typically meets.
fn permanent(operation: Operation) -> ApiError {
    match operation {
        Operation::Publish => ApiError::sub(
            36004,
            2_207_010,
            "The caption is too long. It should be at most 2,200 characters.",
        ),
        Operation::Upload => ApiError::sub(
            36000,
            2_207_004,
            "The image is too large to download. It should be less than 8 MiB.",
        ),
        Operation::Comment => ApiError::permission("instagram_manage_comments"),
        Operation::Poll => ApiError::sub(352, 2_207_026, "The video format is not supported."),
        Operation::Token => ApiError::sub(190, 467, "Error validating access token."),
        Operation::Metrics | Operation::Other => ApiError::missing("0"),
    }
}
