//! Discord, by webhook and by bot.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AfterPublishing, AuthorizeInput, ConnectInput, Live, Located, NetworkErrorKind as Kind,
    NoMedia, PublishJob, Step,
};
use scheduler_core::target::FailureCode;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Sandbox;
use serde_json::{Value, json};
use url::Url;

use crate::support::{World, input};

/// The channels of a bot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Webhook,
    ForumWebhook,
    Text,
    Announcement,
    Forum,
}

impl Place {
    pub(crate) const ALL: [Self; 5] =
        [Self::Webhook, Self::ForumWebhook, Self::Text, Self::Announcement, Self::Forum];

    const BOTS: [Self; 3] = [Self::Text, Self::Announcement, Self::Forum];

    pub(crate) const fn is_forum(self) -> bool {
        matches!(self, Self::ForumWebhook | Self::Forum)
    }

    /// What a post needs to be taken there.
    pub(crate) fn options(self) -> Value {
        if self.is_forum() { json!({ "threadName": "News" }) } else { json!({}) }
    }
}

/// An account of its own on a sandbox.
pub(crate) async fn account(sandbox: &Sandbox) -> Value {
    let url = format!("{}/_sandbox/accounts", sandbox.url());
    let client = reqwest::Client::builder().build().unwrap();
    let made = client.post(url).json(&json!({ "platform": "discord" })).send().await.unwrap();
    made.json().await.unwrap()
}

/// The adapters for a sandbox, with its application.
pub(crate) fn built(sandbox: &Sandbox) -> Adapters {
    let base = Url::parse(&format!("{}/discord", sandbox.url())).unwrap();
    let client = Client {
        id: "1000000000000000001".to_owned(),
        secret: "sandbox-client-secret".to_owned().into(),
    };
    let of_discord = NetworkSettings {
        api_base: Some(base),
        client: Some(client),
        ..NetworkSettings::default()
    };
    let networks = BTreeMap::from([(Platform::Discord, of_discord)]);
    let files = StoredFiles { files: Arc::new(MemoryFiles::new()), examiner: Arc::new(NoMedia) };
    adapters(&Settings { allow_private: true, networks }, files).unwrap()
}

pub(crate) fn after(sandbox: &Sandbox) -> Arc<dyn AfterPublishing> {
    built(sandbox).after.network(Platform::Discord).unwrap().clone()
}

/// A world whose account is the one of a place.
pub(crate) async fn world(place: Place) -> World {
    let mut world = World::new(Platform::Discord).await;
    let account = account(&world.sandbox).await;
    let bot = |channel: &str| {
        let bot = &account["bot"];
        input(&json!({ "botToken": bot["botToken"], "channelId": bot[channel] }))
    };
    let values = match place {
        Place::Webhook => return world,
        Place::ForumWebhook => input(&account["forum"]),
        Place::Text => bot("textChannelId"),
        Place::Announcement => bot("announcementChannelId"),
        Place::Forum => bot("forumChannelId"),
    };
    world.connected = world.network.connect(&values).await.unwrap().remove(0);
    world
}

#[tokio::test]
async fn accounts_are_webhooks_and_channels_of_a_bot() {
    // The world makes two accounts, of which this place takes the first.
    let world = world(Place::Webhook).await;
    let account = account(&world.sandbox).await;
    assert_eq!(world.connected.username.as_deref(), Some("Sandbox 1"));
    assert!(world.connected.server_url.as_deref().unwrap().ends_with("/discord"));
    let forum = world.network.connect(&input(&account["forum"])).await.unwrap().remove(0);
    assert_eq!(forum.limits.is_forum, Some(true));

    let token = json!({ "botToken": account["bot"]["botToken"] });
    let channels = world.network.connect(&input(&token)).await.unwrap();
    let shown: Vec<(&str, Option<bool>)> = channels
        .iter()
        .map(|channel| (channel.display_name.as_deref().unwrap(), channel.limits.is_forum))
        .collect();
    assert_eq!(
        shown,
        [
            ("Sandbox 3 · #general", None),
            ("Sandbox 3 · #news", None),
            ("Sandbox 3 · #forum", Some(true)),
        ]
    );
    assert!(channels.iter().all(|channel| channel.lacks.is_empty()));

    let mut wrong = account["webhookUrl"].as_str().unwrap().to_owned();
    wrong.push('x');
    for values in [json!({ "webhookUrl": wrong }), json!({ "botToken": "wrong" })] {
        let error = world.network.connect(&input(&values)).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{error}");
    }
}

#[tokio::test]
async fn discords_own_page_makes_an_account() {
    let world = world(Place::Webhook).await;
    let network = built(&world.sandbox).networks.network(Platform::Discord).unwrap().clone();
    let back = "https://s.example/connect/discord/callback";
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: back.to_owned(),
        state: "state".to_owned(),
        code_verifier: "v".repeat(43).into(),
    };
    let page = network.authorize(&asked).await.unwrap();
    let browser =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    assert_eq!(browser.get(&page.url).send().await.unwrap().status(), 200);
    let form = [("redirect_uri", back), ("state", "state"), ("decision", "allow")];
    let url = format!("{}/discord/oauth2/authorize", world.sandbox.url());
    let sent = browser.post(url).form(&form).send().await.unwrap();
    let location = Url::parse(sent.headers()["location"].to_str().unwrap()).unwrap();
    let code = location.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
    let values = json!({ "code": code, "redirectUri": back, "codeVerifier": "v" });
    let connected = network.connect(&input(&values)).await.unwrap();
    assert_eq!(connected[0].username.as_deref(), Some("Scheduler"));
    let error = network.connect(&input(&values)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "a code is good for one use: {error}");

    let mut world = world;
    world.connected = connected.into_iter().next().unwrap();
    let (remote, failures) = world.publish(world.job(1, "Hello", &json!({}))).await;
    assert!(remote.is_ok() && failures.is_empty(), "{remote:?}");
}

#[tokio::test]
async fn a_post_and_its_address_everywhere() {
    for place in Place::ALL {
        let world = world(place).await;
        let mut job = world.job(1, "Hello", &place.options());
        job.link_url = Some("https://blog.example.com/post".to_owned());
        let (remote, failures) = world.publish(job).await;
        let remote = remote.unwrap();
        assert_eq!(failures, [], "{place:?}");
        assert!(remote.url.unwrap().ends_with(&format!("/{}", remote.id)), "{place:?}");
        let live = world.live().await;
        assert_eq!(live.len(), 1, "{place:?}");
        assert_eq!(live[0]["text"], "Hello\nhttps://blog.example.com/post");
        assert_eq!(live[0]["remoteId"], json!(remote.id));
        let in_thread = remote.record["threadId"] == remote.record["channelId"];
        assert_eq!(in_thread, place.is_forum(), "{place:?}");
    }
}

#[tokio::test]
async fn files_arrive_in_their_order() {
    let picture = b"\x89PNG\r\n\x1a\n".to_vec();
    let film = vec![7; 3_000_000];
    for place in Place::ALL {
        let world = world(place).await;
        let mut job = world.job(1, "", &place.options());
        job.files = vec![
            world.file(1, "image/png", &picture),
            world.file(2, "video/mp4", &film),
            world.file(3, "application/pdf", b"%PDF-1.4"),
        ];
        let (remote, failures) = world.publish(job).await;
        assert!(remote.is_ok(), "{place:?}: {remote:?}");
        assert_eq!(failures, [], "{place:?}");
        let media = &world.live().await[0]["media"];
        assert_eq!(
            (&media[0]["type"], &media[0]["bytes"]),
            (&json!("image/png"), &json!(picture.len())),
            "{place:?}"
        );
        assert_eq!(
            (&media[1]["type"], &media[1]["bytes"]),
            (&json!("video/mp4"), &json!(3_000_000))
        );
        assert_eq!(media[2]["type"], "application/pdf");
    }
}

#[tokio::test]
async fn a_bots_message_opens_its_thread_once() {
    for kind in ["", "error500", "timeout", "reset_before", "reset_after"] {
        let world = world(Place::Text).await;
        let job = world.job(1, "Hello", &json!({ "threadName": "Talk" }));
        let network = &world.network;
        let step = network.advance(&job, &network.begin(&job)).await.unwrap();
        let Step::Live(Live { remote: Some(remote), then: Some(then) }) = step else {
            panic!("{kind}: {step:?}")
        };
        if !kind.is_empty() {
            world.fault(json!({ "operation": "publish", "kind": kind, "afterMs": 20 })).await;
            let error = network.advance(&job, &then).await.unwrap_err();
            assert!(matches!(error.kind, Kind::InDoubt | Kind::Unsettled), "{kind}: {error}");
            let located = network.locate(&job, &then).await.unwrap();
            assert_eq!(located, Located::Repeat(then.clone()), "{kind}");
        }
        let step = network.advance(&job, &then).await.unwrap();
        let Step::Live(Live { remote: Some(threaded), then: None }) = step else {
            panic!("{kind}: {step:?}")
        };
        assert_eq!(threaded.id, remote.id, "{kind}");
        assert_eq!(threaded.record["threadId"], json!(remote.id), "{kind}");
        assert_eq!(world.texts().await, ["Hello"], "{kind}");
    }
}

/// A wait is counted by clocks of whole seconds.
fn is_about_seven(kind: Kind) -> bool {
    matches!(kind, Kind::RateLimited { wait: Some(wait) } if wait == TimeDelta::seconds(7))
}

#[tokio::test]
async fn whatever_breaks_a_bots_post_is_there_once() {
    for place in Place::BOTS {
        for (kind, times, want_failures) in [
            ("error500", 1, 1),
            ("error500", 2, 2),
            ("rate_limited", 1, 1),
            ("timeout", 1, 1),
            ("reset_before", 1, 1),
            ("reset_after", 1, 1),
            // What went out is found, so that the second fault is left for nobody.
            ("reset_after", 2, 1),
        ] {
            // Another thread of the bot may be its own, renamed: a forum of its own for each.
            let world = world(place).await;
            let fault = json!({
                "operation": "publish",
                "kind": kind,
                "times": times,
                "afterMs": 20,
                "retryAfterSeconds": 7,
            });
            world.fault(fault).await;
            let content = format!("{kind} {times}");
            let mut job = world.job(1, &content, &place.options());
            job.files = vec![world.file(1, "image/png", content.as_bytes())];
            let (remote, failures) = world.publish(job).await;
            assert!(remote.is_ok(), "{place:?} {kind}: {remote:?}");
            assert_eq!(failures.len(), want_failures, "{place:?} {kind}: {failures:?}");
            if kind == "rate_limited" {
                assert!(is_about_seven(failures[0]), "{place:?}: {failures:?}");
            }
            assert_eq!(world.texts().await, [content], "{place:?} {kind}");
            world.sandbox.stop().await;
        }
    }
}

#[tokio::test]
async fn a_lost_thread_beside_one_of_another_name_is_in_doubt() {
    let world = world(Place::Forum).await;
    let (first, _) = world.publish(world.job(1, "first", &Place::Forum.options())).await;
    assert!(first.is_ok(), "{first:?}");
    // Nothing was sent; the first may be the second, renamed.
    let second = world.job(2, "second", &json!({ "threadName": "Other" }));
    let progress = world.network.begin(&second);
    assert_eq!(world.network.locate(&second, &progress).await, Ok(Located::Unknown));
    assert_eq!(world.texts().await, ["first"]);
}

#[tokio::test]
async fn a_webhooks_lost_answer_is_left_to_a_person() {
    for place in [Place::Webhook, Place::ForumWebhook] {
        for (kind, want, is_live) in [
            ("error500", Kind::Unsettled, false),
            ("timeout", Kind::InDoubt, false),
            ("reset_before", Kind::InDoubt, false),
            ("reset_after", Kind::InDoubt, true),
        ] {
            let world = world(place).await;
            let fault = json!({ "operation": "publish", "kind": kind, "afterMs": 20 });
            world.fault(fault).await;
            let job = world.job(1, "Hello", &place.options());
            let progress = world.network.begin(&job);
            let error = world.network.advance(&job, &progress).await.unwrap_err();
            assert_eq!(error.kind, want, "{place:?} {kind}: {error}");
            let located = world.network.locate(&job, &progress).await.unwrap();
            assert_eq!(located, Located::Unknown, "{place:?} {kind}");
            assert_eq!(world.texts().await.len(), usize::from(is_live), "{place:?} {kind}");
        }
    }
}

#[tokio::test]
async fn what_did_nothing_is_tried_again_by_a_webhook_too() {
    let world = world(Place::Webhook).await;
    let fault = json!({ "operation": "publish", "kind": "rate_limited", "retryAfterSeconds": 7 });
    world.fault(fault).await;
    let (remote, failures) = world.publish(world.job(1, "later", &json!({}))).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert!(is_about_seven(failures[0]), "{failures:?}");
    world.fault(json!({ "operation": "publish", "kind": "slow", "afterMs": 100 })).await;
    let (remote, failures) = world.publish(world.job(2, "slow", &json!({}))).await;
    assert!(remote.is_ok() && failures.is_empty(), "{remote:?} {failures:?}");
    assert_eq!(world.texts().await, ["later", "slow"]);
    let job = world.job(3, "never", &json!({}));
    let network = world.network.clone();
    world.sandbox.stop().await;
    let error = network.advance(&job, &network.begin(&job)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary, "{error}");
}

#[tokio::test]
async fn a_token_that_ended_has_to_be_connected_again() {
    for place in Place::ALL {
        let world = world(place).await;
        world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
        let (remote, failures) = world.publish(world.job(1, "never", &place.options())).await;
        assert_eq!(failures, [Kind::Reconnect], "{place:?}: {remote:?}");
        assert_eq!(world.texts().await, Vec::<String>::new());
        let job = world.job(1, "never", &json!({}));
        let same = world.network.refresh(&job.account, &job.credentials).await.unwrap();
        assert_eq!(same.expose(), job.credentials.expose(), "there is nothing to exchange");
    }
}

/// A job that begins later than it was made, as after a restart.
fn later(mut job: PublishJob, by: TimeDelta) -> PublishJob {
    job.now += by;
    job
}

#[tokio::test]
async fn a_post_that_went_out_is_found_after_a_crash() {
    for place in Place::BOTS {
        let world = world(place).await;
        let (other, _) = world.publish(world.job(9, "another", &place.options())).await;
        assert!(other.is_ok());
        let options = match place.is_forum() {
            true => json!({ "threadName": "found" }),
            false => json!({}),
        };
        let mut job = world.job(1, "found", &options);
        job.files = vec![world.file(1, "image/png", b"picture")];
        let progress = world.network.begin(&job);
        let step = world.network.advance(&job, &progress).await.unwrap();
        let Step::Live(live) = step else { panic!("{place:?}: {step:?}") };
        for by in [TimeDelta::minutes(10), TimeDelta::hours(2)] {
            let job = later(job.clone(), by);
            let located = world.network.locate(&job, &progress).await.unwrap();
            assert_eq!(located, Located::Live(live.clone()), "{place:?}");
        }

        let options = match place.is_forum() {
            true => json!({ "threadName": "absent" }),
            false => json!({}),
        };
        // Begun so late that no thread of another name can be its own, renamed.
        let absent = later(world.job(2, "absent", &options), TimeDelta::minutes(20));
        let absent = PublishJob { begun_at: absent.now, ..absent };
        let progress = world.network.begin(&absent);
        let located = world.network.locate(&absent, &progress).await.unwrap();
        assert!(matches!(located, Located::Absent(_)), "{place:?}: {located:?}");
    }
}

#[tokio::test]
async fn a_repeat_under_the_same_nonce_makes_nothing_new() {
    let world = world(Place::Text).await;
    let job = world.job(1, "once", &json!({}));
    let progress = world.network.begin(&job);
    let first = world.network.advance(&job, &progress).await.unwrap();
    assert_eq!(world.network.advance(&job, &progress).await.unwrap(), first);
    assert_eq!(world.texts().await, ["once"]);
    let Step::Live(live) = first else { panic!("{first:?}") };
    assert_eq!(world.network.locate(&job, &progress).await, Ok(Located::Live(live)));
}

#[tokio::test]
async fn what_the_network_refuses_is_said_in_its_words() {
    for (place, content, options, words) in [
        (Place::Webhook, "a".repeat(2_001), json!({}), "Must be 2000 or fewer in length."),
        (Place::Webhook, String::new(), json!({}), "Cannot send an empty message"),
        (Place::Webhook, "a".to_owned(), json!({ "threadName": "x" }), "leave threadName out"),
        (Place::ForumWebhook, "a".to_owned(), json!({}), "give the post a threadName"),
        (Place::Forum, "a".to_owned(), json!({}), "give the post a threadName"),
        (Place::Text, "a".repeat(2_001), json!({}), "Must be 2000 or fewer in length."),
    ] {
        let world = world(place).await;
        let (remote, _) = world.publish(world.job(1, &content, &options)).await;
        let error = remote.unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
        assert!(error.message.contains(words), "{place:?}: {error}");
        assert_eq!(world.live().await, Vec::<Value>::new(), "{place:?}");
    }
}

#[tokio::test]
async fn a_webhook_keeps_out_of_sight_in_the_requests_that_it_makes() {
    let world = world(Place::Webhook).await;
    let (_, _) = world.publish(world.job(1, "Hello", &json!({}))).await;
    let token = world.connected.credentials.expose().to_owned();
    let kept: Value = serde_json::from_str(&token).unwrap();
    // The sandbox shows no token either.
    let bodies = world.bodies("/[redacted]").await;
    let want = json!({ "content": "Hello", "allowed_mentions": { "parse": [] } });
    assert_eq!(bodies.last(), Some(&want));
    assert!(!format!("{:?}", world.connected).contains(kept["token"].as_str().unwrap()));
}

#[tokio::test]
async fn options_arrive() {
    for place in Place::ALL {
        let world = world(place).await;
        let tags = if place.is_forum() { json!(["701"]) } else { json!([]) };
        let mut options = json!({
            "silent": true, "embeds": [{ "title": "News", "color": "#1e90ff" }],
            "mentions": { "everyone": true, "users": ["1"] }, "username": "Herald",
            "avatarUrl": "https://a.example/x.png", "crosspost": true,
        });
        if place.is_forum() {
            options["threadName"] = json!("News");
            options["forumTags"] = tags;
        }
        let (remote, failures) = world.publish(world.job(1, "Hello", &options)).await;
        assert!(remote.is_ok() && failures.is_empty(), "{place:?}: {failures:?}");
        let author = world.live().await[0]["author"].clone();
        let is_webhook = matches!(place, Place::Webhook | Place::ForumWebhook);
        assert_eq!(author == "Herald", is_webhook, "{place:?}: {author}");
        let mut poll = place.options();
        poll["poll"] = json!({ "options": ["Tea", "Coffee"] });
        let (remote, failures) = world.publish(world.job(2, "Which?", &poll)).await;
        assert!(remote.is_ok() && failures.is_empty(), "{place:?}: {failures:?}");

        let mut wrong = place.options();
        wrong["username"] = json!("My Discord");
        wrong["embeds"] = json!([{ "title": "t".repeat(257) }]);
        let (remote, _) = world.publish(world.job(3, "Hello", &wrong)).await;
        assert_eq!(remote.unwrap_err().code, FailureCode::ValidationFailed, "{place:?}");
    }
}
