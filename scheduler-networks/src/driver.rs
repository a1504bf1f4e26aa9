//! The only place that sends to networks.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue as WireValue};
use reqwest::{Client, RequestBuilder};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;

use crate::conversation::{Answer, Body, HeaderValue, Method, Request, Turn};
use crate::outbound::{ClientError, Guard, Limits, build, reason, refusal};

/// How long calls may take. Our decision; no network names a figure.
const LIMITS: Limits = Limits { connect: Duration::from_secs(10), whole: Duration::from_secs(30) };

/// Bytes of an answer beyond which it is not read. Our decision: the largest answers that are
/// asked for, pages of posts, stay far below.
const ANSWER_MAX_BYTES: usize = 1024 * 1024;

/// Requests of one conversation beyond which it is ended, so that no server keeps it going.
pub(crate) const REQUESTS_MAX: usize = 64;

/// Sends what conversations say, and tells whether a request that failed had left.
#[derive(Clone, Debug)]
pub struct Driver {
    client: Client,
    guard: Guard,
}

impl Driver {
    /// A driver that calls only what `guard` lets through.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(guard: Guard) -> Result<Self, ClientError> {
        Self::within(guard, LIMITS)
    }

    fn within(guard: Guard, limits: Limits) -> Result<Self, ClientError> {
        Ok(Self { client: build(guard, limits)?, guard })
    }

    /// Holds a conversation: sends what each turn says until one is the last.
    ///
    /// # Errors
    /// Those of the conversation and of [`Driver::send`]; [`NetworkErrorKind::Temporary`] for a
    /// conversation without an end.
    pub async fn hold<T>(
        &self,
        mut next: impl FnMut(&[Answer]) -> Result<Turn<T>, NetworkError> + Send,
    ) -> Result<T, NetworkError> {
        let mut answers = Vec::new();
        loop {
            let request = match next(&answers)? {
                Turn::Done(result) => return Ok(result),
                Turn::Send(request) => request,
            };
            if answers.len() == REQUESTS_MAX {
                let kind = NetworkErrorKind::Temporary;
                return Err(NetworkError::new(kind, "The network's answers had no end."));
            }
            answers.push(self.send(&request).await?);
        }
    }

    /// Sends one request and reads its answer, whatever its status.
    ///
    /// # Errors
    /// - [`NetworkErrorKind::Permanent`]: the address is not public, or the request is not one
    ///   that HTTP can carry; nothing was sent.
    /// - [`NetworkErrorKind::Temporary`]: the request did not leave, or nobody can see what it
    ///   did.
    /// - [`NetworkErrorKind::InDoubt`]: a visible request left, and its answer was lost.
    pub async fn send(&self, request: &Request) -> Result<Answer, NetworkError> {
        let host = request.url.host_str().unwrap_or_default();
        self.guard.check(&request.url).map_err(|refusal| not_sent(host, &refusal.to_string()))?;
        let call = self.call(request).map_err(|reason| not_sent(host, reason))?;
        let mut answer = call.send().await.map_err(|error| failed(request, &error))?;

        let status = answer.status().as_u16();
        let headers = answer.headers().iter().filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        });
        let headers = headers.collect();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| failed(request, &error))? {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                return Err(lost(request, "it is longer than 1 MiB"));
            }
            body.extend_from_slice(&chunk);
        }
        tracing::debug!(host, status, visible = request.is_visible, "network answered");
        Ok(Answer { status, headers, body })
    }

    fn call(&self, request: &Request) -> Result<RequestBuilder, &'static str> {
        let url = request.url.clone();
        let mut call = match request.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url),
        };
        call = call.header(ACCEPT, WireValue::from_static("application/json"));
        for header in &request.headers {
            let value = match &header.value {
                HeaderValue::Plain(text) => WireValue::from_str(text),
                HeaderValue::Secret(text) => WireValue::from_str(text.expose_secret()),
            };
            let mut value =
                value.map_err(|_| "a header holds characters that HTTP cannot carry")?;
            value.set_sensitive(matches!(header.value, HeaderValue::Secret(_)));
            call = call.header(header.name, value);
        }
        Ok(match &request.body {
            Body::Empty => call,
            Body::Json(value) => call.json(value),
            Body::Form(pairs) => call.form(pairs),
            Body::Bytes { content_type, bytes } => {
                call.header(CONTENT_TYPE, content_type).body(bytes.clone())
            }
        })
    }
}

fn not_sent(host: &str, reason: &str) -> NetworkError {
    let message = format!("The call to {host} was not made: {reason}.");
    NetworkError::new(NetworkErrorKind::Permanent, message)
}

fn failed(request: &Request, error: &reqwest::Error) -> NetworkError {
    let host = request.url.host_str().unwrap_or_default();
    if let Some(refusal) = refusal(error) {
        return not_sent(host, &refusal.to_string());
    }
    if error.is_builder() {
        return not_sent(host, "the request cannot be made");
    }
    let reason = if error.is_timeout() { "it took too long".to_owned() } else { reason(error) };
    if error.is_connect() {
        let message = format!("{host} could not be reached: {reason}. Nothing was sent.");
        return NetworkError::new(NetworkErrorKind::Temporary, message);
    }
    lost(request, &reason)
}

/// The request left; what it did is not known.
fn lost(request: &Request, reason: &str) -> NetworkError {
    let host = request.url.host_str().unwrap_or_default();
    let kind =
        if request.is_visible { NetworkErrorKind::InDoubt } else { NetworkErrorKind::Temporary };
    NetworkError::new(kind, format!("The answer of {host} was lost: {reason}."))
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
