//! Large bodies in progress: dry runs with a key that may only read, and posts under
//! Idempotency-Keys with one that drafts.

use std::time::Duration;

use reqwest::StatusCode;
use tokio::task::JoinSet;

use super::{MIB, Memory, Row, any_backends, crowd, longest};
use crate::support::{Networks, Setup, client};

/// As many bytes as a body may hold, which take 16 times as many once they are read.
fn numbers() -> String {
    let begin = r#"{"content":"x","targets":[{"platform":"bluesky","options":{"x":[0"#;
    let end = "]}}]}";
    let zeros = ((1 << 20) - begin.len() - end.len()) / 2;
    format!("{begin}{}{end}", ",0".repeat(zeros))
}

/// As many bytes, which take 95 times as many as a tree of values.
fn objects() -> String {
    let objects = ((1 << 20) - 2) / 7;
    format!("[{}{{}}]", r#"{"":0},"#.repeat(objects - 1))
}

/// Whether requests have Idempotency-Keys.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    None,
    EachItsOwn,
}

/// Sends ninety requests at once; how each was answered.
async fn send(url: &str, key: &str, body: &bytes::Bytes, keys: Keys) -> Vec<StatusCode> {
    let mut runs = JoinSet::new();
    for number in 0..90 {
        let mut request = client().post(url).bearer_auth(key).body(body.clone());
        request = request.header("content-type", "application/json");
        if keys == Keys::EachItsOwn {
            request = request.header("idempotency-key", format!("number {number}"));
        }
        runs.spawn(async move { request.send().await.expect("it is answered").status() });
    }
    runs.join_all().await
}

#[tokio::test(flavor = "multi_thread")]
async fn ninety_large_dry_runs_at_once() {
    for backend in any_backends().await {
        let row = Row::new("90 dry runs of 1 MiB at once", &backend);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let api = service.api();
        let key = setup.run(&["keys", "create", "--name", "stranger", "--preset", "read"]).stdout;
        let key = String::from_utf8(key).unwrap().trim().to_owned();
        let drafts =
            setup.run(&["keys", "create", "--name", "drafts", "--preset", "drafts"]).stdout;
        let drafts = String::from_utf8(drafts).unwrap().trim().to_owned();
        crowd(&setup, 1);
        api.get("/posts").await;
        let body = bytes::Bytes::from(numbers());
        let url = format!("{}/v1/platforms/validate", service.url);
        let memory = Memory::watch(&service);
        let others = longest(20, async || {
            api.get("/posts").await;
        });
        let (longest, statuses) = tokio::join!(others, send(&url, &key, &body, Keys::None));
        row.within("another key waited at most", longest, Duration::from_millis(250));
        row.memory(&memory, 200 * MIB);
        let known = [StatusCode::OK, StatusCode::BAD_REQUEST, StatusCode::SERVICE_UNAVAILABLE];
        assert!(statuses.iter().all(|status| known.contains(status)), "{statuses:?}");
        let busy = statuses.iter().filter(|status| **status == StatusCode::SERVICE_UNAVAILABLE);
        row.holds("asked to come again", busy.clone().count(), "not all", busy.count() < 90);

        // What is compared under an Idempotency-Key is read another way.
        let memory = Memory::watch(&service);
        let body = bytes::Bytes::from(objects());
        let url = format!("{}/v1/posts", service.url);
        let statuses = send(&url, &drafts, &body, Keys::EachItsOwn).await;
        row.memory(&memory, 200 * MIB);
        let known = [StatusCode::BAD_REQUEST, StatusCode::SERVICE_UNAVAILABLE];
        assert!(statuses.iter().all(|status| known.contains(status)), "{statuses:?}");
    }
}
