//! `health`: 0 for a server that is ready, 1 for one that is not, 3 for none.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::running::{Ran, Serving, run, scheduler};

/// Answers one request with this, and ends.
fn answering(status: &str, body: &str) -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let answered = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    (url, answered)
}

#[test]
fn a_server_that_works_is_ready() {
    let server = Serving::start();
    let url = server.told("Listening on ").unwrap();
    let address = url.strip_prefix("http://").unwrap();
    for (name, variable, value) in [
        ("by its address", "SCHEDULER_URL", url),
        ("by what it listens on", "SCHEDULER_LISTEN", address),
    ] {
        let mut command = scheduler(server.folder.path(), &["health"]);
        let ran = Ran::of(command.env(variable, value));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{name}: {ran:?}");
        assert_eq!(ran.stdout, format!("{url} is ready\n"), "{name}");
    }
    let any = address.replace("127.0.0.1", "0.0.0.0");
    let mut command = scheduler(server.folder.path(), &["health", "--json"]);
    let report = Ran::of(command.env("SCHEDULER_LISTEN", any)).json();
    assert_eq!(report["ready"], true, "{report}");
    assert_eq!(report["readiness"]["database"], "ok");
}

#[test]
fn what_answers_otherwise_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    for (status, body, code, said) in [
        (
            "503 Service Unavailable",
            r#"{"status":"unavailable","database":"unavailable","lastTurn":null}"#,
            1,
            "is not ready: its database does not answer",
        ),
        (
            "503 Service Unavailable",
            r#"{"status":"unavailable","database":"ok","lastTurn":"2026-10-06T09:00:00Z"}"#,
            1,
            "its worker has not looked for work since 2026-10-06T09:00:00Z",
        ),
        ("503 Service Unavailable", "busy", 3, "something before it has answered 503"),
        ("200 OK", "hello", 1, "not as a scheduler does"),
        ("404 Not Found", "{}", 1, "not as a scheduler does"),
    ] {
        let (url, answered) = answering(status, body);
        let ran = run(folder.path(), &["health", "--url", &url]);
        assert_eq!(ran.code, Some(code), "{status} {body}: {ran:?}");
        assert!(ran.stderr.contains(said), "{status} {body}: {ran:?}");
        assert!(answered.join().unwrap().starts_with("GET /readyz HTTP/1.1\r\n"));
    }
    let (url, _) = answering("503 Service Unavailable", r#"{"status":"unavailable"}"#);
    let ran = run(folder.path(), &["health", "--json", "--url", &url]);
    assert_eq!((ran.code, ran.json()["ready"].as_bool()), (Some(1), Some(false)), "{ran:?}");
}

#[test]
fn no_server_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody listens on the port.
    let ran = run(folder.path(), &["health", "--url", "http://127.0.0.1:1"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("cannot reach http://127.0.0.1:1"), "{ran:?}");
    let mut command = scheduler(folder.path(), &["health"]);
    let ran = Ran::of(command.env("SCHEDULER_LISTEN", "127.0.0.1:0"));
    assert_eq!(ran.code, Some(2), "{ran:?}");
}
