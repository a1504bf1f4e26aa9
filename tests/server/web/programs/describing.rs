//! A server that describes a program, over TLS: the address is who the program is.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::generate_simple_self_signed;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use url::form_urlencoded::Serializer;

use super::super::Site;

/// The example of RFC 7636, appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Where the program has its people sent back to; the port is its own to choose.
pub(super) const BACK: &str = "http://127.0.0.1:49152/callback";

/// Answers every request with the document of one program.
pub(in crate::web) struct Describing {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
    folder: tempfile::TempDir,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Describing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Describing {
    pub(in crate::web) async fn start() -> Self {
        let made = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("authority.pem"), made.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = rustls::crypto::ring::default_provider().into();
        let config = ServerConfig::builder_with_provider(provider);
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = config.with_single_cert(vec![made.cert.der().clone()], key).unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let document = json!({
            "client_id": format!("https://{address}/client.json"),
            "client_name": "A <program>",
            "redirect_uris": ["http://127.0.0.1/callback"],
            "token_endpoint_auth_method": "none",
        });
        let document = document.to_string();
        let length = document.len();
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{document}");
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                count.fetch_add(1, Ordering::Relaxed);
                let (acceptor, answer) = (acceptor.clone(), answer.clone());
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let mut read = Vec::new();
                    while !read.ends_with(b"\r\n\r\n") {
                        if stream.read_buf(&mut read).await.unwrap_or(0) == 0 {
                            return;
                        }
                    }
                    // Whoever asks may have gone away.
                    let _ = stream.write_all(answer.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { address, asked, folder, task }
    }

    /// The id of the program.
    pub(super) fn id(&self) -> String {
        format!("https://{}/client.json", self.address)
    }

    /// What a page and the log call it by.
    pub(super) fn host(&self) -> String {
        self.address.to_string()
    }

    /// How often somebody has come.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// The file of the certificate by which a server believes it.
    pub(in crate::web) fn authority(&self) -> String {
        self.folder.path().join("authority.pem").display().to_string()
    }

    /// What it has the browser of its person bring to a server, as a query.
    pub(in crate::web) fn wish(&self, site: &Site) -> String {
        let (id, resource) = (self.id(), format!("{}/mcp", site.service.url));
        let pairs = [
            ("response_type", "code"),
            ("client_id", &id),
            ("redirect_uri", BACK),
            ("state", "its state"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", &resource),
        ];
        Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}
