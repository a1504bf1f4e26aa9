//! What a caller is told when something cannot be done.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::ports::{FilesError, StoreError};
use crate::rules::ValidationIssue;

/// A stable error code of the contract.
///
/// Source: interface description, Errors. `network_error`, `network_refused` and `in_doubt` are ours,
/// for acts on a network that failed (the names are those of a target's `errorCode`), and so are
/// `unavailable`, `storage_full` and `internal`, for faults of the service itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A body, header or parameter did not validate; `field` names it.
    InvalidRequest,
    /// The key is missing, expired or not recognised.
    Unauthorized,
    /// The key lacks a scope; the message names it.
    Forbidden,
    /// No such thing in this workspace, or no such path.
    NotFound,
    /// The plan's posts of the month are used up.
    PostLimit,
    /// The plan's uploaded bytes of the month are used up.
    UploadLimit,
    /// A file is larger than the plan or the server takes.
    FileTooLarge,
    /// The plan covers no further channel.
    ChannelLimit,
    /// The plan includes neither API keys nor webhooks.
    ApiNotOnPlan,
    /// The plan's assistant calls of the month are used up.
    AiLimit,
    /// The plan includes no assistant.
    AiNotInPlan,
    /// No account of the network is connected, or it has to be connected again.
    AccountNotConnected,
    /// A file's bytes are missing, of another size, or deleted.
    MediaUnusable,
    /// The post or target has begun to go out.
    AlreadyStarted,
    /// Targets cannot change any more because one has begun to go out.
    TargetsLocked,
    /// A target is going out at this moment.
    InFlight,
    /// No target has failed.
    NothingToRetry,
    /// The network does not offer the operation.
    Unsupported,
    /// The target is not live.
    NotPublished,
    /// A post that has not finished going out needs the file.
    InUse,
    /// The video of the target is already stored by YouTube.
    VideoOnYoutube,
    /// The body is larger than the API reads.
    PayloadTooLarge,
    /// A network would refuse the post; `issues` says why.
    ValidationFailed,
    /// The assistant would not write the text.
    AiDeclined,
    /// Too many requests.
    RateLimited,
    /// The assistant is not configured or does not answer.
    AiUnavailable,
    /// A network failed or could not be reached; trying again may help.
    NetworkError,
    /// A network refused what was asked.
    NetworkRefused,
    /// A network's answer was lost, and it is not known whether it did what was asked.
    InDoubt,
    /// The database or the store of files does not answer or takes nothing; trying again soon may
    /// help.
    Unavailable,
    /// There is no room left where the database or the files are kept.
    StorageFull,
    /// A fault of the service itself.
    Internal,
}

impl ErrorCode {
    /// Every code. Tables in tests run over it.
    pub const ALL: [Self; 32] = [
        Self::InvalidRequest,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::PostLimit,
        Self::UploadLimit,
        Self::FileTooLarge,
        Self::ChannelLimit,
        Self::ApiNotOnPlan,
        Self::AiLimit,
        Self::AiNotInPlan,
        Self::AccountNotConnected,
        Self::MediaUnusable,
        Self::AlreadyStarted,
        Self::TargetsLocked,
        Self::InFlight,
        Self::NothingToRetry,
        Self::Unsupported,
        Self::NotPublished,
        Self::InUse,
        Self::VideoOnYoutube,
        Self::PayloadTooLarge,
        Self::ValidationFailed,
        Self::AiDeclined,
        Self::RateLimited,
        Self::AiUnavailable,
        Self::NetworkError,
        Self::NetworkRefused,
        Self::InDoubt,
        Self::Unavailable,
        Self::StorageFull,
        Self::Internal,
    ];
}

/// What a caller can do next, where only the layer around the core knows how: which request of an
/// API, or which function, it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NextStep {
    /// Send an API key with the request.
    SendKey,
    /// Report the parts of the upload.
    ReportParts,
    /// Report that the file is uploaded.
    ReportUploaded,
    /// List the posts that need the file.
    ListPostsOfFile,
}

/// A refusal in the terms of the contract, without any word about its transport.
///
/// ```
/// use scheduler_core::error::{ErrorCode, Refusal};
/// let refusal = Refusal::invalid("targets[0].platform", "There is no such network.");
/// assert_eq!(refusal.code, ErrorCode::InvalidRequest);
/// assert_eq!(refusal.to_string(), "There is no such network.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The stable code.
    pub code: ErrorCode,
    /// What was wrong and what is allowed, for a person.
    pub message: String,
    /// For `invalid_request`: the path of the field, such as `targets[0].platform`.
    pub field: Option<String>,
    /// For a plan refusal: the allowance.
    pub limit: Option<u64>,
    /// For a plan refusal: the first plan that would allow it.
    pub upgrade_to: Option<String>,
    /// For `validation_failed`: every problem.
    pub issues: Vec<ValidationIssue>,
    /// For `rate_limited`: how many whole seconds to wait, where that is known.
    pub retry_after_seconds: Option<NonZeroU32>,
    /// What the caller can do next.
    pub next_step: Option<NextStep>,
}

impl Refusal {
    /// A refusal with a code and a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            field: None,
            limit: None,
            upgrade_to: None,
            issues: Vec::new(),
            retry_after_seconds: None,
            next_step: None,
        }
    }

    /// The same with what the caller can do next.
    #[must_use]
    pub fn with_next_step(self, step: NextStep) -> Self {
        Self { next_step: Some(step), ..self }
    }

    /// `invalid_request` about one field.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(ErrorCode::InvalidRequest, message) }
    }

    /// `not_found`, naming the kind of thing, such as `post`.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorCode::NotFound, format!("There is no such {what} in this workspace."))
    }

    /// `rate_limited`, with the time to wait, rounded up to whole seconds and never 0.
    pub fn rate_limited(message: impl Into<String>, retry_after: TimeDelta) -> Self {
        let seconds = retry_after.num_seconds() + i64::from(retry_after.subsec_nanos() > 0);
        let seconds = u32::try_from(seconds.max(1)).unwrap_or(u32::MAX);
        Self {
            retry_after_seconds: NonZeroU32::new(seconds),
            ..Self::new(ErrorCode::RateLimited, message)
        }
    }

    /// `validation_failed` with everything the rules found, warnings included.
    #[must_use]
    pub fn validation(issues: Vec<ValidationIssue>) -> Self {
        let first = issues
            .iter()
            .find(|issue| issue.severity == crate::rules::Severity::Error)
            .map_or_else(String::new, |issue| format!(" {}", issue.message));
        Self {
            issues,
            ..Self::new(
                ErrorCode::ValidationFailed,
                format!("A network would refuse this post.{first}"),
            )
        }
    }
}

/// Why a use case did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The request cannot be met; the caller is told why.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed; the caller is told nothing of it.
    #[error("the store failed")]
    Store(#[from] StoreError),
    /// The file store failed; the caller is told nothing of it.
    #[error("the file store failed")]
    Files(#[from] FilesError),
}

/// The error body of the API.
///
/// Source: interface description, Error.
///
/// ```
/// use scheduler_core::error::{ErrorBody, Refusal};
/// let body = ErrorBody::from(Refusal::not_found("post"));
/// let json = serde_json::to_value(&body)?;
/// assert_eq!(json["error"]["code"], "not_found");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// The error itself.
    pub error: ErrorDetail,
}

/// The inside of an [`ErrorBody`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail {
    /// The stable code.
    pub code: ErrorCode,
    /// For a person.
    pub message: String,
    /// Which field, for `invalid_request`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The allowance, for a plan refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The first plan that would allow it, for a plan refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade_to: Option<String>,
    /// Every problem, for `validation_failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<ValidationIssue>>,
}

impl From<Refusal> for ErrorBody {
    fn from(refusal: Refusal) -> Self {
        let issues = (refusal.code == ErrorCode::ValidationFailed).then_some(refusal.issues);
        Self {
            error: ErrorDetail {
                code: refusal.code,
                message: refusal.message,
                field: refusal.field,
                limit: refusal.limit,
                upgrade_to: refusal.upgrade_to,
                issues,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_names_of_the_contract() {
        let names: Vec<String> = ErrorCode::ALL
            .iter()
            .map(|code| serde_json::to_value(code).unwrap().as_str().unwrap().to_owned())
            .collect();
        let contract = "invalid_request, unauthorized, forbidden, not_found, post_limit, \
             upload_limit, file_too_large, channel_limit, api_not_on_plan, ai_limit, \
             ai_not_in_plan, account_not_connected, media_unusable, already_started, \
             targets_locked, in_flight, nothing_to_retry, unsupported, not_published, in_use, \
             video_on_youtube, payload_too_large, validation_failed, ai_declined, rate_limited, \
             ai_unavailable, network_error, network_refused, in_doubt, unavailable, \
             storage_full, internal";
        assert_eq!(names.join(", "), contract);
    }

    /// Whoever embeds the core has other routes, or none.
    #[test]
    fn no_line_of_the_core_names_a_route_or_a_header() {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut named = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let names = |line: &&str| {
                    let methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];
                    methods.iter().any(|method| line.contains(&format!("{method} /")))
                        || line.contains(&["Bea", "rer"].concat())
                };
                named.extend(code.filter(names).map(|line| format!("{}: {line}", path.display())));
            }
        }
        assert_eq!(named, Vec::<String>::new());
    }

    #[test]
    fn a_body_leaves_out_what_does_not_apply() {
        let body = ErrorBody::from(Refusal::invalid("queue", "no"));
        assert_eq!(
            serde_json::to_string(&body).unwrap(),
            r#"{"error":{"code":"invalid_request","message":"no","field":"queue"}}"#
        );
    }
}
