//! What an observer is told of requests, and what a meter lets through.

use std::sync::Mutex;

use scheduler_core::platform::Platform;
use scheduler_core::ports::Meter;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use super::*;
use crate::testing::no_files;

#[derive(Debug, Default)]
struct Noted(Mutex<Vec<NetworkCall>>);

impl Observer for Noted {
    fn called_network(&self, call: &NetworkCall) {
        self.0.lock().unwrap().push(*call);
    }
}

/// Answers one request with this, and closes the connection.
async fn server(answer: &'static str) -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 4_096]).await.unwrap();
        let _ = stream.write_all(answer.as_bytes()).await;
    });
    url
}

#[tokio::test]
async fn an_observer_is_told_what_became_of_every_request() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = Url::parse(&format!("http://{}/", closed.local_addr().unwrap())).unwrap();
    drop(closed);
    let private = Url::parse("ftp://example.com/").unwrap();
    for (name, url, want) in [
        (
            "fine",
            server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await,
            CallClass::Succeeded,
        ),
        (
            "elsewhere",
            server("HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n").await,
            CallClass::Redirected,
        ),
        (
            "refused",
            server("HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n").await,
            CallClass::Refused,
        ),
        (
            "too often",
            server("HTTP/1.1 429 Slow\r\ncontent-length: 0\r\n\r\n").await,
            CallClass::RateLimited,
        ),
        ("broken", server("HTTP/1.1 503 Oh\r\ncontent-length: 0\r\n\r\n").await, CallClass::Failed),
        ("no answer", server("").await, CallClass::Lost),
        (
            "half an answer",
            server("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx").await,
            CallClass::Lost,
        ),
        ("nobody there", refused, CallClass::Unreachable),
        ("no address of ours", private, CallClass::NotMade),
    ] {
        let noted = Arc::new(Noted::default());
        let driver = Driver::new(Guard::new(true), no_files()).unwrap().observed_by(noted.clone());
        let request = || Ok(Turn::Send(Request::read(url.clone())));
        let last =
            |answers: &[Answer]| if answers.is_empty() { request() } else { Ok(Turn::Done(())) };
        let purpose = Purpose { platform: Platform::Mastodon, operation: "figures" };
        let _ = driver.hold_for(Some(purpose), None, None, last).await;
        let calls = noted.0.lock().unwrap().clone();
        let found: Vec<_> =
            calls.iter().map(|call| (call.platform, call.operation, call.class)).collect();
        assert_eq!(found, [(Platform::Mastodon, "figures", want)], "{name}");
    }
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_any_more_is_lost() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", silent.local_addr().unwrap())).unwrap();
    let noted = Arc::new(Noted::default());
    let driver = Driver::new(Guard::new(true), no_files()).unwrap().observed_by(noted.clone());
    let purpose = Purpose { platform: Platform::Mastodon, operation: "figures" };
    let next = |_: &[Answer]| Ok(Turn::<()>::Send(Request::read(url.clone())));
    let held = driver.hold_for(Some(purpose), None, None, next);
    assert!(tokio::time::timeout(Duration::from_millis(1), held).await.is_err());
    let classes: Vec<_> = noted.0.lock().unwrap().iter().map(|call| call.class).collect();
    assert_eq!(classes, [CallClass::Lost]);
}

/// Lets so many requests through.
#[derive(Default)]
struct Counting(Mutex<usize>);

const LET_THROUGH: usize = 3;

#[async_trait::async_trait]
impl Meter for Counting {
    async fn before(&self) -> Result<(), NetworkError> {
        let mut asked = self.0.lock().unwrap();
        *asked += 1;
        if *asked > LET_THROUGH {
            return Err(NetworkError::new(NetworkErrorKind::Permanent, "No more."));
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_meter_is_asked_before_each_request_and_ends_what_it_refuses() {
    let noted = Arc::new(Noted::default());
    let driver = Driver::new(Guard::new(true), no_files()).unwrap().observed_by(noted.clone());
    let mut urls = Vec::new();
    for _ in 0..=LET_THROUGH {
        urls.push(server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await);
    }
    let counting = Arc::new(Counting::default());
    let purpose = Purpose { platform: Platform::Mastodon, operation: "comments" };
    let next = |answers: &[Answer]| {
        let request = urls.get(answers.len()).map(|url| Request::read(url.clone()));
        Ok(request.map_or(Turn::Done(()), Turn::Send))
    };
    let meter = Metered(counting.clone());
    let held = driver.hold_for(Some(purpose), None, Some(&meter), next).await;
    assert_eq!(held.unwrap_err().message, "No more.");
    assert_eq!(noted.0.lock().unwrap().len(), LET_THROUGH);
    assert_eq!(*counting.0.lock().unwrap(), LET_THROUGH + 1);
}
