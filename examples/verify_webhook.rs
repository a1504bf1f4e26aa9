//! Receives the events of a scheduler on 127.0.0.1 and verifies them: the signature over the raw
//! bytes, its time, and that the event was not handled before.
//!
//! ```text
//! SCHEDULER_WEBHOOK_SECRET=whsec_… cargo run --example verify_webhook -- 9000
//! cargo run --example verify_webhook          # sends itself three deliveries
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use scheduler_core::ids::EventId;
use scheduler_core::signing::{SIGNATURE_V2_HEADER, sign_v2};
use scheduler_core::webhook::{Payload, Received, receive};
use warp::Filter;
use warp::http::{HeaderMap, StatusCode};
use warp::hyper::body::Bytes;

const BODY_BYTES_MAX: u64 = 1 << 20;
const IDS_KEPT: usize = 100_000;

/// Whom to trust, and what was handled so far. Ids of events begin with their time, so the least
/// is the oldest. A receiver of several processes keeps them in its database.
struct Receiver {
    /// Several while a secret is changed.
    secrets: Vec<String>,
    handled: Mutex<BTreeSet<EventId>>,
}

impl Receiver {
    /// Decides the answer to one delivery.
    fn receive(&self, headers: &HeaderMap, body: &[u8]) -> StatusCode {
        let signature = headers.get(SIGNATURE_V2_HEADER).and_then(|value| value.to_str().ok());
        // Over the raw bytes: reading and writing the JSON again would change what was signed.
        let event = match receive(&self.secrets, signature.unwrap_or_default(), body, now()) {
            Ok(event) => event,
            Err(error) => {
                println!("refused {error}");
                return StatusCode::BAD_REQUEST;
            }
        };
        let mut handled = self.handled.lock().unwrap_or_else(PoisonError::into_inner);
        if handled.contains(&event.id) {
            println!("repeat {}", event.id);
            return StatusCode::NO_CONTENT;
        }
        handle(&event);
        handled.insert(event.id);
        if handled.len() > IDS_KEPT {
            handled.pop_first();
        }
        StatusCode::NO_CONTENT
    }
}

/// Does what the event is for. Put your own work here.
fn handle(event: &Received) {
    match &event.payload {
        Payload::Published(data) => {
            let url = data.remote_url.as_deref().unwrap_or_default();
            println!("verified post.published {} {} {url}", event.id, data.platform);
        }
        Payload::Failed(data) => {
            println!("verified post.failed {} {} {}", event.id, data.platform, data.error);
        }
        // A newer server may send more; what this program does not know is taken and left.
        other => println!("verified {} {other:?}", event.id),
    }
}

#[expect(clippy::disallowed_methods, reason = "a program of its own reads its own clock")]
fn now() -> DateTime<Utc> {
    std::time::SystemTime::now().into()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = std::env::args().nth(1).map(|text| text.parse::<u16>()).transpose()?;
    let secret = match port {
        Some(_) => std::env::var("SCHEDULER_WEBHOOK_SECRET")
            .map_err(|_| "set SCHEDULER_WEBHOOK_SECRET to the secret of the webhook")?,
        None => "whsec_example".to_owned(),
    };
    let receiver = Arc::new(Receiver { secrets: vec![secret.clone()], handled: Mutex::default() });
    let route = warp::post()
        .and(warp::header::headers_cloned())
        .and(warp::body::content_length_limit(BODY_BYTES_MAX))
        .and(warp::body::bytes())
        .and_then(move |headers: HeaderMap, body: Bytes| {
            let status = receiver.receive(&headers, &body);
            async move { Ok::<_, Infallible>(status) }
        })
        .recover(|_: warp::Rejection| {
            println!("refused the request holds no event");
            async { Ok::<_, Infallible>(StatusCode::BAD_REQUEST) }
        });
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
    let listener = tokio::net::TcpListener::bind(listen).await?;
    let address = listener.local_addr()?;
    println!("Receiving on http://{address}");
    let server = warp::serve(route).incoming(listener).run();
    if port.is_some() {
        server.await;
        return Ok(());
    }
    tokio::spawn(server);
    send_itself_three(address, &secret).await
}

/// A good delivery, the same again, and one that somebody changed on the way.
async fn send_itself_three(address: SocketAddr, secret: &str) -> Result<(), Box<dyn Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build()?;
    let body = r#"{"id":"019d3608-3200-7000-8000-000000000001","event":"post.published","createdAt":"2026-11-21T12:00:00Z","data":{"postId":"019d3608-3200-7000-8000-000000000002","targetId":"019d3608-3200-7000-8000-000000000003","platform":"bluesky","remoteId":"1","remoteUrl":"https://bsky.example/1"}}"#;
    let signature = sign_v2(secret, now(), body.as_bytes());
    for (body, want) in [
        (body.to_owned(), StatusCode::NO_CONTENT),
        (body.to_owned(), StatusCode::NO_CONTENT),
        (body.replace("bluesky", "mastodon"), StatusCode::BAD_REQUEST),
    ] {
        let request = client.post(format!("http://{address}/"));
        let answer = request.header(SIGNATURE_V2_HEADER, &signature).body(body).send().await?;
        if answer.status() != want {
            return Err(format!("answered {}, expected {want}", answer.status()).into());
        }
    }
    Ok(())
}
