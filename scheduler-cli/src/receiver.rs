//! Receives events and verifies them.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use scheduler_core::ids::EventId;
use scheduler_core::ports::Clock;
use scheduler_core::signing::{EVENT_HEADER, ID_HEADER, SIGNATURE_V2_HEADER, verify_v2};
use scheduler_core::webhook::Envelope;
use scheduler_worker::SystemClock;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use warp::Filter as _;
use warp::http::{HeaderMap, StatusCode};

/// Bytes of a delivery that are read.
const BODY_MAX_BYTES: u64 = 1 << 20;
/// Deliveries that wait to be looked at, at most.
const WAITING: usize = 256;

/// A delivery that has arrived.
#[derive(Debug)]
pub(crate) enum Received {
    /// It is signed as it should be.
    Event {
        /// What it says.
        envelope: Envelope,
        /// True when it was received before.
        repeat: bool,
    },
    /// It is not to be trusted.
    Refused {
        /// What is wrong with it.
        reason: String,
    },
}

/// Listens for events. It ends when it is stopped or dropped.
pub(crate) struct Receiver {
    address: SocketAddr,
    secrets: Arc<Mutex<Vec<SecretString>>>,
    received: mpsc::Receiver<Received>,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

/// What every delivery is judged by.
struct Verifier {
    secrets: Arc<Mutex<Vec<SecretString>>>,
    handled: Mutex<BTreeSet<EventId>>,
    clock: SystemClock,
}

impl Receiver {
    /// Listens on an address; port 0 takes a free one.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub(crate) async fn bind(listen: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(listen).await?;
        let address = listener.local_addr()?;
        let secrets = Arc::new(Mutex::new(Vec::new()));
        let judge = Arc::new(Verifier {
            secrets: Arc::clone(&secrets),
            handled: Mutex::default(),
            clock: SystemClock::new(),
        });
        let (sender, received) = mpsc::channel(WAITING);
        let route = warp::post()
            .and(warp::body::content_length_limit(BODY_MAX_BYTES))
            .and(warp::header::headers_cloned())
            .and(warp::body::bytes())
            .then(move |headers: HeaderMap, body: warp::hyper::body::Bytes| {
                let (judge, sender) = (Arc::clone(&judge), sender.clone());
                async move {
                    let received = judge.judge(&headers, &body);
                    let status = match &received {
                        Received::Event { .. } => StatusCode::NO_CONTENT,
                        Received::Refused { .. } => StatusCode::UNAUTHORIZED,
                    };
                    // Whoever listened has stopped: what was not seen is not acknowledged.
                    match sender.send(received).await {
                        Ok(()) => status,
                        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
                    }
                }
            });
        let (stop, stopped) = oneshot::channel();
        let server = warp::serve(route).incoming(listener).graceful(async {
            let _ = stopped.await;
        });
        let serving = tokio::spawn(server.run());
        Ok(Self { address, secrets, received, stop: Some(stop), serving })
    }

    /// Where it listens.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes events that are signed with this secret from now on.
    pub(crate) fn trust(&self, secret: SecretString) {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).push(secret);
    }

    /// Waits for the next delivery; `None` when the receiver has ended.
    pub(crate) async fn next(&mut self) -> Option<Received> {
        self.received.recv().await
    }

    /// Takes no more deliveries, and ends.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        self.received.close();
        let _ = (&mut self.serving).await;
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Verifier {
    fn judge(&self, headers: &HeaderMap, body: &[u8]) -> Received {
        match self.read(headers, body) {
            Ok(envelope) => {
                let mut handled = self.handled.lock().unwrap_or_else(PoisonError::into_inner);
                let repeat = !handled.insert(envelope.id);
                Received::Event { envelope, repeat }
            }
            Err(reason) => Received::Refused { reason },
        }
    }

    fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Envelope, String> {
        let header = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.ok_or_else(|| format!("the header {name} is missing"))
        };
        let signature = header(SIGNATURE_V2_HEADER)?;
        let now = self.clock.now();
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut verdict = Err("no secret is known".to_owned());
        for secret in secrets.iter() {
            verdict = verify_v2(secret.expose_secret(), signature, body, now)
                .map_err(|error| error.to_string());
            if verdict.is_ok() {
                break;
            }
        }
        verdict?;
        let envelope: Envelope = serde_json::from_slice(body)
            .map_err(|error| format!("the body is no event: {error}"))?;
        if header(ID_HEADER)? != envelope.id.to_string() {
            return Err(format!("{ID_HEADER} is not the id of the event"));
        }
        if header(EVENT_HEADER)? != envelope.event.as_str() {
            return Err(format!("{EVENT_HEADER} is not the kind of the event"));
        }
        Ok(envelope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scheduler_core::signing::sign_v2;
    use std::net::Ipv4Addr;

    const BODY: &str = r#"{"id":"00000000-0000-0000-0000-000000000009","event":"post.published","createdAt":"2026-11-21T12:00:00Z","data":{}}"#;

    #[tokio::test]
    async fn what_is_signed_is_taken_and_nothing_else() {
        let mut receiver = Receiver::bind((Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
        receiver.trust(SecretString::from("whsec_other".to_owned()));
        receiver.trust(SecretString::from("whsec_a".to_owned()));
        let url = format!("http://{}/any/path", receiver.address());
        let http =
            crate::client::build(std::time::Duration::from_secs(5), crate::client::Route::Direct)
                .unwrap();
        let now = SystemClock::new().now();
        let id = "00000000-0000-0000-0000-000000000009";
        for (name, secret, at, id, body, want) in [
            ("as it should be", "whsec_a", now, id, BODY, Ok(false)),
            ("again", "whsec_a", now, id, BODY, Ok(true)),
            ("another secret", "whsec_b", now, id, BODY, Err("the signature does not match")),
            (
                "too old",
                "whsec_a",
                now - chrono::TimeDelta::minutes(6),
                id,
                BODY,
                Err("the signature's time is more than five minutes from now"),
            ),
            (
                "another id",
                "whsec_a",
                now,
                "x",
                BODY,
                Err("x-service-id is not the id of the event"),
            ),
            (
                "no event",
                "whsec_a",
                now,
                id,
                "{}",
                Err("the body is no event: missing field `id` at line 1 column 2"),
            ),
        ] {
            let answer = http
                .post(&url)
                .header(SIGNATURE_V2_HEADER, sign_v2(secret, at, body.as_bytes()))
                .header(ID_HEADER, id)
                .header(EVENT_HEADER, "post.published")
                .body(body)
                .send()
                .await
                .unwrap();
            assert_eq!(answer.status().is_success(), want.is_ok(), "{name}");
            let got = match receiver.next().await.unwrap() {
                Received::Event { repeat, .. } => Ok(repeat),
                Received::Refused { reason } => Err(reason),
            };
            assert_eq!(got, want.map_err(str::to_owned), "{name}");
        }
        receiver.stop().await;
    }
}
