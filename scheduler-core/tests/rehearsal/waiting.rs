//! Posts of which something waits, is going out or went out before the rehearsal.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Account;
use scheduler_core::app::Caller;
use scheduler_core::ids::{TargetId, WorkspaceId};
use scheduler_core::key::{Scope, Scopes};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AccountStore as _, RecurrenceStore as _};
use scheduler_core::post::{ApprovalState, Post, PostStatus};
use scheduler_core::recurrence::{OccurrenceOf, RecurrenceInput, TextMark};
use scheduler_core::rehearsal::{FindingKind, Rehearsal, RehearsedOutcome, RehearsedTarget};
use scheduler_core::target::{Published, Stage, Target};
use serde_json::{Map, json};
use uuid::Uuid;

use crate::world::{BEGIN, World, at, done};

fn hours(count: i64) -> DateTime<Utc> {
    at(BEGIN) + TimeDelta::hours(count)
}

fn told(found: &Rehearsal, id: TargetId) -> Option<&RehearsedTarget> {
    found.targets.iter().find(|target| target.target_id == id)
}

/// Another target of a post.
fn target(number: u128, account: &Account, due_at: DateTime<Utc>) -> Target {
    let id = TargetId(Uuid::from_u128(1_000_000 + number));
    Target::new(id, account.platform, account.id, Map::new(), Some(due_at), None)
}

#[test]
fn what_waits_longer_than_its_time_keeps_no_other_post_from_being_rehearsed() {
    let approval = |post: &mut Post| {
        post.approval_state = Some(ApprovalState::Pending);
        post.targets[0].reschedule(Some(hours(2)), None);
    };
    let put_off = |post: &mut Post| post.targets[0].reschedule(Some(hours(10 * 24)), None);
    let going_out = |post: &mut Post| {
        post.status = PostStatus::Publishing;
        post.targets[0] = post.targets[0].clone().start().unwrap();
    };
    type Change<'a> = &'a dyn Fn(&mut Post);
    let cases: [(&str, Change<'_>, Option<RehearsedOutcome>); 3] = [
        ("waits for approval", &approval, Some(RehearsedOutcome::Stopped)),
        ("is put off", &put_off, Some(RehearsedOutcome::OnTime)),
        ("is going out", &going_out, None),
    ];
    for (name, change, want) in cases {
        let mut world = World::new();
        let account = world.connect(Platform::Mastodon, "me");
        let first = world.post_as(&account, hours(-1), change);
        let behind = world.post(&account, hours(1));
        let found = world.rehearse(30);
        assert_eq!(told(&found, first).map(|target| target.outcome), want, "{name}");
        let behind = told(&found, behind).unwrap();
        assert_eq!(
            (behind.outcome, behind.at),
            (RehearsedOutcome::OnTime, Some(hours(1))),
            "{name}"
        );
    }
}

#[test]
fn the_other_target_of_a_post_that_is_going_out_is_rehearsed() {
    let mut world = World::new();
    let account = world.connect(Platform::Mastodon, "me");
    let other = world.connect(Platform::Bluesky, "me");
    let later = target(1, &other, hours(5));
    let going_out = world.post_as(&account, hours(-1), |post| {
        post.status = PostStatus::Publishing;
        post.targets[0] = post.targets[0].clone().start().unwrap();
        post.targets.push(later.clone());
    });
    let between = world.post(&account, hours(3));
    let found = world.rehearse(30);
    assert_eq!(told(&found, going_out), None);
    for (id, due_at) in [(between, hours(3)), (later.id, hours(5))] {
        assert_eq!(told(&found, id).unwrap().at, Some(due_at));
    }
    assert_eq!((found.posts, found.on_time, found.findings.len()), (2, 2, 0));
}

#[test]
fn an_entry_that_has_not_cooled_down_is_told() {
    let mut world = World::new();
    let account = world.connect(Platform::Mastodon, "me");
    let input: RecurrenceInput = serde_json::from_value(json!({
        "name": "Weekly",
        "rule": {"rrule": "FREQ=MONTHLY", "start": "2027-06-01T12:00"},
        "coolDownDays": 7,
        "entries": [{"post": {"content": "Good morning", "targets": [{"platform": "mastodon"}]}}],
    }))
    .unwrap();
    done(world.scheduler().create_recurrence(&world.caller, input)).unwrap();
    let all = done(world.store.recurrences(world.caller.workspace.id)).unwrap();
    let (recurrence, _) = &all[0];
    let of = OccurrenceOf {
        recurrence_id: recurrence.id,
        entry_id: recurrence.terms.entries[0].id,
        text: TextMark::of("Good morning"),
    };
    let mut post =
        |due_at| world.post_as(&account, due_at, |post| post.occurrence = Some(of.clone()));
    let (first, second) = (post(hours(24)), post(hours(48)));
    let found = world.rehearse(30);
    assert_eq!(told(&found, first).unwrap().outcome, RehearsedOutcome::OnTime);
    let second = told(&found, second).unwrap();
    assert_eq!((second.outcome, second.finding), (RehearsedOutcome::Delayed, Some(0)));
    assert_eq!(second.at.map(|at| at - hours(24) >= TimeDelta::days(7)), Some(true));
    let kinds: Vec<_> = found.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::CoolDown]);
}

#[test]
fn what_went_out_late_and_what_a_gone_account_sent_counts() {
    // A hundred pictures an hour ago, of posts whose first targets went out 26 hours ago.
    let live = |at| {
        let live = Published { published_at: at, remote: None, failure: None, follow_up: None };
        Stage::Published(live)
    };
    let mut world = World::new();
    let account = world.connect(Platform::Mastodon, "me");
    let pictures = world.connect(Platform::Instagram, "me");
    for number in 0..100 {
        world.post_as(&account, hours(-26), |post| {
            post.status = PostStatus::Done;
            post.targets[0].stage = live(hours(-26));
            let late = Target { stage: live(hours(-1)), ..target(number, &pictures, hours(-1)) };
            post.targets.push(late);
        });
    }
    let beyond = world.post(&pictures, hours(10));
    let found = world.rehearse(3);
    assert_eq!(told(&found, beyond).unwrap().outcome, RehearsedOutcome::Delayed);

    // A hundred videos of an account that is not connected any more.
    let mut world = World::new();
    let gone = world.connect(Platform::Youtube, "gone");
    for _ in 0..100 {
        world.post_as(&gone, hours(-1), |post| {
            post.status = PostStatus::Done;
            post.targets[0].stage = live(hours(-1));
        });
    }
    done(world.store.disconnect_account(gone.workspace_id, gone.id, at(BEGIN))).unwrap();
    let films = world.connect(Platform::Youtube, "films");
    let beyond = world.post(&films, hours(1));
    let found = world.rehearse(3);
    assert_eq!(told(&found, beyond).unwrap().outcome, RehearsedOutcome::Delayed);
    assert_eq!(found.findings[0].kind, FindingKind::Quota);
}

#[test]
fn findings_are_told_by_their_earliest_posts_whatever_they_are() {
    let mut world = World::new();
    let account = world.connect_with(Platform::Mastodon, "me", None, |account| {
        account.schedule = "mon-fri 09:00".parse().unwrap();
    });
    let saturday = at("2026-12-05T09:00:00Z");
    world.post_as(&account, saturday, |post| {
        post.targets[0].reschedule(Some(saturday), Some(saturday));
    });
    let asked = world.post_as(&account, saturday + TimeDelta::hours(1), |post| {
        post.approval_state = Some(ApprovalState::Pending);
    });
    let found = world.rehearse(30);
    let kinds: Vec<_> = found.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Slots, FindingKind::Approval]);
    let asked = told(&found, asked).unwrap();
    assert_eq!(found.finding_of(asked).unwrap().kind, FindingKind::Approval);
    assert_eq!(found.summary("then"), "2 posts until then: 1 on time, 0 later, 1 not at all.");
}

#[test]
fn another_workspace_is_not_rehearsed() {
    let mut world = World::new();
    let account = world.connect(Platform::Mastodon, "me");
    let own = world.post(&account, hours(1));
    world.post_as(&account, hours(2), |post| post.workspace_id = WorkspaceId(Uuid::from_u128(9)));
    let found = world.rehearse(30);
    assert_eq!((found.posts, found.targets.len()), (1, 1));
    assert_eq!(found.targets[0].target_id, own);
}

#[test]
fn a_caller_needs_the_scope() {
    let world = World::new();
    for (scope, may) in [(Scope::PostsRead, true), (Scope::MediaWrite, false)] {
        let caller = Caller { scopes: Scopes::of(&[scope]), ..world.caller.clone() };
        let found = done(world.scheduler().rehearse(&caller, None));
        assert_eq!(found.is_ok(), may, "{scope:?}");
    }
}
