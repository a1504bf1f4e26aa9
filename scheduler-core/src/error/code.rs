//! The codes of the contract, and the status that an answer has for each.

use serde::{Deserialize, Serialize};

/// What went wrong, for a program. Codes are stable; new ones may be added.
///
/// Source: interface description, Errors. `network_error`, `network_refused` and `in_doubt` are
/// ours, for acts on a network that failed (the names are those of a target's `errorCode`), and so
/// are
/// `unavailable`, `storage_full` and `internal`, for faults of the service itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The body, a header or a parameter did not validate; `field` names it.
    InvalidRequest,
    /// The key is missing, expired or not recognised.
    Unauthorized,
    /// The key lacks a scope; the message names it.
    Forbidden,
    /// There is no such thing in this workspace, or no such path.
    NotFound,
    /// The plan's posts of the month are used up.
    PostLimit,
    /// The plan's uploaded bytes of the month are used up.
    UploadLimit,
    /// The file is larger than the plan allows (402, with `limit`) or than the server takes (413).
    FileTooLarge,
    /// The account is beyond the channels that the plan covers.
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
    /// The post or the target has begun to go out.
    AlreadyStarted,
    /// Targets cannot change any more: one has begun to go out.
    TargetsLocked,
    /// A target is going out at this moment.
    InFlight,
    /// No target has failed.
    NothingToRetry,
    /// The network does not offer this.
    Unsupported,
    /// The target is not live.
    NotPublished,
    /// A post that has not finished going out needs the file.
    InUse,
    /// Another target holds the slot, or its time.
    SlotTaken,
    /// YouTube has begun to store the target's video; at another account it would be there twice.
    VideoOnYoutube,
    /// The post was changed since the caller saw it; `current` is what it is now.
    Stale,
    /// The body is larger than 1 MiB.
    PayloadTooLarge,
    /// A network would refuse the post; `issues` says why.
    ValidationFailed,
    /// The assistant would not write the text.
    AiDeclined,
    /// Too many requests; `Retry-After` says how long to wait.
    RateLimited,
    /// The assistant is not configured or does not answer.
    AiUnavailable,
    /// The network failed or could not be reached; trying again may help.
    NetworkError,
    /// The network refused what was asked.
    NetworkRefused,
    /// The network's answer was lost; look there before you try it again.
    InDoubt,
    /// The database or the store of files does not answer or takes nothing, so it is not known
    /// whether the request was stored; or too many large bodies are being handled, and nothing was
    /// stored. `Retry-After` says when to try again, with the same `Idempotency-Key`.
    Unavailable,
    /// There is no room left where the database or the files are kept; nothing was stored.
    StorageFull,
    /// A fault of the server; the log has it under the `x-request-id` of the answer.
    Internal,
}

impl ErrorCode {
    /// Every code. Tables in tests run over it.
    pub const ALL: [Self; 34] = [
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
        Self::SlotTaken,
        Self::VideoOnYoutube,
        Self::Stale,
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

    /// The HTTP status of an answer with this code. `file_too_large` has another one when it is the
    /// plan that allows no larger file: see [`ErrorDetail::status`](super::ErrorDetail::status).
    ///
    /// Source: interface description, Errors; our decision where it names none.
    ///
    /// ```
    /// use scheduler_core::error::ErrorCode;
    /// assert_eq!(ErrorCode::NotFound.status(), 404);
    /// ```
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::Unauthorized => 401,
            Self::PostLimit
            | Self::UploadLimit
            | Self::ChannelLimit
            | Self::ApiNotOnPlan
            | Self::AiLimit
            | Self::AiNotInPlan => 402,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::AccountNotConnected
            | Self::MediaUnusable
            | Self::AlreadyStarted
            | Self::TargetsLocked
            | Self::InFlight
            | Self::NothingToRetry
            | Self::Unsupported
            | Self::NotPublished
            | Self::InUse
            | Self::SlotTaken
            | Self::VideoOnYoutube
            | Self::NetworkError
            | Self::NetworkRefused
            | Self::InDoubt => 409,
            Self::Stale => 412,
            Self::FileTooLarge | Self::PayloadTooLarge => 413,
            Self::ValidationFailed | Self::AiDeclined => 422,
            Self::RateLimited => 429,
            Self::Internal => 500,
            Self::AiUnavailable | Self::Unavailable => 503,
            Self::StorageFull => 507,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_the_status_of_the_contract() {
        use ErrorCode as E;
        for (status, codes) in [
            (400, &[E::InvalidRequest][..]),
            (401, &[E::Unauthorized]),
            (
                402,
                &[
                    E::PostLimit,
                    E::UploadLimit,
                    E::ChannelLimit,
                    E::ApiNotOnPlan,
                    E::AiLimit,
                    E::AiNotInPlan,
                ],
            ),
            (403, &[E::Forbidden]),
            (404, &[E::NotFound]),
            (
                409,
                &[
                    E::AccountNotConnected,
                    E::MediaUnusable,
                    E::AlreadyStarted,
                    E::TargetsLocked,
                    E::InFlight,
                    E::NothingToRetry,
                    E::Unsupported,
                    E::NotPublished,
                    E::InUse,
                    E::SlotTaken,
                    E::VideoOnYoutube,
                    E::NetworkError,
                    E::NetworkRefused,
                    E::InDoubt,
                ],
            ),
            (412, &[E::Stale]),
            (413, &[E::PayloadTooLarge, E::FileTooLarge]),
            (422, &[E::ValidationFailed, E::AiDeclined]),
            (429, &[E::RateLimited]),
            (500, &[E::Internal]),
            (503, &[E::AiUnavailable, E::Unavailable]),
            (507, &[E::StorageFull]),
        ] {
            for code in codes {
                assert_eq!(code.status(), status, "{code:?}");
            }
        }
    }
}
