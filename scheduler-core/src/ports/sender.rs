//! Sending an event to a receiver.

use async_trait::async_trait;

/// A delivery, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Where to.
    pub url: String,
    /// Names and values, besides `content-type: application/json`.
    pub headers: Vec<(&'static str, String)>,
    /// The JSON, byte for byte as it was signed.
    pub body: String,
}

/// What a receiver answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The beginning of the body, at most [`ANSWER_KEPT_BYTES`](crate::webhook::ANSWER_KEPT_BYTES).
    pub body_start: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The address is not public, or not https.
    #[error("the address is refused: {0}")]
    Refused(String),
    /// No answer within 10 seconds.
    #[error("no answer within 10 seconds")]
    Timeout,
    /// No connection, or one that broke.
    #[error("the connection failed: {0}")]
    Connection(String),
}

/// Sends events to receivers.
///
/// ```
/// use std::sync::Mutex;
///
/// use async_trait::async_trait;
/// use scheduler_core::ports::{EventSender, Request, Response, SendError};
///
/// /// Keeps what would be sent, and acknowledges it.
/// #[derive(Default)]
/// struct Outbox(Mutex<Vec<Request>>);
///
/// #[async_trait]
/// impl EventSender for Outbox {
///     async fn send(&self, request: &Request) -> Result<Response, SendError> {
///         let mut kept = self.0.lock().map_err(|_| SendError::Timeout)?;
///         kept.push(request.clone());
///         Ok(Response { status: 204, body_start: String::new() })
///     }
///
///     fn check_address(&self, url: &str) -> Result<(), String> {
///         if url.starts_with("https://") { Ok(()) } else { Err("Send https.".to_owned()) }
///     }
/// }
/// assert!(Outbox::default().check_address("http://a.example").is_err());
/// ```
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait EventSender: Send + Sync {
    /// Sends one request and reads the beginning of its answer. Redirects are not followed.
    ///
    /// # Errors
    /// [`SendError`] by variant; an answer of any status is not an error.
    async fn send(&self, request: &Request) -> Result<Response, SendError>;

    /// Checks an address when a webhook is created, before anything is sent to it.
    ///
    /// # Errors
    /// The sentence for the caller when the address is not https, or certainly not public.
    fn check_address(&self, url: &str) -> Result<(), String>;
}
