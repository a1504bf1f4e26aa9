//! When a call is sent again.

use std::time::Duration;

use scheduler_core::error::ErrorCode;

use crate::answer::Answer;
use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::pauses::Pauses;

/// How often a call is sent again whose answer was lost or put off, and how long that may take.
///
/// A call that the server has not taken (429, or no connection) may always be sent again; one that
/// it may have taken (no answer, 500, 503, and 409 `in_flight` under an idempotency key) only where
/// a second time changes nothing: see [`Call::repeatable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often a call is sent, the first time included; 1 for once.
    pub tries: u32,
    /// The longest wait that a server may ask for by `Retry-After`; when it asks for more, its
    /// refusal is the answer.
    pub longest_wait: Duration,
}

impl Retries {
    /// Every call is sent once.
    pub const NONE: Self = Self { tries: 1, longest_wait: Duration::ZERO };
}

impl Default for Retries {
    /// 20 tries, which with the pauses between them span the restart of a server, and at most a
    /// minute of what a server asks for.
    fn default() -> Self {
        Self { tries: 20, longest_wait: Duration::from_secs(60) }
    }
}

impl Client {
    /// Sends a call, and again where that makes nothing twice, as often as the client's
    /// [`Retries`] say.
    ///
    /// # Errors
    /// Those of [`send`](Self::send), of the last try.
    pub async fn repeat(&self, call: Call<'_>) -> Result<Answer, Error> {
        let (retries, mut pauses, mut tried) = (self.retries, Pauses::new(), 1);
        loop {
            let error = match self.send(call.clone()).await {
                Err(error) if tried < retries.tries && goes_again(&call, &error) => error,
                outcome => return outcome,
            };
            let asked = error.retry_after().unwrap_or_default();
            if asked > retries.longest_wait {
                return Err(error);
            }
            tried += 1;
            tokio::time::sleep(pauses.take().max(asked)).await;
        }
    }
}

/// Whether a call that brought this may be sent again.
fn goes_again(call: &Call<'_>, error: &Error) -> bool {
    let has_arrived = !matches!(error, Error::Unreachable { may_have_arrived: false, .. });
    !has_arrived
        || error.is_put_off()
        || (error.is_passing() && call.may_be_repeated())
        || (error.code() == Some(ErrorCode::InFlight) && call.has_key())
}
