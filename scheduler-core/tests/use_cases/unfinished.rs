//! Drafts that a network would refuse, what the rules say of posts that are stored, and revisions.

use scheduler_core::error::RefusalKind;
use scheduler_core::post::{AskedTiming, ListInput};
use serde_json::json;

use crate::support::{World, at, body, done, outcome, refused, statuses};

const LATER: &str = "2026-12-01T09:00:00Z";

fn rules_of(world: &World, id: scheduler_core::ids::PostId) -> Vec<String> {
    let view = done(world.scheduler.post_view(&world.post(id))).unwrap();
    view.issues.unwrap().into_iter().map(|issue| issue.rule.into_owned()).collect()
}

#[test]
fn a_draft_with_issues_is_kept_and_goes_out_once_it_has_none() {
    let world = World::new();
    let mut long = body(&["bluesky"], json!({"saveAsDraft": true}));
    long["content"] = "a".repeat(301).into();
    let without = world.create_as(&world.caller, long.clone());
    assert_eq!(outcome(&without), "validation_failed");
    long["allowIssues"] = true.into();
    let draft = world.create(long);
    assert!(draft.unfinished);
    assert_eq!(rules_of(&world, draft.id), ["bluesky.text.too_long"]);

    let timed = world.patch(draft.id, json!({"scheduledAt": LATER}));
    assert_eq!(outcome(&timed), "validation_failed", "no time with issues");
    let still = world.patch(draft.id, json!({"content": "b".repeat(302)})).unwrap();
    assert!(still.unfinished, "it may stay so");
    let mended = world.patch(draft.id, json!({"content": "short"})).unwrap();
    assert!(!mended.unfinished);
    assert_eq!(rules_of(&world, draft.id), Vec::<String>::new());
    let again = world.patch(draft.id, json!({"content": "b".repeat(302)}));
    assert_eq!(outcome(&again), "validation_failed", "a finished one needs to be asked");
    let again = json!({"content": "b".repeat(302), "saveAsDraft": true, "allowIssues": true});
    assert!(world.patch(draft.id, again).unwrap().unfinished);
    world.patch(draft.id, json!({"content": "short", "scheduledAt": LATER})).unwrap();
    assert_eq!(statuses(&world.post(draft.id)), "scheduled: pending");
}

#[test]
fn a_draft_without_a_target_is_unfinished() {
    let world = World::new();
    let draft = json!({"content": "An idea", "saveAsDraft": true, "targets": []});
    let created = world.create_as(&world.caller, draft.clone());
    assert_eq!(outcome(&created), "invalid_request targets");
    let mut draft = draft;
    draft["allowIssues"] = true.into();
    let post = world.create(draft);
    assert!(post.unfinished);
    let timed = world.patch(post.id, json!({"scheduledAt": LATER}));
    assert_eq!(outcome(&timed), "invalid_request targets");
    let targets = json!({"targets": [{"platform": "bluesky"}], "scheduledAt": LATER});
    assert!(!world.patch(post.id, targets).unwrap().unfinished);
    let absent = json!({"content": "a", "saveAsDraft": true, "allowIssues": true});
    let absent = world.create_as(&world.caller, absent);
    assert_eq!(outcome(&absent), "invalid_request targets", "an empty list is said");
}

#[test]
fn issues_of_what_is_well_formed_alone_are_allowed() {
    let world = World::new();
    let unknown = "00000000-0000-0000-0000-000000000001";
    for (name, fields, want) in [
        ("no draft", json!({"publishNow": true}), "invalid_request allowIssues"),
        (
            "an unknown file",
            json!({"saveAsDraft": true, "mediaIds": [unknown]}),
            "not_found mediaIds[0]",
        ),
        ("no link", json!({"saveAsDraft": true, "linkUrl": "x"}), "invalid_request linkUrl"),
    ] {
        let mut body = body(&["bluesky"], fields);
        body["allowIssues"] = true.into();
        assert_eq!(outcome(&world.create_as(&world.caller, body)), want, "{name}");
    }
}

#[test]
fn warnings_stand_on_what_is_stored_until_it_goes_out() {
    let world = World::new();
    let mut odd = body(&["bluesky"], json!({"publishNow": true}));
    odd["targets"][0]["options"] = json!({"foo": 1});
    let post = world.create(odd);
    assert_eq!(rules_of(&world, post.id), ["bluesky.options.unknown_key"]);
    world.work();
    assert_eq!(rules_of(&world, post.id), Vec::<String>::new());
    let page = world.list(&ListInput::default()).unwrap();
    assert_eq!(page.data[0].issues, None, "not in lists");
}

#[test]
fn a_change_of_what_somebody_else_has_changed_is_refused() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    assert_eq!(post.revision, 1);
    let change = |content: &str, expected: Option<&[i64]>| {
        let input = serde_json::from_value(json!({"content": content})).unwrap();
        refused(done(world.scheduler.update_post(&world.caller, post.id, input, expected)))
    };
    assert_eq!(change("one", Some(&[1])).unwrap().revision, 2);
    let stale = change("two", Some(&[1])).unwrap_err();
    let RefusalKind::Stale(current) = stale.kind else { panic!("{stale:?}") };
    assert_eq!((current.revision, current.content.as_str()), (2, "one"));
    assert_eq!(outcome(&change("two", Some(&[]))), "stale", "none is meant");
    assert_eq!(change("two", Some(&[1, 2])).unwrap().revision, 3, "any of them");
    assert_eq!(change("three", None).unwrap().revision, 4, "whatever it is");
    let delete =
        |expected| refused(done(world.scheduler.delete_post(&world.caller, post.id, expected)));
    assert_eq!(outcome(&delete(Some(&[3]))), "stale");
    assert_eq!(outcome(&delete(Some(&[4]))), "ok");
}

#[test]
fn the_engine_raises_no_revision_and_people_do() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": LATER})));
    world.patch(post.id, json!({"publishNow": true})).unwrap();
    world.work();
    let after = world.post(post.id);
    assert_eq!(statuses(&after), "done: published");
    assert_eq!((after.revision, post.revision), (2, 1));
}

#[test]
fn the_timing_is_as_it_was_asked_for() {
    let world = World::new();
    let local = AskedTiming::Local { local: at("2026-12-01T09:00:00Z").naive_utc() };
    for (timing, want) in [
        (json!({"scheduledAt": LATER}), AskedTiming::Instant),
        (json!({"scheduledLocal": "2026-12-01T09:00"}), local),
        (json!({"queue": true}), AskedTiming::Queue),
        (json!({"publishNow": true}), AskedTiming::Now),
        (json!({"saveAsDraft": true}), AskedTiming::Draft),
    ] {
        assert_eq!(world.create(body(&["bluesky"], timing.clone())).timing, want, "{timing}");
    }
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    let post = world.patch(post.id, json!({"content": "other"})).unwrap();
    assert_eq!(post.timing, AskedTiming::Queue, "no time was said");
    let post = world.patch(post.id, json!({"scheduledAt": LATER})).unwrap();
    assert_eq!(post.timing, AskedTiming::Instant);
}

#[test]
fn what_is_written_down_about_a_post_is_kept_and_cleared() {
    let world = World::new();
    let mut fields = body(&["bluesky"], json!({"saveAsDraft": true}));
    fields["labels"] = json!(["Spring", "spring", "Food"]);
    fields["note"] = "Ask Ann".into();
    fields["metadata"] = json!({"order": "7"});
    let post = world.create(fields);
    assert_eq!(post.annotations.labels, ["Spring", "Food"], "the first spelling stays");
    let kept = world.patch(post.id, json!({"content": "other"})).unwrap();
    assert_eq!(kept.annotations, post.annotations);
    let cleared = json!({"labels": null, "note": null, "metadata": null});
    let cleared = world.patch(post.id, cleared).unwrap();
    assert_eq!(cleared.annotations, scheduler_core::post::Annotations::NONE);
}
