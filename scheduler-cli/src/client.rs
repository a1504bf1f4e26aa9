//! A client of the API, for the commands that talk to a server.

use std::time::Duration;

use bytes::Bytes;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, IF_MATCH, RETRY_AFTER};
use reqwest::{Method, StatusCode, redirect};
use scheduler_core::error::{ErrorBody, ErrorCode};
use scheduler_http::Local;
use scheduler_http::endpoints::{Access, Surface, all};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::{Url, form_urlencoded};

use crate::address::is_loopback;
use crate::config::ClientSettings;
use crate::failure::{Failure, Needs, Refused};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// What the server says of a body that is not that of the key's first request.
const OTHER_BODY: &str = "idempotent-body";
/// What the server calls a request in its log.
const REQUEST_ID: &str = "x-request-id";
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// What is encoded in a segment of a path. Source: RFC 3986, section 2.3.
const MEANINGFUL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// How long a call may take behind which a model writes, once or twice.
pub(crate) const MODEL_TIMEOUT: Duration = Duration::from_secs(300);

#[derive(Clone, Debug)]
pub(crate) struct Client {
    transport: Transport,
    base: String,
    key: Option<SecretString>,
}

/// How calls come to a server.
#[derive(Clone, Debug)]
enum Transport {
    /// Over a connection.
    Http(reqwest::Client),
    /// To the handlers in this process, over the database of this machine.
    Local(Local),
}

#[derive(Debug)]
pub(crate) struct Call<'a> {
    method: Method,
    surface: Surface,
    path: &'a str,
    query: Vec<(&'static str, String)>,
    body: Option<&'a Value>,
    idempotency_key: Option<&'a str>,
    revision: Option<i64>,
    time_limit: Option<Duration>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    /// The JSON as it came; `Null` for an empty body.
    pub(crate) body: Value,
    pub(crate) created: bool,
    /// True when the server is not done with it yet.
    pub(crate) is_pending: bool,
    /// True when the call's idempotency key was used before with another body, of which nothing
    /// was made now.
    pub(crate) is_of_other_body: bool,
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

    /// What is listed in the body, as values of the contract.
    pub(crate) fn data<T: DeserializeOwned>(&self) -> Result<Vec<T>, Failure> {
        #[derive(Deserialize)]
        struct Data<T> {
            data: Vec<T>,
        }
        Ok(self.read::<Data<T>>()?.data)
    }
}

impl<'a> Call<'a> {
    /// A call without a body.
    pub(crate) const fn new(method: Method, path: &'a str) -> Self {
        Self {
            method,
            surface: Surface::Api,
            path,
            query: Vec::new(),
            body: None,
            idempotency_key: None,
            revision: None,
            time_limit: None,
        }
    }

    pub(crate) const fn get(path: &'a str) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn post(path: &'a str, body: &'a Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::POST, path) }
    }

    pub(crate) fn patch(path: &'a str, body: &'a Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::PATCH, path) }
    }

    pub(crate) fn put(path: &'a str, body: &'a Value) -> Self {
        Self { body: Some(body), ..Self::new(Method::PUT, path) }
    }

    /// The same call of the application instead of the API of keys.
    pub(crate) const fn of_application(mut self) -> Self {
        self.surface = Surface::Application;
        self
    }

    /// Adds a parameter that has a value.
    pub(crate) fn query(mut self, name: &'static str, value: Option<impl ToString>) -> Self {
        self.query.extend(value.map(|value| (name, value.to_string())));
        self
    }

    /// Only for a post that is still at this revision.
    pub(crate) const fn at_revision(mut self, revision: i64) -> Self {
        self.revision = Some(revision);
        self
    }

    pub(crate) const fn with_time_limit(mut self, time_limit: Duration) -> Self {
        self.time_limit = Some(time_limit);
        self
    }

    /// Makes the call repeatable.
    pub(crate) const fn idempotent(mut self, key: Option<&'a str>) -> Self {
        self.idempotency_key = key;
        self
    }
}

impl Client {
    /// A client with these settings; [`Failure::Other`] when the system offers no TLS.
    pub(crate) fn new(settings: ClientSettings) -> Result<Self, Failure> {
        let is_near = Url::parse(&settings.base).is_ok_and(|url| is_loopback(&url));
        let http = build(CALL_TIMEOUT, if is_near { Route::Direct } else { Route::System })?;
        let transport = Transport::Http(http);
        Ok(Self { transport, base: settings.base, key: settings.api_key })
    }

    /// A client of the handlers in this process.
    pub(crate) fn local(local: Local) -> Self {
        Self { transport: Transport::Local(local), base: "this machine".to_owned(), key: None }
    }

    /// Sends a call to the application, as the person who is logged in or who works on this
    /// machine.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub(crate) async fn ask(&self, call: Call<'_>) -> Result<Answer, Failure> {
        let call = call.of_application();
        match &self.transport {
            Transport::Local(_) => self.exchange(call, None).await,
            Transport::Http(_) => self.send(call).await,
        }
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
        let Some(key) = &self.key else {
            return Err(Failure::Usage(
                "no API key: log in with `scheduler login`, or set SCHEDULER_API_KEY, or give --api-key (`scheduler keys create` makes one)"
                    .into(),
            ));
        };
        let mut bearer = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
            .map_err(|_| Failure::Usage("the API key holds characters that no key has".into()))?;
        bearer.set_sensitive(true);
        self.exchange(call, Some(bearer)).await
    }

    /// Sends a call that needs no key.
    pub(crate) async fn send_keyless(&self, call: Call<'_>) -> Result<Answer, Failure> {
        self.exchange(call, None).await
    }

    /// Sends a call to the application that needs no session.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub(crate) async fn ask_as_anyone(&self, call: Call<'_>) -> Result<Answer, Failure> {
        self.exchange(call.of_application(), None).await
    }

    async fn exchange(
        &self,
        call: Call<'_>,
        bearer: Option<HeaderValue>,
    ) -> Result<Answer, Failure> {
        let (status, headers, body) = match &self.transport {
            Transport::Http(http) => self.over(http, &call, bearer).await?,
            Transport::Local(local) => within(local, &call).await?,
        };
        if status.is_success() {
            let body =
                if body.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&body) };
            let body = body.map_err(|_| not_ours(&self.base, status))?;
            return Ok(Answer {
                body,
                created: status == StatusCode::CREATED,
                is_pending: status == StatusCode::ACCEPTED,
                is_of_other_body: headers.get(OTHER_BODY).is_some_and(|body| body == "other"),
            });
        }
        let Ok(ErrorBody { mut error }) = serde_json::from_slice(&body) else {
            return Err(not_ours(&self.base, status));
        };
        let seconds = retry_after(&headers);
        if let Some(seconds) = seconds {
            error.message = format!("{} Try again in {seconds} s.", error.message);
        }
        if error.code == ErrorCode::Internal
            && let Some(id) = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok())
        {
            error.message = format!("{} (request {id})", error.message);
        }
        Err(Refused::new(error, needs_of(&call), seconds.map(Duration::from_secs)).into())
    }

    /// Sends a call over a connection.
    async fn over(
        &self,
        http: &reqwest::Client,
        call: &Call<'_>,
        bearer: Option<HeaderValue>,
    ) -> Result<(StatusCode, HeaderMap, Bytes), Failure> {
        let url = format!("{}{}{}", self.base, call.surface.base(), call.path);
        let mut request = http.request(call.method.clone(), url).query(&call.query);
        if let Some(bearer) = bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        if let Some(key) = call.idempotency_key {
            request = request.header("idempotency-key", key);
        }
        if let Some(revision) = call.revision {
            request = request.header(IF_MATCH, format!("\"{revision}\""));
        }
        if let Some(time_limit) = call.time_limit {
            request = request.timeout(time_limit);
        }
        if let Some(body) = call.body {
            request = request.json(body);
        }
        let lost = |error: reqwest::Error| unreachable(&self.base, &error);
        let answer = request.send().await.map_err(lost)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        Ok((status, headers, answer.bytes().await.map_err(lost)?))
    }
}

/// Has a call answered in this process.
async fn within(local: &Local, call: &Call<'_>) -> Result<(StatusCode, HeaderMap, Bytes), Failure> {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&call.query).finish();
    let path = format!("{}{}?{query}", call.surface.base(), call.path);
    let request = http::Request::builder().method(call.method.clone());
    let request = request.uri(path.trim_end_matches('?'));
    let body = call.body.map(serde_json::to_vec).transpose().map_err(anyhow::Error::from)?;
    let request = match body {
        Some(body) => request.header(CONTENT_TYPE, "application/json").body(Bytes::from(body)),
        None => request.body(Bytes::new()),
    };
    Ok(local.answer(request.map_err(anyhow::Error::from)?).await?)
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Route {
    /// Straight, past any proxy: for a server on this machine, and for a sandbox.
    Direct,
    /// As the environment says, which may name a proxy.
    System,
}

/// A client for calls of at most `timeout`, which follows no redirects: one would turn a POST
/// into a GET.
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
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    // The innermost are the words of the system; those around it repeat the address with its query.
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
    Ok(utf8_percent_encode(text, MEANINGFUL).to_string())
}

/// What the endpoint of a call declares that it needs.
fn needs_of(call: &Call<'_>) -> Needs {
    let below = call.path.split('?').next().unwrap_or(call.path);
    let path = format!("{}{below}", call.surface.base());
    let found = all().find(|endpoint| endpoint.method == call.method && endpoint.matches(&path));
    match found.map(|endpoint| endpoint.access()) {
        Some(Access::Scope(scope)) => Needs::Scopes(vec![scope]),
        Some(Access::All(scopes) | Access::AnyOf(scopes)) => Needs::Scopes(scopes.to_vec()),
        Some(Access::Role(role)) => Needs::Role(role),
        Some(Access::Keyless | Access::AnyKey) | None => Needs::Scopes(Vec::new()),
    }
}

fn retry_after(headers: &HeaderMap) -> Option<u64> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    use scheduler_core::key::Scope;
    use scheduler_core::session::Role;

    #[test]
    fn endpoints_say_what_a_request_needs() {
        const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";
        for (method, path, want) in [
            (Method::GET, "/posts?limit=1".to_owned(), &[Scope::PostsRead][..]),
            (Method::POST, "/posts".to_owned(), &[Scope::PostsWrite, Scope::PostsPublish]),
            (Method::DELETE, format!("/posts/{ID}"), &[Scope::PostsWrite]),
            (Method::DELETE, format!("/media/{ID}"), &[Scope::MediaWrite]),
            (
                Method::POST,
                format!("/posts/{ID}/targets/{ID}/comments/a%2Fb"),
                &[Scope::PostsPublish],
            ),
            (Method::GET, "/workspace/webhooks".to_owned(), &[Scope::WebhooksRead]),
            (Method::GET, "/platforms".to_owned(), &[]),
            (Method::GET, "/nowhere".to_owned(), &[]),
        ] {
            let call = Call::new(method.clone(), &path);
            assert_eq!(needs_of(&call), Needs::Scopes(want.to_vec()), "{method} {path}");
        }
        let call = Call::get("/keys").of_application();
        assert_eq!(needs_of(&call), Needs::Role(Role::Owner));
    }

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
                form_urlencoded::parse(last.as_bytes()).map(|(name, _)| name).collect();
            assert_eq!(decoded, [id], "{name}");
        }
        for id in ["", ".", ".."] {
            assert!(matches!(segment(id), Err(Failure::Usage(_))), "{id:?}");
        }
    }
}
