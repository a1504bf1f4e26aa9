//! Videos that networks would refuse, converted by the real `ffmpeg` on their way.

use std::path::{Path, PathBuf};
use std::process::Command;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::StatusCode;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::files::{files_below, id_of, post, put, ready, setup};
use crate::publish::now;
use crate::support::{Networks, Offers, wait_for};

/// The program, where it is installed.
fn ffmpeg() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join("ffmpeg"))
        .find(|program| program.is_file());
    let must = std::env::var_os("SCHEDULER_REQUIRE_FFMPEG").is_some();
    assert!(found.is_some() || !must, "ffmpeg is not installed");
    if found.is_none() {
        eprintln!("NOT TESTED: ffmpeg is not installed");
    }
    found
}

/// Four seconds in a format and with codecs that are older than the networks; as short, small and
/// slow as all of them take, since a conversion gives way to whatever else the machine does.
fn old_film(ffmpeg: &Path, folder: &Path) -> Vec<u8> {
    let file = folder.join("old.avi");
    let made = Command::new(ffmpeg)
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc=duration=4:size=540x960:rate=24"])
        .args(["-f", "lavfi", "-i", "sine=frequency=440:duration=4"])
        .args(["-c:v", "mpeg4", "-c:a", "pcm_s16le"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    std::fs::read(file).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_goes_as_mp4_to_every_network_that_would_refuse_it() {
    let Some(ffmpeg) = ffmpeg() else { return };
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let film = old_film(&ffmpeg, folder.path());
    let file = json!({"kind": "video", "sizeBytes": film.len(), "fileName": "old.avi"});
    let (status, declared) = post(&api, "/media", &file).await;
    assert_eq!(status, StatusCode::CREATED, "{declared}");
    let media = id_of(&declared);
    put(&declared["upload"]["uploadUrl"], &film).await;
    post(&api, &format!("/media/{media}/uploaded"), &json!({})).await;
    ready(&api, &media).await;

    let offers = Offers::open(folder.path(), networks.url()).await;
    let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
    let mut targets = Vec::new();
    for account in &accounts {
        let platform: Platform = account["platform"].as_str().unwrap().parse().unwrap();
        if platform.sheet().takes(MediaKind::Video) {
            let id = account["id"].as_str().unwrap();
            let options = offers.required(platform, id).await;
            targets.push(json!({"platform": platform, "accountId": id, "options": options}));
        }
    }
    let mut body = json!({"content": "Bars", "mediaIds": [media], "targets": targets});
    let (status, report) = post(&api, "/platforms/validate", &body).await;
    assert_eq!((status, &report["ok"]), (StatusCode::OK, &json!(true)), "{report}");
    let issues = report["issues"].as_array().unwrap();
    let converted = issues.iter().filter(|issue| issue["detail"]["kind"] == "converted");
    let converted: Vec<&Value> = converted.map(|issue| &issue["platform"]).collect();
    assert!(converted.len() >= 8, "{report}");
    targets.retain(|target| converted.contains(&&target["platform"]));
    body["targets"] = json!(targets);

    // Saving a post that is due tomorrow makes them.
    body["scheduledAt"] = json!(DateTime::<Utc>::from(now()) + TimeDelta::days(1));
    let later = api.create(&body).await;
    let made = || {
        let names = files_below(&folder.path().join("files/kept"));
        let names = names.iter().filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
        names.filter(|name| name.contains("video-")).collect::<Vec<_>>()
    };
    wait_for("the films to be made", async || (!made().is_empty()).then_some(())).await;
    let path = format!("/posts/{}", later["id"].as_str().unwrap());
    let sent =
        api.send(reqwest::Method::PATCH, &path, None, Some(&json!({"publishNow": true}))).await;
    assert_eq!(sent.status(), StatusCode::OK);
    let ended = api.ended(later["id"].as_str().unwrap()).await;
    for target in ended["targets"].as_array().unwrap() {
        assert_eq!(target["status"], "published", "{target}");
        let name = target["platform"].as_str().unwrap();
        // Some networks take a video and show it once they have worked through it.
        let live = wait_for(name, async || {
            let live = networks.live(name).await;
            (!live.is_empty()).then_some(live)
        })
        .await;
        assert_eq!(live.values().sum::<usize>(), 1, "{name}: {live:?}");
    }
}
