//! Tokens of both logins.
//!
//! Source: `instagram-api-with-instagram-login` and `instagram-api-with-facebook-login`.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::json;

use super::Instagram;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Scopes of Instagram's own login.
pub(super) const DIRECT_SCOPES: [&str; 4] = [
    "instagram_business_basic",
    "instagram_business_content_publish",
    "instagram_business_manage_comments",
    "instagram_business_manage_insights",
];
/// Scopes of Facebook's login.
pub(super) const PAGE_SCOPES: [&str; 8] = [
    "instagram_basic",
    "instagram_content_publish",
    "instagram_manage_comments",
    "instagram_manage_insights",
    "instagram_manage_contents",
    "pages_show_list",
    "pages_read_engagement",
    "business_management",
];
/// Life of a long-lived token.
const LONG_LIFE: TimeDelta = TimeDelta::days(60);
/// Life of the first token.
const SHORT_LIFE: TimeDelta = TimeDelta::hours(1);
/// How old a token has to be before it is renewed.
const RENEWAL_AGE: TimeDelta = TimeDelta::hours(24);
/// Life of a code; a code is good for one use.
const CODE_LIFE: TimeDelta = TimeDelta::hours(1);

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// An account, by Instagram's own login.
    Direct,
    /// An account, through its Page.
    ViaPage,
    /// A person at Facebook, who has Pages.
    Person,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) account: u64,
    pub(super) way: Way,
    pub(super) scopes: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) expires_at: Option<DateTime<Utc>>,
}

/// What a person's consent gives.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) redirect_uri: String,
    pub(super) account: u64,
    pub(super) way: Way,
    pub(super) scopes: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
}

impl Instagram {
    /// Makes a token; with every scope unless some are named.
    pub(super) fn give_token(
        &mut self,
        account: u64,
        way: Way,
        scopes: Option<Vec<String>>,
        created_at: DateTime<Utc>,
    ) -> String {
        let all: &[&str] = match way {
            Way::Direct => &DIRECT_SCOPES,
            Way::ViaPage | Way::Person => &PAGE_SCOPES,
        };
        let scopes =
            scopes.unwrap_or_else(|| all.iter().map(|scope| (*scope).to_owned()).collect());
        let expires_at = match way {
            Way::Direct | Way::Person => Some(created_at + LONG_LIFE),
            Way::ViaPage => None,
        };
        let start = if way == Way::Direct { "IGAA" } else { "EAAB" };
        let token = format!("{start}{}", random_secret());
        self.tokens.insert(token.clone(), Token { account, way, scopes, created_at, expires_at });
        token
    }

    fn take_code(&mut self, request: &Request, context: &Context<'_>) -> Option<Code> {
        let params = params(request);
        let code = self.codes.remove(text(&params, "code")?.trim_end_matches("#_"))?;
        let is_same = |name: &str, value: &str| text(&params, name).as_deref() == Some(value);
        let is_good = is_same("client_id", &code.client_id)
            && is_same("redirect_uri", &code.redirect_uri)
            && text(&params, "client_secret").is_some_and(|secret| !secret.is_empty())
            && context.now < code.created_at + CODE_LIFE;
        is_good.then_some(code)
    }

    /// Exchanges the code of Instagram's own login for a token of an hour.
    pub(super) fn short_token(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let is_code = text(&params(request), "grant_type").as_deref() == Some("authorization_code");
        let code = self.take_code(request, context);
        let Some(code) = code.filter(|code| is_code && code.way == Way::Direct) else {
            let refusal = json!({
                "error_type": "OAuthException",
                "code": 400,
                "error_message": "Invalid authorization code",
            });
            return Answer::json(StatusCode::BAD_REQUEST, &refusal);
        };
        let permissions = code.scopes.join(",");
        let token = self.give_token(code.account, Way::Direct, Some(code.scopes), context.now);
        if let Some(token) = self.tokens.get_mut(&token) {
            token.expires_at = Some(context.now + SHORT_LIFE);
        }
        Answer::ok(&json!({ "data": [{
            "access_token": token,
            "user_id": code.account.to_string(),
            "permissions": permissions,
        }] }))
    }

    /// Exchanges a token of an hour for one of 60 days.
    ///
    /// # Errors
    /// Those of tokens, another kind of exchange.
    pub(super) fn long_token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        if text(&params, "grant_type").as_deref() != Some("ig_exchange_token") {
            return Err(ApiError::parameter("Unsupported grant_type"));
        }
        if text(&params, "client_secret").is_none_or(|secret| secret.is_empty()) {
            return Err(ApiError::new(101, "Missing client_secret parameter"));
        }
        self.renewed(request, context)
    }

    /// Renews a token that is at least a day old.
    ///
    /// # Errors
    /// Those of tokens, a token that is too young.
    pub(super) fn refresh_token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        if text(&params(request), "grant_type").as_deref() != Some("ig_refresh_token") {
            return Err(ApiError::parameter("Unsupported grant_type"));
        }
        let token = self.token(request, context.now)?;
        if context.now < token.created_at + RENEWAL_AGE {
            return Err(ApiError::parameter("The access token must be at least 24 hours old"));
        }
        self.renewed(request, context)
    }

    fn renewed(&mut self, request: &Request, context: &Context<'_>) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?.clone();
        if token.way != Way::Direct {
            return Err(ApiError::token());
        }
        let new = self.give_token(token.account, Way::Direct, Some(token.scopes), context.now);
        Ok(Answer::ok(&json!({
            "access_token": new,
            "token_type": "bearer",
            "expires_in": LONG_LIFE.num_seconds(),
        })))
    }

    /// Exchanges the code of Facebook's login, or a token of an hour, for a person's token.
    ///
    /// # Errors
    /// A code that is none, those of tokens.
    pub(super) fn page_token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let (account, scopes, life) = match text(&params, "fb_exchange_token") {
            Some(token) => {
                let token = self.tokens.get(&token).filter(|token| token.way == Way::Person);
                let token = token.ok_or_else(ApiError::token)?;
                (token.account, token.scopes.clone(), LONG_LIFE)
            }
            None => {
                let code = self.take_code(request, context);
                let code = code.filter(|code| code.way == Way::Person).ok_or_else(|| {
                    ApiError::sub(100, 36_007, "This authorization code has been used.")
                })?;
                (code.account, code.scopes, SHORT_LIFE)
            }
        };
        let new = self.give_token(account, Way::Person, Some(scopes), context.now);
        if let Some(token) = self.tokens.get_mut(&new) {
            token.expires_at = Some(context.now + life);
        }
        Ok(Answer::ok(&json!({
            "access_token": new,
            "token_type": "bearer",
            "expires_in": life.num_seconds(),
        })))
    }

    /// Answers what a person has allowed.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn permissions(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?;
        let permissions = PAGE_SCOPES.iter().map(|scope| {
            let is_granted = token.scopes.iter().any(|given| given == scope);
            let status = if is_granted { "granted" } else { "declined" };
            json!({ "permission": scope, "status": status })
        });
        Ok(Answer::ok(&json!({ "data": permissions.collect::<Vec<_>>() })))
    }

    /// Answers the Pages of a person, each with its account and a token.
    ///
    /// # Errors
    /// Those of tokens, a permission that was not given.
    pub(super) fn page_accounts(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?.clone();
        if token.way != Way::Person {
            return Err(ApiError::missing("me"));
        }
        if !token.scopes.iter().any(|scope| scope == "pages_show_list") {
            return Err(ApiError::permission("pages_show_list"));
        }
        let account = self.accounts.get(&token.account).cloned().ok_or_else(ApiError::token)?;
        let page_token = self.give_token(account.id, Way::ViaPage, Some(token.scopes), context.now);
        let page = json!({
            "id": account.page.to_string(),
            "name": format!("Page of {}", account.name),
            "access_token": page_token,
            "tasks": ["ANALYZE", "CREATE_CONTENT", "MODERATE", "MANAGE"],
            "instagram_business_account": {
                "id": account.id.to_string(),
                "username": account.username,
                "name": account.name,
                "profile_picture_url": format!("{}/pictures/{}.jpg", context.base, account.id),
            },
        });
        Ok(Answer::ok(&json!({ "data": [page] })))
    }

    /// Answers the businesses of a person: nobody has one here.
    ///
    /// # Errors
    /// Those of tokens, a permission that was not given.
    pub(super) fn businesses(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?;
        if !token.scopes.iter().any(|scope| scope == "business_management") {
            return Err(ApiError::permission("business_management"));
        }
        Ok(Answer::ok(&json!({ "data": [] })))
    }

    /// Answers the Pages of a business: there is none.
    ///
    /// # Errors
    /// Always.
    pub(super) fn business_pages(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.token(request, context.now)?;
        Err(ApiError::missing("0"))
    }
}
