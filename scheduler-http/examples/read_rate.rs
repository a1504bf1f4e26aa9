//! Measures `GET /v1/posts/{id}`, key and limits included, against a bare warp route with a
//! constant body of the same length: 16 connections each, alternating, the median of 7 pairs.
//!
//! Run by hand: `cargo run --release -p scheduler-http --example read_rate`. The store is in
//! memory, so the ratio is that of everything but a database.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement run by hand")]

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Empty};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Ports, Scheduler, Settings};
use scheduler_core::memory::{MemoryFiles, MemoryStore};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    After, ConnectInput, Connected, EventSender, Located, Network, NetworkError, NetworkErrorKind,
    Networks, NoAssistant, NoMail, NoMedia, PublishJob, Response, SendError, Step,
};
use scheduler_core::target::Remote;
use scheduler_http::{App, ConnectPages, RateLimit, Server, ServerSettings};
use scheduler_worker::{Health, Notifier, OsRandom, SystemClock, SystemTasks, UuidV7};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use warp::Filter as _;

const CONNECTIONS: usize = 16;
const PAIRS: usize = 7;
const RUN: Duration = Duration::from_millis(1_500);
/// Source: the project's own goal.
const GOAL: f64 = 0.3;

struct Nowhere;

#[async_trait]
impl EventSender for Nowhere {
    async fn send(&self, _: &scheduler_core::ports::Request) -> Result<Response, SendError> {
        Err(SendError::Timeout)
    }

    fn check_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

#[async_trait]
impl Network for Nowhere {
    async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let credentials = Credentials::new("token".to_owned(), None);
        Ok(vec![Connected { username: Some("someone".into()), ..Connected::new("1", credentials) }])
    }

    fn begin(&self, _: &PublishJob) -> Value {
        Value::Null
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, _: &PublishJob, _: &Value) -> Result<Step, NetworkError> {
        Err(NetworkError::new(NetworkErrorKind::Permanent, "nowhere"))
    }

    async fn locate(&self, _: &PublishJob, _: &Value) -> Result<Located, NetworkError> {
        Ok(Located::Unknown)
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}

#[tokio::main]
async fn main() {
    let (address, key, path, body) = ours().await;
    let bare = bare(body).await;
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let of_bare = rate(bare, "/", None).await;
        let of_ours = rate(address, &path, Some(&key)).await;
        println!("bare {of_bare:.0}/s, ours {of_ours:.0}/s, ratio {:.2}", of_ours / of_bare);
        ratios.push(of_ours / of_bare);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio {:.2}, goal {GOAL}", ratios[PAIRS / 2]);
}

async fn ours() -> (SocketAddr, String, String, Vec<u8>) {
    let nowhere = Arc::new(Nowhere);
    let ports = Ports {
        store: Arc::new(MemoryStore::new()),
        networks: Networks::default().with(Platform::Bluesky, nowhere.clone()),
        after: After::default(),
        assistant: Arc::new(NoAssistant),
        sender: nowhere,
        mail: Arc::new(NoMail),
        files: Arc::new(MemoryFiles::new()),
        fetcher: Arc::new(NoMedia),
        examiner: Arc::new(NoMedia),
        clock: Arc::new(SystemClock::new()),
        ids: Arc::new(UuidV7),
        random: Arc::new(OsRandom),
        wake: Arc::new(Notifier::new()),
        tasks: Arc::new(SystemTasks::new()),
    };
    let scheduler = Scheduler::new(ports, Settings::default());
    let first = scheduler.first_start().await.unwrap().unwrap();
    let key = first.key.value.expose().to_owned();
    let input = ConnectInput::default();
    scheduler.connect_account(&first.workspace, Platform::Bluesky, &input).await.unwrap();
    let caller = scheduler.authenticate(Some(&key)).await.unwrap();
    let input = json!({
        "content": "A post of ordinary length, as people write them. ".repeat(4),
        "saveAsDraft": true,
        "targets": [{"platform": "bluesky"}],
    });
    let input = serde_json::from_value(input).unwrap();
    let post = scheduler.create_post(&caller, input, None).await.unwrap().value;
    let many = NonZeroU32::new(u32::MAX).unwrap();
    let rate_limit = RateLimit { per_minute: many, burst: many };
    let view_of = scheduler.clone();
    let health = Health::new(scheduler.ports().store.clone(), Arc::new(SystemClock::new()));
    let app = App {
        scheduler,
        settings: ServerSettings { rate_limit, ..ServerSettings::default() },
        worker: None,
        health,
        signed_files: None,
        connecting: ConnectPages::at("http://127.0.0.1:8080".parse().unwrap()),
        doctor: None,
        pages: &[],
    };
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap();
    let address = server.address();
    tokio::spawn(server.serve(std::future::pending()));
    let view = view_of.post_view(&post).await.unwrap();
    let body = serde_json::to_vec(&view).unwrap();
    (address, key, format!("/v1/posts/{}", post.id), body)
}

async fn bare(body: Vec<u8>) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let body = Bytes::from(body);
    let route = warp::any().map(move || warp::http::Response::new(body.clone()));
    tokio::spawn(warp::serve(route).incoming(listener).run());
    address
}

/// Requests a second over a run.
async fn rate(address: SocketAddr, path: &str, key: Option<&str>) -> f64 {
    let begin = Instant::now();
    let end = begin + RUN;
    let connections: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let mut request = Request::get(path).header("host", "localhost");
            if let Some(key) = key {
                request = request.header("authorization", format!("Bearer {key}"));
            }
            let request = request.body(Empty::<Bytes>::new()).unwrap();
            tokio::spawn(async move {
                let stream = TcpStream::connect(address).await.unwrap();
                stream.set_nodelay(true).unwrap();
                let (mut sender, connection) =
                    http1::handshake(TokioIo::new(stream)).await.unwrap();
                tokio::spawn(connection);
                let mut count = 0_u32;
                while Instant::now() < end {
                    let response = sender.send_request(request.clone()).await.unwrap();
                    assert_eq!(response.status(), 200);
                    response.into_body().collect().await.unwrap();
                    count += 1;
                }
                count
            })
        })
        .collect();
    let mut count = 0.0;
    for connection in connections {
        count += f64::from(connection.await.unwrap());
    }
    count / begin.elapsed().as_secs_f64()
}
