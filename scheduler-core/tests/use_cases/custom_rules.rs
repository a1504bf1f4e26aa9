//! Rules of one's own, wherever a post is checked.

use scheduler_core::app::{EditInput, Scheduler};
use scheduler_core::engine::Ran;
use scheduler_core::platform::Platform;
use scheduler_core::rules::{CustomRule, CustomRules, Draft, Findings, OutgoingTarget};
use serde_json::json;

use crate::after_support::{live_on, world_after};
use crate::publish::{failure, target};
use crate::support::{World, body, done, outcome, refused};

/// Nobody is told of the merger; nothing is loud.
struct House;

impl CustomRule for House {
    fn id(&self) -> &str {
        "house.tone"
    }

    fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
        if draft.content.contains('!') {
            findings.warning("This is the quiet place.");
        }
    }

    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        if target.text().contains("merger") {
            findings.error("The merger is no news yet.");
        }
    }
}

fn strict(scheduler: &Scheduler) -> Scheduler {
    scheduler.clone().with_rules(CustomRules::new().with(House))
}

fn world() -> World {
    let mut world = World::new();
    world.scheduler = strict(&world.scheduler);
    world
}

#[test]
fn a_dry_run_lists_them_with_the_others() {
    let check = body(&["bluesky", "telegram"], json!({"content": "The merger is done!"}));
    let report = world().check_as(&world().caller, check).unwrap();
    assert!(!report.ok);
    let rules: Vec<&str> = report.issues.iter().map(|issue| &*issue.rule).collect();
    assert_eq!(rules, ["post.house.tone", "bluesky.house.tone", "telegram.house.tone"]);
    assert_eq!(report.issues[2].target, Some(1));
}

#[test]
fn an_error_refuses_a_post_and_a_change_and_a_warning_does_not() {
    let world = world();
    let loud = world.create(body(&["telegram"], json!({"content": "Yes!", "queue": true})));
    let merger = json!({"content": "A merger", "queue": true});
    let created = world.create_as(&world.caller, body(&["bluesky"], merger));
    assert!(outcome(&created).starts_with("validation_failed"), "{created:?}");
    let patched = world.patch(loud.id, json!({"content": "A merger"}));
    assert!(outcome(&patched).starts_with("validation_failed"), "{patched:?}");
    assert_eq!(world.post(loud.id).content, "Yes!");
}

#[test]
fn a_live_post_is_not_edited_into_what_they_refuse() {
    let (mut world, _) = world_after();
    let (post, id) = live_on(&world, Platform::Telegram);
    world.scheduler = strict(&world.scheduler);
    let edit: EditInput = serde_json::from_value(json!({"content": "A merger"})).unwrap();
    let edited = refused(done(world.scheduler.edit_live_post(&world.caller, post.id, id, edit)));
    assert!(outcome(&edited).starts_with("validation_failed"), "{edited:?}");
}

#[test]
fn they_are_asked_again_right_before_a_post_is_sent() {
    let mut world = World::new();
    let post = world.create(body(&["bluesky"], json!({"content": "A merger", "publishNow": true})));
    world.scheduler = strict(&world.scheduler);
    assert_eq!(world.work(), [Ran::PublishFailed]);
    let target = target(&world, &post);
    assert_eq!(failure(&target), "validation_failed true 1");
    assert_eq!(target.failure.unwrap().message, "The merger is no news yet.");
}
