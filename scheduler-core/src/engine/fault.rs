//! Failures that are not a network's own answer, and what an answer means for what comes next.

use crate::account::Account;
use crate::ids::PostId;
use crate::platform::Platform;
use crate::ports::{NetworkError, NetworkErrorKind};

/// A failure that leaves nothing of the post in doubt, whatever became of the call.
pub(super) fn for_now(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled => {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        }
        NetworkErrorKind::Temporary
        | NetworkErrorKind::RateLimited { .. }
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::Reconnect => error,
    }
}

/// A failure of a look, or of the repeat of a call whose answer was lost. A refusal says nothing of
/// that call, so the next attempt looks again.
pub(super) fn while_open(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::Permanent => {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        }
        _ => for_now(error),
    }
}

/// The failure of an account without credentials that are good.
pub(super) fn disconnected(account: &Account) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("{} is not connected. Connect it again, then retry.", account.label()),
    )
}

/// What is told of a panic. Its own words may quote a caption, so they are left to the panic hook.
pub(super) fn panicked(platform: Platform) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Temporary,
        format!("Publishing to {platform} failed because of a bug in this program; see its log."),
    )
}

/// The failure of a call that could not begin in time.
pub(super) fn too_slow() -> NetworkError {
    let message = "The server was too slow to begin a call in time. Nothing was sent.";
    NetworkError::new(NetworkErrorKind::Temporary, message)
}

/// The failure of a call of which nobody can know what became.
pub(super) fn in_doubt(account: &Account, post: PostId) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        format!(
            "The connection to {} broke while post {post} went out, and the network offers no way to ask.",
            account.label(),
        ),
    )
}
