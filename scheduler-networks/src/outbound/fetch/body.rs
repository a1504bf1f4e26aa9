//! The bytes of a file on their way here, counted and timed.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::try_unfold;
use reqwest::Response;
use scheduler_core::ports::{ByteStream, FilesError};
use tokio::time::{Instant, timeout};

use super::super::client::reason;
use super::Timeouts;

/// The body of an answer as a stream that ends with an error when it is longer than allowed, stops,
/// is slower than timeouts lasts, or has not ended at `until`.
pub(super) fn stream(
    answer: Response,
    host: String,
    max_bytes: u64,
    timeouts: Timeouts,
    until: Instant,
) -> ByteStream {
    let (received, waited) = (0, Duration::ZERO);
    let body = Body { answer, host, max_bytes, timeouts, until, received, waited };
    ByteStream(Box::pin(try_unfold(body, Body::next)))
}

struct Body {
    answer: Response,
    host: String,
    max_bytes: u64,
    timeouts: Timeouts,
    until: Instant,
    received: u64,
    /// How long this side has waited for the other; the time that storing takes is not in it.
    waited: Duration,
}

impl Body {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, FilesError> {
        let host = &self.host;
        let began = Instant::now();
        let in_all = self.until.saturating_duration_since(began);
        let left = self.time_allowed().saturating_sub(self.waited).min(in_all);
        let piece = match timeout(self.timeouts.idle.min(left), self.answer.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) if self.received == 0 => {
                return Err(FilesError::Refused(format!("The file at {host} is empty.")));
            }
            Ok(Ok(None)) => return Ok(None),
            Ok(Err(error)) => {
                return Err(FilesError::Interrupted(format!(
                    "{host} broke off after {} bytes: {}.",
                    self.received,
                    reason(&error)
                )));
            }
            // Another try would take as long.
            Err(_) if Instant::now() >= self.until => {
                return Err(FilesError::Refused(format!(
                    "The file at {host} did not come within {} minutes: {} bytes have. \
                     Upload it instead.",
                    self.timeouts.whole.as_secs() / 60,
                    self.received
                )));
            }
            Err(_) => {
                return Err(FilesError::Interrupted(format!(
                    "{host} sends the file too slowly: {} bytes have come.",
                    self.received
                )));
            }
        };
        self.waited += began.elapsed();
        self.received += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        if self.received > self.max_bytes {
            return Err(FilesError::Refused(format!(
                "The file at {host} is longer than the {} bytes that are allowed.",
                self.max_bytes
            )));
        }
        Ok(Some((piece, self)))
    }

    /// How long all the waiting may have taken by now.
    fn time_allowed(&self) -> Duration {
        self.timeouts.slack + Duration::from_secs(self.received / self.timeouts.slowest)
    }
}
