//! Every status and every step of the table of states and transitions.

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind, Step};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::TargetStatus;
use serde_json::{Value, json};

use crate::fakes::{live, step};
use crate::support::{World, body, done, outcome, statuses};

/// A post to Bluesky in a status by its wire name; `publishing` is in flight.
pub(crate) fn post_that_is(world: &World, status: &str) -> Post {
    let timing = match status {
        "draft" => json!({"saveAsDraft": true}),
        "scheduled" | "canceled" => json!({"scheduledAt": "2026-12-01T09:00:00Z"}),
        _ => json!({"publishNow": true}),
    };
    if status == "publishing" {
        let until = world.now() + TimeDelta::minutes(1);
        world.network.script([Ok(Step::Wait { progress: step(1), until })]);
    }
    let post = world.create(body(&[Platform::Bluesky.as_str()], timing));
    match status {
        "publishing" | "done" => drop(world.work()),
        "canceled" => world.delete(post.id).unwrap(),
        _ => {}
    }
    let post = world.post(post.id);
    assert_eq!(post.status.as_str(), status);
    post
}

/// A post to Bluesky and Mastodon whose targets came to these statuses one after the other.
///
/// Each account has a zone of its own, so that the one that is to wait is an hour behind.
pub(crate) fn post_with_targets(world: &World, targets: [TargetStatus; 2]) -> Post {
    for (platform, status) in [Platform::Bluesky, Platform::Mastodon].into_iter().zip(targets) {
        let zone = if status == TargetStatus::Pending { "Europe/London" } else { "Europe/Berlin" };
        let zone = Some(zone.parse().unwrap());
        done(world.scheduler.set_account_timezone(&world.account(platform), zone)).unwrap();
    }
    let local = json!({"scheduledLocal": "2026-11-21T13:00"});
    let post = world.create(body(&["bluesky", "mastodon"], local));
    for status in targets {
        let until = world.now() + TimeDelta::minutes(1);
        world.network.script(match status {
            TargetStatus::Pending | TargetStatus::Skipped => None,
            TargetStatus::Publishing => Some(Ok(Step::Wait { progress: step(1), until })),
            TargetStatus::Published => Some(live()),
            TargetStatus::Failed => Some(Err(NetworkError::new(NetworkErrorKind::Permanent, "no"))),
        });
    }
    world.work();
    let post = world.post(post.id);
    let reached: Vec<TargetStatus> = post.targets.iter().map(|target| target.status()).collect();
    assert_eq!(reached, targets);
    post
}

/// The rows of the table that posts and targets go through by these use cases.
#[test]
fn the_table_of_states_and_transitions() {
    let time = json!({"scheduledAt": "2026-12-01T09:00:00Z"});
    let targets = json!({"targets": [{"platform": "telegram"}]});
    let patch = |body: &Value| {
        let body = body.clone();
        move |world: &World, post: &Post| outcome(&world.patch(post.id, body.clone()))
    };
    let delete = |world: &World, post: &Post| outcome(&world.delete(post.id));
    let retry = |world: &World, post: &Post| outcome(&world.retry(post.id));
    type Act<'a> = &'a dyn Fn(&World, &Post) -> String;
    let (give_time, change_targets) = (patch(&time), patch(&targets));
    let rows: [(&str, Act<'_>, &str, Option<&str>); 10] = [
        ("draft", &give_time, "ok", Some("scheduled: pending")),
        ("draft", &delete, "ok", None),
        ("scheduled", &delete, "ok", Some("canceled: skipped")),
        ("publishing", &change_targets, "targets_locked", Some("publishing: publishing")),
        ("publishing", &retry, "in_flight", Some("publishing: publishing")),
        ("done", &retry, "nothing_to_retry", Some("done: published")),
        ("draft", &retry, "nothing_to_retry", Some("draft: pending")),
        ("scheduled", &give_time, "ok", Some("scheduled: pending")),
        ("publishing", &delete, "in_flight", Some("publishing: publishing")),
        ("canceled", &give_time, "already_started", Some("canceled: skipped")),
    ];
    for (from, act, want, after) in rows {
        let world = World::new();
        let post = post_that_is(&world, from);
        assert_eq!(act(&world, &post), want, "{from}");
        let left = world.is_stored(post.id).then(|| statuses(&world.post(post.id)));
        assert_eq!(left.as_deref(), after, "{from} {want}");
    }
    let world = World::new();
    let post = post_with_targets(&world, [TargetStatus::Published, TargetStatus::Failed]);
    assert_eq!(retry(&world, &post), "ok");
    assert_eq!(statuses(&world.post(post.id)), "publishing: published pending");
}

#[test]
fn every_status_is_reached_and_the_outcomes_of_targets_make_the_post_s() {
    use TargetStatus as T;
    for status in PostStatus::ALL {
        post_that_is(&World::new(), status.as_str());
    }
    for (targets, want) in [
        ([T::Published, T::Pending], PostStatus::Publishing),
        ([T::Publishing, T::Pending], PostStatus::Publishing),
        ([T::Failed, T::Pending], PostStatus::Publishing),
        ([T::Published, T::Publishing], PostStatus::Publishing),
        ([T::Failed, T::Publishing], PostStatus::Publishing),
        ([T::Published, T::Published], PostStatus::Done),
        ([T::Published, T::Failed], PostStatus::Done),
        ([T::Failed, T::Failed], PostStatus::Done),
        ([T::Pending, T::Pending], PostStatus::Scheduled),
    ] {
        let post = post_with_targets(&World::new(), targets);
        assert_eq!(post.status, want, "{targets:?}");
    }
}
