//! The receiver's side of a webhook: verifies the signature over the raw bytes, refuses what is
//! old, and ignores an event that it has handled before.
//!
//! ```text
//! cargo run --example verify_webhook                               # sends itself three deliveries
//! cargo run --example verify_webhook -- 127.0.0.1:9000 whsec_…     # receives real ones
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::HashSet;
use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use scheduler_core::signing::{SIGNATURE_V2_HEADER, sign_v2, verify_v2};
use scheduler_core::webhook::Envelope;
use warp::Filter;
use warp::http::StatusCode;
use warp::hyper::body::Bytes;

/// Events handled so far. A real receiver keeps them as long as deliveries may be repeated: a day
/// is plenty.
#[derive(Clone, Default)]
struct Handled(Arc<Mutex<HashSet<String>>>);

#[expect(clippy::disallowed_methods, reason = "a program of its own reads its own clock")]
fn now() -> DateTime<Utc> {
    std::time::SystemTime::now().into()
}

/// Decides the answer to one delivery.
fn receive(secret: &str, handled: &Handled, signature: &str, body: &[u8]) -> StatusCode {
    if let Err(error) = verify_v2(secret, signature, body, now()) {
        println!("refused: {error}");
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(envelope) = serde_json::from_slice::<Envelope>(body) else {
        return StatusCode::BAD_REQUEST;
    };
    let is_new = handled.0.lock().is_ok_and(|mut handled| handled.insert(envelope.id.to_string()));
    if is_new {
        println!("{}: {}", envelope.event.as_str(), envelope.data);
    } else {
        println!("{} again: nothing to do", envelope.id);
    }
    StatusCode::NO_CONTENT
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let listen: Option<SocketAddr> = arguments.next().map(|text| text.parse()).transpose()?;
    let secret = arguments.next().unwrap_or_else(|| "whsec_example".to_owned());

    let handled = Handled::default();
    let key = secret.clone();
    let route = warp::post()
        .and(warp::header::<String>(SIGNATURE_V2_HEADER))
        // The raw bytes: reading and writing the JSON again would change what was signed.
        .and(warp::body::bytes())
        .and_then(move |signature: String, body: Bytes| {
            let status = receive(&key, &handled, &signature, &body);
            async move { Ok::<_, Infallible>(status) }
        });
    let listener =
        tokio::net::TcpListener::bind(listen.unwrap_or(([127, 0, 0, 1], 0).into())).await?;
    let address = listener.local_addr()?;
    println!("Receiving on http://{address}");
    let server = warp::serve(route).incoming(listener).run();
    if listen.is_some() {
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
    let body = r#"{"id":"019d3608-3200-7000-8000-000000000001","event":"post.published","createdAt":"2026-11-21T12:00:00Z","data":{"platform":"bluesky"}}"#;
    let signature = sign_v2(secret, now(), body.as_bytes());
    for (body, want) in [
        (body.to_owned(), StatusCode::NO_CONTENT),
        (body.to_owned(), StatusCode::NO_CONTENT),
        (body.replace("bluesky", "mastodon"), StatusCode::UNAUTHORIZED),
    ] {
        let request = client.post(format!("http://{address}/"));
        let answer = request.header(SIGNATURE_V2_HEADER, &signature).body(body).send().await?;
        if answer.status() != want {
            return Err(format!("answered {}, expected {want}", answer.status()).into());
        }
    }
    Ok(())
}
