//! Mastodon.

use chrono::TimeDelta;
use scheduler_core::account::Credentials;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind, PublishJob, Step};
use serde_json::{Value, json};

use crate::support::{World, input};

#[tokio::test]
async fn an_account_is_connected_by_its_token_and_brings_its_limits() {
    let world = World::new(Platform::Mastodon).await;
    assert_eq!(world.connected.limits.text_limit, Some(500));
    assert_eq!(world.connected.limits.characters_reserved_per_url, Some(23));
    assert_eq!(world.connected.limits.max_image_bytes, Some(16_777_215));
    let kept: Value = serde_json::from_str(world.connected.credentials.expose()).unwrap();
    assert_eq!(kept["isMastodon"], true);
    let wrong = json!({ "instance": "m.example", "accessToken": "wrong" });
    let error = world.network.connect(&input(&wrong)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "{error}");
}

#[tokio::test]
async fn a_post_with_its_link_and_its_address() {
    let world = World::new(Platform::Mastodon).await;
    let mut job = world.job(1, "Hello", &json!({ "visibility": "unlisted", "spoilerText": "CW" }));
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, failures) = world.publish(job).await;
    let remote = remote.unwrap();
    assert_eq!(failures, []);
    assert!(remote.url.is_some_and(|url| url.ends_with(&remote.id)));
    let bodies = world.bodies("/api/v1/statuses").await;
    assert_eq!(
        bodies,
        [json!({
            "status": "Hello\nhttps://blog.example.com/post",
            "visibility": "unlisted",
            "spoiler_text": "CW",
            "sensitive": true,
        })]
    );
}

#[tokio::test]
async fn a_thread_of_four_hangs_together() {
    let world = World::new(Platform::Mastodon).await;
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
}

#[tokio::test]
async fn a_token_that_was_revoked_has_to_be_connected_again() {
    let world = World::new(Platform::Mastodon).await;
    world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
    let (remote, failures) = world.publish(world.job(1, "never", &json!({}))).await;
    assert_eq!(remote.unwrap_err().kind, Kind::Reconnect);
    assert_eq!(failures, [Kind::Reconnect]);
    assert_eq!(world.texts().await, Vec::<String>::new());
}

/// The same account on software that does not know a repeat by its key.
fn elsewhere(job: PublishJob) -> PublishJob {
    let mut kept: Value = serde_json::from_str(job.credentials.expose()).unwrap();
    kept["isMastodon"] = false.into();
    PublishJob { credentials: Credentials::new(kept.to_string(), None), ..job }
}

#[tokio::test]
async fn a_post_that_went_out_is_found_among_the_accounts_own() {
    let world = World::new(Platform::Mastodon).await;
    let options = json!({ "spoilerText": "CW" });
    let (other, _) = world.publish(world.job(9, "another", &options)).await;
    assert!(other.is_ok());
    for (target, name, is_elsewhere, hours) in
        [(1, "after the hour", false, 2), (2, "other software", true, 0)]
    {
        let mut job = world.job(target, &format!("{name} @ana@m.example"), &options);
        if is_elsewhere {
            job = elsewhere(job);
        }
        let progress = world.network.begin(&job);
        let step = world.network.advance(&job, &progress).await.unwrap();
        let Step::Live(remote) = step else { panic!("{name}: {step:?}") };
        job.now += TimeDelta::hours(hours);
        let located = world.network.locate(&job, &progress).await.unwrap();
        assert_eq!(located, Located::Live(remote), "{name}");

        let mut absent = world.job(target + 10, "absent", &options);
        if is_elsewhere {
            absent = elsewhere(absent);
        }
        let progress = world.network.begin(&absent);
        absent.now += TimeDelta::hours(hours);
        let located = world.network.locate(&absent, &progress).await.unwrap();
        assert!(matches!(located, Located::Absent(_)), "{name}: {located:?}");
    }
}

#[tokio::test]
async fn a_lost_answer_on_other_software_leaves_one_post() {
    let world = World::new(Platform::Mastodon).await;
    for (target, kind) in [(1, "reset_before"), (2, "reset_after")] {
        world.fault(json!({ "operation": "publish", "kind": kind })).await;
        let options = json!({ "thread": ["second"] });
        let (remote, failures) = world.publish(elsewhere(world.job(target, kind, &options))).await;
        assert!(remote.is_ok(), "{kind}: {remote:?}");
        assert_eq!(failures, [Kind::InDoubt], "{kind}");
    }
    let texts = world.texts().await;
    assert_eq!(texts, ["reset_before", "second", "reset_after", "second"]);
}

#[tokio::test]
async fn what_was_published_and_removed_is_not_sent_again() {
    let world = World::new(Platform::Mastodon).await;
    let job = world.job(1, "removed", &json!({}));
    let progress = world.network.begin(&job);
    let step = world.network.advance(&job, &progress).await.unwrap();
    let Step::Live(live) = step else { panic!("{step:?}") };
    let remote = live.remote.unwrap();
    let kept: Value = serde_json::from_str(job.credentials.expose()).unwrap();
    let url = format!("{}/mastodon/api/v1/statuses/{}", world.sandbox.url(), remote.id);
    let client = reqwest::Client::builder().build().unwrap();
    let token = kept["accessToken"].as_str().unwrap();
    let removed = client.delete(url).bearer_auth(token).send().await.unwrap();
    assert_eq!(removed.status(), 200);
    let error = world.network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "{error}");
    assert!(error.message.contains("not there any more"), "{error}");
    assert_eq!(world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn what_the_network_refuses_is_said_in_its_words() {
    let world = World::new(Platform::Mastodon).await;
    let (remote, _) = world.publish(world.job(1, &"a".repeat(501), &json!({}))).await;
    let error = remote.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("character limit of 500 exceeded"), "{error}");
}

#[tokio::test]
async fn a_status_with_all_of_its_options() {
    let world = World::new(Platform::Mastodon).await;
    let options = json!({
        "thread": ["two"], "language": "pt-BR", "sensitive": true, "quotePolicy": "followers",
    });
    let (remote, failures) = world.publish(world.job(1, "one", &options)).await;
    assert_eq!((remote.is_ok(), failures), (true, vec![]));
    for body in world.bodies("/api/v1/statuses").await {
        assert_eq!(
            [&body["language"], &body["sensitive"], &body["quote_approval_policy"]],
            [&json!("pt-BR"), &json!(true), &json!("followers")]
        );
    }
    let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 5, "multiple": true });
    let (remote, failures) = world.publish(world.job(2, "Which?", &json!({ "poll": poll }))).await;
    assert_eq!((remote.is_ok(), failures), (true, vec![]));
    assert_eq!(world.connected.limits.poll.and_then(|poll| poll.max_minutes), Some(43_829));
}
