//! Sending events to their receivers.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use scheduler_core::ports::{EventSender, Request, Response, SendError};
use scheduler_core::webhook::ANSWER_KEPT_BYTES;

use super::client::{ClientError, Limits, build, reason, refusal};
use super::guard::{Guard, Refusal};

/// How long a receiver has to acknowledge, from the look-up of its name on.
///
/// Source: interface description, Events, "Acknowledgement".
const EXCHANGE_MAX: Duration = Duration::from_secs(10);

/// Sends events over HTTP.
#[derive(Clone, Debug)]
pub struct WebhookSender {
    client: Client,
    guard: Guard,
}

impl WebhookSender {
    /// A sender that calls only what `guard` lets through.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(guard: Guard) -> Result<Self, ClientError> {
        Self::within(guard, EXCHANGE_MAX)
    }

    fn within(guard: Guard, whole: Duration) -> Result<Self, ClientError> {
        let client = build(guard.clone(), Limits { connect: whole, whole })?;
        Ok(Self { client, guard })
    }
}

#[async_trait]
impl EventSender for WebhookSender {
    async fn send(&self, request: &Request) -> Result<Response, SendError> {
        let url = self.guard.parse(&request.url).map_err(refused)?;
        let mut call = self
            .client
            .post(url)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(request.body.clone());
        for (name, value) in &request.headers {
            call = call.header(*name, value);
        }
        let mut answer = call.send().await.map_err(|error| failed(&error))?;
        let status = answer.status().as_u16();
        let mut start = Vec::new();
        // The status has acknowledged or not; a body that breaks off changes nothing of that.
        while start.len() < ANSWER_KEPT_BYTES
            && let Ok(Some(chunk)) = answer.chunk().await
        {
            let wanted = chunk.len().min(ANSWER_KEPT_BYTES - start.len());
            start.extend_from_slice(&chunk[..wanted]);
        }
        Ok(Response { status, body_start: text_start(&start) })
    }

    fn check_address(&self, url: &str) -> Result<(), String> {
        self.guard.parse(url).map(|_| ()).map_err(|refusal| {
            format!("The address of a webhook must be https and public: {refusal}.")
        })
    }
}

/// The text at the start of an answer, at most [`ANSWER_KEPT_BYTES`] long.
fn text_start(bytes: &[u8]) -> String {
    // PostgreSQL keeps every character but NUL.
    let mut text = String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}");
    text.truncate(text.floor_char_boundary(ANSWER_KEPT_BYTES));
    text
}

fn refused(refusal: Refusal) -> SendError {
    SendError::Refused(refusal.to_string())
}

fn failed(error: &reqwest::Error) -> SendError {
    if let Some(refusal) = refusal(error) {
        refused(refusal.clone())
    } else if error.is_timeout() {
        SendError::Timeout
    } else {
        SendError::Connection(reason(error))
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Takes one connection, reads until the body of a request has come, writes `answer` and
    /// holds the connection when `holds`; returns what it read.
    async fn receiver(
        answer: Vec<u8>,
        holds: bool,
    ) -> (SocketAddr, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = Vec::new();
            while !read.ends_with(b"}") {
                assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "closed early");
            }
            stream.write_all(&answer).await.unwrap();
            if holds {
                std::future::pending::<()>().await;
            }
            String::from_utf8(read).unwrap()
        });
        (address, task)
    }

    fn request(url: String) -> Request {
        Request {
            url,
            headers: vec![("x-service-id", "evt".to_owned())],
            body: r#"{"a":"é"}"#.to_owned(),
        }
    }

    fn sender() -> WebhookSender {
        WebhookSender::new(Guard::new(true)).unwrap()
    }

    #[tokio::test]
    async fn the_body_arrives_byte_for_byte_with_its_headers() {
        let (address, task) = receiver(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(), false).await;
        let answer = sender().send(&request(format!("http://{address}/hook?x=1"))).await;
        assert_eq!(answer, Ok(Response { status: 204, body_start: String::new() }));
        let read = task.await.unwrap();
        assert!(read.starts_with("POST /hook?x=1 HTTP/1.1\r\n"), "{read}");
        assert!(read.contains("content-type: application/json\r\n"), "{read}");
        assert!(read.contains("x-service-id: evt\r\n"), "{read}");
        assert!(read.contains(concat!("user-agent: scheduler/", env!("CARGO_PKG_VERSION"))));
        assert!(read.ends_with("\r\n\r\n{\"a\":\"é\"}"), "{read}");
    }

    #[tokio::test]
    async fn only_the_beginning_of_an_answer_is_read() {
        let mut endless = b"HTTP/1.1 500 No\r\ncontent-length: 9999999\r\n\r\n".to_vec();
        endless.extend(std::iter::repeat_n(b'a', 5_000));
        let (address, task) = receiver(endless, true).await;
        let answer = sender().send(&request(format!("http://{address}/"))).await.unwrap();
        assert_eq!((answer.status, answer.body_start.len()), (500, ANSWER_KEPT_BYTES));
        task.abort();
    }

    #[test]
    fn what_is_kept_of_an_answer_is_text_within_the_limit() {
        for (name, bytes, want) in [
            ("text", b"ok".to_vec(), "ok".to_owned()),
            ("not text", b"\xff".to_vec(), "\u{fffd}".to_owned()),
            ("cut character", [vec![b'a'; 1_023], vec![0xc3]].concat(), "a".repeat(1_023)),
        ] {
            assert_eq!(text_start(&bytes), want, "{name}");
        }
    }

    #[tokio::test]
    async fn redirects_are_an_answer() {
        let moved =
            b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
        let (address, _task) = receiver(moved.to_vec(), false).await;
        let answer = sender().send(&request(format!("http://{address}/"))).await.unwrap();
        assert_eq!(answer.status, 302);
    }

    #[tokio::test]
    async fn a_receiver_that_says_nothing_runs_into_the_time_limit() {
        let (address, task) = receiver(Vec::new(), true).await;
        let sender = WebhookSender::within(Guard::new(true), Duration::from_millis(100)).unwrap();
        let answer = sender.send(&request(format!("http://{address}/"))).await;
        assert_eq!(answer, Err(SendError::Timeout));
        task.abort();
    }

    #[tokio::test]
    async fn a_status_counts_even_when_its_body_never_ends() {
        let stuck = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab".to_vec();
        let (address, task) = receiver(stuck, true).await;
        let sender = WebhookSender::within(Guard::new(true), Duration::from_millis(300)).unwrap();
        let answer = sender.send(&request(format!("http://{address}/"))).await;
        assert_eq!(answer, Ok(Response { status: 200, body_start: "ab".to_owned() }));
        task.abort();
    }

    #[tokio::test]
    async fn a_closed_port_is_a_failed_connection_and_tells_no_address() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let answer = sender().send(&request(format!("http://{address}/secret"))).await;
        let Err(SendError::Connection(message)) = answer else { panic!("{answer:?}") };
        assert!(!message.contains("secret"), "{message}");
    }

    #[tokio::test]
    async fn what_is_not_public_is_refused_before_or_while_connecting() {
        let sender = WebhookSender::new(Guard::new(false)).unwrap();
        for form in &super::super::refused::REFUSED {
            let answer = sender.send(&request(form.url.to_owned())).await;
            assert!(matches!(answer, Err(SendError::Refused(_))), "{}: {answer:?}", form.name);
            assert!(sender.check_address(form.url).is_err(), "{}", form.name);
        }
        for (name, url, want) in [
            ("http", "http://example.com/", "it must begin with https://"),
            ("literal", "https://10.0.0.1/", "10.0.0.1 is not a public host"),
            ("name", "https://localhost/", "localhost is not a public host"),
        ] {
            let answer = sender.send(&request(url.to_owned())).await;
            assert_eq!(answer, Err(SendError::Refused(want.to_owned())), "{name}");
            let said = sender.check_address(url).unwrap_err();
            assert!(said.contains(want), "{name}: {said}");
        }
        assert_eq!(sender.check_address("https://example.com/hook"), Ok(()));
    }

    #[tokio::test]
    async fn the_refusal_of_the_resolver_reaches_the_caller() {
        let client =
            build(Guard::new(false), Limits { connect: EXCHANGE_MAX, whole: EXCHANGE_MAX })
                .unwrap();
        // Past the check of the URL, as a name is that leads inside.
        let error = client.get("https://localhost:1/").send().await.unwrap_err();
        assert_eq!(
            failed(&error),
            SendError::Refused("localhost leads to an address that is not public".to_owned())
        );
    }
}
