//! What goes out, and what breaks on the way.

use scheduler_core::ports::{JobFile, NetworkErrorKind as Kind};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::world::World;

/// A picture of 1200 × 800 whose bytes differ by `seed`.
fn jpeg(seed: u8) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x03\x20\x04\xb0".to_vec();
    bytes.extend([seed; 200]);
    bytes
}

/// A video whose bytes differ by `seed`.
fn mp4(seed: u8) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(300_000, seed);
    bytes
}

fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({ "type": media_type, "bytes": bytes.len(), "sha256": sha256 })
}

/// The files of a form, and how they are shown.
fn files(world: &World, form: &[&str], seed: u8) -> (Vec<JobFile>, Vec<Value>) {
    let files = form.iter().zip(seed..).map(|(kind, seed)| {
        let media_type = if *kind == "film" { "video/mp4" } else { "image/jpeg" };
        let bytes = if *kind == "film" { mp4(seed) } else { jpeg(seed) };
        (world.file(seed.into(), media_type, &bytes), shown(media_type, &bytes))
    });
    files.unzip()
}

const FORMS: [(&str, &[&str], &str, &str); 5] = [
    ("a picture", &["picture"], "feed", "/p/"),
    ("a reel", &["film"], "reel", "/reel/"),
    ("a carousel", &["picture", "film", "picture"], "feed", "/p/"),
    ("a story", &["picture"], "story", "/stories/ana/"),
    ("a story with a film", &["film"], "story", "/stories/ana/"),
];

#[tokio::test]
async fn every_form_goes_out_with_its_files() {
    for way in ["direct", "via_page"] {
        let world = World::new(way).await;
        for (count, (name, form, placement, place)) in FORMS.into_iter().enumerate() {
            let (files, shown) = files(&world, form, u8::try_from(10 * count).unwrap());
            let options = json!({ "placement": placement });
            let mut job = world.job(name, files, &options);
            job.link_url = Some("https://blog.example.com/post".to_owned());
            let (remote, failures) = world.publish(job).await;
            let remote = remote.unwrap();
            assert_eq!(failures, [], "{way} {name}");
            let url = remote.url.unwrap();
            assert!(url.contains(place), "{way} {name}: {url}");
            let live = world.live().await;
            assert_eq!(live.len(), count + 1, "{way} {name}");
            let last = live.last().unwrap();
            assert_eq!(last["remoteId"], json!(remote.id), "{way} {name}");
            assert_eq!(last["media"], Value::Array(shown), "{way} {name}");
            let text = format!("{name}\nhttps://blog.example.com/post");
            let text = if placement == "story" { String::new() } else { text };
            assert_eq!(last["text"], text, "{way} {name}");
        }
    }
}

#[tokio::test]
async fn options_reach_the_network_and_what_follows_is_done() {
    for way in ["direct", "via_page"] {
        let world = World::new(way).await;
        let (files, _) = files(&world, &["film"], 1);
        let options = json!({
            "locationId": "7",
            "trial": "manual",
            "aiGenerated": true,
            "firstComment": "Ask us anything",
            "allowComments": false,
        });
        let mut job = world.job("a reel", files, &options);
        job.thumbnail = Some(world.file(9, "image/jpeg", &jpeg(9)));
        let (remote, failures) = world.publish(job).await;
        let remote = remote.unwrap();
        assert_eq!(failures, [], "{way}");
        let live = world.live().await;
        let texts: Vec<&Value> = live.iter().map(|post| &post["text"]).collect();
        assert_eq!(texts, ["a reel", "Ask us anything"], "{way}");
        assert_eq!(live[1]["replyTo"], json!(remote.id), "{way}");
        let journal = world.control.get(format!("{}/_sandbox/requests", world.sandbox.url()));
        let journal: Value = journal.send().await.unwrap().json().await.unwrap();
        let bodies = journal["data"].as_array().unwrap().iter();
        let bodies: Vec<String> = bodies
            .filter_map(|entry| entry["body"].as_str())
            .flat_map(|body| url::form_urlencoded::parse(body.as_bytes()).into_owned())
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        for field in [
            "location_id=7",
            r#"trial_params={"graduation_strategy":"MANUAL"}"#,
            "is_ai_generated=true",
            "comment_enabled=false",
        ] {
            assert!(bodies.iter().any(|sent| sent == field), "{way}: {field} in {bodies:?}");
        }
        assert!(bodies.iter().any(|sent| sent.starts_with("cover_url=http")), "{way}: {bodies:?}");
    }
}

#[tokio::test]
async fn a_rate_limit_is_as_long_as_the_network_says() {
    let world = World::new("direct").await;
    let fault = json!({ "operation": "publish", "kind": "rate_limited", "retryAfterSeconds": 120 });
    world.fault(fault).await;
    let (files, _) = files(&world, &["picture"], 1);
    let (remote, failures) = world.publish(world.job("x", files, &json!({}))).await;
    assert!(remote.is_ok(), "{remote:?}");
    let wait = chrono::TimeDelta::try_minutes(2);
    assert_eq!(failures, [Kind::RateLimited { wait }]);
}

#[tokio::test]
async fn what_the_network_refuses_is_said_in_its_words() {
    for (operation, words) in
        [("upload", "8 MiB"), ("poll", "video format"), ("publish", "2,200 characters")]
    {
        let world = World::new("direct").await;
        world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let (files, _) = files(&world, &["film"], 1);
        let (remote, failures) = world.publish(world.job("x", files, &json!({}))).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{operation}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{operation}: {error}");
        assert!(error.message.contains(words), "{operation}: {error}");
        assert_eq!(world.live().await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn files_that_are_no_good_are_refused_while_they_are_processed() {
    for (way, media_type, bytes) in [
        ("direct", "image/jpeg", b"\x89PNG\r\n\x1a\n, no JPEG".to_vec()),
        ("direct", "video/mp4", b"no film".to_vec()),
        ("via_page", "video/mp4", b"no film".to_vec()),
    ] {
        let world = World::new(way).await;
        let file = world.file(1, media_type, &bytes);
        let (remote, failures) = world.publish(world.job("x", vec![file], &json!({}))).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{way} {media_type}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{way} {media_type}: {error}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_fetched_is_said_with_its_remedy() {
    let world = World::new("direct").await;
    let (files, _) = files(&world, &["picture"], 1);
    world.unserve();
    let (remote, failures) = world.publish(world.job("x", files, &json!({}))).await;
    let error = remote.unwrap_err();
    assert_eq!(failures, [Kind::Permanent]);
    assert!(error.message.contains("public address"), "{error}");
    assert!(!error.message.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_token_that_has_run_out_needs_a_new_connection() {
    for way in ["direct", "via_page"] {
        let world = World::new(way).await;
        world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
        let (files, _) = files(&world, &["picture"], 1);
        let (remote, failures) = world.publish(world.job("x", files, &json!({}))).await;
        assert_eq!(failures, [Kind::Reconnect], "{way}");
        assert_eq!(remote.unwrap_err().code, FailureCode::AccountNotConnected, "{way}");
        assert_eq!(world.live().await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn a_network_that_is_not_there_is_a_temporary_failure() {
    let world = World::new("direct").await;
    let (files, _) = files(&world, &["picture"], 1);
    let job = world.job("never", files, &json!({}));
    let network = world.network.clone();
    let progress = network.begin(&job);
    world.sandbox.stop().await;
    let error = network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary, "{error}");
}
