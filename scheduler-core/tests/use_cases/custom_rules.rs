//! Rules of one's own, wherever a post is checked.

use scheduler_core::app::{EditInput, Scheduler};
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::Refusal;
use scheduler_core::platform::Platform;
use scheduler_core::rules::{CustomRule, Draft, Findings, OutgoingTarget, RuleSet};
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
    scheduler.clone().with_rules(RuleSet::new().with(House).unwrap())
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
    assert_eq!(world.work(), [RunOutcome::PublishFailed]);
    let target = target(&world, &post);
    assert_eq!(failure(&target), "validation_failed true 1");
    assert_eq!(target.failure().unwrap().message, "The merger is no news yet.");
}

/// Says of each target who posts it and when.
struct Tells;

impl CustomRule for Tells {
    fn id(&self) -> &str {
        "house.tells"
    }

    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let account = target.account().map(|account| (account.workspace_id, account.id));
        let due_at = target.due_at().map(|at| at.to_rfc3339());
        let zone = target.account().map(|account| account.zone.name());
        findings.error(format!("{account:?} {due_at:?} {zone:?}"));
    }
}

#[test]
fn a_rule_knows_who_posts_and_when_from_the_creation_on() {
    let mut world = World::new();
    let draft = world.create(body(&["bluesky"], json!({"content": "A", "saveAsDraft": true})));
    let queued = world.create(body(&["bluesky"], json!({"content": "B", "publishNow": true})));
    world.scheduler = world.scheduler.with_rules(RuleSet::new().with(Tells).unwrap());
    let of_account = (world.caller.workspace.id, draft.targets[0].account_id);
    let said =
        |due_at: Option<&str>| format!("{:?} {due_at:?} {:?}", Some(of_account), Some("UTC"));
    let message = |refusal: Refusal| refusal.issues()[0].message.clone();
    let check = body(&["bluesky"], json!({"content": "C"}));
    let report = world.check_as(&world.caller, check).unwrap();
    assert_eq!(report.issues[0].message, said(None), "a dry run knows no time");
    for (when, due_at) in [
        (json!({"saveAsDraft": true}), None),
        (json!({"scheduledAt": "2027-01-01T09:00:00Z"}), Some("2027-01-01T09:00:00+00:00")),
        (json!({"scheduledLocal": "2027-01-01T09:00"}), Some("2027-01-01T09:00:00+00:00")),
    ] {
        let mut content = json!({"content": "C"});
        content.as_object_mut().unwrap().extend(when.as_object().cloned().unwrap());
        let created = world.create_as(&world.caller, body(&["bluesky"], content));
        assert_eq!(message(created.unwrap_err()), said(due_at), "{when}");
        let patched = world.patch(draft.id, when.clone());
        assert_eq!(message(patched.unwrap_err()), said(due_at), "{when}");
    }
    let in_slot =
        world.create_as(&world.caller, body(&["bluesky"], json!({"content": "C", "queue": true})));
    assert_ne!(message(in_slot.unwrap_err()), said(None), "the free slot is known");
    assert_eq!(world.work(), [RunOutcome::PublishFailed]);
    let due_at = queued.targets[0].due_at().unwrap().to_rfc3339();
    let failure = target(&world, &queued).failure().cloned().unwrap();
    assert_eq!(failure.message, said(Some(&due_at)), "right before it is sent");
}
