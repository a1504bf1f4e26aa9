//! A text model behind a chat endpoint of the form that many providers offer.
//!
//! Source: <https://platform.openai.com/docs/api-reference/chat>.

mod wire;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, StatusCode};
use scheduler_core::ports::{Assistant, AssistantError, Prompt};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use crate::endpoint::Endpoint;
use crate::outbound::{ClientError, Guard, Limits, build, reason};

/// How long a call may take unless the operator sets another figure.
///
/// Source: ours.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Longest wait for a connection.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// Bytes of an answer beyond which it is not read. Ours: captions for every network stay far
/// below.
const ANSWER_MAX_BYTES: usize = 1 << 20;

/// Where a model is, and what opens it.
#[derive(Clone, Debug)]
pub struct AssistantSettings {
    /// What `/chat/completions` is appended to, such as `https://api.example.com/v1`.
    pub url: Url,
    /// Sent as a bearer token; a model of one's own may need none.
    pub key: Option<SecretString>,
    /// The name of the model.
    pub model: String,
    /// How long a call may take.
    pub time_limit: Duration,
}

impl AssistantSettings {
    /// Those of the model of a sandbox, which takes any key; `None` when the address takes no path.
    #[must_use]
    pub fn at_sandbox(sandbox: &Url) -> Option<Self> {
        let mut url = sandbox.clone();
        url.path_segments_mut().ok()?.pop_if_empty().extend(["assistant", "v1"]);
        let key = Some("sandbox".to_owned().into());
        Some(Self { url, key, model: "sandbox-model".to_owned(), time_limit: TIME_LIMIT })
    }
}

/// What was found where a model should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A server that lists its models, the chosen one among them as far as the list can be read.
    Listing,
    /// A server that lists its models, which are these and not the chosen one.
    OtherModels(Vec<String>),
    /// A server that does not take the key, with this status.
    KeyRefused(u16),
    /// A server without such a list, which may have a model all the same.
    NoListing,
}

/// Asks a model. Follows no redirect and tries nothing twice.
#[derive(Clone)]
pub struct ChatAssistant {
    client: Client,
    endpoint: Endpoint,
    key: Option<SecretString>,
    model: String,
    time_limit: Duration,
}

impl fmt::Debug for ChatAssistant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChatAssistant").field("model", &self.model).finish_non_exhaustive()
    }
}

impl ChatAssistant {
    /// An assistant at the operator's address, which may be inside their own network.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(settings: AssistantSettings) -> Result<Self, ClientError> {
        let AssistantSettings { url, key, model, time_limit } = settings;
        let limits = Limits { connect: CONNECT_MAX.min(time_limit), whole: time_limit };
        let client = build(Guard::new(true), limits)?;
        Ok(Self { client, endpoint: Endpoint::new(url), key, model, time_limit })
    }

    /// Asks for the list of models, which costs nothing and holds no content.
    ///
    /// # Errors
    /// [`AssistantError::Unavailable`]
    pub async fn reach(&self) -> Result<Reached, AssistantError> {
        let (status, body) = self.exchange(self.client.get(self.endpoint.at(["models"]))).await?;
        match wire::fault(status, &body) {
            None => Ok(match wire::models(&body) {
                Some(models) if !models.contains(&self.model) => Reached::OtherModels(models),
                Some(_) | None => Reached::Listing,
            }),
            Some(_) if matches!(status.as_u16(), 401 | 403) => {
                Ok(Reached::KeyRefused(status.as_u16()))
            }
            Some(_) if status == StatusCode::NOT_FOUND => Ok(Reached::NoListing),
            Some(error) => Err(error),
        }
    }

    async fn exchange(
        &self,
        mut call: RequestBuilder,
    ) -> Result<(StatusCode, Vec<u8>), AssistantError> {
        if let Some(key) = &self.key {
            call = call.bearer_auth(key.expose_secret());
        }
        let json = HeaderValue::from_static("application/json");
        let sent = call.header(ACCEPT, json).send().await;
        let mut answer = sent.map_err(|error| self.failed(&error))?;
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| self.failed(&error))? {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                return Err(unavailable("its answer is longer than 1 MiB"));
            }
            body.extend_from_slice(&chunk);
        }
        tracing::debug!(
            host = self.endpoint.host(),
            status = status.as_u16(),
            "assistant answered"
        );
        Ok((status, body))
    }

    fn failed(&self, error: &reqwest::Error) -> AssistantError {
        if error.is_timeout() {
            let seconds = self.time_limit.as_secs_f64();
            unavailable(format!("it did not answer within {seconds} s"))
        } else if error.is_connect() {
            unavailable(format!("it cannot be reached ({})", reason(error)))
        } else if error.is_builder() {
            unavailable("its key cannot be sent in a header")
        } else {
            unavailable(format!("its answer broke off ({})", reason(error)))
        }
    }
}

#[async_trait]
impl Assistant for ChatAssistant {
    fn is_configured(&self) -> bool {
        true
    }

    async fn answer(&self, prompt: &Prompt) -> Result<String, AssistantError> {
        let call = self
            .client
            .post(self.endpoint.at(["chat", "completions"]))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(wire::body(&self.model, prompt));
        let (status, body) = self.exchange(call).await?;
        wire::read(status, &body)
    }
}

fn unavailable(what: impl Into<String>) -> AssistantError {
    AssistantError::Unavailable(what.into())
}

#[cfg(test)]
mod tests;
