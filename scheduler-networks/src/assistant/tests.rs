use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::*;

const KEY: &str = "sk-very-secret";

/// Takes one connection, reads until the body of a request has come, writes `answer` and holds the
/// connection when `holds`; returns what it read.
async fn model(answer: Vec<u8>, holds: bool) -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = Vec::new();
        let is_whole = |read: &[u8]| {
            let is_get = read.starts_with(b"GET");
            if is_get { read.ends_with(b"\r\n\r\n") } else { read.ends_with(b"}") }
        };
        while !is_whole(&read) {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "closed early");
        }
        // The client may have gone before all of a long answer is written.
        let _ = stream.write_all(&answer).await;
        if holds {
            std::future::pending::<()>().await;
        }
        String::from_utf8(read).unwrap()
    });
    (address, task)
}

fn assistant(address: SocketAddr, time_limit: Duration) -> ChatAssistant {
    ChatAssistant::new(AssistantSettings {
        url: format!("http://{address}/base/v1/").parse().unwrap(),
        key: Some(KEY.to_owned().into()),
        model: "m".to_owned(),
        time_limit,
    })
    .unwrap()
}

fn prompt() -> Prompt {
    Prompt { instructions: "Do.".to_owned(), input: "{\"content\":\"hush\"}".into(), json: true }
}

fn answer(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{body}").into()
}

const HI: &str = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;

#[tokio::test]
async fn a_call_as_the_model_gets_it() {
    let (address, task) = model(answer("200 OK", HI), false).await;
    assert_eq!(assistant(address, TIME_LIMIT).answer(&prompt()).await.as_deref(), Ok("Hi"));
    let read = task.await.unwrap();
    assert!(read.starts_with("POST /base/v1/chat/completions HTTP/1.1\r\n"), "{read}");
    assert!(read.contains(&format!("authorization: Bearer {KEY}\r\n")), "{read}");
    assert!(read.contains("content-type: application/json\r\n"), "{read}");
    assert!(read.contains(r#""model":"m""#), "{read}");
}

#[tokio::test]
async fn a_model_without_a_key_gets_none() {
    let (address, task) = model(answer("200 OK", HI), false).await;
    let mut assistant = assistant(address, TIME_LIMIT);
    assistant.key = None;
    assert_eq!(assistant.answer(&prompt()).await.as_deref(), Ok("Hi"));
    assert!(!task.await.unwrap().contains("authorization"));
}

#[tokio::test]
async fn answers_that_do_not_come_whole() {
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"choices\"".to_vec();
    let mut endless = b"HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n".to_vec();
    endless.extend(std::iter::repeat_n(b' ', ANSWER_MAX_BYTES + 1));
    for (name, bytes, holds, want) in [
        ("nothing", Vec::new(), true, "it did not answer within 0.5 s"),
        ("a body that stands still", half.clone(), true, "it did not answer within 0.5 s"),
        ("a body that breaks off", half, false, "its answer broke off"),
        ("a closed connection", Vec::new(), false, "its answer broke off"),
        ("a body without an end", endless, true, "its answer is longer than 1 MiB"),
        ("no HTTP", b"hello\r\n\r\n".to_vec(), false, "its answer broke off"),
    ] {
        let (address, task) = model(bytes, holds).await;
        let time_limit =
            if holds && !want.contains("MiB") { Duration::from_millis(500) } else { TIME_LIMIT };
        let error = assistant(address, time_limit).answer(&prompt()).await.unwrap_err();
        let AssistantError::Unavailable(what) = &error else { panic!("{name}: {error}") };
        assert!(what.starts_with(want), "{name}: {what}");
        for secret in [KEY, "hush", "127.0.0.1"] {
            assert!(!format!("{error} {error:?}").contains(secret), "{name}: {error:?}");
        }
        task.abort();
    }
}

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = assistant(address, TIME_LIMIT).answer(&prompt()).await.unwrap_err();
    assert!(error.to_string().contains("it cannot be reached ("), "{error}");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let moved = "HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    let (address, _task) = model(moved.into(), false).await;
    let error = assistant(address, TIME_LIMIT).answer(&prompt()).await.unwrap_err();
    assert_eq!(error, unavailable("it answered with status 307"));
}

#[tokio::test]
async fn reaching_sends_no_content() {
    let (address, task) = model(answer("200 OK", "{}"), false).await;
    assert_eq!(assistant(address, TIME_LIMIT).reach().await, Ok(Reached::Listing));
    let read = task.await.unwrap();
    assert!(read.starts_with("GET /base/v1/models HTTP/1.1\r\n"), "{read}");
    let (address, _task) = model(answer("404 No", ""), false).await;
    assert_eq!(assistant(address, TIME_LIMIT).reach().await, Ok(Reached::NoListing));
    let listed = r#"{"data":[{"id":"m"},{"id":"other"}]}"#;
    let others = r#"{"data":[{"id":"other"}]}"#;
    let other = Reached::OtherModels(vec!["other".to_owned()]);
    for (name, status, body, want) in [
        ("the model among others", "200 OK", listed, Reached::Listing),
        ("others alone", "200 OK", others, other),
        ("an empty list", "200 OK", r#"{"data":[]}"#, Reached::Listing),
        ("a refused key", "401 No", "{}", Reached::KeyRefused(401)),
        ("a key without rights", "403 No", "{}", Reached::KeyRefused(403)),
    ] {
        let (address, _task) = model(answer(status, body), false).await;
        assert_eq!(assistant(address, TIME_LIMIT).reach().await, Ok(want), "{name}");
    }
    let (address, _task) = model(answer("500 No", "{}"), false).await;
    let error = assistant(address, TIME_LIMIT).reach().await.unwrap_err();
    assert_eq!(error, unavailable("it answered with status 500"));
}

#[test]
fn nothing_secret_is_shown() {
    let shown = format!("{:?}", assistant("127.0.0.1:1".parse().unwrap(), TIME_LIMIT));
    assert_eq!(shown, r#"ChatAssistant { model: "m", .. }"#);
}
