//! Sessions, identities and what the server says of itself.

use serde_json::{Value, json};

use super::Bluesky;
use super::accounts::Account;
use super::blobs::UPLOAD_LIMIT;
use super::error::XrpcError;
use super::input::{object, parameter, text};
use super::session::Tokens;
use super::video::server_did;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Bluesky {
    /// Opens a session for an identifier and its app password.
    ///
    /// # Errors
    /// `AuthenticationRequired`, `RateLimitExceeded`.
    pub(super) fn create_session(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let body = object(request)?;
        let identifier = text(body, "identifier")?;
        let password = text(body, "password")?;
        self.take_session_points(identifier, context)?;
        let account = self
            .accounts
            .find(identifier)
            .filter(|account| account.app_password == password)
            .ok_or_else(|| {
                let message = "Invalid identifier or password";
                XrpcError::unauthorized("AuthenticationRequired", message)
            })?;
        let tokens = self.sessions.open(&account.did, context);
        let mut answer = with_tokens(session(account, context), tokens);
        answer["emailAuthFactor"] = Value::from(false);
        Ok(Answer::ok(&answer))
    }

    /// Gives out a new pair of tokens for a refresh token.
    ///
    /// # Errors
    /// `ExpiredToken`, `InvalidToken`.
    pub(super) fn refresh_session(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let did = self.sessions.use_refresh(request, context.now)?;
        let account = self.accounts.find(&did).ok_or_else(no_account)?;
        let tokens = self.sessions.open(&did, context);
        Ok(Answer::ok(&with_tokens(session(account, context), tokens)))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// `InvalidToken`.
    pub(super) fn delete_session(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        self.sessions.close(request, context.now)?;
        Ok(Answer::empty(http::StatusCode::OK))
    }

    /// Says whose session it is.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn describe_session(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let did = self.sessions.authenticate(request, context.now)?;
        let account = self.accounts.find(&did).ok_or_else(no_account)?;
        Ok(Answer::ok(&session(account, context)))
    }

    /// Finds the identifier of a handle.
    ///
    /// # Errors
    /// `HandleNotFound`; `InvalidRequest` for what cannot be a handle.
    pub(super) fn resolve_handle(&self, request: &Request) -> Result<Answer, XrpcError> {
        let handle = parameter(request, "handle")?;
        if !is_handle(handle) {
            return Err(XrpcError::invalid("Error: handle must be a valid handle"));
        }
        match self.accounts.find(handle) {
            Some(account) => Ok(Answer::ok(&json!({"did": account.did}))),
            None => Err(XrpcError::bad("HandleNotFound", "Unable to resolve handle")),
        }
    }

    /// Says what the server is.
    pub(super) fn describe_server(&self, context: &Context<'_>) -> Answer {
        Answer::ok(&json!({
            "did": server_did(context),
            "availableUserDomains": [".test"],
            "inviteCodeRequired": false,
            "phoneVerificationRequired": false,
            "links": {},
            "contact": {},
            "blobUploadLimit": UPLOAD_LIMIT,
        }))
    }

    /// Answers an identity document, as the directory of identities does.
    pub(super) fn document(&self, did: &str, context: &Context<'_>) -> Answer {
        match self.accounts.find(did) {
            Some(account) => Answer::ok(&account.document(context.base)),
            None => {
                let message = format!("DID not registered: {did}");
                Answer::json(http::StatusCode::NOT_FOUND, &json!({"message": message}))
            }
        }
    }
}

/// Says whether a text has the form of a handle.
///
/// Source: <https://atproto.com/specs/handle>.
fn is_handle(text: &str) -> bool {
    let mut labels = text.split('.').rev().peekable();
    let ends_well =
        labels.peek().is_some_and(|last| !last.starts_with(|c: char| c.is_ascii_digit()));
    let is_label = |label: &str| {
        let is_edge = |letter: Option<char>| letter.is_some_and(|c| c.is_ascii_alphanumeric());
        label.len() <= 63
            && is_edge(label.chars().next())
            && is_edge(label.chars().last())
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    text.len() <= 253 && text.contains('.') && ends_well && labels.all(is_label)
}

fn session(account: &Account, context: &Context<'_>) -> Value {
    json!({
        "did": account.did,
        "handle": account.handle,
        "email": format!("{}@sandbox.test", account.handle),
        "emailConfirmed": true,
        "didDoc": account.document(context.base),
        "active": true,
    })
}

fn with_tokens(mut session: Value, tokens: Tokens) -> Value {
    session["accessJwt"] = Value::from(tokens.access);
    session["refreshJwt"] = Value::from(tokens.refresh);
    session
}

fn no_account() -> XrpcError {
    XrpcError {
        status: http::StatusCode::FORBIDDEN,
        error: "AccountNotFound",
        message: "Account not found".to_owned(),
    }
}
