//! Dry runs in progress, with a key that may only read.

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
        crowd(&setup, 1);
        api.get("/posts").await;
        let body = bytes::Bytes::from(numbers());
        let url = format!("{}/v1/platforms/validate", service.url);
        let memory = Memory::watch(&service);
        let mut runs = JoinSet::new();
        for _ in 0..90 {
            let request = client().post(&url).bearer_auth(&key).body(body.clone());
            let request = request.header("content-type", "application/json");
            runs.spawn(async move { request.send().await.expect("it is answered").status() });
        }
        let others = longest(20, async || {
            api.get("/posts").await;
        });
        let (longest, statuses) = tokio::join!(others, runs.join_all());
        row.within("another key waited at most", longest, Duration::from_millis(250));
        row.memory(&memory, 200 * MIB);
        let known = [StatusCode::OK, StatusCode::BAD_REQUEST, StatusCode::SERVICE_UNAVAILABLE];
        assert!(statuses.iter().all(|status| known.contains(status)), "{statuses:?}");
        let busy = statuses.iter().filter(|status| **status == StatusCode::SERVICE_UNAVAILABLE);
        row.holds("asked to come again", busy.clone().count(), "not all", busy.count() < 90);
    }
}
