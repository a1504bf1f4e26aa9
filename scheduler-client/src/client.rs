//! The client.

use std::sync::Arc;
use std::time::Duration;

use http::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use http::{Request, Response, StatusCode};
use scheduler_core::bytes::Bytes;
use scheduler_core::error::ErrorBody;
use scheduler_core::platform::is_loopback;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::answer::Answer;
use crate::call::Call;
use crate::error::{Error, Refused};
use crate::retries::Retries;
use crate::transport::{Http, Route, Transport};

/// How long an answer may take.
///
/// Source: our decision; a server answers within seconds, but for what a model writes.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// What the server says of a body that is not that of the key's first request.
const OTHER_BODY: &str = "idempotent-body";
/// What the server calls a request in its log.
const REQUEST_ID: &str = "x-request-id";

/// A client of one server, with one key. A clone shares its connections.
#[derive(Clone, Debug)]
pub struct Client {
    transport: Arc<dyn Transport>,
    base: String,
    user_agent: String,
    key: Option<SecretString>,
    pub(crate) retries: Retries,
}

/// Makes a [`Client`].
#[derive(Clone, Debug)]
pub struct Builder {
    url: String,
    key: Option<SecretString>,
    user_agent: String,
    timeout: Duration,
    retries: Retries,
}

impl Builder {
    /// With this API key, or with a session that was opened for the API.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        self.secret_key(Some(SecretString::from(key.into())))
    }

    /// With this key, where there is one.
    #[must_use]
    pub fn secret_key(self, key: Option<SecretString>) -> Self {
        Self { key, ..self }
    }

    /// Under this name, such as `release-bot/2.0`, which the server's log has.
    #[must_use]
    pub fn user_agent(self, name: impl Into<String>) -> Self {
        Self { user_agent: name.into(), ..self }
    }

    /// With answers that may take this long, in place of a minute.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// With calls that are sent again so often, in place of [`Retries::default`].
    #[must_use]
    pub fn retries(self, retries: Retries) -> Self {
        Self { retries, ..self }
    }

    /// The client.
    ///
    /// # Errors
    /// [`Error::BadAddress`] for an address that is none of http or https; [`Error::Unprepared`]
    /// when this machine offers no TLS.
    pub fn build(self) -> Result<Client, Error> {
        let Self { url, key, user_agent, timeout, retries } = self;
        let base = base_of(&url).ok_or(Error::BadAddress)?;
        let is_near = Url::parse(&base).is_ok_and(|url| is_loopback(&url));
        let route = if is_near { Route::Direct } else { Route::System };
        let transport = Arc::new(Http::new(base.clone(), &user_agent, timeout, route)?);
        Ok(Client { transport, base, user_agent, key, retries })
    }
}

/// The address before `/v1`, without a slash at its end.
fn base_of(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.has_host();
    // A password would stand in messages; the key is given apart.
    let is_open = url.username().is_empty() && url.password().is_none();
    if !is_plain || !is_open || !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let base = url.as_str().trim_end_matches('/');
    Some(base.strip_suffix("/v1").unwrap_or(base).trim_end_matches('/').to_owned())
}

impl Client {
    /// A client of the server at an address, with or without `/v1` at its end.
    ///
    /// ```
    /// use scheduler_client::Client;
    /// let client = Client::builder("http://127.0.0.1:8080/v1").key("sk_…").build()?;
    /// assert_eq!(client.base(), "http://127.0.0.1:8080");
    /// # Ok::<(), scheduler_client::Error>(())
    /// ```
    #[must_use]
    pub fn builder(url: impl Into<String>) -> Builder {
        Builder {
            url: url.into(),
            key: None,
            user_agent: concat!("scheduler-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            timeout: CALL_TIMEOUT,
            retries: Retries::default(),
        }
    }

    /// A client over a transport of one's own, which is called so; without a key.
    #[must_use]
    pub fn over(transport: Arc<dyn Transport>, name: impl Into<String>) -> Self {
        let Builder { url, key, user_agent, timeout: _, retries } = Self::builder(name);
        Self { transport, base: url, user_agent, key, retries }
    }

    /// The same with this key.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        Self { key: Some(SecretString::from(key.into())), ..self }
    }

    /// The server's address, before `/v1`; of a transport of one's own, what it is called.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// How calls come to the server.
    #[must_use]
    pub fn transport(&self) -> &Arc<dyn Transport> {
        &self.transport
    }

    pub(crate) fn user_agent(&self) -> &str {
        &self.user_agent
    }

    /// A hash that tells the key from others, and does not show it.
    #[must_use]
    pub fn key_hash(&self) -> String {
        let key = self.key.as_ref().map(|key| key.expose_secret()).unwrap_or_default();
        hex::encode(Sha256::digest(key))
    }

    /// Sends a call once.
    ///
    /// # Errors
    /// [`Error::NoKey`] without a key where one is needed, [`Error::Unreachable`] without an
    /// answer, [`Error::Refused`] with the server's own error, [`Error::NotOurs`] and
    /// [`Error::Unreadable`] for what is no answer of a scheduler.
    pub async fn send(&self, call: Call<'_>) -> Result<Answer, Error> {
        let answer = Box::pin(self.exchange(&call)).await?;
        let (head, body) = answer.into_parts();
        let status = head.status;
        if !status.is_success() {
            return Err(self.refused(&call, status, &head.headers, &body));
        }
        let is_other = head.headers.get(OTHER_BODY).is_some_and(|body| body == "other");
        Ok(Answer {
            body: self.json(status, &body)?,
            created: status == StatusCode::CREATED,
            is_pending: status == StatusCode::ACCEPTED,
            is_of_other_body: is_other,
        })
    }

    /// Sends a call once to the application, as the person whose session the key is.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn ask(&self, call: Call<'_>) -> Result<Answer, Error> {
        self.send(call.of_application()).await
    }

    /// Sends a request of another protocol that the server speaks, whose address begins with the
    /// path, with the key, and returns what was answered, status and JSON: a refusal is an answer as
    /// well. An answer may take `time_limit`.
    ///
    /// # Errors
    /// Those of [`send`](Self::send), but for refusals.
    pub async fn raw(
        &self,
        mut request: Request<Bytes>,
        time_limit: Duration,
    ) -> Result<(StatusCode, Value), Error> {
        if self.transport.needs_key() {
            request.headers_mut().insert(AUTHORIZATION, self.bearer()?);
        }
        let answer = self.transport.exchange(request, Some(time_limit)).await?;
        let status = answer.status();
        Ok((status, self.json(status, answer.body())?))
    }

    async fn exchange(&self, call: &Call<'_>) -> Result<Response<Bytes>, Error> {
        let bearer = if call.needs_key() && self.transport.needs_key() {
            Some(self.bearer()?)
        } else {
            None
        };
        self.transport.exchange(call.request(bearer)?, call.time_limit()).await
    }

    /// The key, as a header.
    fn bearer(&self) -> Result<HeaderValue, Error> {
        let key = self.key.as_ref().ok_or(Error::NoKey)?;
        let bearer = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()));
        let mut bearer = bearer.map_err(|_| Error::BadKey)?;
        bearer.set_sensitive(true);
        Ok(bearer)
    }

    fn json(&self, status: StatusCode, body: &[u8]) -> Result<Value, Error> {
        if body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(body).map_err(|_| Error::not_ours(&self.base, status))
    }

    /// What an answer that is no success says.
    fn refused(
        &self,
        call: &Call<'_>,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Error {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let asked = text(RETRY_AFTER.as_str())
            .and_then(|seconds| seconds.parse().ok())
            .map(Duration::from_secs);
        let Ok(ErrorBody { error }) = serde_json::from_slice(body) else {
            let mut error =
                unknown(status, body).unwrap_or_else(|| Error::not_ours(&self.base, status));
            if let Error::NotOurs { retry_after, .. } = &mut error {
                *retry_after = asked;
            }
            return error;
        };
        Error::Refused(Box::new(Refused {
            error,
            status,
            retry_after: asked,
            request_id: text(REQUEST_ID).map(str::to_owned),
            method: call.method().clone(),
            path: call.whole_path(),
        }))
    }
}

/// A refusal with a code of a later version.
fn unknown(status: StatusCode, body: &[u8]) -> Option<Error> {
    #[derive(Deserialize)]
    struct Body {
        error: Said,
    }
    #[derive(Deserialize)]
    struct Said {
        code: String,
        message: String,
    }
    let Body { error: Said { code, message } } = serde_json::from_slice(body).ok()?;
    Some(Error::Unknown { status, code, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_servers() {
        for (name, text, want) in [
            ("plain", "http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("with the API's path", "https://s.example/v1", Some("https://s.example")),
            ("with slashes", "https://s.example/v1/", Some("https://s.example")),
            ("below a path", "https://s.example/scheduler/", Some("https://s.example/scheduler")),
            ("no scheme", "s.example", None),
            ("another scheme", "ftp://s.example", None),
            ("with a password", "https://me:s3cret@s.example", None),
            ("with a query", "https://s.example/?a=b", None),
        ] {
            assert_eq!(base_of(text).as_deref(), want, "{name}");
        }
        let built = Client::builder("s.example").build();
        assert!(matches!(built, Err(Error::BadAddress)), "{built:?}");
    }

    #[test]
    fn the_key_is_not_printed() {
        let client = Client::builder("http://127.0.0.1:1").key("sk_secret").build().unwrap();
        assert!(!format!("{client:?}").contains("sk_secret"));
    }
}
