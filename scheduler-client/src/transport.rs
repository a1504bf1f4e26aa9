//! How calls come to a server.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::Stream;
use http::{Request, Response};
use reqwest::redirect;
use scheduler_core::bytes::Bytes;

use crate::error::Error;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes that are read as they are sent.
pub type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send + Sync>>;

/// How calls come to a server. A program that has the server within itself brings its own.
#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends a request, whose address begins with the path, and returns what is answered, a refusal
    /// as well. An answer may take `time_limit`, else as long as the transport says.
    ///
    /// # Errors
    /// [`Error::Unreachable`] when no answer came; [`Error::Transport`] when this program has
    /// failed.
    async fn exchange(
        &self,
        request: Request<Bytes>,
        time_limit: Option<Duration>,
    ) -> Result<Response<Bytes>, Error>;

    /// Whether a key is asked for.
    fn needs_key(&self) -> bool {
        true
    }

    /// Who takes the bytes of files under signed links that lead to the server itself; `None` where
    /// they go over a connection.
    fn files(&self) -> Option<&dyn TakesFiles> {
        None
    }
}

/// Takes the bytes of files without a connection.
#[async_trait]
pub trait TakesFiles: Send + Sync {
    /// Takes a PUT of a signed link, whose address begins with the path, and returns its answer.
    ///
    /// # Errors
    /// When the answer breaks off.
    async fn put(&self, request: Request<Pieces>) -> io::Result<Response<Bytes>>;
}

/// Over connections of HTTP.
#[derive(Debug)]
pub(crate) struct Http {
    base: String,
    http: reqwest::Client,
}

impl Http {
    /// To the server at this address, which ends before the path of the API.
    pub(crate) fn new(
        base: String,
        user_agent: &str,
        timeout: Duration,
        route: Route,
    ) -> Result<Self, Error> {
        Ok(Self { base, http: connections(user_agent, timeout, route)? })
    }
}

#[async_trait]
impl Transport for Http {
    async fn exchange(
        &self,
        request: Request<Bytes>,
        time_limit: Option<Duration>,
    ) -> Result<Response<Bytes>, Error> {
        let (head, body) = request.into_parts();
        let sent = self.http.request(head.method, format!("{}{}", self.base, head.uri));
        let sent = sent.headers(head.headers).body(body);
        let sent = time_limit.into_iter().fold(sent, reqwest::RequestBuilder::timeout);
        let lost = |error: reqwest::Error| Error::unreachable(&self.base, &error);
        let answer = sent.send().await.map_err(lost)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut response = Response::new(answer.bytes().await.map_err(lost)?);
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }
}

/// The way that connections take.
#[derive(Clone, Copy, Debug)]
pub enum Route {
    /// Straight, past any proxy: for a server on this machine, and for a sandbox.
    Direct,
    /// As the environment says, which may name a proxy.
    System,
}

/// Connections for calls of at most `timeout`. They follow no redirects: one would turn a POST into
/// a GET.
///
/// # Errors
/// [`Error::Unprepared`] when this machine offers no TLS.
pub fn connections(
    user_agent: &str,
    timeout: Duration,
    route: Route,
) -> Result<reqwest::Client, Error> {
    // Fails when it is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .user_agent(user_agent)
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout)
        .redirect(redirect::Policy::none());
    let builder = match route {
        Route::Direct => builder.no_proxy(),
        Route::System => builder,
    };
    builder.build().map_err(Error::Unprepared)
}

/// Why a call brought no answer, without the address.
#[must_use]
pub fn cause(error: &reqwest::Error) -> String {
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
