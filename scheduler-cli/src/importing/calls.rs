//! Many calls to one server, at the pace that it wants.

use std::sync::Mutex;
use std::time::Duration;

use scheduler_client::{Pauses, Retries};
use scheduler_core::error::ErrorCode;
use serde_json::Value;
use tokio::time::Instant;

use super::lock;
use crate::client::{Answer, Call, Client};
use crate::failure::Failure;

/// How long to wait when a server takes no more and does not say for how long.
const REST: Duration = Duration::from_secs(1);

/// Sends calls that may be sent twice. When the server wants to be left alone, all of them wait.
pub(super) struct Caller<'a> {
    client: &'a Client,
    not_before: Mutex<Instant>,
}

impl<'a> Caller<'a> {
    pub(super) fn new(client: &'a Client) -> Self {
        Self { client, not_before: Mutex::new(Instant::now()) }
    }

    /// Sends a body until there is an answer.
    ///
    /// # Errors
    /// Those of the server; that it cannot be reached, or fails, only when it stays so.
    pub(super) async fn send(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Result<Answer, Failure> {
        self.send_within(path, body, key, None).await
    }

    /// The same, with an answer that may take this long.
    ///
    /// # Errors
    /// Those of [`Self::send`].
    pub(super) async fn send_within(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
        time_limit: Option<Duration>,
    ) -> Result<Answer, Failure> {
        let (mut pauses, mut tried, tries) = (Pauses::new(), 1, Retries::default().tries);
        loop {
            self.rest().await;
            let call = Call::post(path, body).idempotent(key);
            let call = time_limit.into_iter().fold(call, Call::with_time_limit);
            match self.client.send(call).await {
                Err(error) if error.code() == Some(ErrorCode::RateLimited) => {
                    self.hold(error.retry_after().unwrap_or(REST).max(Pauses::SHORTEST));
                }
                Err(error) if tried < tries && error.is_passing() => {
                    tried += 1;
                    pauses.wait().await;
                }
                outcome => return Ok(outcome?),
            }
        }
    }

    fn hold(&self, wait: Duration) {
        let mut not_before = lock(&self.not_before);
        *not_before = (*not_before).max(Instant::now() + wait);
    }

    /// Waits as long as all have to, also where that becomes longer meanwhile.
    async fn rest(&self) {
        loop {
            let until = *lock(&self.not_before);
            if until <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(until).await;
        }
    }
}
