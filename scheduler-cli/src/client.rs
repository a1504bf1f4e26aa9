//! A client of the API, for the commands that talk to a server.

use std::fmt::Write as _;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Method, StatusCode, redirect};
use scheduler_core::error::{ErrorBody, ErrorCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::address::is_loopback;
use crate::config::ClientSettings;
use crate::failure::Failure;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// What the server says of a body that is not that of the key's first request.
const OTHER_BODY: &str = "idempotent-body";
/// What the server calls a request in its log.
const REQUEST_ID: &str = "x-request-id";
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a call may take behind which a model writes, once or twice.
pub(crate) const MODEL_PATIENCE: Duration = Duration::from_secs(300);

/// A client of one server.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<SecretString>,
}

/// A call, before it is sent.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    method: Method,
    path: &'a str,
    query: Vec<(&'static str, String)>,
    body: Option<&'a Value>,
    idempotency_key: Option<&'a str>,
    patience: Option<Duration>,
}

/// What the server has answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The JSON as it came; `Null` for an empty body.
    pub(crate) body: Value,
    /// True when something was created by the call.
    pub(crate) created: bool,
    /// True when the call's idempotency key was used before with another body, of which nothing
    /// was made now.
    pub(crate) is_of_other_body: bool,
}

/// A call that has not brought what it was for.
#[derive(Debug)]
pub(crate) struct Setback {
    /// Why.
    pub(crate) failure: Failure,
    /// How long the server wants to be left alone.
    pub(crate) retry_after: Option<Duration>,
}

impl Answer {
    /// The body as a value of the contract.
    ///
    /// # Errors
    /// [`Failure::Other`] when it is none.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        T::deserialize(&self.body).map_err(|error| {
            Failure::advised(
                format!("the server has answered what this version cannot read: {error}"),
                "compare `scheduler --version` here and at the server",
            )
        })
    }
}

impl Setback {
    const fn of(failure: Failure) -> Self {
        Self { failure, retry_after: None }
    }
}

impl<'a> Call<'a> {
    /// A call without a body.
    pub(crate) const fn new(method: Method, path: &'a str) -> Self {
        Self { method, path, query: Vec::new(), body: None, idempotency_key: None, patience: None }
    }

    /// Asks for something.
    pub(crate) const fn get(path: &'a str) -> Self {
        Self::new(Method::GET, path)
    }

    /// Sends a body.
    pub(crate) fn post(path: &'a str, body: &'a Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::POST, path) }
    }

    /// Sends a body of changes.
    pub(crate) fn patch(path: &'a str, body: &'a Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::PATCH, path) }
    }

    /// Adds a parameter that has a value.
    pub(crate) fn query(mut self, name: &'static str, value: Option<impl ToString>) -> Self {
        self.query.extend(value.map(|value| (name, value.to_string())));
        self
    }

    /// Waits so long for the answer.
    pub(crate) const fn patient(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Makes the call repeatable.
    pub(crate) const fn idempotent(mut self, key: Option<&'a str>) -> Self {
        self.idempotency_key = key;
        self
    }
}

impl Client {
    /// A client with these settings.
    ///
    /// # Errors
    /// [`Failure::Other`] when the system offers no TLS.
    pub(crate) fn new(settings: ClientSettings) -> Result<Self, Failure> {
        let is_near = Url::parse(&settings.base).is_ok_and(|url| is_loopback(&url));
        let http = build(CALL_TIMEOUT, if is_near { Route::Direct } else { Route::System })?;
        Ok(Self { http, base: settings.base, key: settings.api_key })
    }

    /// The server's address, before `/v1`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// A hash that tells the key from others, and does not show it.
    pub(crate) fn key_hash(&self) -> String {
        let key = self.key.as_ref().map(|key| key.expose_secret()).unwrap_or_default();
        hex::encode(Sha256::digest(key))
    }

    /// Sends a call with the key.
    ///
    /// # Errors
    /// [`Failure::Usage`] without a key, [`Failure::Unreachable`] without a connection,
    /// [`Failure::Refused`] with the server's own error.
    pub(crate) async fn send(&self, call: Call<'_>) -> Result<Answer, Failure> {
        self.try_send(call).await.map_err(|setback| setback.failure)
    }

    /// Sends a call with the key, and tells how long the server wants to be left alone.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub(crate) async fn try_send(&self, call: Call<'_>) -> Result<Answer, Setback> {
        let bearer = self.bearer().map_err(Setback::of)?;
        self.exchange(call, Some(bearer)).await
    }

    fn bearer(&self) -> Result<HeaderValue, Failure> {
        let Some(key) = &self.key else {
            return Err(Failure::Usage(
                "no API key: set SCHEDULER_API_KEY, or give --api-key (`scheduler keys create` makes one)"
                    .into(),
            ));
        };
        let mut bearer = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
            .map_err(|_| Failure::Usage("the API key holds characters that no key has".into()))?;
        bearer.set_sensitive(true);
        Ok(bearer)
    }

    /// Sends a call that needs no key.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub(crate) async fn send_keyless(&self, call: Call<'_>) -> Result<Answer, Failure> {
        self.exchange(call, None).await.map_err(|setback| setback.failure)
    }

    async fn exchange(
        &self,
        call: Call<'_>,
        bearer: Option<HeaderValue>,
    ) -> Result<Answer, Setback> {
        let url = format!("{}/v1{}", self.base, call.path);
        let mut request = self.http.request(call.method, url).query(&call.query);
        if let Some(bearer) = bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        if let Some(key) = call.idempotency_key {
            request = request.header("idempotency-key", key);
        }
        if let Some(patience) = call.patience {
            request = request.timeout(patience);
        }
        if let Some(body) = call.body {
            request = request.json(body);
        }
        let lost = |error: reqwest::Error| Setback::of(self.unreachable(&error));
        let answer = request.send().await.map_err(lost)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.map_err(lost)?;
        if status.is_success() {
            let body =
                if body.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&body) };
            let body = body.map_err(|_| Setback::of(not_ours(&self.base, status)))?;
            return Ok(Answer {
                body,
                created: status == StatusCode::CREATED,
                is_of_other_body: headers.get(OTHER_BODY).is_some_and(|body| body == "other"),
            });
        }
        let seconds = retry_after(&headers);
        let failure = match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(mut error) => {
                if let Some(seconds) = seconds {
                    error.error.message =
                        format!("{} Try again in {seconds} s.", error.error.message);
                }
                if error.error.code == ErrorCode::Internal
                    && let Some(id) = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok())
                {
                    error.error.message = format!("{} (request {id})", error.error.message);
                }
                Failure::Refused(Box::new(error))
            }
            Err(_) => not_ours(&self.base, status),
        };
        Err(Setback { failure, retry_after: seconds.map(Duration::from_secs) })
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        unreachable(&self.base, error)
    }
}

/// How a client gets to a server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Route {
    /// Straight, past any proxy: for a server on this machine, and for a sandbox.
    Direct,
    /// As the environment says, which may name a proxy.
    System,
}

/// A client for calls of at most `timeout`, which follows no redirects: one would turn a POST
/// into a GET.
///
/// # Errors
/// When the system offers no TLS.
pub(crate) fn build(timeout: Duration, route: Route) -> anyhow::Result<reqwest::Client> {
    // Fails when it is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .user_agent(concat!("scheduler/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout)
        .redirect(redirect::Policy::none());
    let builder = match route {
        Route::Direct => builder.no_proxy(),
        Route::System => builder,
    };
    Ok(builder.build()?)
}

/// The failure of a call that brought no answer.
pub(crate) fn unreachable(base: &str, error: &reqwest::Error) -> Failure {
    Failure::Unreachable { url: base.to_owned(), cause: cause(error) }
}

/// Why a call brought no answer, without the address.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    if error.is_timeout() { "no answer in time".to_owned() } else { innermost(error) }
}

/// The words of the system; those around it repeat the address with its query.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if cause.is::<reqwest::Error>() { "the connection broke".to_owned() } else { cause.to_string() }
}

/// The failure of an answer that is none of this program's.
pub(crate) fn not_ours(base: &str, status: StatusCode) -> Failure {
    let is_gateway = matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    );
    if is_gateway {
        // A proxy before a server that does not run, or not yet again.
        let cause = format!("something before it has answered {status}");
        return Failure::Unreachable { url: base.to_owned(), cause };
    }
    Failure::advised(
        format!("{base} has answered {status}, but not as a scheduler does"),
        "see whether it is the right address: --url, or SCHEDULER_URL",
    )
}

/// A text as one segment of a path: whatever has a meaning of its own there is percent-encoded.
///
/// # Errors
/// [`Failure::Usage`] for the segments that every client takes out of a path.
pub(crate) fn segment(text: &str) -> Result<String, Failure> {
    if matches!(text, "" | "." | "..") {
        return Err(Failure::Usage(format!("\"{text}\" is not an id")));
    }
    let mut segment = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                segment.push(char::from(byte));
            }
            _ => {
                let _ = write!(segment, "%{byte:02X}");
            }
        }
    }
    Ok(segment)
}

fn retry_after(headers: &HeaderMap) -> Option<u64> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn an_id_is_one_segment_and_arrives_as_it_was() {
        for (name, id, want) in [
            ("plain", "Ugx_1-2.3~4", "Ugx_1-2.3~4"),
            ("slashes", "did:plc:a/b", "did%3Aplc%3Aa%2Fb"),
            ("percent signs", "100%25", "100%2525"),
            ("an emoji", "a😀", "a%F0%9F%98%80"),
            ("what ends a path", "a?b#c\\d", "a%3Fb%23c%5Cd"),
            ("a space and a plus", "a b+c", "a%20b%2Bc"),
            ("dots within", "a..", "a.."),
        ] {
            let segment = segment(id).unwrap();
            assert_eq!(segment, want, "{name}");
            let url = Url::parse(&format!("http://127.0.0.1/v1/comments/{segment}")).unwrap();
            let last = url.path_segments().unwrap().next_back().unwrap();
            assert_eq!(last, want, "{name}: nothing is changed on the way");
            let decoded: Vec<Cow<'_, str>> =
                url::form_urlencoded::parse(last.as_bytes()).map(|(name, _)| name).collect();
            assert_eq!(decoded, [id], "{name}");
        }
        for id in ["", ".", ".."] {
            assert!(matches!(segment(id), Err(Failure::Usage(_))), "{id:?}");
        }
    }
}
