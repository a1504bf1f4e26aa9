//! The server: accepting connections, serving them, stopping.

pub(crate) mod activity;
mod around;
mod bodies;
mod connection;
pub(crate) mod connections;
mod counted;
pub(crate) mod observe;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Response};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;
use tower::ServiceBuilder;

use crate::api::{Api, Reference};
use crate::app::App;
use crate::endpoint::Endpoint;
use crate::metrics::{Metrics, MetricsAccess};
use crate::written::Written;
use crate::{openapi, router, routes};
use activity::REST;
use connection::serve_connection;
use connections::{Admission, ConnectionLimits, Connections, Place};
use observe::ObserveLayer;

/// How long a stop waits for requests that are being answered.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// How long to wait when no connection can be accepted, as when no file handle is free.
const ACCEPT_REST: Duration = Duration::from_millis(100);

/// Requests of one HTTP/2 connection that are answered at the same time.
///
/// Source: RFC 9113, section 6.5.2: no fewer, so that nobody is held up without need.
const HTTP2_STREAMS: u32 = 100;

/// Bytes of bodies that an HTTP/2 connection may send before anybody reads them, in all and of
/// each request. Source: our decision.
const HTTP2_WINDOW: u32 = 512 << 10;
const HTTP2_STREAM_WINDOW: u32 = 128 << 10;

/// Bytes that an HTTP/1 connection keeps of what came and of what goes; the head of a request is
/// no longer. Source: our decision.
const HTTP1_BUFFER: usize = 32 << 10;

/// A server that is bound to its address.
///
/// A key that was found valid is taken as valid for 50 milliseconds without asking the store
/// again; a key that is revoked is refused after that time.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    api: Api,
    connections: ConnectionLimits,
    allowed_origins: Vec<HeaderValue>,
    pages: &'static [&'static Endpoint],
    is_for_monitoring: bool,
}

impl Server {
    /// Binds a server to an address; port 0 takes any free one. Connections wait until
    /// [`Server::serve`] runs.
    ///
    /// # Errors
    /// When the address cannot be bound.
    pub async fn bind(listen: SocketAddr, app: App) -> io::Result<Self> {
        Self::on(TcpListener::bind(listen).await?, app)
    }

    /// Takes over a listener that is bound already.
    ///
    /// # Errors
    /// When its address cannot be found out.
    pub fn on(listener: TcpListener, app: App) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let connections = app.settings.connections;
        let allowed_origins = app.settings.allowed_origins.clone();
        let pages = app.pages;
        let api = Api::new(app, describe)?;
        Ok(Self {
            listener,
            address,
            api,
            connections,
            allowed_origins,
            pages,
            is_for_monitoring: false,
        })
    }

    /// Counts its requests in these metrics, and serves them at `/metrics` to whom `access` admits.
    #[must_use]
    pub fn with_metrics(mut self, metrics: Metrics, access: MetricsAccess) -> Self {
        self.api.metrics = Some((metrics, access));
        self
    }

    /// Answers nothing but `/healthz`, `/readyz` and `/metrics`: for an address of its own, or a
    /// process that serves no API.
    #[must_use]
    pub fn for_monitoring(mut self) -> Self {
        self.is_for_monitoring = true;
        self
    }

    /// The address that it is bound to.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `shutdown` is ready; then takes no new ones, finishes those that
    /// have begun within 30 seconds, those of callers who went away among them, and returns. A
    /// request that was sent only in part is given up within 3 seconds.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) {
        let api = Arc::new(self.api);
        let ports = api.scheduler.ports();
        // Whoever monitors is no caller to be counted.
        let counted = api.metrics.as_ref().filter(|_| !self.is_for_monitoring);
        let metrics = counted.map(|(metrics, _)| metrics.clone());
        let observe = ObserveLayer::new(Arc::clone(&ports.clock), Arc::clone(&ports.ids), metrics);
        let endpoints: Vec<_> = if self.is_for_monitoring {
            routes::monitoring().collect()
        } else {
            routes::all().chain(self.pages.iter().copied()).collect()
        };
        let routes = router::filter(&api, endpoints);
        let service = ServiceBuilder::new()
            .map_response(|response: Response<_>| response.map(Box::pin))
            .layer(around::compression())
            .layer(around::cors(&self.allowed_origins))
            .layer(observe)
            .service(warp::service(routes));
        let mut builder = auto::Builder::new(TokioExecutor::new());
        // What takes too long is ended for both versions alike, beside the connection.
        builder.http1().header_read_timeout(None).max_buf_size(HTTP1_BUFFER);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(HTTP2_STREAMS)
            .initial_stream_window_size(HTTP2_STREAM_WINDOW)
            .initial_connection_window_size(HTTP2_WINDOW)
            .keep_alive_interval(REST);

        let (tasks, stopping) = (TaskTracker::new(), api.feed.stopping.clone());
        let (audited, stopped) = (Arc::clone(&api), stopping.clone());
        tasks.spawn(async move { audited.audit.run(&audited.scheduler, stopped).await });
        let connections = Connections::new(self.connections);
        let mut shutdown = pin!(shutdown);
        loop {
            let (stream, place) = tokio::select! {
                biased;
                () = &mut shutdown => break,
                next = next_connection(&self.listener, &connections) => next,
            };
            let (builder, stopping) = (builder.clone(), stopping.clone());
            tasks.spawn(serve_connection(stream, place, builder, stopping, service.clone()));
        }
        drop(self.listener);
        stopping.cancel();
        tasks.close();
        let finished = async {
            tasks.wait().await;
            // What callers who went away have begun.
            api.calls.close();
            api.calls.wait().await;
            api.audit.store(&api.scheduler).await;
        };
        if timeout(STOP_TIMEOUT, finished).await.is_err() {
            tracing::warn!("requests are left unanswered");
        }
    }
}

/// Accepts the next connection that there is a place for.
async fn next_connection(
    listener: &TcpListener,
    connections: &Arc<Connections>,
) -> (TcpStream, Place) {
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok((stream, peer)) => (stream, peer.ip()),
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be accepted");
                connections.close_one();
                sleep(ACCEPT_REST).await;
                continue;
            }
        };
        loop {
            match connections.admit(peer) {
                Admission::Taken(place) => return (stream, place),
                Admission::Full => connections.freed().await,
                Admission::Refused => {
                    tracing::debug!(%peer, "the address has all connections that it may have");
                    break;
                }
            }
        }
    }
}

/// The description of the API.
pub(crate) fn describe() -> Reference {
    Reference {
        document: Written::new(openapi::document().to_string()),
        application: Written::new(openapi::application().to_string()),
    }
}
