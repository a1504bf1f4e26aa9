//! A server on loopback that answers what a test has written, and keeps what it was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use warp::Filter as _;
use warp::http::{Method, Response, StatusCode};
use warp::hyper::body::Bytes;

use crate::running::{Ran, scheduler};

/// A request, as it came.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// Its method, its path below `/v1`, and its query.
    pub(crate) line: String,
    /// Its body; `Null` when there is none.
    pub(crate) body: Value,
}

/// The server.
pub(crate) struct Scripted {
    url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    folder: TempDir,
    // Serves until it is dropped.
    _runtime: Runtime,
}

impl Scripted {
    /// A server that answers these: the method and the path below `/v1`, a status, and a body.
    /// Whatever else is asked is not found. A 429 says that the next 7 seconds are no use.
    pub(crate) fn start(answers: &[(&str, u16, Value)]) -> Self {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers: BTreeMap<String, (u16, Value)> = answers
            .iter()
            .map(|(line, status, body)| ((*line).to_owned(), (*status, body.clone())))
            .collect();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let keeping = Arc::clone(&asked);
        let query = warp::query::raw().or(warp::any().map(String::new)).unify();
        let routes = warp::method()
            .and(warp::path::full())
            .and(query)
            .and(warp::body::bytes())
            .map(move |method: Method, path: warp::path::FullPath, query: String, body: Bytes| {
                let path = path.as_str().strip_prefix("/v1").unwrap();
                let line = format!("{method} {path}");
                let whole = if query.is_empty() { line.clone() } else { format!("{line}?{query}") };
                let body = serde_json::from_slice(&body).unwrap_or_default();
                keeping.lock().unwrap().push(Asked { line: whole, body });
                let (status, body) = answers.get(&line).cloned().unwrap_or_else(|| {
                    (404, serde_json::json!({"error": {"code": "not_found", "message": line}}))
                });
                let status = StatusCode::from_u16(status).unwrap();
                let answer = Response::builder().status(status);
                let answer = match status {
                    StatusCode::TOO_MANY_REQUESTS => answer.header("retry-after", "7"),
                    _ => answer,
                };
                answer.body(body.to_string()).unwrap()
            });
        runtime.spawn(warp::serve(routes).incoming(listener).run());
        Self { url, asked, folder: tempfile::tempdir().unwrap(), _runtime: runtime }
    }

    /// Runs a command that talks to this server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = scheduler(self.folder.path(), arguments);
        command.env("SCHEDULER_URL", &self.url).env("SCHEDULER_API_KEY", "sk_test");
        Ran::of(&mut command)
    }

    /// What was asked since the last look.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// The last thing that was asked.
    pub(crate) fn last(&self) -> Asked {
        self.asked().pop().unwrap()
    }
}
