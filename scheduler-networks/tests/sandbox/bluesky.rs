//! Bluesky.

use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind, Step};
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use crate::support::{World, input, present};

#[tokio::test]
async fn an_account_is_connected_by_app_password_and_no_other() {
    let world = World::new(Platform::Bluesky).await;
    assert!(world.connected.network_id.starts_with("did:plc:"));
    assert!(world.connected.username.as_deref().is_some_and(|name| name.ends_with(".test")));
    let expires_at = world.connected.credentials.expires_at.unwrap();
    assert!(expires_at > present() + TimeDelta::minutes(100));
    let wrong = json!({
        "identifier": world.connected.username,
        "appPassword": "aaaa-bbbb-cccc-dddd",
    });
    let error = world.network.connect(&input(&wrong)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "{error}");
}

#[tokio::test]
async fn a_post_and_its_address() {
    let world = World::new(Platform::Bluesky).await;
    let (remote, failures) = world.publish(world.job(1, "Hello", &json!({}))).await;
    let remote = remote.unwrap();
    assert_eq!(failures, []);
    let did = &world.connected.network_id;
    let key = remote.id.strip_prefix(&format!("at://{did}/app.bsky.feed.post/")).unwrap();
    let page = format!("https://bsky.app/profile/{did}/post/{key}");
    assert_eq!(remote.url, Some(page));
    let live = world.live().await;
    assert_eq!(live.len(), 1);
    assert_eq!((&live[0]["text"], &live[0]["remoteId"]), (&json!("Hello"), &json!(remote.id)));
}

#[tokio::test]
async fn a_thread_of_four_hangs_together() {
    let world = World::new(Platform::Bluesky).await;
    let options = json!({ "thread": ["two", "three", "four"] });
    let (remote, failures) = world.publish(world.job(1, "one", &options)).await;
    assert_eq!(failures, []);
    let live = world.live().await;
    let texts: Vec<&Value> = live.iter().map(|post| &post["text"]).collect();
    assert_eq!(texts, ["one", "two", "three", "four"]);
    assert_eq!(live[0]["remoteId"], json!(remote.unwrap().id));
    for (before, after) in live.iter().zip(&live[1..]) {
        assert_eq!(before["remoteId"], after["replyTo"]);
    }
    let bodies = world.bodies("putRecord").await;
    let root = &live[0]["remoteId"];
    assert!(bodies[1..].iter().all(|body| body["record"]["reply"]["root"]["uri"] == *root));
}

#[tokio::test]
async fn links_tags_and_mentions_are_facets_and_a_link_of_its_own_is_a_card() {
    let world = World::new(Platform::Bluesky).await;
    let handle = world.connected.username.clone().unwrap();
    let content = format!("é @{handle} @nobody.test https://a.example/x #rust");
    let mut job = world.job(1, &content, &json!({}));
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, failures) = world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    let bodies = world.bodies("putRecord").await;
    let record = &bodies[0]["record"];
    let facets: Vec<(&str, &Value)> = record["facets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|facet| {
            let byte =
                |name: &str| usize::try_from(facet["index"][name].as_u64().unwrap()).unwrap();
            (&content[byte("byteStart")..byte("byteEnd")], &facet["features"][0])
        })
        .collect();
    let feature = |kind: &str, name: &str, value: &str| json!({ "$type": format!("app.bsky.richtext.facet#{kind}"), name: value });
    let mention = format!("@{handle}");
    assert_eq!(
        facets,
        [
            (mention.as_str(), &feature("mention", "did", &world.connected.network_id)),
            ("https://a.example/x", &feature("link", "uri", "https://a.example/x")),
            ("#rust", &feature("tag", "tag", "rust")),
        ]
    );
    assert_eq!(record["embed"]["external"]["uri"], "https://blog.example.com/post");
}

#[tokio::test]
async fn a_card_with_an_image() {
    let world = World::new(Platform::Bluesky).await;
    let options = json!({ "linkCard": { "title": "Bread", "description": "Why it rises" } });
    let mut job = world.job(1, "Read this", &options);
    job.link_url = Some("https://example.com/a".to_owned());
    job.thumbnail = Some(world.file(9, "image/png", &[137, 80, 78, 71, 13, 10, 26, 10, 9]));
    let (remote, failures) = world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    let bodies = world.bodies("putRecord").await;
    let card = &bodies[0]["record"]["embed"]["external"];
    assert_eq!([&card["title"], &card["description"]], ["Bread", "Why it rises"]);
    assert_eq!(card["thumb"]["mimeType"], "image/png");
}

#[tokio::test]
async fn a_token_that_has_run_out_is_exchanged_in_between() {
    let world = World::new(Platform::Bluesky).await;
    world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
    let (remote, failures) = world.publish(world.job(1, "again", &json!({}))).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, [Kind::TokenExpired]);
    assert_eq!(world.texts().await, ["again"]);
}

#[tokio::test]
async fn tokens_of_a_short_life_and_revoked_ones() {
    let options = Options { access_token_lifetime: Duration::ZERO, ..Options::default() };
    let world = World::with(Platform::Bluesky, options).await;
    let job = world.job(1, "never", &json!({}));
    let progress = world.network.begin(&job);
    let error = world.network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(error.kind, Kind::TokenExpired, "{error}");

    let new = world.network.refresh(&job.account, &job.credentials).await.unwrap();
    assert_ne!(new.expose(), job.credentials.expose());
    world.fault(json!({ "operation": "token", "kind": "permanent" })).await;
    let error = world.network.refresh(&job.account, &new).await.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect, "{error}");
    world.fault(json!({ "operation": "token", "kind": "error500" })).await;
    let error = world.network.refresh(&job.account, &new).await.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary, "{error}");
}

#[tokio::test]
async fn a_post_that_went_out_is_found_after_a_crash() {
    let world = World::new(Platform::Bluesky).await;
    let mut job = world.job(1, "found", &json!({}));
    let progress = world.network.begin(&job);
    let absent = world.network.locate(&job, &progress).await.unwrap();
    assert_eq!(absent, Located::Absent(progress.clone()));
    let step = world.network.advance(&job, &progress).await.unwrap();
    let Step::Live(remote) = step else { panic!("{step:?}") };
    job.now += TimeDelta::hours(5);
    assert_eq!(world.network.locate(&job, &progress).await.unwrap(), Located::Live(remote.clone()));
    // Even without a look, a repeat makes nothing new.
    assert_eq!(world.network.advance(&job, &progress).await.unwrap(), Step::Live(remote));
    assert_eq!(world.texts().await, ["found"]);
}

#[tokio::test]
async fn what_the_network_refuses_is_said_in_its_words() {
    let world = World::new(Platform::Bluesky).await;
    let (remote, _) = world.publish(world.job(1, &"a".repeat(301), &json!({}))).await;
    let error = remote.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("grapheme too big (maximum 300, got 301)"), "{error}");
}

#[tokio::test]
async fn a_post_with_all_of_its_options() {
    let world = World::new(Platform::Bluesky).await;
    let options = json!({
        "thread": ["two"],
        "languages": ["en", "pt-BR"],
        "labels": ["graphic-media"],
        "replyControl": ["mentioned", "following"],
        "quoting": "nobody",
        "tags": ["#rust", "web dev"],
    });
    let (remote, failures) = world.publish(world.job(1, "one", &options)).await;
    assert_eq!(failures, []);
    let key = remote.unwrap().id.rsplit('/').next().unwrap().to_owned();
    let put = world.bodies("com.atproto.repo.putRecord").await;
    let kinds: Vec<&Value> = put.iter().map(|body| &body["collection"]).collect();
    assert_eq!(
        kinds,
        [
            "app.bsky.feed.post",
            "app.bsky.feed.threadgate",
            "app.bsky.feed.postgate",
            "app.bsky.feed.post",
            "app.bsky.feed.postgate",
        ]
    );
    assert_eq!(put[1]["rkey"], json!(key), "the rules stand under the key of the post");
    assert_eq!(world.texts().await, ["one", "two"]);
}

#[tokio::test]
async fn a_post_is_quoted_by_its_page_alone_and_beside_a_link() {
    let world = World::new(Platform::Bluesky).await;
    let quoted = world.publish(world.job(1, "first", &json!({}))).await.0.unwrap();
    let handle = world.connected.username.clone().unwrap();
    let key = quoted.id.rsplit('/').next().unwrap();
    let page = format!("https://bsky.app/profile/{handle}/post/{key}");
    for (target, quote, link, kind) in [
        (2, page.as_str(), None, "app.bsky.embed.record"),
        (3, quoted.id.as_str(), Some("https://a.example/"), "app.bsky.embed.recordWithMedia"),
    ] {
        let mut job = world.job(target, "quoting", &json!({ "quote": quote }));
        job.link_url = link.map(str::to_owned);
        let (remote, failures) = world.publish(job).await;
        assert!(remote.is_ok(), "{quote}: {remote:?}");
        assert_eq!(failures, [], "{quote}");
        let embed = world.bodies("putRecord").await.last().unwrap()["record"]["embed"].clone();
        assert_eq!(embed["$type"], kind);
        let record = if link.is_some() { &embed["record"]["record"] } else { &embed["record"] };
        assert_eq!(record["uri"], json!(quoted.id));
    }
    let gone = format!("at://{}/app.bsky.feed.post/3mgone", world.connected.network_id);
    let (refused, _) = world.publish(world.job(4, "never", &json!({ "quote": gone }))).await;
    let error = refused.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "{error}");
    assert_eq!(world.live().await.len(), 3);
}
