//! Files through the built server: sent, fetched, examined, and through kill -9.

use std::io::{Cursor, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;

use image::{ImageFormat, RgbImage};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{Api, Networks, Service, Setup, client, wait_for};

/// A PNG that does not get smaller than its pixels.
pub(crate) fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut state = 1_u64;
    let mut pixels = vec![0; (width * height * 3) as usize];
    for byte in &mut pixels {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *byte = state.to_be_bytes()[0];
    }
    let image = RgbImage::from_raw(width, height, pixels).expect("as many bytes as pixels take");
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).expect("a PNG");
    file.into_inner()
}

pub(crate) async fn post(api: &Api, path: &str, body: &Value) -> (StatusCode, Value) {
    let response = api.send(Method::POST, path, None, Some(body)).await;
    let status = response.status();
    (status, response.json().await.expect("JSON"))
}

pub(crate) async fn declare(api: &Api, file: &[u8]) -> Value {
    let body = json!({"kind": "image", "sizeBytes": file.len(), "fileName": "picture.png"});
    let (status, declared) = post(api, "/media", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{declared}");
    declared
}

/// Sends bytes to a link and returns the ETag.
pub(crate) async fn put(url: &Value, bytes: &[u8]) -> String {
    let url = url.as_str().expect("a link");
    let answer = client().put(url).body(bytes.to_vec()).send().await.expect("an answer");
    let (status, etag) = (answer.status(), answer.headers().get("etag").cloned());
    assert_eq!(status, StatusCode::OK, "{}", answer.text().await.unwrap());
    etag.expect("an ETag").to_str().unwrap().to_owned()
}

pub(crate) fn id_of(declared: &Value) -> String {
    declared["media"]["id"].as_str().expect("an id").to_owned()
}

pub(crate) async fn ready(api: &Api, id: &str) -> Value {
    wait_for("the file to be ready", async || {
        let media = api.get(&format!("/media/{id}")).await;
        assert_ne!(media["status"], "failed", "{media}");
        (media["status"] == "ready").then_some(media)
    })
    .await
}

/// Expects that the file's link gives its bytes, and returns the preview.
pub(crate) async fn preview(api: &Api, media: &Value, file: &[u8]) -> image::DynamicImage {
    let url = media["previewUrl"].as_str().expect("a link");
    let answer = client().get(url).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/png");
    assert!(answer.bytes().await.unwrap() == file, "the link gives what was sent");
    let thumb = format!("/media/{}/thumb", media["id"].as_str().expect("an id"));
    let answer = api.send(Method::GET, &thumb, None, None).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/webp");
    let bytes = answer.bytes().await.unwrap();
    image::load_from_memory_with_format(&bytes, ImageFormat::WebP).expect("a WebP")
}

pub(crate) fn setup(data: &Path, networks: &Networks) -> Setup {
    Setup::new(data, networks.url())
}

pub(crate) fn again(service: &Service, key: &str) -> Api {
    Api::new(&service.url, key)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_sent_whole_examined_and_shown() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let file = picture(800, 600);
    let declared = declare(&api, &file).await;
    let link = &declared["upload"]["uploadUrl"];
    let base = format!("{}/files/", service.url);
    assert!(link.as_str().unwrap().starts_with(&base), "{link}");
    let id = id_of(&declared);
    put(link, &file).await;
    let (status, confirmed) = post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{confirmed}");
    let media = ready(&api, &id).await;
    assert_eq!((&media["width"], &media["height"]), (&json!(800), &json!(600)));
    assert_eq!(media["mimeType"], "image/png");
    assert_eq!(media["sizeBytes"], file.len());
    let preview = preview(&api, &media, &file).await;
    assert_eq!((preview.width(), preview.height()), (512, 384));
    let deleted = api.send(Method::DELETE, &format!("/media/{id}"), None, None).await;
    assert_eq!(deleted.status(), StatusCode::OK);
    let kept = folder.path().join("files/kept");
    wait_for("the bytes to go", async || files_below(&kept).is_empty().then_some(())).await;
    assert_eq!(service.stop(), Some(0));
}

/// How many files lie below a folder.
pub(crate) fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Sends every part and returns the body of the completion.
pub(crate) async fn put_parts(upload: &Value, file: &[u8]) -> Value {
    let part_bytes = usize::try_from(upload["partSize"].as_u64().unwrap()).unwrap();
    let mut parts = Vec::new();
    for (part, bytes) in upload["parts"].as_array().unwrap().iter().zip(file.chunks(part_bytes)) {
        let etag = put(&part["url"], bytes).await;
        parts.push(json!({"partNumber": part["partNumber"], "etag": etag}));
    }
    json!({ "parts": parts })
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_the_completion_and_the_examination() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    // Nobody examines it in this process.
    let service = setup(folder.path(), &networks).serve_with(&[("SCHEDULER_ROLE", "api")]);
    let key = service.first_key.clone().unwrap();
    let api = service.api();
    let file = picture(2_500, 2_300);
    let declared = declare(&api, &file).await;
    let id = id_of(&declared);
    let upload = &declared["upload"];
    assert_eq!(
        (&upload["mode"], upload["parts"].as_array().unwrap().len()),
        (&json!("multipart"), 2)
    );
    let parts = put_parts(upload, &file).await;
    let complete = format!("/media/{id}/complete");
    let (status, completed) = post(&api, &complete, &parts).await;
    assert_eq!(
        (status, &completed["status"]),
        (StatusCode::OK, &json!("processing")),
        "{completed}"
    );

    let service = service.kill().serve();
    let api = again(&service, &key);
    let media = ready(&api, &id).await;
    assert_eq!((&media["width"], &media["height"]), (&json!(2_500), &json!(2_300)));
    assert_eq!(media["sizeBytes"], file.len());
    let preview = preview(&api, &media, &file).await;
    assert_eq!((preview.width(), preview.height()), (512, 471));
    assert!(files_below(&folder.path().join("files/partial")).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_bytes_come() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let key = service.first_key.clone().unwrap();
    let file = picture(800, 600);
    let declared = declare(&service.api(), &file).await;
    let id = id_of(&declared);
    let link = declared["upload"]["uploadUrl"].as_str().unwrap();
    let path = link.strip_prefix(&service.url).unwrap();
    let address: SocketAddr = service.url.strip_prefix("http://").unwrap().parse().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = file.len();
    write!(stream, "PUT {path} HTTP/1.1\r\nhost: h\r\ncontent-length: {length}\r\n\r\n").unwrap();
    stream.write_all(&file[..length / 2]).unwrap();
    let partial = folder.path().join("files/partial");
    wait_for("bytes to come", async || (!files_below(&partial).is_empty()).then_some(())).await;

    let service = service.kill().serve();
    assert!(files_below(&folder.path().join("files")).is_empty(), "half a file is no file");
    let api = again(&service, &key);
    let (status, early) = post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    assert_eq!((status, &early["error"]["code"]), (StatusCode::CONFLICT, &json!("media_unusable")));
    let shown = api.get(&format!("/media/{id}")).await;
    put(&shown["upload"]["uploadUrl"], &file).await;
    post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    assert_eq!(ready(&api, &id).await["sizeBytes"], length);
}

/// Gives the file to everybody who asks but the first, who gets half of it and waits.
async fn source(file: Vec<u8>) -> (SocketAddr, tokio::sync::watch::Receiver<u32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (asked, seen) = tokio::sync::watch::channel(0);
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {}\r\n\r\n",
                file.len()
            );
            let _ = stream.write_all(head.as_bytes()).await;
            if *asked.borrow() == 0 {
                let _ = stream.write_all(&file[..file.len() / 2]).await;
                held.push(stream);
            } else {
                let _ = stream.write_all(&file).await;
            }
            asked.send_modify(|asked| *asked += 1);
        }
    });
    (address, seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_file_is_fetched() {
    const PRIVATE: [(&str, &str); 1] = [("SCHEDULER_MEDIA_ALLOW_PRIVATE", "true")];
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = picture(800, 600);
    let (address, mut asked) = source(file.clone()).await;
    let service = setup(folder.path(), &networks).serve_with(&PRIVATE);
    let key = service.first_key.clone().unwrap();
    let body = json!({"kind": "image", "sourceUrl": format!("http://{address}/picture.png?s=1")});
    let (status, declared) = post(&service.api(), "/media", &body).await;
    assert_eq!((status, &declared["media"]["status"]), (StatusCode::CREATED, &json!("ingesting")));
    asked.wait_for(|asked| *asked == 1).await.unwrap();

    let service = service.kill().serve_with(&PRIVATE);
    let media = ready(&again(&service, &key), &id_of(&declared)).await;
    assert_eq!(media["sizeBytes"], file.len());
    assert_eq!((&media["width"], &media["mimeType"]), (&json!(800), &json!("image/png")));
    assert!(files_below(&folder.path().join("files/partial")).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_fetched_from_private_addresses() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let (address, asked) = source(vec![0; 10]).await;
    for url in [
        format!("http://{address}/a.png"),
        format!("https://{address}/a.png"),
        format!("https://localhost:{}/a.png", address.port()),
        "https://10.0.0.1/a.png".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://[::1]/a.png".to_owned(),
        "https://[::ffff:127.0.0.1]/a.png".to_owned(),
        "https://2130706433/a.png".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let (status, answer) =
            post(&api, "/media", &json!({"kind": "image", "sourceUrl": url})).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{url}: {answer}");
        assert_eq!(answer["error"]["code"], "invalid_request", "{url}");
        assert_eq!(answer["error"]["field"], "sourceUrl", "{url}");
    }
    assert_eq!(*asked.borrow(), 0);
    assert_eq!(api.get("/media").await["data"], json!([]));
}

/// Declares a film of half a minute, sends something else, and waits until it was examined.
async fn called_a_film(api: &Api, file: &[u8]) -> Value {
    let body = json!({
        "kind": "video",
        "mimeType": "video/mp4",
        "sizeBytes": file.len(),
        "width": 1_920,
        "height": 1_080,
        "durationSeconds": 30.0,
        "fps": 30.0,
    });
    let (status, declared) = post(api, "/media", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{declared}");
    sent(api, &declared, file).await
}

/// Sends a file in one piece and waits until it is ready.
async fn sent(api: &Api, declared: &Value, file: &[u8]) -> Value {
    let id = id_of(declared);
    put(&declared["upload"]["uploadUrl"], file).await;
    post(api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(api, &id).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_really_is_decides() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let png = called_a_film(&api, &picture(64, 48)).await;
    let found = ["kind", "mimeType", "width", "height", "durationSeconds", "fps"]
        .map(|field| png[field].clone());
    assert_eq!(json!(found), json!(["image", "image/png", 64, 48, null, null]));
    let mut gif = Cursor::new(Vec::new());
    RgbImage::new(1_300, 720).write_to(&mut gif, ImageFormat::Gif).expect("a GIF");
    let gif = called_a_film(&api, &gif.into_inner()).await;
    assert_eq!((&gif["kind"], &gif["mimeType"]), (&json!("image"), &json!("image/gif")));

    let of = |platform: &str, files: &[&Value]| {
        let ids: Vec<&Value> = files.iter().map(|file| &file["id"]).collect();
        let targets = json!([{"platform": platform}]);
        json!({"content": "x", "mediaIds": ids, "targets": targets})
    };
    let queued = |mut body: Value| {
        body["queue"] = json!(true);
        body
    };
    // Two films would be one too many.
    let good = of("bluesky", &[&png, &gif]);
    let (_, checked) = post(&api, "/platforms/validate", &good).await;
    assert_eq!(checked["ok"], true, "{checked}");
    let (status, created) = post(&api, "/posts", &queued(good)).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");

    // 1280 x 720 is the limit of a GIF, and far below that of a film: it becomes a still picture.
    let large = of("mastodon", &[&gif]);
    let (_, checked) = post(&api, "/platforms/validate", &large).await;
    assert_eq!(checked["ok"], true, "{checked}");
    let becomes_still = |issue: &Value| {
        issue["rule"] == "mastodon.media.converted"
            && issue["detail"]["from"]["types"] == json!(["image/gif"])
            && issue["detail"]["to"]["types"] == json!(["image/jpeg", "image/png"])
    };
    assert!(checked["issues"].as_array().unwrap().iter().any(becomes_still), "{checked}");
    let (status, created) = post(&api, "/posts", &queued(large)).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
}

/// A JPEG whose camera tells where it was.
fn picture_with_a_place() -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    RgbImage::new(64, 48).write_to(&mut file, ImageFormat::Jpeg).expect("a JPEG");
    let mut file = file.into_inner();
    // An APP1 segment right after the start: a TIFF with no entry, and a text behind it.
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0".to_vec();
    exif.extend_from_slice(PLACE);
    let length = u16::try_from(exif.len() + 2).expect("short").to_be_bytes();
    file.splice(2..2, [&[0xff, 0xe1], &length[..], &exif].concat());
    file
}

const PLACE: &[u8] = b"59.3293 N 18.0686 E";

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_made_to_fit_once_also_through_kill() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let key = service.first_key.clone().unwrap();
    let api = service.api();
    // Over the 2 000 000 bytes that Bluesky takes.
    let large = picture(1_000, 1_000);
    assert!(large.len() > 2_000_000);
    let small = picture_with_a_place();
    assert!(small.windows(PLACE.len()).any(|window| window == PLACE));
    let mut ids = Vec::new();
    for file in [&large, &small] {
        let declared = declare(&api, file).await;
        ids.push(sent(&api, &declared, file).await["id"].clone());
    }
    // The first upload never ends; the server dies in the middle of it.
    networks
        .fault(&json!({
            "platform": "bluesky",
            "operation": "upload",
            "kind": "slow",
            "times": 1,
            "afterMs": 120_000,
        }))
        .await;
    let created = api
        .create(&json!({
            "content": "two pictures",
            "mediaIds": ids,
            "publishNow": true,
            "targets": [{"platform": "bluesky"}],
        }))
        .await;
    let kept = folder.path().join("files/kept");
    let made = || -> Vec<(std::path::PathBuf, std::time::SystemTime)> {
        let files = files_below(&kept).into_iter();
        let made = files.filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("for-bluesky-image"))
        });
        let mut made: Vec<_> =
            made.map(|path| (path.clone(), path.metadata().unwrap().modified().unwrap())).collect();
        made.sort();
        made
    };
    let first = wait_for("a picture to be made", async || made().into_iter().next()).await;
    let bytes = std::fs::read(&first.0).unwrap();

    let service = service.kill().serve();
    let post = again(&service, &key).ended(created["id"].as_str().unwrap()).await;
    assert_eq!(post["targets"][0]["status"], "published", "{post}");
    let now = made();
    assert_eq!(now.len(), 2, "one of each: {now:?}");
    assert!(now.contains(&first), "made once: {now:?}");
    assert!(std::fs::read(&first.0).unwrap() == bytes);
    for (path, _) in &now {
        let bytes = std::fs::read(path).unwrap();
        assert!(bytes.len() <= 2_000_000, "{path:?}");
        assert!(!bytes.windows(4).any(|window| window == b"Exif"), "{path:?}");
        assert!(!bytes.windows(PLACE.len()).any(|window| window == PLACE), "{path:?}");
    }
    let url = format!("{}/_sandbox/posts?platform=bluesky", networks.url());
    let live: Value = client().get(url).send().await.unwrap().json().await.unwrap();
    let sizes: Vec<u64> = live["data"][0]["media"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["bytes"].as_u64().unwrap())
        .collect();
    let mut of_disk: Vec<u64> =
        now.iter().map(|(path, _)| path.metadata().unwrap().len()).collect();
    of_disk.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(sizes, of_disk, "what was made is what was sent");
}
