//! A way to a server that can be closed in the middle of a file.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// Passes connections on to a server, and counts the bytes that go there.
#[derive(Clone)]
pub(crate) struct Gate {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    server: OnceLock<SocketAddr>,
    passed_bytes: AtomicU64,
    /// After so many bytes nothing more passes.
    closes_after_bytes: AtomicU64,
    /// Whether the connection breaks then, once; else it hangs.
    breaks: AtomicBool,
    /// Connections that hang.
    held: Mutex<Vec<TcpStream>>,
}

impl Gate {
    /// A gate that hangs, or breaks a connection once, after so many bytes.
    pub(crate) fn new(closes_after_bytes: u64, breaks: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        shared.closes_after_bytes.store(closes_after_bytes, Ordering::SeqCst);
        shared.breaks.store(breaks, Ordering::SeqCst);
        let of_listener = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Some(server) = of_listener.server.get() else { continue };
                let server = TcpStream::connect(server).unwrap();
                let (to, from) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                let shared = Arc::clone(&of_listener);
                thread::spawn(move || shared.pass(from, to));
                thread::spawn(move || answer(server, client));
            }
        });
        Self { address, shared }
    }

    /// Its address, as a server's public one.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Leads to this server.
    pub(crate) fn leads_to(&self, url: &str) {
        let server = url.strip_prefix("http://").unwrap().parse().unwrap();
        self.shared.server.set(server).unwrap();
    }

    /// Lets everything that comes from now on pass, and counts it anew.
    pub(crate) fn open(&self) {
        self.shared.closes_after_bytes.store(u64::MAX, Ordering::SeqCst);
        self.shared.passed_bytes.store(0, Ordering::SeqCst);
    }

    /// How many bytes have passed.
    pub(crate) fn passed_bytes(&self) -> u64 {
        self.shared.passed_bytes.load(Ordering::SeqCst)
    }
}

impl Shared {
    fn pass(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut piece = vec![0; 64 * 1024];
        while let Ok(length) = from.read(&mut piece)
            && length > 0
        {
            let passed = self.passed_bytes.fetch_add(length as u64, Ordering::SeqCst);
            if passed >= self.closes_after_bytes.load(Ordering::SeqCst) {
                if self.breaks.load(Ordering::SeqCst) {
                    self.closes_after_bytes.store(u64::MAX, Ordering::SeqCst);
                    let _ = from.shutdown(Shutdown::Both);
                    break;
                }
                self.held.lock().unwrap().extend([from, to]);
                return;
            }
            if to.write_all(&piece[..length]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    }
}

fn answer(mut server: TcpStream, mut client: TcpStream) {
    let _ = std::io::copy(&mut server, &mut client);
    let _ = client.shutdown(Shutdown::Write);
}
