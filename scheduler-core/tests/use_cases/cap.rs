//! What the posts of an account may cost in a month.

use chrono::TimeDelta;
use scheduler_core::app::Settings;
use scheduler_core::engine::RunOutcome;
use scheduler_core::plan::Plan;
use scheduler_core::platform::{Amount, Platform};
use scheduler_core::ports::{Clock as _, NetworkErrorKind as Kind};
use scheduler_core::post::Post;
use serde_json::json;

use crate::publish::{fails, failure, target};
use crate::support::{World, body, done, new_caller};

/// A world with an account of X whose posts may cost so many thousandths of a dollar a month.
fn capped(thousandths: u32) -> World {
    let account_monthly_cap = Some(Amount::thousandths(thousandths));
    let world =
        World::with(Settings { connect_twitter: true, account_monthly_cap, ..Settings::default() });
    world.connect(Platform::Twitter, "me");
    world.connect(Platform::Mastodon, "me");
    world
}

fn published_now(world: &World, platform: &str, text: &str) -> Post {
    let post = world.create(body(&[platform], json!({"content": text, "publishNow": true})));
    world.work();
    post
}

fn outcomes(world: &World, posts: &[Post]) -> Vec<String> {
    posts.iter().map(|post| failure(&target(world, post))).collect()
}

#[test]
fn what_begins_beyond_the_cap_fails_and_can_be_retried_in_the_next_month() {
    let world = capped(230);
    let posts = [
        ("twitter", "a text"),
        ("twitter", "See https://example.com"),
        ("twitter", "the last one"),
        ("twitter", "one more"),
        ("mastodon", "where nothing is charged"),
    ]
    .map(|(platform, text)| published_now(&world, platform, text));
    let want = ["none", "none", "none", "rate_limited true 1", "none"];
    assert_eq!(outcomes(&world, &posts), want);
    let failed = target(&world, &posts[3]);
    assert_eq!(
        failed.failure().unwrap().message,
        "X charges 0.015 USD for this post, which is more than is left of the 0.230 USD that the posts of twitter @me may cost this month. Retry it from 2026-12-01 on, or have the cap raised and retry.",
    );

    world.retry(posts[3].id).unwrap();
    world.work();
    assert_eq!(outcomes(&world, &posts[3..4]), ["rate_limited true 2"], "still this month");
    world.clock.advance(TimeDelta::days(10));
    assert_eq!(world.clock.now().to_rfc3339(), "2026-12-01T12:00:00+00:00");
    world.retry(posts[3].id).unwrap();
    world.work();
    assert_eq!(outcomes(&world, &posts[3..4]), ["none"]);
}

#[test]
fn a_publish_counts_once_however_often_it_is_tried() {
    let world = capped(30);
    world.network.script([fails(Kind::Temporary), fails(Kind::Temporary)]);
    let first = published_now(&world, "twitter", "tried three times");
    for _ in 0..2 {
        world.work_after(TimeDelta::minutes(10));
    }
    let second = published_now(&world, "twitter", "the other half");
    assert_eq!(outcomes(&world, &[first, second]), ["none", "none"]);
}

#[test]
fn the_cap_is_that_of_the_account_wherever_it_is_connected() {
    let world = capped(15);
    let stranger = new_caller(&world.scheduler, "agency", Plan::Studio);
    world.connect_for(&stranger, Platform::Twitter, "me");
    world.connect_for(&stranger, Platform::Twitter, "another");
    let account = |name: &str| {
        let accounts = done(world.scheduler.accounts(stranger.workspace.id)).unwrap();
        let named = accounts.iter().find(|account| account.username.as_deref() == Some(name));
        named.unwrap().id
    };
    let first = published_now(&world, "twitter", "of this workspace");
    assert_eq!(outcomes(&world, &[first]), ["none"]);
    for (name, want) in [("me", RunOutcome::PublishFailed), ("another", RunOutcome::Published)] {
        let input = json!({
            "content": "of the other",
            "publishNow": true,
            "targets": [{"platform": "twitter", "accountId": account(name)}],
        });
        world.create_as(&stranger, input).unwrap();
        assert!(world.work().contains(&want), "{name}");
    }
}
