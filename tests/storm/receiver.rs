//! A receiver of events, which can be made to fail.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::Value;
use warp::Filter as _;
use warp::http::StatusCode;
use warp::hyper::body::Bytes;

#[derive(Default)]
struct Received {
    fails: AtomicBool,
    deliveries: AtomicU64,
    /// The ids of the events of each target, with the kind of the event.
    events: Mutex<BTreeMap<String, BTreeSet<(String, String)>>>,
}

#[derive(Clone)]
pub(crate) struct Receiver {
    address: SocketAddr,
    received: Arc<Received>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let received = Arc::new(Received::default());
        let kept = Arc::clone(&received);
        let route = warp::post().and(warp::body::bytes()).and_then(move |body: Bytes| {
            let status = take(&kept, &body);
            async move { Ok::<_, Infallible>(status) }
        });
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(warp::serve(route).incoming(listener).run());
        Self { address, received }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    /// Makes it answer 500 from now on, or not any more.
    pub(crate) fn fail(&self, fails: bool) {
        self.received.fails.store(fails, Ordering::SeqCst);
    }

    /// How many deliveries it took.
    pub(crate) fn deliveries(&self) -> u64 {
        self.received.deliveries.load(Ordering::SeqCst)
    }

    /// The events of each target: their ids and kinds, each once however often it came.
    pub(crate) fn events(&self) -> BTreeMap<String, BTreeSet<(String, String)>> {
        self.received.events.lock().unwrap().clone()
    }
}

fn take(received: &Received, body: &Bytes) -> StatusCode {
    if received.fails.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let event: Value = serde_json::from_slice(body).expect("an event is JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let entry = (text(&event["id"]), text(&event["event"]));
    let target = text(&event["data"]["targetId"]);
    received.events.lock().unwrap().entry(target).or_default().insert(entry);
    received.deliveries.fetch_add(1, Ordering::SeqCst);
    StatusCode::NO_CONTENT
}
