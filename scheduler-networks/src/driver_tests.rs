//! The driver against sockets on loopback that answer, break off or stay silent.

use scheduler_core::target::FailureCode;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

use super::*;
use crate::testing::no_files;

/// Answers each connection in turn after one request has come, and then closes it, unless the
/// answer is `None`: then it stays open and silent.
pub(super) async fn server(answers: Vec<Option<Vec<u8>>>) -> (Url, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/path", listener.local_addr().unwrap())).unwrap();
    let task = tokio::spawn(async move {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = Vec::new();
            while !is_whole(&read) {
                assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "closed early");
            }
            requests.push(String::from_utf8(read).unwrap());
            let Some(answer) = answer else { return std::future::pending().await };
            // The client stops reading an answer that is too long.
            let _ = stream.write_all(&answer).await;
        }
        requests
    });
    (url, task)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

pub(super) fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn driver() -> Driver {
    let limits = Limits { connect: Duration::from_secs(5), whole: Duration::from_millis(300) };
    Driver::within(Guard::new(true), no_files(), limits).unwrap()
}

fn slow_driver() -> Driver {
    Driver::new(Guard::new(true), no_files()).unwrap()
}

#[tokio::test]
async fn a_request_arrives_as_it_was_made() {
    let ok = || Some(answer("200 OK", "x-a: b\r\ncontent-length: 2\r\n", b"{}"));
    let (url, task) = server(vec![ok(), ok(), ok()]).await;
    let json = Request::act(url.clone(), Body::Json(json!({ "b": 1, "a": "é" })))
        .bearer("token")
        .header("idempotency-key", "k:1".to_owned());
    let form = Request::act(url.clone(), Body::Form(vec![("a", "b c".to_owned())]));
    let read = Request::read(url);
    for request in [json, form, read] {
        let answer = slow_driver().send(&request).await.unwrap();
        assert_eq!((answer.status, answer.header("x-a")), (200, Some("b")));
        assert_eq!(answer.body, b"{}");
    }
    let requests = task.await.unwrap();
    let [json, form, read] = requests.as_slice() else { panic!("{requests:?}") };
    for line in [
        "POST /path HTTP/1.1\r\n",
        "authorization: Bearer token\r\n",
        "idempotency-key: k:1\r\n",
        "content-type: application/json\r\n",
        concat!("user-agent: scheduler/", env!("CARGO_PKG_VERSION"), "\r\n"),
        "\r\n\r\n{\"a\":\"é\",\"b\":1}",
    ] {
        assert!(json.contains(line), "{line}: {json}");
    }
    assert!(form.contains("content-type: application/x-www-form-urlencoded\r\n"), "{form}");
    assert!(form.ends_with("\r\n\r\na=b+c"), "{form}");
    assert!(read.starts_with("GET /path HTTP/1.1\r\n"), "{read}");
}

#[tokio::test]
async fn what_a_failure_means_depends_on_whether_the_request_left_and_can_be_seen() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = Url::parse(&format!("http://{}/", closed.local_addr().unwrap())).unwrap();
    drop(closed);
    let unknown = Url::parse("http://no-such-name.invalid/").unwrap();
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec();
    let long = answer("200 OK", "", &vec![b'a'; ANSWER_MAX_BYTES + 1]);
    for (name, script, url, hidden, visible) in [
        ("refused", None, Some(refused), NetworkErrorKind::Temporary, NetworkErrorKind::Temporary),
        ("no name", None, Some(unknown), NetworkErrorKind::Temporary, NetworkErrorKind::Temporary),
        (
            "closed before an answer",
            Some(Some(Vec::new())),
            None,
            NetworkErrorKind::Temporary,
            NetworkErrorKind::InDoubt,
        ),
        (
            "closed in the middle of an answer",
            Some(Some(half)),
            None,
            NetworkErrorKind::Temporary,
            NetworkErrorKind::InDoubt,
        ),
        ("silent", Some(None), None, NetworkErrorKind::Temporary, NetworkErrorKind::InDoubt),
        (
            "an answer without an end",
            Some(Some(long)),
            None,
            NetworkErrorKind::Temporary,
            NetworkErrorKind::InDoubt,
        ),
    ] {
        for (is_visible, want) in [(false, hidden), (true, visible)] {
            let mut held = None;
            let url = match (&url, &script) {
                (Some(url), _) => url.clone(),
                (None, script) => {
                    let (url, task) = server(vec![script.clone().unwrap()]).await;
                    held = Some(task);
                    url
                }
            };
            let request = Request { is_visible, ..Request::act(url, Body::Empty) };
            let error = driver().send(&request).await.unwrap_err();
            assert_eq!(error.kind, want, "{name}, visible {is_visible}: {error}");
            assert!(!error.message.contains("path"), "{name}: {error}");
            if let Some(task) = held {
                task.abort();
            }
        }
    }
}

#[tokio::test]
async fn an_answer_of_exactly_the_limit_is_read() {
    let (url, _task) =
        server(vec![Some(answer("200 OK", "", &vec![b'a'; ANSWER_MAX_BYTES]))]).await;
    let answer = slow_driver().send(&Request::read(url)).await.unwrap();
    assert_eq!(answer.body.len(), ANSWER_MAX_BYTES);
}

#[tokio::test]
async fn redirects_and_errors_are_answers() {
    for status in ["301 Moved", "404 Not Found", "500 Oops"] {
        let headers = "location: http://127.0.0.1:1/\r\ncontent-length: 0\r\n";
        let (url, _task) = server(vec![Some(answer(status, headers, b""))]).await;
        let answer = slow_driver().send(&Request::act(url, Body::Empty).visible()).await.unwrap();
        assert_eq!(answer.status.to_string(), status[..3]);
    }
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_for_good() {
    let guarded = Driver::new(Guard::new(false), no_files()).unwrap();
    let private = Request::read(Url::parse("https://10.0.0.1/x").unwrap()).visible();
    let error = guarded.send(&private).await.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert_eq!(error.code, FailureCode::NetworkRefused);
    assert_eq!(error.message, "The call to 10.0.0.1 was not made: 10.0.0.1 is not a public host.");

    let public = Request::read(Url::parse("https://example.com/").unwrap());
    let error = guarded.send(&public.bearer("two\nlines")).await.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert!(!error.message.contains("two"), "{error}");
}

#[tokio::test]
async fn a_conversation_goes_on_until_its_last_turn_and_not_for_ever() {
    let ok = || Some(answer("200 OK", "content-length: 0\r\n", b""));
    let (url, _task) = server(vec![ok(), ok()]).await;
    let asked = slow_driver()
        .hold(|answers| {
            Ok(match answers.len() {
                2 => Turn::Done(answers.len()),
                _ => Turn::Send(Request::read(url.clone())),
            })
        })
        .await;
    assert_eq!(asked, Ok(2));

    let (url, task) = server(std::iter::repeat_with(ok).take(REQUESTS_MAX + 1).collect()).await;
    let asked: Result<(), _> =
        slow_driver().hold(|_| Ok(Turn::Send(Request::read(url.clone())))).await;
    assert_eq!(asked.unwrap_err().kind, NetworkErrorKind::Temporary);
    task.abort();
}
