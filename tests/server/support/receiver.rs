//! A receiver of events on loopback.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use scheduler_core::signing::{SIGNATURE_HEADER, SIGNATURE_V2_HEADER, verify, verify_v2};
use serde_json::Value;
use warp::Filter;
use warp::http::{HeaderMap, StatusCode};
use warp::hyper::body::Bytes;

use super::wait_for;

/// One delivery, as it arrived.
#[derive(Clone)]
pub(crate) struct Delivery {
    headers: HeaderMap,
    body: Bytes,
}

#[derive(Clone)]
pub(crate) struct Receiver {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Delivery>>>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        let route = warp::post()
            .and(warp::header::headers_cloned())
            .and(warp::body::bytes())
            .and_then(move |headers: HeaderMap, body: Bytes| {
                kept.lock().unwrap().push(Delivery { headers, body });
                async { Ok::<_, Infallible>(StatusCode::NO_CONTENT) }
            });
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(warp::serve(route).incoming(listener).run());
        Self { address, received }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    /// Every event so far.
    pub(crate) fn events(&self) -> Vec<Value> {
        let received = self.received.lock().unwrap();
        received.iter().map(|one| serde_json::from_slice(&one.body).unwrap()).collect()
    }

    /// Waits for so many events.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Value> {
        wait_for("events", async || {
            let events = self.events();
            (events.len() >= count).then_some(events)
        })
        .await
    }

    /// Verifies both signatures of every delivery over its raw bytes.
    pub(crate) fn verify(&self, secret: &str) {
        for delivery in self.received.lock().unwrap().iter() {
            let header = |name: &str| delivery.headers[name].to_str().unwrap().to_owned();
            let seconds: i64 = header("x-service-timestamp").parse().unwrap();
            let sent_at = DateTime::<Utc>::from_timestamp(seconds, 0).unwrap();
            verify_v2(secret, &header(SIGNATURE_V2_HEADER), &delivery.body, sent_at).unwrap();
            verify(secret, &header(SIGNATURE_HEADER), &delivery.body).unwrap();
            let event: Value = serde_json::from_slice(&delivery.body).unwrap();
            assert_eq!(event["id"], header("x-service-id"));
            assert_eq!(event["event"], header("x-service-event"));
        }
    }
}
