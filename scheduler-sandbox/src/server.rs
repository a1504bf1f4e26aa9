//! Listening, connections and stopping.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
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
use crate::journal::Earlier;
use crate::options::Options;
use crate::outside::random_seed;
use crate::state::Shared;

/// How long connections may finish when the sandbox stops.
const STOP_WAIT: Duration = Duration::from_secs(2);
/// Wait after a connection could not be accepted (too many open files).
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long the head of a request may take.
const HEAD_WAIT: Duration = Duration::from_secs(60);

/// Ports that no system gives to outgoing connections unless it is told to (Linux begins at 32768,
/// others at 49152), and that few services have.
const LASTING_PORTS: std::ops::Range<u16> = 20_000..32_000;
/// How many of them are tried. Source: our decision.
const PORT_TRIES: u32 = 50;

/// How often, and with what pause, the address of an earlier sandbox is tried again while it is
/// taken: two seconds in all. Source: our decision.
const AGAIN_TRIES: u32 = 40;
const AGAIN_PAUSE: Duration = Duration::from_millis(50);

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
    /// What is kept of an earlier sandbox cannot be read, or nothing can be written there.
    #[error("cannot use {} for the sandbox; without it a sandbox begins anew", folder.display())]
    Folder {
        /// The folder, see [`Options::folder`].
        folder: PathBuf,
        /// What is wrong, with the number of the line where it is one.
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
pub struct Sandbox {
    address: SocketAddr,
    url: String,
    is_new: bool,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<Infallible>>,
    accepting: JoinHandle<()>,
}

impl Sandbox {
    /// Starts a sandbox on an address. Port 0 takes a free one, and with [`Options::folder`] the
    /// one that an earlier sandbox of the folder had: whoever has an account keeps its address.
    ///
    /// # Errors
    /// [`StartError::Listen`] when the address cannot be listened on, [`StartError::Folder`] when
    /// the folder cannot be used. An address that an earlier sandbox had is waited for two seconds.
    pub async fn start(listen: SocketAddr, options: Options) -> Result<Self, StartError> {
        let folder = options.folder.clone();
        let wrong = |source| {
            let folder = folder.clone().unwrap_or_default();
            StartError::Folder { folder, source }
        };
        let earlier = match &folder {
            Some(folder) => Earlier::find(folder).map_err(wrong)?,
            None => None,
        };
        let listener = match (&earlier, listen.port()) {
            (Some(earlier), 0) => bind_again(earlier.address).await,
            (None, 0) if folder.is_some() => bind_for_long(listen.ip()).await,
            _ => bind(listen).await,
        }?;
        let failed = |source| StartError::Listen { address: listen, source };
        let address = listener.local_addr().map_err(failed)?;
        let url = format!("http://{}", reachable(address));
        let shared = Arc::new(Shared::new(&url, options));
        let is_new = match &folder {
            Some(folder) => {
                let (shared, folder) = (Arc::clone(&shared), folder.clone());
                let kept = move || shared.keep_in(&folder, address, earlier);
                let kept = tokio::task::spawn_blocking(kept).await;
                kept.map_err(std::io::Error::other).flatten().map_err(wrong)?
            }
            None => true,
        };
        let (stop, stopped) = oneshot::channel();
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared), stopped));
        Ok(Self { address, url, is_new, shared, stop: Some(stop), accepting })
    }

    /// True when nothing had been asked of it before it started: it knows no account then.
    pub const fn is_new(&self) -> bool {
        self.is_new
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
        self.shared.end();
    }
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.stop.is_some() {
            self.accepting.abort();
            self.shared.end();
        }
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    let failed = |source| StartError::Listen { address, source };
    TcpListener::bind(address).await.map_err(failed)
}

/// Waits for an address that the process before may still be about to give up.
async fn bind_again(address: SocketAddr) -> Result<TcpListener, StartError> {
    for _ in 0..AGAIN_TRIES {
        match TcpListener::bind(address).await {
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
                tokio::time::sleep(AGAIN_PAUSE).await;
            }
            bound => return bound.map_err(|source| StartError::Listen { address, source }),
        }
    }
    bind(address).await
}

/// Takes a free port that will most likely be free again after a restart.
async fn bind_for_long(ip: IpAddr) -> Result<TcpListener, StartError> {
    for _ in 0..PORT_TRIES {
        let [low, high, ..] = random_seed();
        let offset = u16::from_le_bytes([low, high]) % (LASTING_PORTS.end - LASTING_PORTS.start);
        let port = LASTING_PORTS.start + offset;
        if let Ok(listener) = TcpListener::bind(SocketAddr::new(ip, port)).await {
            return Ok(listener);
        }
    }
    bind(SocketAddr::new(ip, 0)).await
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
