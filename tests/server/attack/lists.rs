//! Lists of the largest posts: their answers, and the memory that they take.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{MIB, Memory, held};
use crate::support::{Api, Networks, Setup, backends};

/// Drafts with the largest options: enough for several pages.
const DRAFTS: usize = 300;

/// Bytes of memory that lists may add.
const BOUND: u64 = 100 * MIB;

fn draft(options: &Value) -> Value {
    json!({
        "content": "x",
        "saveAsDraft": true,
        "targets": [{"platform": "bluesky", "options": options}],
    })
}

/// Reads all pages; the sizes of the answers in bytes, and how many posts there were.
async fn read_all(api: &Api, path: &str) -> (Vec<usize>, usize) {
    let (mut sizes, mut posts, mut before) = (Vec::new(), 0, String::new());
    loop {
        let answer = api.send_large(Method::GET, &format!("{path}{before}"), None).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let answer = answer.bytes().await.unwrap();
        sizes.push(answer.len());
        let page: Value = serde_json::from_slice(&answer).unwrap();
        posts += page["data"].as_array().unwrap().len();
        match page["nextCursor"].as_str() {
            Some(cursor) => before = format!("&before={cursor}"),
            None => return (sizes, posts),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_drafts_are_listed_in_pages_that_take_little_memory() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let api = service.api();
        let texts = json!({"x": "y".repeat(65_000)});
        let values = json!({"x": vec![0; 999]});
        let mut creating = JoinSet::new();
        for number in 0..DRAFTS {
            let (api, body) = (api.clone(), draft(if number % 2 == 0 { &texts } else { &values }));
            creating.spawn(async move {
                let answer = api.send_large(Method::POST, "/posts", Some(&body)).await;
                assert_eq!(answer.status(), StatusCode::CREATED);
            });
            if creating.len() == 8 {
                creating.join_next().await;
            }
        }
        creating.join_all().await;
        let memory = Memory::watch(&service);
        let mut largest = 0;
        for path in ["/posts?limit=500", "/posts?limit=500&status=draft"] {
            let mut callers = JoinSet::new();
            for _ in 0..4 {
                let api = api.clone();
                callers.spawn(async move { read_all(&api, path).await });
            }
            for (sizes, posts) in callers.join_all().await {
                assert_eq!(posts, DRAFTS, "{backend:?} {path}");
                assert!(sizes.len() > 1, "{backend:?}: {sizes:?}");
                largest = largest.max(*sizes.iter().max().unwrap());
            }
        }
        assert!(largest <= 8 << 20, "{backend:?}: {largest}");
        let database = backend.url().map_or("SQLite", |_| "PostgreSQL");
        held(&format!("lists of the largest drafts on {database}"), &memory, BOUND);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_beyond_their_bounds_are_refused_by_name() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let api = service.api();
    for (name, options) in [
        ("values", json!({"a": 1, "x": vec![0; 400_000]})),
        ("bytes", json!({"a": 1, "x": "y".repeat(65_536)})),
    ] {
        for path in ["/posts", "/platforms/validate"] {
            let mut body = draft(&options);
            if path != "/posts" {
                body.as_object_mut().unwrap().remove("saveAsDraft");
            }
            let answer = api.send_large(Method::POST, path, Some(&body)).await;
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{name} {path}");
            let error: Value = answer.json().await.unwrap();
            assert_eq!(error["error"]["field"], "targets[0].options.x", "{name} {path}: {error}");
        }
    }
    assert_eq!(api.get("/posts").await["data"], json!([]), "nothing was stored");
}
