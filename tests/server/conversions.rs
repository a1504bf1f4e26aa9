//! Pictures that networks would refuse, converted on their way.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use reqwest::StatusCode;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::files::{declare, files_below, id_of, post, put, ready, setup};
use crate::support::{Api, Networks, Offers, wait_for};

/// Colours that run into each other.
fn bitmap() -> Vec<u8> {
    let level = |at: u32| u8::try_from(at * 255 / 1_900).unwrap();
    let image = RgbImage::from_fn(1_900, 1_900, |x, y| Rgb([level(x), level(y), 90]));
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Bmp).unwrap();
    file.into_inner()
}

/// Sends a picture and waits until it is ready.
async fn uploaded(api: &Api, file: &[u8]) -> String {
    let declared = declare(api, file).await;
    let id = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], file).await;
    post(api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(api, &id).await;
    id
}

/// The sandbox refuses what each network documents to refuse.
#[tokio::test(flavor = "multi_thread")]
async fn what_every_network_would_refuse_goes_to_every_one() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let offers = Offers::open(folder.path(), networks.url()).await;
    let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
    let mut targets = Vec::new();
    for account in &accounts {
        let platform: Platform = account["platform"].as_str().unwrap().parse().unwrap();
        if platform.sheet().takes(MediaKind::Image) {
            let id = account["id"].as_str().unwrap();
            let options = offers.required(platform, id).await;
            targets.push(json!({"platform": platform, "accountId": id, "options": options}));
        }
    }
    // A type that most do not take, and more bytes than the others take.
    let file = bitmap();
    assert!(file.len() > 10_485_760, "{}", file.len());
    let media = uploaded(&api, &file).await;
    let body = json!({"content": "Colours", "mediaIds": [media], "targets": targets});

    let (status, report) = post(&api, "/platforms/validate", &body).await;
    assert_eq!((status, &report["ok"]), (StatusCode::OK, &json!(true)), "{report}");
    let told: Vec<&Value> = report["issues"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|issue| issue["detail"]["kind"] == "converted")
        .collect();
    assert_eq!(told.len(), targets.len(), "{report}");

    let mut body = body;
    body["publishNow"] = true.into();
    let created = api.create(&body).await;
    let ended = api.ended(created["id"].as_str().unwrap()).await;
    for target in ended["targets"].as_array().unwrap() {
        assert_eq!(target["status"], "published", "{target}");
        let name = target["platform"].as_str().unwrap();
        let live = networks.live(name).await;
        assert_eq!(live.values().sum::<usize>(), 1, "{name}: {live:?}");
    }

    // The original stays, and what was made of it goes with it.
    let kept = folder.path().join("files/kept");
    let names: Vec<String> = files_below(&kept)
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().any(|name| name.contains("instagram-image-")), "{names:?}");
    let shown = api.get(&format!("/media/{media}")).await;
    assert_eq!(
        (&shown["mimeType"], &shown["sizeBytes"]),
        (&json!("image/bmp"), &json!(file.len()))
    );
    let path = format!("/media/{media}");
    let deleted = api.send(reqwest::Method::DELETE, &path, None, None).await;
    assert_eq!(deleted.status(), StatusCode::OK);
    wait_for("the bytes to go", async || files_below(&kept).is_empty().then_some(())).await;
}
