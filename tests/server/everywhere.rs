//! One post to every network that is built in, with a file that it takes.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use reqwest::StatusCode;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use serde_json::{Map, Value, json};

use crate::files::{id_of, post, put, ready, setup};
use crate::support::{Api, Networks, Offers, Receiver, document, film};

fn picture() -> Vec<u8> {
    let image = RgbImage::from_pixel(1200, 675, Rgb([250, 150, 90]));
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

pub(crate) async fn upload(api: &Api, kind: MediaKind) -> String {
    let (kind, name, file) = match kind {
        MediaKind::Image => ("image", "picture.jpg", picture()),
        MediaKind::Video => ("video", "film.mp4", film::bytes()),
        MediaKind::Document => ("document", "slides.pdf", document::bytes()),
    };
    let body = json!({"kind": kind, "sizeBytes": file.len(), "fileName": name});
    let (status, declared) = post(api, "/media", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{declared}");
    put(&declared["upload"]["uploadUrl"], &file).await;
    let id = id_of(&declared);
    post(api, &format!("/media/{id}/uploaded"), &json!({})).await;
    ready(api, &id).await;
    id
}

fn platform(account: &Value) -> Platform {
    account["platform"].as_str().unwrap().parse().unwrap()
}

/// Posts that together go to every account, each with a file that its networks take, and still
/// without a text and a time.
pub(crate) async fn to_everybody(api: &Api, offers: &Offers, accounts: &[Value]) -> Vec<Value> {
    let mut bodies = Vec::new();
    for file in [Some(MediaKind::Video), Some(MediaKind::Image), None] {
        let kinds = [MediaKind::Image, MediaKind::Video];
        let gets_it = |account: &&Value| {
            let sheet = platform(account).sheet();
            kinds.into_iter().find(|kind| sheet.takes(*kind)) == file
        };
        let mut targets = Vec::new();
        for account in accounts.iter().filter(gets_it) {
            let id = account["id"].as_str().unwrap();
            let options: Map<String, Value> = offers.required(platform(account), id).await;
            let platform = &account["platform"];
            targets.push(json!({"platform": platform, "accountId": id, "options": options}));
        }
        if targets.is_empty() {
            continue;
        }
        let mut body = json!({ "targets": targets });
        if let Some(kind) = file {
            body["mediaIds"] = json!([upload(api, kind).await]);
        }
        bodies.push(body);
    }
    bodies
}

#[tokio::test(flavor = "multi_thread")]
async fn one_post_goes_to_every_network_that_is_built_in() {
    let networks = Networks::start().await;
    let receiver = Receiver::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let secret = api.add_webhook(&receiver.url()).await;
    let offers = Offers::open(folder.path(), networks.url()).await;

    let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
    let mut connected: Vec<Platform> = accounts.iter().map(platform).collect();
    connected.sort_unstable();
    assert_eq!(connected, offers.platforms(), "an account of each");

    for mut body in to_everybody(&api, &offers, &accounts).await {
        body["content"] = "To everybody #scheduler".into();
        body["publishNow"] = true.into();
        let created = api.create(&body).await;
        let ended = api.ended(created["id"].as_str().unwrap()).await;
        for target in ended["targets"].as_array().unwrap() {
            assert_eq!(target["status"], "published", "{target}");
            assert_ne!(target["remoteId"], Value::Null, "{target}");
            let name = target["platform"].as_str().unwrap();
            let live = networks.live(name).await;
            assert_eq!(live.values().sum::<usize>(), 1, "{name}: {live:?}");
        }
    }
    let events = receiver.wait_for(accounts.len()).await;
    assert_eq!(events.len(), accounts.len());
    assert!(events.iter().all(|event| event["event"] == "post.published"));
    receiver.verify(&secret);
}
