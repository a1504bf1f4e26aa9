//! A port on loopback behind which servers change, as behind a pooler or a balancer.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Where connections may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A socket of this machine.
    Socket(PathBuf),
    /// A port of loopback.
    Port(u16),
}

/// Which goals there are, and how often connections were cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    goals: Vec<Goal>,
    cuts: u64,
}

/// A running forwarder; it ends when it is dropped.
pub(crate) struct Forwarder {
    address: SocketAddr,
    state: watch::Sender<State>,
    accepting: JoinHandle<()>,
}

impl Forwarder {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = watch::Sender::new(State::default());
        let accepting = tokio::spawn(accept(listener, state.subscribe()));
        Self { address, state, accepting }
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends new connections to one of these in turn; those that exist stay as they are.
    pub(crate) fn lead_to(&self, goals: Vec<Goal>) {
        self.state.send_modify(|state| state.goals = goals);
    }

    /// Closes every connection.
    pub(crate) fn cut(&self) {
        self.state.send_modify(|state| state.cuts += 1);
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, state: watch::Receiver<State>) {
    let turn = AtomicUsize::new(0);
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let first = turn.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(forward(stream, state.clone(), first));
    }
}

/// Serves one connection; whatever fails closes it.
async fn forward(mut from: TcpStream, mut state: watch::Receiver<State>, first: usize) {
    let State { goals, cuts } = state.borrow_and_update().clone();
    let _ = from.set_nodelay(true);
    let copied = async {
        for at in 0..goals.len() {
            match &goals[(first + at) % goals.len()] {
                Goal::Socket(path) => {
                    if let Ok(mut to) = UnixStream::connect(path).await {
                        return copy_bidirectional(&mut from, &mut to).await;
                    }
                }
                Goal::Port(port) => {
                    if let Ok(mut to) = TcpStream::connect(("127.0.0.1", *port)).await {
                        let _ = to.set_nodelay(true);
                        return copy_bidirectional(&mut from, &mut to).await;
                    }
                }
            }
        }
        Err(io::ErrorKind::ConnectionRefused.into())
    };
    tokio::select! {
        _ = copied => {}
        _ = state.wait_for(|state| state.cuts != cuts) => {}
    }
}
