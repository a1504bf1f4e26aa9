//! One connection: serving it, and ending it when the server stops, when its place is needed, and
//! when its other end lets too much time pass.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use http::{Request, Response};
use hyper::body::{Body, Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tower::{Service, ServiceBuilder};

use super::bodies::{BodiesLayer, RequestBody};
use super::connections::Place;
use super::counted::Counted;

/// How often a stop looks whether a connection still waits for a request that was sent in part.
///
/// A head that has not arrived after one look is not waited for any longer, and a body of which
/// nothing has come for two. Source: our decision.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Looks without a piece of the body that is waited for, after which it is given up.
const QUIET_LOOKS: u32 = 2;

/// Answers the requests of a connection until it ends, or until the server stops: then the
/// requests that have arrived are answered, and what was sent only in part is given up.
pub(super) async fn serve_connection<S, B>(
    stream: TcpStream,
    place: Place,
    builder: auto::Builder<TokioExecutor>,
    stopping: CancellationToken,
    service: S,
) where
    S: Service<Request<RequestBody<Incoming>>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: Body + Unpin + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Small answers must not wait for more to send; where it cannot be set, they do.
    let _ = stream.set_nodelay(true);
    let activity = Arc::clone(&place.activity);
    let service =
        ServiceBuilder::new().layer(BodiesLayer::new(Arc::clone(&activity))).service(service);
    let service = TowerToHyperService::new(service);
    let stream = Counted { stream, activity: Arc::clone(&activity) };
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let is_to_end = tokio::select! {
        result = &mut connection => return log_end(result.err()),
        () = activity.overstayed() => true,
        () = place.closing.cancelled() => true,
        () = stopping.cancelled() => false,
    };
    connection.as_mut().graceful_shutdown();
    if is_to_end {
        // Tells HTTP/2 as far as that can be done at once.
        let _ = (&mut connection).now_or_never();
        return;
    }
    let (mut pieces, mut quiet_looks) = (activity.pieces(), 0);
    loop {
        tokio::select! {
            result = &mut connection => return log_end(result.err()),
            () = sleep(LOOK_EVERY) => {}
        }
        let is_quiet = activity.waits_for_body() && activity.pieces() == pieces;
        quiet_looks = if is_quiet { quiet_looks + 1 } else { 0 };
        pieces = activity.pieces();
        if !activity.has_begun() || quiet_looks >= QUIET_LOOKS {
            tracing::debug!("a request that was sent in part is given up");
            return;
        }
    }
}

fn log_end(error: Option<Box<dyn std::error::Error + Send + Sync>>) {
    if let Some(error) = error {
        tracing::debug!(error = crate::error::chain(&*error), "a connection has broken");
    }
}
