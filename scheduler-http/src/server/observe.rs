//! What happens around every request: its id, its line in the log, the headers of every answer, and
//! the catching of panics.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, HeaderName, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use hyper::body::Body as _;
use scheduler_core::ports::{Clock, Ids};
use tower::{Layer, Service};
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use warp::reply::Response;

use crate::endpoint::Matched;
use crate::error::{InternalCause, after_panic, chain};
use crate::extract::Head;
use crate::metrics::Metrics;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Characters of a request's id that are taken over from the caller, at most.
pub(crate) const REQUEST_ID_MAX: usize = 128;

/// Puts the id of the request on every answer, writes one line a request, and answers 500 where
/// the handling of a request panics.
#[derive(Clone)]
pub(super) struct ObserveLayer {
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    metrics: Option<Metrics>,
}

impl ObserveLayer {
    pub(super) fn new(clock: Arc<dyn Clock>, ids: Arc<dyn Ids>, metrics: Option<Metrics>) -> Self {
        Self { clock, ids, metrics }
    }
}

impl<S> Layer<S> for ObserveLayer {
    type Service = Observe<S>;

    fn layer(&self, inner: S) -> Observe<S> {
        Observe { inner, around: self.clone() }
    }
}

/// A service with [`ObserveLayer`] around it.
#[derive(Clone)]
pub(super) struct Observe<S> {
    inner: S,
    around: ObserveLayer,
}

impl<S, B> Service<Request<B>> for Observe<S>
where
    S: Service<Request<B>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let begun_at = self.around.clock.now();
        let id = self.around.request_id(&request, begun_at);
        let method = request.method().clone();
        let head = Head::take(&mut request);
        request.extensions_mut().insert(head);
        let around = self.around.clone();
        let mut inner = self.inner.clone();
        let span = request_span(&id);
        let within = span.clone();
        let handling = async move {
            let answer = AssertUnwindSafe(async { inner.call(request).await }).catch_unwind().await;
            let (mut response, has_panicked) = match answer {
                Ok(Ok(response)) => (response, false),
                Err(_) => (after_panic(), true),
            };
            let took = (around.clock.now() - begun_at).to_std().unwrap_or_default();
            let pattern = response.extensions().get::<Matched>().map(|matched| matched.0.pattern);
            if let Some(metrics) = &around.metrics {
                metrics.request(pattern, &method, response.status(), took);
            }
            log(&within, pattern, &method, &response, took, has_panicked);
            guard(response.headers_mut(), id);
            if method == Method::HEAD {
                drop_body(&mut response);
            }
            Ok(response)
        };
        Box::pin(handling.instrument(span))
    }
}

impl ObserveLayer {
    /// The caller's own id for the request where it is one that can stand in a log, else a new
    /// one.
    fn request_id<B>(&self, request: &Request<B>, at: DateTime<Utc>) -> HeaderValue {
        let sent = request.headers().get(REQUEST_ID);
        if let Some(sent) = sent.filter(|id| is_plain(id.as_bytes())) {
            return sent.clone();
        }
        let mut text = uuid::Uuid::encode_buffer();
        let text = self.ids.next(at).hyphenated().encode_lower(&mut text);
        HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("-"))
    }
}

fn is_plain(id: &[u8]) -> bool {
    (1..=REQUEST_ID_MAX).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte))
}

/// What every line about a request tells. Who calls is filled in once that is known.
///
/// At the level of errors, so that lines of every level have it.
fn request_span(id: &HeaderValue) -> Span {
    let request_id = id.to_str().unwrap_or("-");
    tracing::error_span!("request", request_id, workspace_id = Empty, key_id = Empty)
}

/// Writes the line of a request: debug for reading, info for what changes something, error for
/// what is our fault.
fn log(
    span: &Span,
    pattern: Option<&'static str>,
    method: &Method,
    response: &Response,
    took: Duration,
    has_panicked: bool,
) {
    let _within = span.enter();
    let status = response.status().as_u16();
    let path = pattern.unwrap_or("-");
    let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    if has_panicked {
        // What a panic says may quote a body, so it is not logged here.
        tracing::error!(%method, path, status, duration_ms, "the request panicked");
    } else if let Some(cause) = response.extensions().get::<InternalCause>() {
        let error = chain(&*cause.0);
        tracing::error!(%method, path, status, duration_ms, error, "answered");
    } else if method.is_safe() {
        tracing::debug!(%method, path, status, duration_ms, "answered");
    } else {
        tracing::info!(%method, path, status, duration_ms, "answered");
    }
}

/// Sets the headers of every answer. Nobody keeps one that does not say for how long: it may hold
/// a secret, a signed link, or what is one workspace's alone.
fn guard(headers: &mut HeaderMap, id: HeaderValue) {
    headers.insert(REQUEST_ID, id);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// Leaves of an answer what a HEAD request asks for.
fn drop_body(response: &mut Response) {
    // A 304 would have to declare the length of what it leaves out.
    let has_length = response.status() != StatusCode::NOT_MODIFIED;
    if let Some(length) = response.body().size_hint().exact().filter(|_| has_length) {
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    *response.body_mut() = Response::default().into_body();
}
