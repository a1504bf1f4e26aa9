//! What is refused, as data: every kind has its code, its sentence and what helps.

use chrono::TimeDelta;

use super::access::{AccessRefusal, NotFound};
use super::areas::{
    AccountRefusal, AssistantRefusal, MediaRefusal, PostRefusal, RepeatRefusal, Unsupported,
};
use super::of_feed::FeedRefusal;
use super::of_plan::PlanRefusal;
use super::openid::OpenIdRefusal;
use super::{ErrorCode, Invalid};
use crate::ports::{NetworkError, NetworkErrorKind};
use crate::post::PostView;
use crate::rules::{Severity, ValidationIssue};
use crate::target::FailureCode;

/// How long a network that says "too often" and no time is left alone.
///
/// Source: our decision.
const RATE_LIMIT_WAIT: TimeDelta = TimeDelta::minutes(1);

/// What a caller can do next, where only the layer around the core knows how: which request of an
/// API, or which function, it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NextStep {
    /// Send an API key with the request.
    SendKey,
    /// Log in.
    LogIn,
    /// Log in for the API as well, or send an API key.
    LogInForApi,
    /// Report the parts of the upload.
    ReportParts,
    /// Report that the file is uploaded.
    ReportUploaded,
    /// Say what becomes of what is due for the account.
    ChooseForDue,
    /// List the posts that need the file.
    ListPostsOfFile,
    /// List the boards of the account.
    ListBoards,
}

/// What is refused and why. One enum for each part of the service holds its own refusals.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalKind {
    /// A refusal of the layer or the program around the core, in its own words.
    #[error("{0}")]
    Said(String),
    /// The same, which passes by waiting.
    #[error("{message}")]
    Wait {
        /// What the caller is told.
        message: String,
        /// How long to wait.
        retry_after: TimeDelta,
    },
    /// A field of the request is wrong.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The key does not allow it.
    #[error(transparent)]
    Access(#[from] AccessRefusal),
    /// An OpenID provider has signed nobody in.
    #[error(transparent)]
    OpenId(#[from] OpenIdRefusal),
    /// There is no such thing.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The plan does not cover it.
    #[error(transparent)]
    Plan(#[from] PlanRefusal),
    /// The account is connected, but beyond what the plan covers.
    #[error("{account} is paused. {plan}")]
    Paused {
        /// The account, as people read it.
        account: String,
        /// What the plan does not cover.
        plan: PlanRefusal,
    },
    /// The account is not there or not opened.
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    /// The network or this server does not offer it.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The post or target is not in a state for it.
    #[error(transparent)]
    Post(#[from] PostRefusal),
    /// The file is not in a state for it.
    #[error(transparent)]
    Media(#[from] MediaRefusal),
    /// The rules have found that a network would refuse the post: everything they found.
    #[error("A network would refuse this post.{}", first_error(.0))]
    Validation(Vec<ValidationIssue>),
    /// The feed is not polled now.
    #[error(transparent)]
    Feed(#[from] FeedRefusal),
    /// The assistant gives no answer.
    #[error(transparent)]
    Assistant(#[from] AssistantRefusal),
    /// A network has not done what was asked of it.
    #[error("{}", words_of(.0))]
    Network(NetworkError),
    /// The request is a repetition of one that has no answer.
    #[error(transparent)]
    Repeat(#[from] RepeatRefusal),
    /// The delivery of a webhook is being sent.
    #[error("This delivery is being sent at this moment; look at its attempts in a few seconds.")]
    DeliveryInFlight,
    /// The post has another revision than the caller has seen; this is the post as it is now.
    #[error(
        "This post was changed by somebody else: it is at revision {}. Look at what it is now, then send your change with that revision.",
        .0.revision
    )]
    Stale(Box<PostView>),
    /// Others have changed the same at every try.
    #[error("Too many changes at the same moment; try again in a second.")]
    TooBusy,
}

impl RefusalKind {
    /// The code of the contract.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Said(_) | Self::Invalid(_) => ErrorCode::InvalidRequest,
            Self::Wait { .. } | Self::Feed(_) | Self::TooBusy => ErrorCode::RateLimited,
            Self::Access(refusal) => refusal.code(),
            Self::OpenId(refusal) => refusal.code(),
            Self::NotFound(_) => ErrorCode::NotFound,
            Self::Plan(refusal) | Self::Paused { plan: refusal, .. } => refusal.limit.code(),
            Self::Account(refusal) => refusal.code(),
            Self::Unsupported(_) => ErrorCode::Unsupported,
            Self::Post(refusal) => refusal.code(),
            Self::Media(refusal) => refusal.code(),
            Self::Validation(_) => ErrorCode::ValidationFailed,
            Self::Assistant(refusal) => refusal.code(),
            Self::Network(error) => code_of(error),
            Self::Repeat(refusal) => refusal.code(),
            Self::DeliveryInFlight => ErrorCode::InFlight,
            Self::Stale(_) => ErrorCode::Stale,
        }
    }

    /// How long to wait, where that is known.
    pub(super) fn retry_after(&self) -> Option<TimeDelta> {
        match self {
            Self::Wait { retry_after, .. } => Some(*retry_after),
            Self::Feed(refusal) => Some(refusal.retry_after()),
            Self::Network(NetworkError {
                kind: NetworkErrorKind::RateLimited { wait }, ..
            }) => Some(wait.unwrap_or(RATE_LIMIT_WAIT)),
            _ => None,
        }
    }

    /// What the caller can do next.
    pub(super) const fn next_step(&self) -> Option<NextStep> {
        match self {
            Self::Access(AccessRefusal::NoKey) => Some(NextStep::SendKey),
            Self::Access(AccessRefusal::KeyForSession) => Some(NextStep::LogIn),
            Self::Access(AccessRefusal::SessionForKey) => Some(NextStep::LogInForApi),
            Self::Invalid(Invalid::UploadedInParts) => Some(NextStep::ReportParts),
            Self::Invalid(Invalid::UploadedInOnePiece) => Some(NextStep::ReportUploaded),
            Self::Account(AccountRefusal::StillDue { .. }) => Some(NextStep::ChooseForDue),
            Self::Media(MediaRefusal::InUse) => Some(NextStep::ListPostsOfFile),
            _ => None,
        }
    }
}

/// The refusal of a request that a network did not meet, in the network's words.
impl From<NetworkError> for RefusalKind {
    fn from(error: NetworkError) -> Self {
        Self::Network(error)
    }
}

const fn code_of(error: &NetworkError) -> ErrorCode {
    match (error.kind, error.code) {
        (NetworkErrorKind::RateLimited { .. }, _) => ErrorCode::RateLimited,
        (NetworkErrorKind::Unsettled, _) | (_, FailureCode::InDoubt) => ErrorCode::InDoubt,
        (_, FailureCode::AccountNotConnected) => ErrorCode::AccountNotConnected,
        (_, FailureCode::ChannelLimit) => ErrorCode::ChannelLimit,
        (_, FailureCode::MediaUnusable) => ErrorCode::MediaUnusable,
        (_, FailureCode::Unsupported) => ErrorCode::Unsupported,
        (_, FailureCode::NotFound) => ErrorCode::NotFound,
        (_, FailureCode::NetworkError | FailureCode::RateLimited) => ErrorCode::NetworkError,
        (_, FailureCode::NetworkRefused | FailureCode::ValidationFailed) => {
            ErrorCode::NetworkRefused
        }
    }
}

/// What a network's failure says. Only what others can see, such as a reply, is ever unsettled: a
/// caller who takes it for undone says it twice.
fn words_of(error: &NetworkError) -> String {
    if error.kind == NetworkErrorKind::Unsettled {
        return format!(
            "{} It may have been done all the same; look before you try it again.",
            error.message
        );
    }
    error.message.clone()
}

fn first_error(issues: &[ValidationIssue]) -> String {
    let first = issues.iter().find(|issue| issue.severity == Severity::Error);
    first.map_or_else(String::new, |issue| format!(" {}", issue.message))
}
