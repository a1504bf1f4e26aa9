//! What happens to the bodies of a connection: what a request leaves unread is read before its
//! answer goes out, and a stop can see what is still awaited.
//!
//! HTTP/1 has one way only to reach the next request of a connection: through the body of this one.
//! A body that is left unread would end the connection without notice, in the middle of what the
//! caller sends next.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Request, Version};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::time::timeout;
use tower::{Layer, Service};

use super::activity::{Activity, Connection, Open};
use crate::answer::Lasting;

/// Bytes of an unread body that are read and thrown away, so that a caller who is still sending
/// gets to read the answer and can send the next request on the same connection.
///
/// Source: our decision.
const LEFT_MAX_BYTES: usize = 8 << 20;

/// How long they may take. Source: our decision.
const LEFT_TIMEOUT: Duration = Duration::from_secs(2);

/// What became of the body of a request.
#[derive(Debug)]
enum Fate<B> {
    /// Somebody still holds it.
    Held,
    /// It was read to its end, or has broken off.
    Ended,
    /// It was let go before its end.
    Left { body: B, was_asked_for: bool },
}

/// The body of a request.
#[derive(Debug)]
pub(super) struct RequestBody<B> {
    /// `None` once it has ended.
    body: Option<B>,
    fate: Arc<Mutex<Fate<B>>>,
    activity: Arc<Activity>,
    is_awaited: bool,
    was_asked_for: bool,
}

impl<B> RequestBody<B> {
    fn is_awaited(&mut self, is_awaited: bool) {
        if self.is_awaited != is_awaited {
            self.is_awaited = is_awaited;
            self.activity.awaits_body(is_awaited);
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for RequestBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.was_asked_for = true;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        self.is_awaited(polled.is_pending());
        match &polled {
            Poll::Ready(Some(Ok(_))) => self.activity.piece_came(),
            Poll::Ready(Some(Err(_)) | None) => self.body = None,
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl<B> Drop for RequestBody<B> {
    fn drop(&mut self) {
        self.is_awaited(false);
        let was_asked_for = self.was_asked_for;
        let left = self.body.take().map(|body| Fate::Left { body, was_asked_for });
        *self.fate.lock().unwrap_or_else(PoisonError::into_inner) = left.unwrap_or(Fate::Ended);
    }
}

/// The body of an answer, with which its request ends.
#[derive(Debug)]
pub(super) struct ResponseBody<B> {
    body: B,
    _open: Open,
}

impl<B: Body + Unpin> Body for ResponseBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Wraps the bodies of a connection.
#[derive(Clone, Debug)]
pub(super) struct BodiesLayer {
    activity: Arc<Activity>,
}

impl BodiesLayer {
    pub(super) const fn new(activity: Arc<Activity>) -> Self {
        Self { activity }
    }
}

impl<S> Layer<S> for BodiesLayer {
    type Service = Bodies<S>;

    fn layer(&self, inner: S) -> Bodies<S> {
        Bodies { inner, activity: Arc::clone(&self.activity) }
    }
}

/// A service with [`BodiesLayer`] around it.
#[derive(Clone, Debug)]
pub(super) struct Bodies<S> {
    inner: S,
    activity: Arc<Activity>,
}

impl<S, B, R> Service<Request<B>> for Bodies<S>
where
    S: Service<Request<RequestBody<B>>, Response = http::Response<R>>,
    S::Future: Send + 'static,
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    R: Send + 'static,
{
    type Response = http::Response<ResponseBody<R>>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let activity = Arc::clone(&self.activity);
        let open = Open::new(&activity);
        let fate = Arc::new(Mutex::new(Fate::Held));
        let asks_first = request.headers().contains_key(EXPECT);
        // HTTP/2 ends a stream alone.
        let ends_connection = request.version() < Version::HTTP_2;
        let mut request = request.map(|body| RequestBody {
            body: Some(body).filter(|body| !body.is_end_stream()),
            fate: Arc::clone(&fate),
            activity: Arc::clone(&self.activity),
            is_awaited: false,
            was_asked_for: false,
        });
        request.extensions_mut().insert(Connection::new(&self.activity));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let mut response = answer.await?;
            if ends_connection && !is_read(&fate, asks_first, &activity).await {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            let is_lasting = response.extensions().get::<Lasting>().is_some();
            let open = if is_lasting { open.lasting() } else { open.answering() };
            Ok(response.map(|body| ResponseBody { body, _open: open }))
        })
    }
}

/// Reads what is left of a body; false when there is more of it than is waited for, so that the
/// connection has to end.
async fn is_read<B>(fate: &Mutex<Fate<B>>, asks_first: bool, activity: &Activity) -> bool
where
    B: Body<Data = Bytes> + Unpin,
{
    let fate =
        std::mem::replace(&mut *fate.lock().unwrap_or_else(PoisonError::into_inner), Fate::Held);
    match fate {
        Fate::Ended => true,
        Fate::Held => false,
        // Whoever waits for a sign sends the body only after it.
        Fate::Left { was_asked_for: false, .. } if asks_first => false,
        Fate::Left { body, .. } => {
            activity.awaits_body(true);
            let is_read = timeout(LEFT_TIMEOUT, read_away(body)).await.unwrap_or_default();
            activity.awaits_body(false);
            is_read
        }
    }
}

/// True when the body has ended within its bound.
async fn read_away<B: Body<Data = Bytes> + Unpin>(mut body: B) -> bool {
    let mut left = LEFT_MAX_BYTES;
    while !body.is_end_stream() {
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { return true };
        let bytes = frame.ok().map(|frame| frame.data_ref().map_or(0, Bytes::len));
        match bytes.and_then(|bytes| left.checked_sub(bytes)) {
            Some(rest) => left = rest,
            None => return false,
        }
    }
    true
}
