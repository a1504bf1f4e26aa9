//! What a caller is told when an act on a network did not happen.

use chrono::TimeDelta;

use crate::engine::ActError;
use crate::error::{AppError, ErrorCode, Refusal};
use crate::ports::{NetworkError, NetworkErrorKind};
use crate::target::FailureCode;

/// How long to wait where a network does not say.
///
/// Source: our decision.
const RATE_LIMIT_WAIT: TimeDelta = TimeDelta::minutes(1);

impl From<ActError> for AppError {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Network(error) => Refusal::from(error).into(),
            ActError::Store(error) => error.into(),
        }
    }
}

impl From<NetworkError> for Refusal {
    /// The refusal of a request that a network did not meet, in the network's words.
    fn from(error: NetworkError) -> Self {
        if let NetworkErrorKind::RateLimited { wait } = error.kind {
            return Self::rate_limited(error.message, wait.unwrap_or(RATE_LIMIT_WAIT));
        }
        // Only what others can see, such as a reply, is ever unsettled: a caller who takes it for
        // undone says it twice.
        if error.kind == NetworkErrorKind::Unsettled {
            let message = format!(
                "{} It may have been done all the same; look before you try it again.",
                error.message
            );
            return Self::new(ErrorCode::InDoubt, message);
        }
        let code = match error.code {
            FailureCode::AccountNotConnected => ErrorCode::AccountNotConnected,
            FailureCode::ChannelLimit => ErrorCode::ChannelLimit,
            FailureCode::MediaUnusable => ErrorCode::MediaUnusable,
            FailureCode::Unsupported => ErrorCode::Unsupported,
            FailureCode::NotFound => ErrorCode::NotFound,
            FailureCode::NetworkError | FailureCode::RateLimited => ErrorCode::NetworkError,
            FailureCode::NetworkRefused | FailureCode::ValidationFailed => {
                ErrorCode::NetworkRefused
            }
            FailureCode::InDoubt => ErrorCode::InDoubt,
        };
        Self::new(code, error.message)
    }
}
