//! Listening, connections and stopping.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::dispatch::{Reply, respond};
use crate::options::Options;
use crate::state::Shared;

/// How long connections may finish when the sandbox stops.
const STOP_WAIT: Duration = Duration::from_secs(2);
/// Wait after a connection could not be accepted (too many open files).
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long the head of a request may take.
const HEAD_WAIT: Duration = Duration::from_secs(60);

/// Why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken or not of this machine.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

/// Why a connection ends without an answer; hyper closes it on any error of the service.
#[derive(Debug, thiserror::Error)]
enum ConnectionEnd {
    #[error("the sandbox closes the connection on purpose")]
    OnPurpose,
    #[error("the body did not arrive")]
    Body(#[from] hyper::Error),
}

/// A running sandbox; it ends when it is stopped or dropped.
#[derive(Debug)]
pub struct Sandbox {
    address: SocketAddr,
    url: String,
    stop: Option<oneshot::Sender<Infallible>>,
    accepting: JoinHandle<()>,
}

impl Sandbox {
    /// Starts a sandbox on an address; port 0 takes a free one.
    ///
    /// # Errors
    /// [`StartError::Listen`] when the address cannot be listened on.
    pub async fn start(listen: SocketAddr, options: Options) -> Result<Self, StartError> {
        let failed = |source| StartError::Listen { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let url = format!("http://{}", reachable(address));
        let shared = Arc::new(Shared::new(&url, options));
        let (stop, stopped) = oneshot::channel();
        let accepting = tokio::spawn(accept(listener, shared, stopped));
        Ok(Self { address, url, stop: Some(stop), accepting })
    }

    /// Returns the URL of the sandbox, without a slash at its end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the address that the sandbox listens on.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more connections, lets running requests finish for two seconds and ends.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        if let Err(error) = (&mut self.accepting).await {
            tracing::warn!(%error, "the sandbox ended badly");
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.stop.is_some() {
            self.accepting.abort();
        }
    }
}

/// Replaces an address that only stands for "all" by one that can be called.
fn reachable(address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port())
    } else {
        address
    }
}

async fn accept(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stopped: oneshot::Receiver<Infallible>,
) {
    let graceful = GracefulShutdown::new();
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&shared), &graceful));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
            _ = &mut stopped => break,
        }
    }
    drop(listener);
    // What is held on purpose (a fault without an answer) does not keep the process alive.
    let _ = tokio::time::timeout(STOP_WAIT, graceful.shutdown()).await;
    connections.shutdown().await;
}

fn serve(
    stream: TcpStream,
    shared: Arc<Shared>,
    graceful: &GracefulShutdown,
) -> impl Future<Output = ()> + Send + use<> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no delay could not be set");
    }
    let service = service_fn(move |incoming| {
        let shared = Arc::clone(&shared);
        async move {
            match respond(&shared, incoming).await? {
                Reply::Answer(answer) => Ok(answer.into_response()),
                Reply::Close => Err(ConnectionEnd::OnPurpose),
            }
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WAIT)
        .serve_connection(TokioIo::new(stream), service);
    let watched = graceful.watch(connection);
    async move {
        if let Err(error) = watched.await {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}
