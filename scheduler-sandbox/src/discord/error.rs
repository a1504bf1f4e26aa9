//! Error answers.
//!
//! Source: <https://docs.discord.com/developers/reference>, "Error Messages", and
//! <https://docs.discord.com/developers/topics/opcodes-and-status-codes>.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::request::Request;

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    code: u64,
    message: String,
    errors: Option<Value>,
}

impl ApiError {
    /// Builds an error.
    pub(super) fn new(status: StatusCode, code: u64, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), errors: None }
    }

    /// Builds the error of a request that breaks a rule.
    pub(super) fn bad(code: u64, message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Builds the error of one field; its path has dots.
    pub(super) fn field(path: &str, code: &str, message: &str) -> Self {
        let fault = json!({ "_errors": [{ "code": code, "message": message }] });
        let errors = path.rsplit('.').fold(fault, |inner, name| json!({ name: inner }));
        Self { errors: Some(errors), ..Self::bad(50_035, "Invalid Form Body") }
    }

    /// Builds the error of a message that is not there.
    pub(super) fn unknown_message() -> Self {
        Self::new(StatusCode::NOT_FOUND, 10_008, "Unknown Message")
    }

    /// Builds the error of a channel that is not there.
    pub(super) fn unknown_channel() -> Self {
        Self::new(StatusCode::NOT_FOUND, 10_003, "Unknown Channel")
    }

    /// Builds the error of a server that is not there.
    pub(super) fn unknown_guild() -> Self {
        Self::new(StatusCode::NOT_FOUND, 10_004, "Unknown Guild")
    }

    /// Builds the error of a caller who is nobody.
    pub(super) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, 0, "401: Unauthorized")
    }

    /// Builds the error of a path that is no call.
    pub(super) fn no_call() -> Self {
        Self::new(StatusCode::NOT_FOUND, 0, "404: Not Found")
    }

    /// Builds the error of a method that a path does not have.
    pub(super) fn method() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, 0, "405: Method Not Allowed")
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let mut body = json!({ "message": self.message, "code": self.code });
        if let Some(errors) = self.errors {
            body["errors"] = errors;
        }
        Answer::json(self.status, &body)
    }
}

/// What a widely used client of webhooks calls itself, and the network lets through.
///
/// Source: <https://github.com/Rapptz/discord.py>, `discord/webhook/sync.py`, which posts by the
/// library of this name.
const LIBRARY: &str = "python-requests/";

/// Checks that a caller says who it is: `DiscordBot (address, version)`, or [`LIBRARY`]. A blank
/// without a comma does as well, as discord.py has it.
///
/// Source: <https://docs.discord.com/developers/reference>, "User Agent".
///
/// # Errors
/// 403, as the front of the network answers.
pub(super) fn check_user_agent(request: &Request) -> Result<(), ApiError> {
    let agent = request.header("user-agent").unwrap_or_default();
    let inside = agent.strip_prefix("DiscordBot (").and_then(|rest| rest.split_once(')'));
    let is_known = inside.is_some_and(|(inside, _)| {
        inside
            .split_once([',', ' '])
            .is_some_and(|(address, version)| address.contains("://") && !version.trim().is_empty())
    });
    if is_known || agent.starts_with(LIBRARY) {
        return Ok(());
    }
    let message = "Cloudflare is blocking your request. This can often be resolved by setting a proper User Agent.";
    Err(ApiError::new(StatusCode::FORBIDDEN, 40_333, message))
}
