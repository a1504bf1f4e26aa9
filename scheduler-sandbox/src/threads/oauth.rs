//! The page on which a person lets an app in, and the tokens that come of it.
//!
//! Every app is known here: any id and any secret are taken, as long as a code is turned into a
//! token by the app and for the address that it was asked for.
//!
//! Source:
//! <https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions>,
//! <https://developers.facebook.com/documentation/threads/get-started/long-lived-tokens>.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::Threads;
use super::accounts::TOKEN_LIFE;
use super::error::ApiError;
use crate::answer::Answer;
use crate::consent::{Consent, Decision, back, back_to};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Life of a code and of the token that it becomes.
const CODE_LIFE: TimeDelta = TimeDelta::hours(1);
/// How old a token must be to be exchanged for a new one.
const YOUNGEST: TimeDelta = TimeDelta::hours(24);
/// The page.
const PAGE: Consent = Consent {
    title: "Allow access to Threads",
    handed_on: &["client_id", "redirect_uri", "scope", "response_type", "state"],
    action: Some("authorize"),
    asks: "asks to use an account of this sandbox.",
    permissions: "Scopes",
    account: ("Account", "account"),
    allow: ("allow", "Allow"),
    deny: ("deny", "Cancel"),
};

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    client_id: String,
    account: u64,
    redirect_uri: String,
    scopes: String,
    made_at: DateTime<Utc>,
}

impl Threads {
    /// Shows the page.
    pub(super) fn authorize_page(&self, request: &Request) -> Answer {
        let params = params(request);
        if let Some(wrong) = wrong(&params) {
            return PAGE.wrong(wrong);
        }
        let accounts = self.accounts.values().rev();
        let accounts =
            accounts.map(|account| (account.id.to_string(), format!("@{}", account.username)));
        PAGE.show(&params, "An app", &text(&params, "scope").unwrap_or_default(), accounts)
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        if let Some(wrong) = wrong(&params) {
            return PAGE.wrong(wrong);
        }
        let given = |name| text(&params, name).unwrap_or_default();
        let redirect_uri = given("redirect_uri");
        let state = text(&params, "state").filter(|state| !state.is_empty());
        let state = ("state", state.as_deref());
        let account = match PAGE.decision(&params) {
            Decision::Denied => {
                let pairs = [
                    ("error", Some("access_denied")),
                    ("error_reason", Some("user_denied")),
                    ("error_description", Some("The user denied your request")),
                    state,
                ];
                return back(&redirect_uri, &pairs);
            }
            Decision::New => self.add_account(None).ok(),
            Decision::To(id) => id.parse().ok().filter(|id| self.accounts.contains_key(id)),
        };
        let Some(account) = account else { return PAGE.wrong("There is no such account.") };
        let code = random_secret();
        let answer = back_to(&redirect_uri, &[("code", Some(&code)), state], "#_");
        let code_of = Code {
            client_id: given("client_id"),
            account,
            redirect_uri,
            scopes: given("scope"),
            made_at: context.now,
        };
        self.codes.insert(code, code_of);
        answer
    }

    /// Turns a code, or an app's own secret, into a token.
    ///
    /// # Errors
    /// Something is missing, or the code does not fit.
    pub(super) fn access_token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let given = |name| text(&params, name).unwrap_or_default();
        if given("client_id").is_empty() || given("client_secret").is_empty() {
            return Err(ApiError::oauth("Error validating client secret."));
        }
        match given("grant_type").as_str() {
            "client_credentials" => {
                let token = self.give_token(None, "", context.now, TOKEN_LIFE);
                Ok(Answer::ok(&json!({ "access_token": token, "token_type": "bearer" })))
            }
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code"));
                let code = code.ok_or_else(|| ApiError::oauth("Invalid authorization code"))?;
                let fits = code.client_id == given("client_id")
                    && code.redirect_uri == given("redirect_uri")
                    && code.made_at + CODE_LIFE > context.now;
                if !fits {
                    let message = "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request";
                    return Err(ApiError::oauth(message));
                }
                let account = code.account;
                let token = self.give_token(Some(account), &code.scopes, context.now, CODE_LIFE);
                Ok(Answer::ok(&json!({ "access_token": token, "user_id": account })))
            }
            _ => Err(ApiError::oauth("Invalid grant_type")),
        }
    }

    /// Turns a token that lives for an hour into one that lives for 60 days.
    ///
    /// # Errors
    /// Those of tokens; something is missing.
    pub(super) fn exchange(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let has_secret = request.query("client_secret").is_some_and(|secret| !secret.is_empty());
        if request.query("grant_type") != Some("th_exchange_token") || !has_secret {
            return Err(ApiError::parameter("Invalid grant_type or client_secret"));
        }
        self.long_token(request, context)
    }

    /// Turns a token that lives for 60 days into a new one.
    ///
    /// # Errors
    /// Those of tokens; it is younger than a day.
    pub(super) fn refresh(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        if request.query("grant_type") != Some("th_refresh_token") {
            return Err(ApiError::parameter("Invalid grant_type"));
        }
        let token = self.token_of(request, context)?;
        if token.made_at + YOUNGEST > context.now || token.ends_at - token.made_at < TOKEN_LIFE {
            let message = "The access token must be long-lived and at least 24 hours old";
            return Err(ApiError::parameter(message));
        }
        self.long_token(request, context)
    }

    fn long_token(&mut self, request: &Request, context: &Context<'_>) -> Result<Answer, ApiError> {
        let token = self.token_of(request, context)?.clone();
        let new = self.give_token(token.account, &token.scopes, context.now, TOKEN_LIFE);
        Ok(Answer::ok(&json!({
            "access_token": new,
            "token_type": "bearer",
            "expires_in": TOKEN_LIFE.num_seconds(),
        })))
    }

    /// Answers what a token may do.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn debug_token(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.token_of(request, context)?;
        let given = request.query("input_token").unwrap_or_default();
        let Some(token) = self.tokens.get(given) else {
            let message = "The access token could not be decrypted";
            return Ok(Answer::ok(&json!({ "data": {
                "is_valid": false,
                "error": { "code": 190, "message": message },
                "scopes": [],
            } })));
        };
        let scopes: Vec<&str> = token.scopes.split(',').filter(|scope| !scope.is_empty()).collect();
        Ok(Answer::ok(&json!({ "data": {
            "type": "USER",
            "application": "Scheduler",
            "is_valid": token.ends_at > context.now,
            "issued_at": token.made_at.timestamp(),
            "expires_at": token.ends_at.timestamp(),
            "data_access_expires_at": token.ends_at.timestamp(),
            "scopes": scopes,
            "user_id": token.account.map(|id| id.to_string()),
        } })))
    }
}

/// Says what is wrong with a request for the page.
fn wrong(params: &Map<String, Value>) -> Option<&'static str> {
    let given = |name| text(params, name).unwrap_or_default();
    if given("client_id").is_empty() {
        return Some("Invalid Request: Missing client_id parameter");
    }
    if !given("redirect_uri").contains("://") {
        return Some("Invalid Request: Blocked redirect_uri");
    }
    if given("response_type") != "code" {
        return Some("Invalid Request: response_type must be code");
    }
    if !given("scope").split(',').any(|scope| scope == "threads_basic") {
        return Some("Invalid Request: threads_basic is required");
    }
    None
}
