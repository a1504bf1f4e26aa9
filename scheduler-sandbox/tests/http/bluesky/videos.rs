//! Sending videos through the service that converts them.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Actor, post, rkey};
use crate::support::{Got, World, send};

const UPLOAD: &str = "com.atproto.repo.uploadBlob";
const LIMITS: &str = "app.bsky.video.getUploadLimits";
const VIDEO: &[u8] = b"\0\0\0\x20ftypisom a film";

async fn permission(world: &World, actor: &Actor, query: &[(&str, &str)]) -> Got {
    let path = "/bluesky/xrpc/com.atproto.server.getServiceAuth";
    send(world.request(Method::GET, path).bearer_auth(&actor.access).query(query)).await
}

fn server(world: &World) -> String {
    let host = world.sandbox.url().trim_start_matches("http://").replace(':', "%3A");
    format!("did:web:{host}")
}

async fn upload(world: &World, token: &str, did: &str, kind: &str, bytes: &[u8]) -> Got {
    let request = world
        .request(Method::POST, "/bluesky/xrpc/app.bsky.video.uploadVideo")
        .query(&[("did", did), ("name", "a.mp4")])
        .bearer_auth(token)
        .header("content-type", kind)
        .body(bytes.to_vec());
    send(request).await
}

async fn status(world: &World, id: &str) -> Got {
    world.get(&format!("/bluesky/xrpc/app.bsky.video.getJobStatus?jobId={id}")).await
}

/// Asks until a conversion has come to its end.
async fn ended(world: &World, id: &str) -> Value {
    loop {
        let got = status(world, id).await;
        let job = got.body["jobStatus"].clone();
        let state = job["state"].as_str().unwrap_or_default().to_owned();
        if state == "JOB_STATE_COMPLETED" || state == "JOB_STATE_FAILED" {
            return job;
        }
    }
}

#[tokio::test]
async fn a_video_is_converted_and_can_be_posted() {
    let world = World::default().await;
    let actor = Actor::new(&world, "ana").await;
    let audience = server(&world);
    let token = permission(&world, &actor, &[("aud", &audience), ("lxm", UPLOAD)]).await;
    let token = token.text_of("token");
    let got = upload(&world, &token, &actor.did, "video/mp4", VIDEO).await;
    assert_eq!((got.status, &got.body["jobStatus"]["state"]), (200, &json!("JOB_STATE_CREATED")));
    let id = got.body["jobStatus"]["jobId"].as_str().unwrap();
    assert_eq!(status(&world, id).await.body["jobStatus"]["state"], "JOB_STATE_ENCODING");

    let again = upload(&world, &token, &actor.did, "video/mp4", VIDEO).await;
    assert_eq!((again.status, again.text_of("error").as_str()), (409, "already_exists"));
    assert_eq!(again.text_of("jobId"), id);

    let job = ended(&world, id).await;
    let mut record = post("a film");
    record["embed"] =
        json!({ "$type": "app.bsky.embed.video", "video": job["blob"], "alt": "A film" });
    assert_eq!(actor.put(&world, &rkey(1), &record).await.status, 200);
    let media = &world.posts("bluesky").await[0]["media"][0];
    let sha256 = hex::encode(Sha256::digest(VIDEO));
    assert_eq!(*media, json!({ "type": "video/mp4", "bytes": VIDEO.len(), "sha256": sha256 }));
}

#[tokio::test]
async fn what_is_no_video_fails_in_its_conversion() {
    let options = Options { media_processing: Duration::ZERO, ..Options::default() };
    let world = World::start(options).await;
    let actor = Actor::new(&world, "ana").await;
    let query = [("aud", server(&world)), ("lxm", UPLOAD.to_owned())];
    let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, &**value)).collect();
    let token = permission(&world, &actor, &query).await.text_of("token");
    let got = upload(&world, &token, &actor.did, "video/mp4", b"a text").await;
    let job = ended(&world, got.body["jobStatus"]["jobId"].as_str().unwrap()).await;
    assert_eq!(job["failureCode"], "validation_failure");
    world.arm(json!({ "platform": "bluesky", "operation": "poll", "kind": "permanent" })).await;
    let got = status(&world, "any").await;
    assert_eq!(got.body["jobStatus"]["state"], "JOB_STATE_FAILED");
    let got = status(&world, "unknown").await;
    assert_eq!((got.status, got.text_of("error").as_str()), (400, "InvalidRequest"));
}

#[tokio::test]
async fn permissions_are_for_one_audience_and_one_call() {
    let world = World::default().await;
    let actor = Actor::new(&world, "ana").await;
    let audience = server(&world);
    let video = "did:web:video.bsky.app";
    for (name, query, want) in [
        ("of another audience", [("aud", video), ("lxm", UPLOAD)], (401, "BadJwtAudience")),
        ("for another call", [("aud", &audience), ("lxm", LIMITS)], (401, "BadJwtLexiconMethod")),
        ("right", [("aud", &audience), ("lxm", UPLOAD)], (400, "UnsupportedContentType")),
    ] {
        let token = permission(&world, &actor, &query).await.text_of("token");
        let got = upload(&world, &token, &actor.did, "text/plain", VIDEO).await;
        assert_eq!((got.status, got.text_of("error").as_str()), want, "{name}");
    }
    let got = upload(&world, "unknown", &actor.did, "video/mp4", VIDEO).await;
    assert_eq!((got.status, got.text_of("error").as_str()), (401, "InvalidToken"));
    for (name, exp) in [("past", "1000000000"), ("far away", "4000000000")] {
        let query = [("aud", video), ("lxm", LIMITS), ("exp", exp)];
        let got = permission(&world, &actor, &query).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (400, "BadExpiration"), "{name}");
    }
}

#[tokio::test]
async fn the_limits_of_a_day_hold_only_with_quotas() {
    for (quotas, want) in [(false, true), (true, false)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let actor = Actor::new(&world, "ana").await;
        let audience = server(&world);
        let token = permission(&world, &actor, &[("aud", &audience), ("lxm", UPLOAD)]).await;
        for number in 0_u8..25 {
            let bytes = [VIDEO, &[number]].concat();
            let token = token.text_of("token");
            let got = upload(&world, &token, &actor.did, "video/mp4", &bytes).await;
            assert_eq!(got.status, 200, "{got:?}");
        }
        let video = "did:web:video.bsky.app";
        let asks = permission(&world, &actor, &[("aud", video), ("lxm", LIMITS)]).await;
        let path = format!("/bluesky/xrpc/{LIMITS}");
        let request = world.request(Method::GET, &path).bearer_auth(asks.text_of("token"));
        assert_eq!(send(request).await.body["canUpload"], want, "quotas {quotas}");
    }
}
