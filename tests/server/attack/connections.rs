//! Connections without a key: they send nothing, half a form, or a drop at a time.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::stream;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::{MIB, Memory, Row, any_backends, crowd, longest};
use crate::support::{Api, Backend, Limit, Networks, Service, Setup};

/// A pass that nobody was given.
const UNKNOWN: &str = "0000000000000000000000000000000000000000000";

/// Connections that are open.
struct Opened(Vec<TcpStream>);

impl Opened {
    async fn new(address: SocketAddr, count: usize, bytes: &[u8]) -> Self {
        let mut streams = Vec::with_capacity(count);
        for _ in 0..count {
            let mut stream = TcpStream::connect(address).await.expect("it is taken");
            // Whoever was closed meanwhile has sent enough.
            let _ = stream.write_all(bytes).await;
            streams.push(stream);
        }
        Self(streams)
    }

    /// How many the server has closed.
    fn closed(&self) -> usize {
        let ended = |stream: &&TcpStream| {
            let mut byte = [0];
            !matches!(stream.try_read(&mut byte), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
        };
        self.0.iter().filter(ended).count()
    }
}

/// A form of so many bytes, of which all but a few are sent.
fn half_a_form(path: &str, bytes: usize) -> Vec<u8> {
    let body = "decision=approved&note=".to_owned() + &"x".repeat(bytes - 100);
    format!(
        "POST {path} HTTP/1.1\r\nhost: test\r\ncontent-type: application/x-www-form-urlencoded\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len() + 76
    )
    .into_bytes()
}

/// A hundred forms on one connection of HTTP/2, of each of which a byte comes now and then.
fn drip(url: &str) -> tokio::task::JoinSet<()> {
    let client = Client::builder().no_proxy().http2_prior_knowledge().build().expect("a client");
    let mut streams = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let drops = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            Some((Ok::<_, std::convert::Infallible>("x"), ()))
        });
        let request = client
            .post(url)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(reqwest::Body::wrap_stream(drops));
        streams.spawn(async move {
            let _ = request.send().await;
        });
    }
    streams
}

async fn published(api: &Api, text: &str) {
    let post = json!({"content": text, "publishNow": true, "targets": [{"platform": "bluesky"}]});
    let post = api.create(&post).await;
    let ended = api.ended(post["id"].as_str().unwrap()).await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
}

fn address_of(service: &Service) -> SocketAddr {
    service.url.trim_start_matches("http://").parse().expect("an address")
}

/// The link of a client and the link of a person who connects an account, without the server.
async fn links(setup: &Setup, api: &Api) -> [String; 2] {
    let draft = json!({"content": "x", "saveAsDraft": true, "targets": [{"platform": "bluesky"}]});
    let post = api.create(&draft).await;
    let at = ["--public-url", "http://s.example", "--json"];
    let approval = ["approvals", "create", post["id"].as_str().unwrap()];
    let connecting = ["accounts", "connect", "mastodon", "--in-browser", "--no-wait"];
    [&approval[..], &connecting].map(|command| {
        let output = setup.run(&[command, &at].concat());
        let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        told["url"].as_str().expect("a link").trim_start_matches("http://s.example").to_owned()
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn who_shows_no_key_takes_nobodys_place() {
    for (name, limit) in [
        ("as many handles as there are", None),
        ("1 024 handles that can be raised", Some(Limit::Soft(1_024))),
        ("1 024 handles", Some(Limit::Hard(1_024))),
    ] {
        for backend in any_backends().await {
            attack(&backend, name, limit).await;
        }
    }
}

async fn attack(backend: &Backend, name: &str, limit: Option<Limit>) {
    let row = Row::new("2 000 silent connections, 400 half forms, 100 dripping streams", backend);
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
    let service = setup.serve_within(limit);
    let (api, address) = (service.api(), address_of(&service));
    published(&api, "before").await;
    let [approval, connecting] = links(&setup, &api).await;
    crowd(&setup, 1);
    let memory = Memory::watch(&service);
    let silent = Opened::new(address, 2_000, b"").await;
    let mut forms = Vec::new();
    for path in [
        &format!("/approve/{UNKNOWN}"),
        &approval,
        &format!("/connect/mastodon?ticket={UNKNOWN}"),
        &connecting,
    ] {
        for bytes in [16 << 10, 1 << 20] {
            forms.push(Opened::new(address, 50, &half_a_form(path, bytes)).await);
        }
    }
    assert_eq!(forms.iter().map(|forms| forms.0.len()).sum::<usize>(), 400);
    let _drips = drip(&format!("{}{approval}", service.url));
    let longest = longest(20, async || {
        api.get("/posts").await;
    });
    let waited = format!("with {name}, others waited at most");
    row.within(&waited, longest.await, Duration::from_millis(250));
    published(&api, "in between").await;
    row.holds(&format!("with {name}, a post"), "published", "goes on", true);
    row.memory(&memory, 64 * MIB);
    let closed = silent.closed();
    row.holds(
        &format!("with {name}, silent ones closed"),
        closed,
        "at least 1000",
        closed >= 1_000,
    );
}
