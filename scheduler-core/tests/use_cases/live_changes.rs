//! Changing a live post, and taking one down.

use chrono::TimeDelta;
use scheduler_core::app::EditInput;
use scheduler_core::error::Refusal;
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{Live, Step};
use scheduler_core::post::Post;
use scheduler_core::target::{Progress, Target};
use serde_json::{Value, json};

use crate::after_support::{live_on, world_after};
use crate::fakes::{remote, step};
use crate::support::{World, body, done, outcome, refused, statuses};

fn edit(world: &World, post: &Post, body: &Value) -> Result<Post, Refusal> {
    let input: EditInput = serde_json::from_value(body.clone()).unwrap();
    let target = post.targets[0].id;
    let answered =
        refused(done(world.scheduler.edit_live_post(&world.caller, post.id, target, input)))?;
    assert_eq!(answered, world.post(post.id), "what is answered is what is stored");
    Ok(answered)
}

fn take_down(world: &World, post: &Post) -> Result<Post, Refusal> {
    let target = post.targets[0].id;
    let answered = refused(done(world.scheduler.take_down(&world.caller, post.id, target)))?;
    assert_eq!(answered, world.post(post.id), "what is answered is what is stored");
    Ok(answered)
}

#[test]
fn an_edit_reaches_the_network_and_the_record() {
    let content = json!({"content": "New 100 % 🦀"});
    for (platform, sent, call, options) in [
        (
            Platform::Mastodon,
            content.clone(),
            r#"edit live Some("New 100 % 🦀") None"#,
            json!({"caption": "New 100 % 🦀"}),
        ),
        (
            Platform::Facebook,
            content.clone(),
            r#"edit live Some("New 100 % 🦀") None"#,
            json!({"caption": "New 100 % 🦀"}),
        ),
        (
            Platform::Telegram,
            content.clone(),
            r#"edit live Some("New 100 % 🦀") None"#,
            json!({"caption": "New 100 % 🦀"}),
        ),
        (
            Platform::Discord,
            content.clone(),
            r#"edit live Some("New 100 % 🦀") None"#,
            json!({"caption": "New 100 % 🦀"}),
        ),
        (
            Platform::Youtube,
            json!({"content": "New", "title": "Title"}),
            r#"edit live Some("New") Some("Title")"#,
            json!({"description": "New", "title": "Title"}),
        ),
        (
            Platform::Youtube,
            json!({"title": "Title"}),
            r#"edit live None Some("Title")"#,
            json!({"title": "Title"}),
        ),
        (
            Platform::Youtube,
            json!({"content": null}),
            r#"edit live Some("") None"#,
            json!({"description": ""}),
        ),
        (
            Platform::Telegram,
            json!({"content": ""}),
            r#"edit live Some("") None"#,
            json!({"caption": ""}),
        ),
    ] {
        let (world, after) = world_after();
        let (post, _) = live_on(&world, platform);
        after.take_calls();
        world.clock.advance(TimeDelta::minutes(1));
        let edited = edit(&world, &post, &sent).unwrap();
        assert_eq!(after.take_calls(), [call], "{platform}");
        assert_eq!(Value::from(edited.targets[0].options.clone()), options, "{platform}");
        let target =
            Target { options: post.targets[0].options.clone(), ..edited.targets[0].clone() };
        assert_eq!(target, post.targets[0], "{platform}: nothing else of it changes");
        assert_eq!((edited.content, edited.updated_at), (post.content, world.now()), "{platform}");
    }
}

#[test]
fn edits_that_are_refused_reach_nobody() {
    let long = "x".repeat(501);
    for (name, platform, sent, want) in [
        ("nothing", Platform::Mastodon, json!({}), "invalid_request content"),
        ("a title", Platform::Mastodon, json!({"title": "x"}), "invalid_request title"),
        ("too long", Platform::Mastodon, json!({"content": long}), "validation_failed"),
        ("no title", Platform::Youtube, json!({"title": null}), "validation_failed"),
        (
            "far too long",
            Platform::Discord,
            json!({"content": "x".repeat(64_001)}),
            "invalid_request content",
        ),
        ("U+0000", Platform::Discord, json!({"content": "a\0"}), "invalid_request content"),
        ("no editing there", Platform::Bluesky, json!({"content": "x"}), "unsupported"),
        ("nor a title", Platform::Pinterest, json!({"title": "x"}), "unsupported"),
    ] {
        let (world, after) = world_after();
        let (post, _) = live_on(&world, platform);
        after.take_calls();
        let result = edit(&world, &post, &sent);
        assert_eq!(outcome(&result), want, "{name}");
        assert_eq!(after.take_calls(), [""; 0], "{name}");
        assert_eq!(world.post(post.id), post, "{name}");
        if want == "validation_failed" {
            let issues = result.unwrap_err().issues().to_vec();
            assert!(issues.iter().all(|issue| issue.target == Some(0)), "{name}: {issues:?}");
        }
    }
}

#[test]
fn a_post_without_files_cannot_be_emptied() {
    let (world, after) = world_after();
    world.connect(Platform::Mastodon, "me");
    let post = world.create(body(&["mastodon"], json!({"publishNow": true})));
    world.work();
    after.take_calls();
    let post = world.post(post.id);
    assert_eq!(outcome(&edit(&world, &post, &json!({"content": null}))), "validation_failed");
    assert_eq!(after.take_calls(), [""; 0]);
}

#[test]
fn an_edit_begins_from_the_one_before() {
    let (world, _) = world_after();
    let (post, target) = live_on(&world, Platform::Youtube);
    edit(&world, &post, &json!({"content": "One", "title": "Title"})).unwrap();
    let edited = edit(&world, &post, &json!({"content": "Two"})).unwrap();
    let options = Value::from(edited.target(target).unwrap().options.clone());
    assert_eq!(options, json!({"description": "Two", "title": "Title"}));
}

#[test]
fn an_edit_of_a_post_that_is_taken_down_meanwhile_leaves_it_down() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    let (scheduler, caller) = (world.scheduler.clone(), world.caller.clone());
    let id = post.id;
    *after.meanwhile.lock().unwrap() = Some(Box::new(move || {
        done(scheduler.take_down(&caller, id, target)).unwrap();
    }));
    let edited = edit(&world, &post, &json!({"content": "New"})).unwrap();
    assert_eq!(statuses(&edited), "done: skipped");
    assert_eq!(edited.targets[0].options, post.targets[0].options);
}

#[test]
fn of_two_edits_at_once_the_one_written_down_last_is_live() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    after.take_calls();
    let (scheduler, caller) = (world.scheduler.clone(), world.caller.clone());
    let id = post.id;
    // Reaches the network after the first, and is written down before it.
    *after.meanwhile.lock().unwrap() = Some(Box::new(move || {
        let input = serde_json::from_value(json!({"content": "Second"})).unwrap();
        done(scheduler.edit_live_post(&caller, id, target, input)).unwrap();
    }));
    let edited = edit(&world, &post, &json!({"content": "First"})).unwrap();
    let live = after.take_calls().pop().unwrap();
    let written_down = edited.targets[0].options["caption"].as_str().unwrap();
    assert_eq!(live, format!("edit live Some({written_down:?}) None"));
    assert_eq!(edited.version, post.version + 2, "both are written down");
}

#[test]
fn a_take_down_keeps_the_record() {
    let (world, after) = world_after();
    world.connect(Platform::Mastodon, "me");
    // A first comment is still to follow.
    let then = Some(step(1));
    world.network.script([Ok(Step::Live(Live { remote: Some(remote("live")), then }))]);
    let post = world.create(body(&["mastodon"], json!({"publishNow": true})));
    let claims = world.claim_all();
    let publish = claims.iter().find(|claim| claim.subject == post.targets[0].id.0).unwrap();
    done(world.scheduler.run(publish)).unwrap();
    let post = world.post(post.id);
    assert!(matches!(post.targets[0].progress(), Some(Progress { .. })));
    after.take_calls();

    let taken = take_down(&world, &post).unwrap();
    assert_eq!(after.take_calls(), ["take_down live"]);
    assert_eq!(statuses(&taken), "done: skipped");
    let target = &taken.targets[0];
    assert_eq!(target.remote(), post.targets[0].remote(), "what it was called stays");
    assert_eq!(target.published_at(), post.targets[0].published_at());
    assert_eq!((target.due_at(), target.progress()), (None, None));
    world.network.take_calls();
    world.work_after(TimeDelta::hours(1));
    assert_eq!(world.network.take_calls(), [""; 0], "nothing follows any more");
    assert_eq!(outcome(&take_down(&world, &post)), "not_published");
    assert_eq!(after.take_calls().iter().filter(|call| call.starts_with("take")).count(), 0);
}

#[test]
fn of_several_take_downs_at_once_one_is_written_down_and_each_does_well() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    after.take_calls();
    let (scheduler, caller) = (world.scheduler.clone(), world.caller.clone());
    let id = post.id;
    *after.meanwhile.lock().unwrap() = Some(Box::new(move || {
        done(scheduler.take_down(&caller, id, target)).unwrap();
    }));
    let taken = take_down(&world, &post).unwrap();
    assert_eq!(statuses(&taken), "done: skipped");
    assert_eq!(taken.version, post.version + 1, "it is written down once");
    assert_eq!(after.take_calls(), ["take_down live", "take_down live"]);
}

#[test]
fn another_target_of_the_post_stays_as_it_is() {
    let (world, _) = world_after();
    world.connect(Platform::Mastodon, "me");
    world.connect(Platform::Bluesky, "me");
    let post = world.create(body(&["mastodon", "bluesky"], json!({"publishNow": true})));
    world.work();
    let post = world.post(post.id);
    let taken = take_down(&world, &post).unwrap();
    assert_eq!(statuses(&taken), "done: skipped published");
    assert_eq!(taken.targets[1], post.targets[1]);
}

#[test]
fn telegram_takes_posts_down_for_48_hours() {
    for (after_seconds, can) in [(0, true), (48 * 3_600 - 1, true), (48 * 3_600, false)] {
        let (world, after) = world_after();
        let (post, _) = live_on(&world, Platform::Telegram);
        after.take_calls();
        world.clock.advance(TimeDelta::seconds(after_seconds));
        let view = done(world.scheduler.post_view(&world.post(post.id))).unwrap();
        assert_eq!(view.targets[0].can_delete_remote, can, "{after_seconds}");
        assert!(view.targets[0].can_edit_remote);
        let want = if can { "ok" } else { "unsupported" };
        assert_eq!(outcome(&take_down(&world, &post)), want, "{after_seconds}");
        assert_eq!(after.take_calls().len(), usize::from(can), "{after_seconds}");
    }
}

#[test]
fn permissions_decide_on_instagram_and_threads() {
    for (platform, takes_down, can) in [
        (Platform::Instagram, Some(true), true),
        (Platform::Instagram, Some(false), false),
        (Platform::Instagram, None, true),
        (Platform::Threads, Some(true), true),
        (Platform::Threads, Some(false), false),
        (Platform::Tiktok, None, false),
        (Platform::Mastodon, None, true),
    ] {
        let (world, _) = world_after();
        *world.network.limits.lock().unwrap() =
            AccountLimits { takes_down, ..AccountLimits::default() };
        let (post, target) = live_on(&world, platform);
        let name = format!("{platform} {takes_down:?}");
        let mut view = done(world.scheduler.post_view(&post)).unwrap();
        assert_eq!(view.targets[0].can_delete_remote, can, "{name}");
        assert_eq!(view.issues.take().map(|issues| issues.len()), Some(0), "{name}");
        let listed = world.list(&scheduler_core::post::ListInput::default()).unwrap();
        assert_eq!(listed.data, [view], "{name}");
        let one = done(world.scheduler.target_view(&post, target)).unwrap();
        assert_eq!(one, listed.data[0].targets[0], "{name}");
        let want = if can { "ok" } else { "unsupported" };
        assert_eq!(outcome(&take_down(&world, &post)), want, "{name}");
        let view = done(world.scheduler.post_view(&world.post(post.id))).unwrap();
        assert!(!view.targets[0].can_delete_remote || !can, "{name}: it is down");
    }
}

#[test]
fn an_edit_leaves_what_follows_alone() {
    let (world, after) = world_after();
    world.connect(Platform::Facebook, "me");
    let then = Some(step(1));
    world.network.script([Ok(Step::Live(Live { remote: Some(remote("live")), then }))]);
    let post = world.create(body(&["facebook"], json!({"publishNow": true})));
    let claims = world.claim_all();
    let publish = claims.iter().find(|claim| claim.subject == post.targets[0].id.0).unwrap();
    done(world.scheduler.run(publish)).unwrap();
    let post = world.post(post.id);
    after.take_calls();
    let content = json!({"content": "New"});
    let edited = edit(&world, &post, &content).unwrap();
    assert_eq!(Value::from(edited.targets[0].options.clone()), json!({"caption": "New"}));
    world.network.take_calls();
    world.work();
    assert_eq!(world.network.take_calls(), ["advance 1 token-1"], "the first comment");
    let options = world.post(post.id).targets[0].options.clone();
    assert_eq!(Value::from(options), json!({"caption": "New"}), "and the text stays");
}
