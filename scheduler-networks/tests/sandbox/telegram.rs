//! Telegram.

use std::collections::BTreeMap;
use std::sync::Arc;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, Connected, LivePost, Located, Metered, NetworkError,
    NetworkErrorKind as Kind, PublishJob, RemoteEdit, Step,
};
use scheduler_core::target::{FailureCode, Remote};
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{NetworkSettings, Settings, adapters};
use serde_json::{Map, Value, json};
use url::Url;

use crate::support::{World, input, mp4, png, present};

fn gif() -> Vec<u8> {
    b"GIF89a\x40\x01\xf0\x00 and two pictures".to_vec()
}

/// The side after publishing of a world's adapter.
fn after(world: &World) -> Arc<dyn AfterPublishing> {
    let base = Url::parse(&format!("{}/telegram", world.sandbox.url())).unwrap();
    let telegram = NetworkSettings { api_base: Some(base), ..NetworkSettings::default() };
    let networks = BTreeMap::from([(Platform::Telegram, telegram)]);
    let settings = Settings { allow_private: true, networks };
    let files = Arc::new(scheduler_core::memory::MemoryFiles::new());
    let stored = StoredFiles { files, examiner: Arc::new(scheduler_core::ports::NoMedia) };
    let adapters = adapters(&settings, stored).unwrap();
    adapters.after.network(Platform::Telegram).unwrap().clone()
}

/// The world's account in another chat of the sandbox.
async fn account(world: &World, name: &str) -> (Value, Result<Connected, NetworkError>) {
    let url = format!("{}/_sandbox/accounts", world.sandbox.url());
    let body = json!({ "platform": "telegram", "name": name });
    let made =
        reqwest::Client::builder().build().unwrap().post(url).json(&body).send().await.unwrap();
    let account: Value = made.json().await.unwrap();
    let connected = world.network.connect(&input(&account)).await;
    (account, connected.map(|mut connected| connected.remove(0)))
}

/// A job for another account than the world's own.
fn job_of(world: &World, connected: &Connected, target: u128, content: &str) -> PublishJob {
    let mut job = world.job(target, content, &json!({}));
    job.account.network_id.clone_from(&connected.network_id);
    job.credentials = connected.credentials.clone();
    job
}

fn with_files(world: &World, mut job: PublishJob, files: &[(&str, Vec<u8>)]) -> PublishJob {
    let files = files.iter().enumerate();
    let files = files.map(|(at, (media_type, bytes))| {
        world.file(100 * job.target_id.0.as_u128() + at as u128, media_type, bytes)
    });
    job.files = files.collect();
    job
}

/// What can be done with a post once it is live.
fn live_post(job: &PublishJob, remote: &Remote) -> (Access, LivePost) {
    let access = Access {
        account: job.account.clone(),
        credentials: job.credentials.clone(),
        now: present(),
        meter: Metered::free(),
    };
    let post = LivePost {
        target_id: job.target_id,
        remote: remote.clone(),
        content: job.content.clone(),
        link_url: None,
        file_count: job.files.len(),
        options: Map::new(),
        published_at: present(),
    };
    (access, post)
}

fn said(text: &str) -> RemoteEdit {
    RemoteEdit { content: Some(text.to_owned()), title: None }
}

#[tokio::test]
async fn a_bot_in_a_chat_is_connected_by_name_by_id_and_by_code() {
    let world = World::new(Platform::Telegram).await;
    assert_eq!(world.connected.username.as_deref(), Some("sandbox_1"));
    assert_eq!(world.connected.credentials.expires_at, None);
    let (account, connected) = account(&world, "private news").await;
    let connected = connected.unwrap();
    assert_eq!(connected.username, None);
    assert_eq!(connected.display_name.as_deref(), Some("private news"));
    let by_code = json!({
        "botToken": account["botToken"], "connectCode": account["connectCode"],
    });
    let again = world.network.connect(&input(&by_code)).await.unwrap();
    assert_eq!(again[0].network_id, connected.network_id);
    let kept: Value = serde_json::from_str(world.connected.credentials.expose()).unwrap();
    let by_name = json!({ "botToken": kept["botToken"], "chatId": "https://t.me/sandbox_1" });
    let again = world.network.connect(&input(&by_name)).await.unwrap();
    assert_eq!(again[0].network_id, world.connected.network_id);
}

#[tokio::test]
async fn what_cannot_be_connected_is_said() {
    let world = World::new(Platform::Telegram).await;
    let (_, silent) = account(&world, "silent news").await;
    let error = silent.unwrap_err();
    assert!(error.message.contains("right to post"), "{error}");
    let (other, _) = account(&world, "private news").await;
    let kept: Value = serde_json::from_str(world.connected.credentials.expose()).unwrap();
    for (name, given) in [
        ("a wrong token", json!({ "botToken": "1:wrong", "chatId": "@sandbox_1" })),
        (
            "a chat of another bot",
            json!({ "botToken": kept["botToken"], "chatId": other["chatId"] }),
        ),
        ("an unknown chat", json!({ "botToken": kept["botToken"], "chatId": "@nobody_here" })),
        ("a wrong code", json!({ "botToken": kept["botToken"], "connectCode": "wrong" })),
    ] {
        let error = world.network.connect(&input(&given)).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{name}: {error}");
        let token = given["botToken"].as_str().unwrap();
        assert!(!error.message.contains(token), "{name}");
    }
}

#[tokio::test]
async fn every_kind_of_post_is_live_changed_and_taken_down() {
    let world = World::new(Platform::Telegram).await;
    let after = after(&world);
    let picture = || ("image/png", png(1));
    let video = || ("video/mp4", mp4());
    let animation = || ("image/gif", gif());
    let document = || ("application/pdf", b"%PDF-1.4".to_vec());
    for (number, (name, files)) in [
        ("text", vec![]),
        ("photo", vec![picture()]),
        ("animation", vec![animation()]),
        ("video", vec![video()]),
        ("document", vec![document()]),
        ("album of documents", vec![document(), document()]),
        ("album", vec![picture(), video(), ("image/jpeg", png(3))]),
        ("album with a still picture", vec![animation(), picture()]),
    ]
    .into_iter()
    .enumerate()
    {
        let job = with_files(&world, world.job(number as u128 + 1, name, &json!({})), &files);
        let (remote, failures) = world.publish(job.clone()).await;
        let remote = remote.unwrap();
        assert_eq!(failures, [], "{name}");
        assert_eq!(remote.url, Some(format!("https://t.me/sandbox_1/{}", remote.id)), "{name}");
        let live = world.live().await;
        assert_eq!(live.len(), 1, "{name}");
        assert_eq!((&live[0]["text"], &live[0]["remoteId"]), (&json!(name), &json!(remote.id)));
        let sent = live[0]["media"].as_array().unwrap();
        assert_eq!(sent.len(), files.len(), "{name}");
        for (shown, (media_type, bytes)) in sent.iter().zip(&files) {
            let is_still = *media_type == "image/gif" && files.len() > 1;
            let length = if is_still { bytes.len().div_ceil(2) } else { bytes.len() };
            assert_eq!(shown["bytes"], length, "{name}");
        }

        let (access, post) = live_post(&job, &remote);
        for _ in 0..2 {
            after.edit(&access, &post, &said("changed")).await.unwrap();
        }
        assert_eq!(world.texts().await, ["changed"], "{name}");
        for _ in 0..2 {
            after.take_down(&access, &post).await.unwrap();
        }
        assert_eq!(world.texts().await, Vec::<String>::new(), "{name}");
        let again = after.edit(&access, &post, &said("again")).await;
        assert_eq!(again.unwrap_err().kind, Kind::Permanent, "{name}");
    }
}

#[tokio::test]
async fn the_call_is_what_the_network_documents() {
    let world = World::new(Platform::Telegram).await;
    let mut job = world.job(1, "Hello", &json!({}));
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, _) = world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    let chat_id: i64 = world.connected.network_id.split_once('/').unwrap().1.parse().unwrap();
    assert_eq!(
        world.bodies("/sendMessage").await,
        [json!({ "chat_id": chat_id, "text": "Hello\nhttps://blog.example.com/post" })]
    );
}

#[tokio::test]
async fn links_and_records_of_other_chats() {
    let world = World::new(Platform::Telegram).await;
    let after = after(&world);
    let private = |id: i64| id.to_string().strip_prefix("-100").unwrap().to_owned();
    for (target, name, has_link) in [
        (1, "private news", true),
        (2, "supergroup of us", true),
        (3, "group of us", false),
        (4, "upgraded us", true),
    ] {
        let connected = account(&world, name).await.1.unwrap();
        let job = job_of(&world, &connected, target, name);
        let (remote, failures) = world.publish(job.clone()).await;
        let remote = remote.unwrap();
        assert_eq!(failures, [], "{name}");
        let chat_id = remote.record["chatId"].as_i64().unwrap();
        let link = has_link.then(|| format!("https://t.me/c/{}/{}", private(chat_id), remote.id));
        assert_eq!(remote.url, link, "{name}");
        let (access, post) = live_post(&job, &remote);
        after.edit(&access, &post, &said("changed")).await.unwrap();
        assert_eq!(world.texts().await, ["changed"], "{name}");
        assert_eq!(after.followers(&access).await, Ok(Some(96)), "{name}");
        after.take_down(&access, &post).await.unwrap();
        assert_eq!(world.texts().await, Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn a_video_that_is_put_off_is_live_without_an_id() {
    let world = World::new(Platform::Telegram).await;
    let connected = account(&world, "big news").await.1.unwrap();
    let job = job_of(&world, &connected, 1, "a film");
    let job = with_files(&world, job, &[("video/mp4", mp4())]);
    let progress = world.network.begin(&job);
    let step = world.network.advance(&job, &progress).await.unwrap();
    let Step::Live(live) = step else { panic!("{step:?}") };
    assert_eq!((live.remote, live.then), (None, None));
    assert_eq!(world.texts().await, ["a film"]);
}

#[tokio::test]
async fn whatever_breaks_a_publish_it_is_never_there_twice() {
    let files = vec![("image/png", png(1)), ("video/mp4", mp4())];
    for (name, files) in [("text", vec![]), ("album", files)] {
        let world = World::new(Platform::Telegram).await;
        let mut known = 0;
        for (target, (kind, want, is_done)) in [
            ("error500", Kind::Unsettled, false),
            ("timeout", Kind::InDoubt, false),
            ("reset_before", Kind::InDoubt, false),
            ("reset_after", Kind::InDoubt, true),
        ]
        .into_iter()
        .enumerate()
        {
            world.fault(json!({ "operation": "publish", "kind": kind, "afterMs": 20 })).await;
            let job = world.job(target as u128 + 1, kind, &json!({}));
            let job = with_files(&world, job, &files);
            let progress = world.network.begin(&job);
            assert!(world.network.is_visible(&progress));
            let error = world.network.advance(&job, &progress).await.unwrap_err();
            assert_eq!(error.kind, want, "{name} {kind}: {error}");
            let located = world.network.locate(&job, &progress).await.unwrap();
            assert_eq!(located, Located::Unknown, "{name} {kind}");
            known += usize::from(is_done);
            assert_eq!(world.live().await.len(), known, "{name} {kind}");
        }
        let limited_or_not = match files.len() {
            0 => [(11, "rate_limited"), (12, "slow")].as_slice(),
            // A limit may have been reached by any item of an album.
            _ => [(12, "slow")].as_slice(),
        };
        for &(target, kind) in limited_or_not {
            let fault = json!({
                "operation": "publish", "kind": kind, "afterMs": 50, "retryAfterSeconds": 7,
            });
            world.fault(fault).await;
            let job = with_files(&world, world.job(target, kind, &json!({})), &files);
            let (remote, failures) = world.publish(job).await;
            assert!(remote.is_ok(), "{name} {kind}: {remote:?}");
            let wait = Some(chrono::TimeDelta::seconds(7));
            let limited = vec![Kind::RateLimited { wait }];
            assert_eq!(failures, if kind == "slow" { vec![] } else { limited }, "{name}");
            known += 1;
            assert_eq!(world.live().await.len(), known, "{name} {kind}");
        }
    }
}

#[tokio::test]
async fn an_album_that_may_be_there_in_part_is_never_repeated_nor_refused_for_good() {
    for (kind, live) in [("partial", 1), ("rate_limited", 0), ("error500", 0)] {
        let world = World::new(Platform::Telegram).await;
        world.fault(json!({ "operation": "publish", "kind": kind })).await;
        let pictures = [("image/png", png(1)), ("image/png", png(2))];
        let job = with_files(&world, world.job(1, "two", &json!({})), &pictures);
        let progress = world.network.begin(&job);
        let error = world.network.advance(&job, &progress).await.unwrap_err();
        assert_eq!(error.kind, Kind::Unsettled, "{kind}: {error}");
        let located = world.network.locate(&job, &progress).await.unwrap();
        assert_eq!(located, Located::Unknown, "{kind}");
        assert_eq!(world.live().await.len(), live, "{kind}");
    }
}

#[tokio::test]
async fn a_refusal_is_said_in_the_networks_words() {
    let world = World::new(Platform::Telegram).await;
    world.fault(json!({ "operation": "publish", "kind": "permanent" })).await;
    let (remote, failures) = world.publish(world.job(1, "never", &json!({}))).await;
    let error = remote.unwrap_err();
    assert_eq!(failures, [Kind::Permanent]);
    assert_eq!(error.code, FailureCode::ValidationFailed);
    assert!(error.message.contains("message is too long"), "{error}");
    let (remote, _) = world.publish(world.job(2, &"a".repeat(4_097), &json!({}))).await;
    assert_eq!(remote.unwrap_err().code, FailureCode::ValidationFailed);
    let job = world.job(3, &"a".repeat(1_025), &json!({}));
    let job = with_files(&world, job, &[("image/png", png(1))]);
    let (remote, _) = world.publish(job).await;
    let error = remote.unwrap_err();
    assert!(error.message.contains("caption is too long"), "{error}");
    assert_eq!(world.live().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_token_that_was_revoked_has_to_be_connected_again() {
    let world = World::new(Platform::Telegram).await;
    let after = after(&world);
    let job = world.job(1, "before", &json!({}));
    let (remote, _) = world.publish(job.clone()).await;
    let (access, post) = live_post(&job, &remote.unwrap());
    world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
    let (remote, failures) = world.publish(world.job(2, "never", &json!({}))).await;
    assert_eq!(remote.unwrap_err().code, FailureCode::AccountNotConnected);
    assert_eq!(failures, [Kind::Reconnect]);
    for error in [
        after.edit(&access, &post, &said("x")).await.unwrap_err(),
        after.take_down(&access, &post).await.unwrap_err(),
        after.followers(&access).await.unwrap_err(),
    ] {
        assert_eq!(error.kind, Kind::Reconnect, "{error}");
    }
    assert_eq!(world.texts().await, ["before"]);
    let same = world.network.refresh(&job.account, &job.credentials).await.unwrap();
    assert_eq!(same.expose(), job.credentials.expose());
}

#[tokio::test]
async fn whatever_breaks_an_edit_or_a_take_down_it_can_be_repeated() {
    let world = World::new(Platform::Telegram).await;
    let after = after(&world);
    let limited = Kind::RateLimited { wait: Some(chrono::TimeDelta::seconds(7)) };
    for (target, (kind, want)) in [
        ("error500", Kind::Temporary),
        ("rate_limited", limited),
        ("timeout", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("reset_after", Kind::Temporary),
        ("permanent", Kind::Permanent),
    ]
    .into_iter()
    .enumerate()
    {
        let fault =
            || json!({ "operation": "any", "kind": kind, "afterMs": 20, "retryAfterSeconds": 7 });
        let job = world.job(target as u128 + 1, "before", &json!({}));
        let (remote, _) = world.publish(job.clone()).await;
        let (access, post) = live_post(&job, &remote.unwrap());
        world.fault(fault()).await;
        let error = after.edit(&access, &post, &said(kind)).await.unwrap_err();
        assert_eq!(error.kind, want, "edit, {kind}: {error}");
        after.edit(&access, &post, &said(kind)).await.unwrap();
        assert_eq!(world.texts().await, [kind]);

        world.fault(fault()).await;
        let error = after.followers(&access).await.unwrap_err();
        // What is refused for good here is a chat that is gone.
        let want_of_count = if kind == "permanent" { Kind::Reconnect } else { want };
        assert_eq!(error.kind, want_of_count, "followers, {kind}: {error}");
        assert_eq!(after.followers(&access).await, Ok(Some(96)));

        world.fault(fault()).await;
        let error = after.take_down(&access, &post).await.unwrap_err();
        assert_eq!(error.kind, want, "take-down, {kind}: {error}");
        after.take_down(&access, &post).await.unwrap();
        assert_eq!(world.texts().await, Vec::<String>::new(), "{kind}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_temporary_failure() {
    let world = World::new(Platform::Telegram).await;
    let job = world.job(1, "never", &json!({}));
    let network = world.network.clone();
    let progress = network.begin(&job);
    world.sandbox.stop().await;
    let error = network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary, "{error}");
    assert!(error.message.contains("Nothing was sent"), "{error}");
    assert!(!error.message.contains("bot"), "{error}");
}

#[tokio::test]
async fn what_bots_cannot_do_is_not_offered() {
    let world = World::new(Platform::Telegram).await;
    let after = after(&world);
    let job = world.job(1, "Hello", &json!({}));
    let (remote, _) = world.publish(job.clone()).await;
    let (access, post) = live_post(&job, &remote.unwrap());
    assert_eq!(after.comments(&access, &post).await, Ok(None));
    assert_eq!(after.insights(&access, &post).await, Ok(None));
    assert_eq!(after.mentions(&access, "ana").await, Ok(Vec::new()));
    let error = after.figures(&access, &[post]).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

/// What a network shows of a call that it has taken, by the names of the call.
#[tokio::test]
async fn options_arrive() {
    let world = World::new(Platform::Telegram).await;
    let (_, forum) = account(&world, "forum of us").await;
    let forum = forum.unwrap();
    assert_eq!(forum.limits.has_topics, Some(true));
    assert_eq!(world.connected.limits.has_topics, Some(false));
    let with = |target: u128, options: Value, files: &[(&str, Vec<u8>)]| {
        let mut job = job_of(&world, &forum, target, "Hello");
        job.options = options.as_object().unwrap().clone();
        with_files(&world, job, files)
    };
    let all = json!({
        "silent": true, "protect": true, "topicId": 3, "linkPreview": false, "captionAbove": true,
        "spoilerMedia": true, "buttons": [[{ "text": "Go", "url": "https://a.example" }]],
    });
    let poll =
        json!({ "poll": { "options": ["Tea", "Coffee"], "question": "Which?" }, "topicId": 3 });
    let picture = || ("image/png", png(1));
    for (target, (name, options, files)) in [
        ("a text", all.clone(), vec![]),
        ("a file", all.clone(), vec![picture()]),
        (
            "an album",
            json!({ "silent": true, "topicId": 3, "spoilerMedia": true }),
            vec![picture(), picture()],
        ),
        ("a poll", poll, vec![]),
    ]
    .into_iter()
    .enumerate()
    {
        let (remote, failures) = world.publish(with(target as u128 + 1, options, &files)).await;
        assert!(remote.is_ok() && failures.is_empty(), "{name}: {failures:?}");
    }
    for (target, (name, options)) in [
        ("a topic", json!({ "topicId": 99 })),
        ("a button", json!({ "buttons": [[{ "text": "Go", "url": "a.example" }]] })),
        ("a poll", json!({ "poll": { "options": ["a", "b".repeat(101)] } })),
    ]
    .into_iter()
    .enumerate()
    {
        let (remote, _) = world.publish(with(target as u128 + 20, options, &[])).await;
        assert_eq!(remote.unwrap_err().code, FailureCode::ValidationFailed, "{name}");
    }
}
