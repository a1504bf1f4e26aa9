//! `scheduler media upload` against an imitation that refuses in every way that passes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use warp::Filter as _;
use warp::http::{Response, StatusCode};
use warp::hyper::body::Bytes;

use crate::files::{PART_BYTES, large_picture, put};
use crate::running::{Ran, scheduler};

const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";

/// What the imitation was sent.
#[derive(Default)]
struct Taken {
    /// How often fresh links were asked for.
    generation: u32,
    /// Statuses that the next calls for a part get, before it is taken.
    refusals: BTreeMap<u32, Vec<u16>>,
    /// Where the first links lead; to the imitation when nothing is said.
    elsewhere: Option<&'static str>,
    /// The bytes of each part.
    parts: BTreeMap<u32, usize>,
    completed: Option<Value>,
}

/// The number under which the call that ends an upload is refused.
const COMPLETE: u32 = 0;

/// The number under which declarations are refused.
const DECLARE: u32 = 1_000;

/// The statuses that parts are answered with, and what becomes of the upload.
fn upload(refusals: &[(u32, &[u16])]) -> (Ran, Taken) {
    upload_by(refusals, None)
}

/// The same, with first links that lead elsewhere.
fn upload_by(refusals: &[(u32, &[u16])], elsewhere: Option<&'static str>) -> (Ran, Taken) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refusals = refusals.iter().map(|(part, statuses)| (*part, statuses.to_vec())).collect();
    let taken = Arc::new(Mutex::new(Taken { refusals, elsewhere, ..Taken::default() }));
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let routes = routes(Arc::clone(&taken), url.clone());
    let serving = runtime.spawn(warp::serve(routes).incoming(listener).run());
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "large.bmp", &large_picture());
    let arguments =
        ["media", "upload", "large.bmp", "--json", "--url", &url, "--api-key", "sk_test"];
    let ran = Ran::of(&mut scheduler(folder.path(), &arguments));
    serving.abort();
    drop(runtime);
    let taken = Arc::into_inner(taken).map(|taken| taken.into_inner().unwrap());
    (ran, taken.unwrap_or_default())
}

fn media(status: &str) -> Value {
    json!({
        "id": ID, "kind": "image", "status": status, "mimeType": "image/bmp",
        "sizeBytes": large_picture().len(), "durationSeconds": null, "width": 4000, "height": 3000,
        "fps": null, "fileName": "large.bmp", "previewUrl": null, "error": null,
        "createdAt": "2026-11-21T12:00:00Z",
    })
}

fn links(url: &str, generation: u32) -> Value {
    let part = |number: u32| json!({"partNumber": number, "url": format!("{url}/files/{generation}/{number}")});
    json!({"mode": "multipart", "partSize": PART_BYTES, "parts": [part(1), part(2), part(3)]})
}

fn routes(
    taken: Arc<Mutex<Taken>>,
    url: String,
) -> impl warp::Filter<Extract = (impl warp::Reply,), Error = warp::Rejection> + Clone {
    warp::method().and(warp::path::full()).and(warp::body::bytes()).map(
        move |_, path: warp::path::FullPath, body: Bytes| {
            let mut taken = taken.lock().unwrap();
            let answer = |status: u16, etag: &str, body: Value| {
                let status = StatusCode::from_u16(status).unwrap();
                let answer = Response::builder().status(status).header("etag", etag);
                answer.body(body.to_string()).unwrap()
            };
            let segments: Vec<&str> = path.as_str().split('/').skip(1).collect();
            match segments.as_slice() {
                ["v1", "media"] if !taken.refusals.entry(DECLARE).or_default().is_empty() => {
                    let status = taken.refusals.entry(DECLARE).or_default().remove(0);
                    let error = json!({"code": "rate_limited", "message": "60 files a minute."});
                    answer(status, "", json!({ "error": error }))
                }
                ["v1", "media"] => answer(
                    201,
                    "",
                    json!({
                        "media": media("awaiting_upload"),
                        "upload": links(taken.elsewhere.unwrap_or(&url), 0),
                    }),
                ),
                ["v1", "media", _, "complete"] => {
                    let refusals = taken.refusals.entry(COMPLETE).or_default();
                    if !refusals.is_empty() {
                        return answer(refusals.remove(0), "", Value::Null);
                    }
                    taken.completed = serde_json::from_slice(&body).ok();
                    answer(200, "", media("processing"))
                }
                ["v1", "media", _] if taken.completed.is_some() => answer(200, "", media("ready")),
                ["v1", "media", _] => {
                    taken.generation += 1;
                    let mut shown = media("awaiting_upload");
                    shown["upload"] = links(&url, taken.generation);
                    answer(200, "", shown)
                }
                ["files", generation, part] => {
                    let part: u32 = part.parse().unwrap();
                    let refusals = taken.refusals.entry(part).or_default();
                    if !refusals.is_empty() {
                        return answer(refusals.remove(0), "", Value::Null);
                    }
                    taken.parts.insert(part, body.len());
                    answer(200, &format!("\"{part}-{generation}\""), Value::Null)
                }
                _ => answer(404, "", Value::Null),
            }
        },
    )
}

#[test]
fn what_passes_is_tried_again_and_an_old_link_is_replaced() {
    let (ran, taken) = upload(&[(1, &[503]), (2, &[403, 500]), (3, &[429, 408])]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["status"], "ready");
    let part_bytes = PART_BYTES as usize;
    let last = large_picture().len() - 2 * part_bytes;
    assert_eq!(taken.parts, BTreeMap::from([(1, part_bytes), (2, part_bytes), (3, last)]));
    assert_eq!(taken.generation, 1, "one fresh set of links");
    let completed = taken.completed.unwrap();
    let numbers: Vec<&Value> =
        completed["parts"].as_array().unwrap().iter().map(|part| &part["partNumber"]).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(completed["parts"][1]["etag"], "\"2-1\"", "as it was answered");
}

#[test]
fn a_server_that_comes_back_under_another_address_is_asked_for_it() {
    // A port on which nobody listens.
    let (ran, taken) = upload_by(&[], Some("http://127.0.0.1:1"));
    assert_eq!((ran.code, &ran.json()["status"]), (Some(0), &json!("ready")), "{ran:?}");
    assert_eq!(taken.generation, 1, "one fresh set of links");
    assert_eq!(taken.parts.len(), 3);
}

#[test]
fn who_waits_for_the_next_minute_is_told_once() {
    let (ran, _) = upload(&[(DECLARE, &[429, 429])]);
    assert_eq!((ran.code, &ran.json()["status"]), (Some(0), &json!("ready")), "{ran:?}");
    assert_eq!(ran.stderr, "waiting: the server takes no more files in this minute\n");
}

#[test]
fn a_proxy_without_its_server_is_waited_for() {
    let (ran, _) = upload(&[(COMPLETE, &[502, 503, 504])]);
    assert_eq!((ran.code, &ran.json()["status"]), (Some(0), &json!("ready")), "{ran:?}");
}

#[test]
fn what_lasts_is_told() {
    let (ran, _) = upload(&[(2, &[400])]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("has answered 400 Bad Request to the bytes of the file"),
        "{ran:?}"
    );
    assert!(!ran.stderr.contains("/files/"), "no link is shown: {ran:?}");
    let (ran, taken) = upload(&[(2, &[403; 9])]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("are the clocks of this machine and the server right?"), "{ran:?}");
    assert_eq!(taken.generation, 3, "fresh links are asked for a few times");
}
