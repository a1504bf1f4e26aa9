//! Many calls to one server, at the pace that it wants.

use std::sync::Mutex;
use std::time::Duration;

use scheduler_core::error::ErrorCode;
use serde_json::Value;
use tokio::time::Instant;

use crate::client::{Answer, Call, Client};
use crate::failure::Failure;

const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Tries in a row after which a call is given up. With the pauses between them this spans the
/// restart of a server.
const TRIES: u32 = 20;

/// How long to wait when a server takes no more and does not say for how long.
const REST: Duration = Duration::from_secs(1);

/// Sends calls that may be sent twice. When the server wants to be left alone, all of them wait.
pub(super) struct Caller<'a> {
    client: &'a Client,
    not_before: Mutex<Option<Instant>>,
}

impl<'a> Caller<'a> {
    /// Calls this server.
    pub(super) const fn new(client: &'a Client) -> Self {
        Self { client, not_before: Mutex::new(None) }
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
        let (mut pause, mut tried) = (SHORTEST_PAUSE, 1);
        loop {
            self.rest().await;
            let setback = match self.client.try_send(Call::post(path, body).idempotent(key)).await {
                Ok(answer) => return Ok(answer),
                Err(setback) => setback,
            };
            let code = match &setback.failure {
                Failure::Refused(body) => Some(body.error.code),
                _ => None,
            };
            let is_passing = matches!(setback.failure, Failure::Unreachable { .. })
                || code == Some(ErrorCode::Internal);
            if code == Some(ErrorCode::RateLimited) {
                self.hold(setback.retry_after.unwrap_or(REST).max(SHORTEST_PAUSE));
            } else if is_passing && tried < TRIES {
                tried += 1;
                tokio::time::sleep(pause).await;
                pause = (pause * 3 / 2).min(LONGEST_PAUSE);
            } else {
                return Err(setback.failure);
            }
        }
    }

    fn until(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.not_before.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn hold(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut not_before = self.until();
        *not_before = Some(not_before.map_or(until, |there| there.max(until)));
    }

    async fn rest(&self) {
        loop {
            let until = *self.until();
            match until.filter(|until| *until > Instant::now()) {
                Some(until) => tokio::time::sleep_until(until).await,
                None => return,
            }
        }
    }
}
