//! Kept connections: what a refused request leaves behind, and what a stop does to a request that
//! was sent only in part.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use scheduler_core::app::ApprovalInput;
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_http::RateLimit;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::World;

/// A connection that is used as often as the server lets it.
struct Kept {
    stream: BufReader<TcpStream>,
}

/// The head of an answer.
struct Head {
    status: u16,
    closes: bool,
}

impl Kept {
    async fn open(address: SocketAddr) -> Self {
        Self { stream: BufReader::new(TcpStream::connect(address).await.unwrap()) }
    }

    /// Sends a request in two writes, as clients do, and reads the whole answer.
    async fn send(&mut self, head: &str, body: &[u8]) -> std::io::Result<Head> {
        let length = body.len();
        let head = format!("{head}host: test\r\ncontent-length: {length}\r\n\r\n");
        self.stream.write_all(head.as_bytes()).await?;
        // A server that has refused by now may not close: the body is on its way.
        tokio::task::yield_now().await;
        self.stream.write_all(body).await?;
        self.answer().await
    }

    async fn answer(&mut self) -> std::io::Result<Head> {
        let (mut lines, mut line) = (Vec::new(), String::new());
        while self.stream.read_line(&mut line).await? > 0 && line != "\r\n" {
            lines.push(std::mem::take(&mut line).trim().to_ascii_lowercase());
        }
        let gone = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let status = lines.first().and_then(|line| line.split(' ').nth(1)).ok_or_else(gone)?;
        let value =
            |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let length = value("content-length").map_or(0, |length| length.parse().unwrap());
        self.stream.read_exact(&mut vec![0; length]).await?;
        let closes = value("connection") == Some("close");
        Ok(Head { status: status.parse().unwrap(), closes })
    }
}

#[tokio::test]
async fn no_refused_request_breaks_the_connection_of_the_next() {
    let world = World::new().await;
    world.connect(Platform::Bluesky, "a").await;
    let client = world.serve().await;
    let key = format!("authorization: Bearer {}\r\n", world.key);
    let json = "content-type: application/json\r\n";
    let refused: [(u16, String); 6] = [
        (401, format!("POST /v1/posts HTTP/1.1\r\n{json}")),
        (401, format!("POST /v1/media HTTP/1.1\r\nauthorization: Bearer sk_no\r\n{json}")),
        (404, format!("POST /v1/nothing HTTP/1.1\r\n{key}{json}")),
        (405, format!("PUT /v1/posts HTTP/1.1\r\n{key}{json}")),
        (415, format!("POST /v1/posts HTTP/1.1\r\n{key}content-type: text/plain\r\n")),
        (404, format!("POST /v1/posts/{}/retry HTTP/1.1\r\n{key}", uuid())),
    ];
    let mut kept = Kept::open(client.address).await;
    let sizes = [10, 1_000, 16 << 10, 64 << 10, 200 << 10];
    for number in 0..500 {
        let (status, head) = &refused[number % refused.len()];
        let body = vec![b'x'; sizes[number % sizes.len()]];
        let answer = kept.send(head, &body).await.unwrap_or_else(|e| panic!("{number}: {e}"));
        assert_eq!(answer.status, *status, "{number}: {head}");
        assert!(!answer.closes, "{number}: the body was small");
        let good = kept.send(&format!("GET /v1/posts HTTP/1.1\r\n{key}"), b"").await;
        let good = good.unwrap_or_else(|error| panic!("after {number} ({head}): {error}"));
        assert_eq!(good.status, 200, "{number}");
    }
}

#[tokio::test]
async fn too_many_requests_keep_their_connection() {
    let world = World::new().await;
    let one = std::num::NonZeroU32::new(1).unwrap();
    let client = world.serve_with(RateLimit { per_minute: one, burst: one }, None).await;
    let mut kept = Kept::open(client.address).await;
    let head = format!("POST /v1/posts HTTP/1.1\r\nauthorization: Bearer {}\r\n", world.key);
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let answer = kept.send(&head, &[b'x'; 100 << 10]).await.unwrap();
        assert!(!answer.closes);
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [415, 429, 429, 429, 429]);
}

#[tokio::test]
async fn a_body_that_is_not_waited_for_ends_the_connection_with_notice() {
    let world = World::new().await;
    let client = world.serve().await;
    // Whoever waits for a sign may send the body or not.
    let mut kept = Kept::open(client.address).await;
    let head = "POST /v1/posts HTTP/1.1\r\nhost: test\r\nexpect: 100-continue\r\ncontent-length: 50\r\n\r\n";
    kept.stream.write_all(head.as_bytes()).await.unwrap();
    let answer = kept.answer().await.unwrap();
    assert_eq!((answer.status, answer.closes), (401, true), "nobody was asked to send it");
    // A body that does not come.
    let mut kept = Kept::open(client.address).await;
    let head = "POST /v1/posts HTTP/1.1\r\nhost: test\r\ncontent-length: 50\r\n\r\nx";
    kept.stream.write_all(head.as_bytes()).await.unwrap();
    let answer = kept.answer().await.unwrap();
    assert_eq!((answer.status, answer.closes), (401, true), "slow");
}

#[tokio::test]
async fn a_form_is_read_once_it_is_known_whose_it_is_and_to_16_kib() {
    let world = World::new().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let at = (world.now() + TimeDelta::hours(3)).to_rfc3339();
    let post = world.post(&account, "x", json!({"scheduledAt": at})).await;
    let input = ApprovalInput { post_ids: vec![post.id], ..ApprovalInput::default() };
    let approval = world.scheduler.create_approval(world.workspace.id, &input).await.unwrap();
    let approval = format!("/approve/{}", approval.pass.expose());
    let given = ConnectInput::default();
    let invited =
        world.scheduler.invite(&world.workspace, Platform::Mastodon, given).await.unwrap();
    let connecting = format!("/connect/mastodon?ticket={}", invited.ticket.expose());
    let unknown = "0".repeat(43);
    let client = world.serve().await;
    for (name, path, bytes, want) in [
        ("a link", approval.as_str(), 16 << 10, 100),
        ("a link, too much", &approval, (16 << 10) + 1, 413),
        ("no such link", &format!("/approve/{unknown}"), 10, 404),
        ("a visit", &connecting, 16 << 10, 100),
        ("a visit, too much", &connecting, (16 << 10) + 1, 413),
        ("no such visit", &format!("/connect/mastodon?ticket={unknown}"), 10, 404),
        ("no visit to pick in", "/connect/mastodon/pick", 10, 404),
    ] {
        let mut kept = Kept::open(client.address).await;
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: test\r\nexpect: 100-continue\r\ncontent-type: \
             application/x-www-form-urlencoded\r\ncontent-length: {bytes}\r\n\r\n"
        );
        kept.stream.write_all(head.as_bytes()).await.unwrap();
        assert_eq!(kept.answer().await.unwrap().status, want, "{name}");
    }
}

#[tokio::test]
async fn a_stop_does_not_wait_for_what_was_sent_in_part() {
    let world = World::new().await;
    let key = format!("authorization: Bearer {}\r\n", world.key);
    let json = "content-type: application/json\r\n";
    let half_a_body =
        format!("POST /v1/posts HTTP/1.1\r\nhost: test\r\n{key}{json}content-length: 50\r\n\r\n{{");
    for (name, sent) in [
        ("nothing", String::new()),
        ("half a head", "GET /v1".to_owned()),
        ("half a body", half_a_body),
    ] {
        let (address, stop, serving) = serve(&world).await;
        let mut idle = Kept::open(address).await;
        idle.send("GET /healthz HTTP/1.1\r\n", b"").await.unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        // The server has taken the connection when it has answered a later one.
        Kept::open(address).await.send("GET /healthz HTTP/1.1\r\n", b"").await.unwrap();
        let begun = Instant::now();
        stop.send(()).unwrap();
        timeout(Duration::from_secs(10), serving).await.expect(name).unwrap();
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(6), "{name}: {took:?}");
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
        assert!(rest.is_empty(), "{name}: {}", String::from_utf8_lossy(&rest));
    }
}

async fn serve(world: &World) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
    let server = world.server().await;
    let address = server.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async {
        let _ = stopped.await;
    }));
    (address, stop, serving)
}

fn uuid() -> &'static str {
    "0190a0a0-0000-7000-8000-000000000000"
}
