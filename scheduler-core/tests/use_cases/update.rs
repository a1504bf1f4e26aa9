//! Changing a post.

use chrono::TimeDelta;
use scheduler_core::key::Scope;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::post::{Post, PostStatus};
use serde_json::{Value, json};

use crate::support::{World, at, body, done, outcome, statuses, target_of};

const LATER: &str = "2026-12-01T09:00:00Z";

fn scheduled(world: &World) -> Post {
    world.create(body(&["bluesky", "mastodon"], json!({"scheduledAt": LATER})))
}

#[test]
fn a_post_whose_account_is_gone_or_paused_is_not_given_a_time() {
    let times = [
        ("at an instant", json!({"scheduledAt": LATER})),
        ("at a local time", json!({"scheduledLocal": "2026-12-01T09:00"})),
        ("in the queue", json!({"queue": true})),
        ("at once", json!({"publishNow": true})),
    ];
    for (name, time) in times {
        let world = World::new();
        let post = world.create(body(&["telegram"], json!({"saveAsDraft": true})));
        // Plan free covers 3 accounts: an account connected before puts this one out.
        let paused = world.caller_on(Plan::Free);
        done(world.scheduler.disconnect_account(&world.account(Platform::Telegram))).unwrap();
        let patched = world.patch(post.id, time.clone());
        assert_eq!(outcome(&patched), "account_not_connected", "{name}, disconnected");

        world.connect(Platform::Discord, "fourth");
        world.clock.advance(TimeDelta::seconds(1));
        let fifth = world.connect(Platform::Tumblr, "fifth");
        let post = world.create(body(&["tumblr"], json!({"saveAsDraft": true})));
        let patched = world.patch_as(&paused, post.id, time);
        assert_eq!(outcome(&patched), "channel_limit", "{name}, {} is paused", fifth.label());
        assert_eq!(patched.unwrap_err().upgrade_to().map(Plan::as_str), Some("pro"), "{name}");
    }
}

#[test]
fn a_scheduled_post_whose_account_is_gone_can_be_parked_and_freed_of_it() {
    let world = World::new();
    let post = scheduled(&world);
    done(world.scheduler.disconnect_account(&world.account(Platform::Bluesky))).unwrap();
    let changed = world.patch(post.id, json!({"content": "New"}));
    assert_eq!(outcome(&changed), "account_not_connected");
    let only_mastodon = json!({"targets": [{"platform": "mastodon"}]});
    assert_eq!(outcome(&world.patch(post.id, only_mastodon)), "ok");

    let post = world.create(body(&["mastodon", "telegram"], json!({"scheduledAt": LATER})));
    done(world.scheduler.disconnect_account(&world.account(Platform::Telegram))).unwrap();
    let parked = world.patch(post.id, json!({"saveAsDraft": true})).unwrap();
    assert_eq!(parked.status, PostStatus::Draft);
    assert_eq!(outcome(&world.patch(post.id, json!({"content": "New"}))), "ok");
}

#[test]
fn queueing_a_queued_post_again_keeps_the_slot_that_it_frees() {
    let world = World::new();
    let first = world.create(body(&["bluesky"], json!({"queue": true})));
    let second = world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(first.scheduled_at, Some(at("2026-11-21T13:00:00Z")));
    assert_eq!(second.scheduled_at, Some(at("2026-11-21T18:00:00Z")));
    let requeued = world.patch(first.id, json!({"queue": true})).unwrap();
    assert_eq!(requeued.scheduled_at, first.scheduled_at, "its own slot is free to it");
    world.delete(first.id).unwrap();
    let requeued = world.patch(second.id, json!({"queue": true})).unwrap();
    assert_eq!(requeued.scheduled_at, Some(at("2026-11-21T13:00:00Z")), "the next free one");
    let third = world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(third.scheduled_at, Some(at("2026-11-21T18:00:00Z")), "the one that was freed");
}

#[test]
fn files_that_are_not_ready_are_an_issue_and_a_file_deleted_since_is_unusable() {
    let world = World::new();
    let file = world.file(MediaStatus::Ready);
    let fields = json!({"mediaIds": [file], "saveAsDraft": true});
    let post = world.create(body(&["bluesky"], fields));
    let deleted = world.file(MediaStatus::Deleted);
    let patched = world.patch(post.id, json!({"mediaIds": [deleted]}));
    assert_eq!(outcome(&patched), "validation_failed");
    assert_eq!(patched.unwrap_err().issues()[0].rule, "post.media.not_ready");
    world.put_file(&world.caller, file, MediaKind::Image, MediaStatus::Deleted);
    let published = world.patch(post.id, json!({"publishNow": true}));
    assert_eq!(outcome(&published), "media_unusable");
    let without = world.patch(post.id, json!({"mediaIds": null, "publishNow": true}));
    assert_eq!(outcome(&without), "ok");
}

#[test]
fn scopes() {
    let (write, publish) = (Scope::PostsWrite, Scope::PostsPublish);
    let text = json!({"content": "New"});
    let time = json!({"scheduledAt": LATER});
    let park = json!({"saveAsDraft": true});
    for (name, timing, change, scope, want) in [
        ("a draft's text", &park, &text, write, "ok"),
        ("a draft's text, publish alone", &park, &text, publish, "forbidden"),
        ("a time for a draft", &park, &time, write, "forbidden"),
        ("a time for a draft, publish alone", &park, &time, publish, "ok"),
        ("a draft stays parked", &park, &park, write, "ok"),
        ("a scheduled post's text", &time, &text, write, "forbidden"),
        ("a scheduled post's text", &time, &text, publish, "ok"),
        ("a scheduled post is parked", &time, &park, write, "forbidden"),
        ("reading is not writing", &park, &text, Scope::PostsRead, "forbidden"),
        ("everything", &time, &text, Scope::All, "ok"),
    ] {
        let world = World::new();
        let post = world.create(body(&["bluesky"], timing.clone()));
        let patched = world.patch_as(&world.caller_with(&[scope]), post.id, change.clone());
        assert_eq!(outcome(&patched), want, "{name}");
    }
}

#[test]
fn a_key_without_the_scope_learns_nothing_of_the_state() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work();
    let patched = world.patch_as(
        &world.caller_with(&[Scope::PostsWrite]),
        post.id,
        json!({"content": "New"}),
    );
    assert_eq!(outcome(&patched), "forbidden");
    assert!(patched.unwrap_err().message().contains("posts:publish"), "the scope is named");
}

#[test]
fn absent_null_and_value() {
    let fields = |world: &World| {
        let file = world.file(MediaStatus::Ready);
        json!({
            "content": "Hello",
            "linkUrl": "https://example.com/a",
            "mediaIds": [file],
            "altTexts": ["a cat"],
            "disclosure": {"aiGenerated": true},
            "saveAsDraft": true,
        })
    };
    type Check = fn(&Post, &Post) -> bool;
    let cases: [(&str, Value, Check); 10] = [
        ("nothing sent changes nothing", json!({}), |old, new| {
            let unchanged = Post {
                updated_at: new.updated_at,
                version: new.version,
                revision: old.revision + 1,
                ..old.clone()
            };
            *new == unchanged
        }),
        ("content cleared", json!({"content": null}), |old, new| {
            new.content.is_empty() && new.media_ids == old.media_ids
        }),
        ("content set", json!({"content": "New"}), |old, new| {
            new.content == "New" && new.link_url == old.link_url
        }),
        ("link cleared", json!({"linkUrl": null}), |old, new| {
            new.link_url.is_none() && new.content == old.content
        }),
        ("link set", json!({"linkUrl": "https://example.com/b"}), |_, new| {
            new.link_url.as_deref() == Some("https://example.com/b")
        }),
        ("files cleared", json!({"mediaIds": null, "altTexts": null}), |old, new| {
            new.media_ids.is_empty() && new.alt_texts.is_empty() && new.content == old.content
        }),
        ("alt texts cleared", json!({"altTexts": null}), |old, new| {
            new.alt_texts.is_empty() && new.media_ids == old.media_ids
        }),
        ("alt texts set", json!({"altTexts": [null]}), |_, new| new.alt_texts == [None]),
        ("nothing disclosed", json!({"disclosure": null}), |old, new| {
            !old.disclosure.is_none() && new.disclosure.is_none()
        }),
        ("something else disclosed", json!({"disclosure": {"ownBrand": true}}), |_, new| {
            new.disclosure.own_brand && !new.disclosure.ai_generated
        }),
    ];
    for (name, change, check) in cases {
        let world = World::new();
        let old = world.create(body(&["bluesky"], fields(&world)));
        world.clock.advance(TimeDelta::seconds(5));
        let new = world.patch(old.id, change).unwrap();
        assert!(check(&old, &new), "{name}: {new:?}");
        assert_eq!(new.updated_at, world.now(), "{name}");
        assert_eq!(new.created_at, old.created_at, "{name}");
    }
}

#[test]
fn what_is_refused() {
    for (name, change, want) in [
        ("targets null", json!({"targets": null}), "invalid_request targets"),
        ("no target", json!({"targets": []}), "invalid_request targets"),
        ("no file in the list", json!({"mediaIds": []}), "invalid_request mediaIds"),
        ("two times", json!({"queue": true, "saveAsDraft": true}), "invalid_request saveAsDraft"),
        (
            "a time long past",
            json!({"scheduledAt": "2026-11-21T11:58:59Z"}),
            "invalid_request scheduledAt",
        ),
        (
            "a network without account",
            json!({"targets": [{"platform": "tumblr"}]}),
            "account_not_connected",
        ),
        (
            "an account twice",
            json!({"targets": [{"platform": "bluesky"}, {"platform": "bluesky"}]}),
            "invalid_request targets[1].accountId",
        ),
        ("text that a network refuses", json!({"content": "x".repeat(301)}), "validation_failed"),
        ("nothing left", json!({"content": null}), "validation_failed"),
    ] {
        for timing in [json!({"saveAsDraft": true}), json!({"scheduledAt": LATER})] {
            let world = World::new();
            let post = world.create(body(&["bluesky"], timing));
            assert_eq!(outcome(&world.patch(post.id, change.clone())), want, "{name}");
            assert_eq!(world.post(post.id), post, "{name}: nothing changes");
        }
    }
}

#[test]
fn a_post_of_another_workspace_is_not_there() {
    let world = World::new();
    let post = scheduled(&world);
    let patched = world.patch_as(&world.stranger(), post.id, json!({"content": "New"}));
    assert_eq!(outcome(&patched), "not_found");
}

#[test]
fn by_status() {
    for (name, want, want_targets) in [
        ("draft", "ok", "ok"),
        ("scheduled", "ok", "ok"),
        ("publishing", "already_started", "targets_locked"),
        ("done", "already_started", "already_started"),
        ("canceled", "already_started", "already_started"),
    ] {
        let world = World::new();
        let post = crate::states::post_that_is(&world, name);
        let text = world.patch(post.id, json!({"content": "New"}));
        assert_eq!(outcome(&text), want, "{name}");
        let targets = json!({"targets": [{"platform": "telegram"}]});
        assert_eq!(outcome(&world.patch(post.id, targets)), want_targets, "{name}, targets");
    }
}

#[test]
fn sent_targets_replace_the_list_and_keep_what_is_kept() {
    let world = World::new();
    let old = world.create(json!({
        "content": "Hello",
        "queue": true,
        "targets": [
            {"platform": "bluesky"},
            {"platform": "mastodon", "options": {"visibility": "unlisted"}},
        ],
    }));
    world.clock.advance(TimeDelta::hours(3));
    let new = world
        .patch(old.id, json!({"targets": [{"platform": "mastodon"}, {"platform": "telegram"}]}))
        .unwrap();
    let platforms: Vec<Platform> = new.targets.iter().map(|target| target.platform).collect();
    assert_eq!(platforms, [Platform::Mastodon, Platform::Telegram], "in the order sent");
    assert_eq!(
        target_of(&new, Platform::Mastodon),
        target_of(&old, Platform::Mastodon),
        "a kept target keeps id, time, slot and, as none were sent, options"
    );
    let added = target_of(&new, Platform::Telegram);
    assert_eq!(added.slot_at(), Some(at("2026-11-21T18:00:00Z")), "its own next free slot");
    assert_eq!(added.due_at(), added.slot_at());
    let freed = world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(freed.scheduled_at, Some(at("2026-11-21T18:00:00Z")));

    let changed = json!({"targets": [{"platform": "mastodon", "options": {}}]});
    let new = world.patch(old.id, changed).unwrap();
    assert!(new.targets[0].options.is_empty(), "options that are sent replace the old");
    assert_eq!(new.targets[0].id, target_of(&old, Platform::Mastodon).id);
}

#[test]
fn an_added_target_joins_the_others() {
    let world = World::new();
    for (name, timing, want) in [
        ("a draft", json!({"saveAsDraft": true}), None),
        ("an instant", json!({"scheduledAt": LATER}), Some(LATER)),
        ("a local time", json!({"scheduledLocal": "2026-12-01T09:00"}), Some(LATER)),
    ] {
        let post = world.create(body(&["bluesky"], timing));
        let both = json!({"targets": [{"platform": "bluesky"}, {"platform": "mastodon"}]});
        let new = world.patch(post.id, both).unwrap();
        let added = target_of(&new, Platform::Mastodon);
        assert_eq!(added.due_at(), want.map(at), "{name}");
        assert_eq!(added.slot_at(), None, "{name}");
        assert_eq!(new.status, post.status, "{name}");
    }
}

#[test]
fn times() {
    let park = json!({"saveAsDraft": true});
    let queue = json!({"queue": true});
    let instant = json!({"scheduledAt": LATER});
    let local = json!({"scheduledLocal": "2026-11-30T08:30"});
    let now = json!({"publishNow": true});
    // What each makes of a draft and of a queued post.
    for (name, change, status, due_at, has_slot) in [
        ("parked", &park, PostStatus::Draft, None, false),
        ("queued", &queue, PostStatus::Scheduled, Some("2026-11-21T13:00:00Z"), true),
        ("an instant", &instant, PostStatus::Scheduled, Some(LATER), false),
        ("a local time", &local, PostStatus::Scheduled, Some("2026-11-30T08:30:00Z"), false),
        ("at once", &now, PostStatus::Scheduled, Some("2026-11-21T12:00:00Z"), false),
    ] {
        for before in [&park, &queue, &instant] {
            let world = World::new();
            let old = world.create(body(&["bluesky"], before.clone()));
            let new = world.patch(old.id, change.clone()).unwrap();
            assert_eq!(new.status, status, "{before} {name}");
            assert_eq!(new.scheduled_at, due_at.map(at), "{before} {name}");
            let target = &new.targets[0];
            assert_eq!(target.due_at(), due_at.map(at), "{before} {name}");
            assert_eq!(target.slot_at().is_some(), has_slot, "{before} {name}");
            assert_eq!(target.id, old.targets[0].id, "{before} {name}");
            let next = world.create(body(&["bluesky"], queue.clone()));
            let free = if has_slot { "2026-11-21T18:00:00Z" } else { "2026-11-21T13:00:00Z" };
            assert_eq!(next.scheduled_at, Some(at(free)), "{before} {name}: slot freed");
        }
    }
}

#[test]
fn without_a_time_the_time_stays() {
    let world = World::new();
    for timing in
        [json!({"saveAsDraft": true}), json!({"scheduledAt": LATER}), json!({"queue": true})]
    {
        let old = world.create(body(&["bluesky"], timing));
        let unsent = json!({"content": "New", "queue": false, "scheduledAt": null});
        let new = world.patch(old.id, unsent).unwrap();
        assert_eq!(new.targets, old.targets);
        assert_eq!((new.status, new.scheduled_at), (old.status, old.scheduled_at));
    }
}

#[test]
fn a_re_timed_post_goes_out_at_its_new_time_only() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    world.patch(post.id, json!({"scheduledAt": LATER})).unwrap();
    world.clock.set(at("2026-11-21T13:00:00Z"));
    assert!(world.work().is_empty());
    world.clock.set(at(LATER));
    assert_eq!(world.work().len(), 1);
    assert_eq!(statuses(&world.post(post.id)), "done: published");
    let post = scheduled_after(&world);
    world.patch(post.id, json!({"saveAsDraft": true})).unwrap();
    assert!(world.work_after(TimeDelta::days(30)).is_empty(), "a parked post does not go out");
}

fn scheduled_after(world: &World) -> Post {
    let at = world.now() + TimeDelta::hours(1);
    world.create(body(&["bluesky"], json!({"scheduledAt": at})))
}

#[test]
fn a_post_counts_in_the_month_in_which_it_goes_out() {
    let mut settings = scheduler_core::app::Settings::default();
    settings.plans.studio.posts_a_month = 1;
    let world = World::with(settings);
    world.connect(Platform::Bluesky, "me");
    let november = json!({"scheduledAt": "2026-11-30T23:59:59Z"});
    let december = json!({"scheduledAt": "2026-12-01T00:00:00Z"});
    let first = world.create(body(&["bluesky"], november.clone()));
    let second = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    assert_eq!(outcome(&world.patch(second.id, november.clone())), "post_limit");
    assert_eq!(outcome(&world.patch(second.id, december.clone())), "ok", "another month");
    assert_eq!(outcome(&world.patch(first.id, december.clone())), "post_limit");
    assert_eq!(outcome(&world.patch(first.id, json!({"queue": true}))), "ok", "the same month");
    assert_eq!(outcome(&world.patch(first.id, json!({"saveAsDraft": true}))), "ok");
    assert_eq!(outcome(&world.patch(second.id, november)), "ok", "the parked one gave its place");
    assert_eq!(outcome(&world.patch(first.id, december)), "ok");
}
