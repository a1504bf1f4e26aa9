//! What is asked of accounts: audience, boards, playlists, creator, mentions; and fresh readings.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use scheduler_core::app::{Caller, NewPlaylistInput};
use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::post::TargetInput;
use scheduler_core::rules::Severity;
use serde_json::{Value, json};

use crate::after_support::{live_on, world_after};
use crate::support::{World, done, outcome, refused};

fn shown<T: serde::Serialize>(result: Result<T, Refusal>) -> Result<Value, Refusal> {
    result.map(|shown| serde_json::to_value(shown).unwrap())
}

type Ask = fn(&World, &Caller, AccountId) -> Result<Value, Refusal>;

const ASKS: [(&str, Option<Platform>, Scope, Ask); 5] = [
    ("boards", Some(Platform::Pinterest), Scope::PostsRead, |world, caller, id| {
        shown(refused(done(world.scheduler.boards(caller, id))))
    }),
    ("playlists", Some(Platform::Youtube), Scope::PostsRead, |world, caller, id| {
        shown(refused(done(world.scheduler.playlists(caller, id))))
    }),
    ("create_playlist", Some(Platform::Youtube), Scope::PostsPublish, |world, caller, id| {
        let input = NewPlaylistInput { title: Some(" 🎬 / 100 % ".into()), privacy: None };
        shown(
            refused(done(world.scheduler.create_playlist(caller, id, input, None)))
                .map(|made| made.value),
        )
    }),
    ("creator", Some(Platform::Tiktok), Scope::PostsRead, |world, caller, id| {
        shown(refused(done(world.scheduler.creator(caller, id))))
    }),
    ("mentions", None, Scope::PostsRead, |world, caller, id| {
        shown(refused(done(world.scheduler.mentions(caller, id, Some(" ana/%🦀 ")))))
    }),
];

#[test]
fn accounts_that_can_be_asked_and_that_cannot() {
    let want = [
        json!([{"id": "1", "name": "Board"}]),
        json!([]),
        json!({"id": "1", "title": "🎬 / 100 %", "privacy": "public", "duplicate": false}),
        json!({
            "privacyLevels": ["SELF_ONLY"],
            "commentDisabled": false,
            "duetDisabled": true,
            "stitchDisabled": false,
            "maxVideoDurationSeconds": 300,
            "avatarUrl": "https://a.example/me.gif",
        }),
        json!([{"handle": "@ana/%🦀", "name": "Somebody"}]),
    ];
    for ((name, platform, scope, ask), want) in ASKS.into_iter().zip(want) {
        let (world, after) = world_after();
        let account = world.connect(platform.unwrap_or(Platform::Bluesky), "me");
        assert_eq!(ask(&world, &world.caller, account.id), Ok(want), "{name}");
        let calls = after.take_calls();
        assert!(calls.len() == 1 && calls[0].starts_with(name), "{name}: {calls:?}");
        for (what, caller, id, code) in [
            ("unknown", world.caller.clone(), AccountId(uuid::Uuid::nil()), "not_found"),
            ("another workspace", world.stranger(), account.id, "not_found"),
            ("no scope", world.caller_with(&[Scope::PostsWrite]), account.id, "forbidden"),
        ] {
            assert_eq!(outcome(&ask(&world, &caller, id)), code, "{name} {what}");
        }
        assert_eq!(outcome(&ask(&world, &world.caller_with(&[scope]), account.id)), "ok", "{name}");
        let other = world.connect(Platform::Telegram, "other");
        let elsewhere = if platform.is_some() { "unsupported" } else { "ok" };
        assert_eq!(outcome(&ask(&world, &world.caller, other.id)), elsewhere, "{name}");
        done(world.scheduler.disconnect_account(&account)).unwrap();
        let gone = ask(&world, &world.caller, account.id);
        assert_eq!(outcome(&gone), "account_not_connected", "{name}");
    }
}

#[test]
fn playlists_that_cannot_be_made() {
    let (world, after) = world_after();
    let account = world.connect(Platform::Youtube, "me");
    let text = |text: &str| Some(text.to_owned());
    for (title, privacy, want) in [
        (None, None, "invalid_request title"),
        (text(" \t"), None, "invalid_request title"),
        (Some("é".repeat(151)), None, "invalid_request title"),
        (Some(format!("\t{}", "é".repeat(150))), None, "invalid_request title"),
        (text("a\0"), None, "invalid_request title"),
        (text("x"), text("hidden"), "invalid_request privacy"),
        (Some("é".repeat(150)), text("unlisted"), "ok"),
        (text("x"), text("private"), "ok"),
        (text("x"), text("public"), "ok"),
    ] {
        let name = format!("{title:?} {privacy:?}");
        let input = NewPlaylistInput { title, privacy };
        let made = world.scheduler.create_playlist(&world.caller, account.id, input, None);
        assert_eq!(outcome(&refused(done(made))), want, "{name}");
        assert_eq!(after.take_calls().len(), usize::from(want == "ok"), "{name}");
    }
}

#[test]
fn a_name_to_look_for_is_needed() {
    let (world, after) = world_after();
    let account = world.connect(Platform::Bluesky, "me");
    let long = "x".repeat(201);
    for query in [None, Some(""), Some("  "), Some("a\0"), Some(long.as_str())] {
        let found = world.scheduler.mentions(&world.caller, account.id, query);
        assert_eq!(outcome(&refused(done(found))), "invalid_request q", "{query:?}");
    }
    assert_eq!(after.take_calls(), [""; 0]);
}

#[test]
fn followers_day_by_day() {
    let (world, after) = world_after();
    let bluesky = world.connect(Platform::Bluesky, "me");
    for (days, followers) in [(0, 10), (1, 12), (1, 11)] {
        world.clock.advance(TimeDelta::days(days));
        *after.followers.lock().unwrap() = Some(followers);
        world.take_readings();
    }
    // Has no reading yet.
    let mastodon = world.connect(Platform::Mastodon, "new");
    // Its network does not tell.
    world.connect(Platform::Discord, "me");
    assert!(!Platform::Discord.sheet().reports_followers);
    let gone = world.connect(Platform::Tumblr, "gone");
    done(world.scheduler.disconnect_account(&gone)).unwrap();
    let audience =
        |days: Option<&str>| shown(refused(done(world.scheduler.audience(&world.caller, days))));
    let series = |readings: Value| {
        json!([
            {
                "accountId": bluesky.id, "platform": "bluesky", "username": "me",
                "displayName": null, "readings": readings,
            },
            {
                "accountId": mastodon.id, "platform": "mastodon", "username": "new",
                "displayName": null, "readings": [],
            },
        ])
    };
    let day = |date: &str, followers: u64| json!({"date": date, "followers": followers});
    let all = [day("2026-11-21", 10), day("2026-11-22", 12), day("2026-11-23", 11)];
    assert_eq!(audience(None).unwrap(), series(json!(all)));
    assert_eq!(audience(Some("2")).unwrap(), series(json!(all[1..])));
    assert_eq!(audience(Some("1")).unwrap(), series(json!(all[2..])));
    assert_eq!(audience(Some("730")).unwrap(), series(json!(all)));
    for wrong in ["0", "731", "-1", "ten", ""] {
        assert_eq!(outcome(&audience(Some(wrong))), "invalid_request days", "{wrong}");
    }
    let forbidden = refused(done(world.scheduler.audience(&world.caller_with(&[]), None)));
    assert_eq!(outcome(&forbidden), "forbidden");
    let theirs = done(world.scheduler.audience(&world.stranger(), None)).unwrap();
    assert_eq!(theirs, []);
}

#[test]
fn fresh_readings_of_the_last_fortnight_once_in_ten_minutes() {
    let (world, _) = world_after();
    live_on(&world, Platform::Mastodon);
    world.clock.advance(TimeDelta::days(10));
    live_on(&world, Platform::Mastodon);
    let refresh = || refused(done(world.scheduler.refresh_metrics(&world.caller)));
    let woken = world.wake.count();
    assert_eq!(refresh(), Ok(2));
    assert_eq!(world.wake.count(), woken + 1);
    world.clock.advance(TimeDelta::minutes(10) - TimeDelta::milliseconds(1_500));
    let refusal = refresh().unwrap_err();
    assert_eq!(outcome::<()>(&Err(refusal.clone())), "rate_limited");
    assert_eq!(refusal.retry_after_seconds(), NonZeroU32::new(2));
    let stranger = world.stranger();
    assert_eq!(refused(done(world.scheduler.refresh_metrics(&stranger))), Ok(0), "not theirs");
    world.clock.advance(TimeDelta::milliseconds(1_500));
    assert_eq!(refresh(), Ok(2));
    world.clock.advance(TimeDelta::days(4));
    assert_eq!(refresh(), Ok(1), "the first is older than a fortnight");
    let forbidden = refused(done(world.scheduler.refresh_metrics(&world.caller_with(&[]))));
    assert_eq!(outcome(&forbidden), "forbidden");
}

#[test]
fn what_a_creator_may_do_counts_for_a_minute_and_is_asked_before_a_post() {
    let (world, after) = world_after();
    let account = world.connect(Platform::Tiktok, "me");
    let body = |options: Value| {
        let video = json!({"kind": "video", "mimeType": "video/mp4", "durationSeconds": 301});
        let target = json!({"platform": "tiktok", "accountId": account.id, "options": options});
        serde_json::from_value(json!({"mediaItems": [video], "targets": [target]})).unwrap()
    };
    let errors = || {
        let options = json!({"privacy": "PUBLIC_TO_EVERYONE"});
        let report = done(world.scheduler.check_post(&world.caller, body(options))).unwrap();
        let errors = report.issues.into_iter().filter(|issue| issue.severity == Severity::Error);
        errors.map(|issue| issue.rule.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(errors(), [""; 0], "nothing was told");
    done(world.scheduler.creator(&world.caller, account.id)).unwrap();
    assert_eq!(errors(), ["tiktok.media.too_long", "tiktok.privacy.not_allowed"]);
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(errors(), [""; 0], "it was a minute ago");

    after.take_calls();
    let ask = |platform: Platform, account: AccountId, options: Value| {
        let Value::Object(options) = options else { panic!() };
        let targets = [TargetInput::from(platform).by(account).with_options(options)];
        let asked = world.scheduler.ask_whether_taken(&world.caller, &targets);
        (outcome(&refused(done(asked))), after.take_calls().len())
    };
    let full = || {
        let kind = NetworkErrorKind::RateLimited { wait: Some(TimeDelta::days(1)) };
        after.fail(NetworkError::new(kind, "No more today."));
    };
    full();
    let refused = ask(Platform::Tiktok, account.id, json!({"asDraft": false}));
    assert_eq!(refused, ("rate_limited".to_owned(), 1));
    let draft = ask(Platform::Tiktok, account.id, json!({"asDraft": true}));
    assert_eq!(draft, ("ok".to_owned(), 0));
    assert_eq!(ask(Platform::Tiktok, account.id, json!({})), ("ok".to_owned(), 1));
    let other = world.connect(Platform::Bluesky, "me");
    assert_eq!(ask(Platform::Bluesky, other.id, json!({})), ("ok".to_owned(), 0));
}
