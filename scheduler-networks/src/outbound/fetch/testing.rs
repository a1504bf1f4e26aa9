//! A place on this machine that stands for the internet: it answers as told, and remembers who
//! came.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rcgen::generate_simple_self_signed;
use reqwest::Certificate;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::{Guard, MediaFetcher, TIMEOUT};

/// What a strict guard of these tests takes for a public address.
pub(in crate::outbound) const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// The name in the certificate of a [`Site`], beside its address.
pub(super) const NAME: &str = "files.example";

/// How a path is answered.
#[derive(Clone, Debug)]
pub(in crate::outbound) enum Reply {
    /// With these bytes, after which the connection is closed.
    Bytes(Vec<u8>),
    /// With these bytes, and then with nothing for ever.
    Stuck(Vec<u8>),
    /// With these bytes, and then with more of them for as long as somebody reads.
    Endless(Vec<u8>),
    /// With these bytes, and then with one a few milliseconds.
    Drip(Vec<u8>),
}

impl Reply {
    /// An answer with status 200, some headers and a body of a stated length.
    pub(in crate::outbound) fn file(headers: &str, body: &[u8]) -> Self {
        let length = body.len();
        let head = format!("HTTP/1.1 200 OK\r\n{headers}content-length: {length}\r\n\r\n");
        Self::Bytes([head.as_bytes(), body].concat())
    }

    /// A redirect.
    pub(in crate::outbound) fn to(location: &str) -> Self {
        let answer =
            format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        Self::Bytes(answer.into_bytes())
    }
}

/// A server that answers by path.
pub(in crate::outbound) struct Site {
    pub(in crate::outbound) address: SocketAddr,
    /// Trusting it makes a client believe this site.
    pub(in crate::outbound) certificate: Certificate,
    heads: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Site {
    /// A site without encryption.
    pub(super) async fn plain(replies: &[(&str, Reply)]) -> Self {
        Self::open(IpAddr::V4(Ipv4Addr::LOCALHOST), false, replies).await
    }

    /// A site with encryption, at the address that counts as public.
    pub(in crate::outbound) async fn secure(replies: &[(&str, Reply)]) -> Self {
        Self::open(PUBLIC, true, replies).await
    }

    async fn open(ip: IpAddr, is_secure: bool, replies: &[(&str, Reply)]) -> Self {
        let listener = TcpListener::bind((ip, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let names = vec![PUBLIC.to_string(), NAME.to_owned()];
        let made = generate_simple_self_signed(names).unwrap();
        let certificate = Certificate::from_der(made.cert.der()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let config =
            ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(vec![made.cert.der().clone()], key)
                .unwrap();
        let acceptor = is_secure.then(|| TlsAcceptor::from(Arc::new(config)));
        let replies: BTreeMap<String, Reply> =
            replies.iter().map(|(path, reply)| ((*path).to_owned(), reply.clone())).collect();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&heads);
        let task = tokio::spawn(async move {
            let replies = Arc::new(replies);
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (acceptor, replies) = (acceptor.clone(), Arc::clone(&replies));
                let log = Arc::clone(&log);
                tokio::spawn(async move {
                    // Whoever does not trust the certificate hangs up; that is no fault of ours.
                    match acceptor {
                        Some(acceptor) => {
                            if let Ok(stream) = acceptor.accept(stream).await {
                                serve(stream, &replies, &log).await;
                            }
                        }
                        None => serve(stream, &replies, &log).await,
                    }
                });
            }
        });
        Self { address, certificate, heads, task }
    }

    /// The heads of the requests so far.
    pub(super) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    replies: &BTreeMap<String, Reply>,
    log: &Mutex<Vec<String>>,
) {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut read).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let head = String::from_utf8(read).unwrap();
    let target = head.split(' ').nth(1).unwrap().to_owned();
    log.lock().unwrap().push(head);
    let path = target.split('?').next().unwrap();
    let missing = Reply::Bytes(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_vec());
    // Writing fails when the other side has had enough.
    let _ = answer(&mut stream, replies.get(path).unwrap_or(&missing)).await;
}

async fn answer<S: AsyncWrite + Unpin>(stream: &mut S, reply: &Reply) -> std::io::Result<()> {
    let (Reply::Bytes(start) | Reply::Stuck(start) | Reply::Endless(start) | Reply::Drip(start)) =
        reply;
    stream.write_all(start).await?;
    stream.flush().await?;
    match reply {
        Reply::Bytes(_) => stream.shutdown().await,
        Reply::Stuck(_) => std::future::pending().await,
        Reply::Endless(_) => {
            let piece = vec![b'a'; 64 * 1024];
            loop {
                stream.write_all(&piece).await?;
            }
        }
        Reply::Drip(_) => loop {
            stream.write_all(b"a").await?;
            stream.flush().await?;
            tokio::time::sleep(Duration::from_millis(5)).await;
        },
    }
}

/// Names that lead where a test says; each look-up takes the next answer, the last one stays.
#[derive(Default)]
pub(super) struct Names(Mutex<BTreeMap<String, Vec<Vec<IpAddr>>>>);

impl Names {
    pub(super) fn new(names: &[(&str, &[&[IpAddr]])]) -> Arc<Self> {
        let names = names.iter().map(|(name, answers)| {
            let answers = answers.iter().rev().map(|answer| answer.to_vec());
            ((*name).to_owned(), answers.collect())
        });
        Arc::new(Self(Mutex::new(names.collect())))
    }

    /// The answers that a name has left.
    pub(super) fn left(&self, name: &str) -> usize {
        self.0.lock().unwrap()[name].len()
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let mut names = self.0.lock().unwrap();
        let answers = names.get_mut(name.as_str());
        let found = answers.and_then(|answers| match answers.as_slice() {
            [last] => Some(last.clone()),
            _ => answers.pop(),
        });
        let found = found.ok_or_else(|| format!("{} has no address", name.as_str()));
        Box::pin(async move {
            let addresses: Addrs =
                Box::new(found?.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}

/// A fetcher for which only `PUBLIC` is public, and which trusts the site.
pub(super) fn strict(site: &Site, names: Arc<Names>) -> MediaFetcher {
    let certificate = site.certificate.clone();
    let guard = Guard::new(false).exempting(PUBLIC);
    MediaFetcher::within(guard, TIMEOUT, names, |builder| builder.tls_certs_only([certificate]))
        .unwrap()
}
