//! Lists of the largest posts: their answers, and the memory that they take.

use reqwest::{Method, StatusCode};
use scheduler_core::media::MediaKind;
use scheduler_http::endpoints;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{MIB, Memory, Row, crowd, sized};
use crate::everywhere::upload;
use crate::support::{Api, Networks, Setup, backends};

/// Bytes of memory that lists may add.
const BOUND: u64 = 100 * MIB;

/// Bytes of an answer, at most.
const ANSWER: u64 = 8 * MIB;

/// Callers at once.
const CALLERS: usize = 4;

fn draft(options: &Value) -> Value {
    json!({
        "content": "x",
        "saveAsDraft": true,
        "targets": [{"platform": "bluesky", "options": options}],
    })
}

/// Reads all pages; the size of the largest answer in bytes, how many answers there were, and how
/// many things they listed.
async fn read_all(api: &Api, path: &str) -> (usize, usize, usize) {
    let (mut largest, mut pages, mut things, mut before) = (0, 0, 0, String::new());
    let joint = if path.contains('?') { '&' } else { '?' };
    loop {
        let answer = api.send_large(Method::GET, &format!("{path}{before}"), None).await;
        let status = answer.status();
        let answer = answer.bytes().await.unwrap();
        // Of what a thing is not, such as comments of a draft, nothing is told.
        let known = [StatusCode::OK, StatusCode::NOT_FOUND, StatusCode::CONFLICT];
        assert!(known.contains(&status), "{path}: {status}");
        (largest, pages) = (largest.max(answer.len()), pages + 1);
        let page: Value = serde_json::from_slice(&answer).unwrap_or_default();
        things += page["data"].as_array().map_or(0, Vec::len);
        match page["nextCursor"].as_str() {
            Some(cursor) => before = format!("{joint}before={cursor}"),
            None => return (largest, pages, things),
        }
    }
}

/// Several callers read a list at once, each to its end.
async fn read_by_all(api: &Api, path: &str) -> Vec<(usize, usize, usize)> {
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (api, path) = (api.clone(), path.to_owned());
        callers.spawn(async move { read_all(&api, &path).await });
    }
    callers.join_all().await
}

/// Creates so many drafts with the largest options, all with this file.
async fn create(api: &Api, drafts: usize, file: &str) {
    let texts = json!({"x": "y".repeat(65_000)});
    let values = json!({"x": vec![0; 999]});
    let mut creating = JoinSet::new();
    for number in 0..drafts {
        let mut body = draft(if number % 2 == 0 { &texts } else { &values });
        body["mediaIds"] = json!([file]);
        let api = api.clone();
        creating.spawn(async move {
            let answer = api.send_large(Method::POST, "/posts", Some(&body)).await;
            assert_eq!(answer.status(), StatusCode::CREATED);
        });
        if creating.len() == 8 {
            creating.join_next().await;
        }
    }
    creating.join_all().await;
}

/// Every path of the API that is read and does not list posts, with ids of one of these drafts, its
/// file and an account.
async fn every_path(api: &Api, file: &str) -> Vec<String> {
    let page = api.send_large(Method::GET, "/posts?limit=1", None).await;
    let page: Value = page.json().await.unwrap();
    let post = &page["data"][0];
    let account = &api.get("/oauth/accounts").await["data"][0];
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    let (post_id, target, account) = (id(post), id(&post["targets"][0]), id(account));
    let read = endpoints::api().filter(|endpoint| endpoint.method == Method::GET);
    read.filter_map(|endpoint| endpoint.pattern.strip_prefix("/v1"))
        .filter(|path| !path.ends_with("/posts"))
        .map(|path| {
            let owner = match path {
                path if path.starts_with("/posts/") => &post_id,
                path if path.starts_with("/media/") => file,
                _ => &account,
            };
            let path = path.replace("{id}", owner).replace("{targetId}", &target);
            if path.ends_with("/mentions") { format!("{path}?q=a") } else { path }
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_drafts_are_listed_in_pages_that_take_little_memory() {
    let drafts = sized(300, 10_000);
    for backend in backends().await {
        let row = Row::new("10 000 drafts with the largest options, then every list", &backend);
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let service = setup.serve();
        let file = upload(&service.api(), MediaKind::Image).await;
        let key = ["keys", "create", "--name", "a stranger", "--preset", "drafts"];
        let key = String::from_utf8(setup.run(&key).stdout).unwrap();
        crowd(&setup, 1);
        let api = Api::new(&service.url, key.trim());
        create(&api, drafts, &file).await;
        let memory = Memory::watch(&service);
        let mut largest = 0;
        let of_file = format!("/media/{file}/posts?limit=500");
        let filters = ["", "&status=draft", "&days=730", "&status=scheduled"];
        let lists = filters.map(|filter| (format!("/posts?limit=500{filter}"), drafts));
        for (path, want) in lists.into_iter().chain([(of_file, drafts)]) {
            let want = if path.contains("scheduled") { 0 } else { want };
            for (bytes, pages, posts) in read_by_all(&api, &path).await {
                assert_eq!(posts, want, "{path}");
                assert!(want == 0 || pages > 1, "{path}: a page ends by its bytes");
                largest = largest.max(bytes);
            }
        }
        // A key to everything, for what the smaller one may not read.
        let api = service.api();
        for path in every_path(&api, &file).await {
            let told = read_by_all(&api, &path).await;
            largest = told.into_iter().fold(largest, |largest, (bytes, ..)| largest.max(bytes));
        }
        row.at_most("bytes of the largest answer", largest as u64, ANSWER);
        row.memory(&memory, BOUND);
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
