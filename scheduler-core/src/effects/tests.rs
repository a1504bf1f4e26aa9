use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::*;
use crate::ids::{AccountId, DeliveryId, EventId, PostId, TargetId, WorkspaceId};
use crate::platform::Platform;
use crate::ports::WorkKind;
use crate::post::{Post, PostStatus};
use crate::target::{
    Begun, Failure, FailureCode, Published, Publishing, Stage, Target, TargetStatus, WaitReason,
    Waiting,
};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
}

fn target(id: u128, status: TargetStatus) -> Target {
    let (id, account) = (TargetId(Uuid::from_u128(id)), AccountId(Uuid::from_u128(7)));
    let new =
        Target::new(id, Platform::Bluesky, account, serde_json::Map::new(), Some(at(0)), None);
    Target { stage: stage(status), ..new }
}

fn stage(status: TargetStatus) -> Stage {
    let begun = Begun::default();
    match status {
        TargetStatus::Pending => {
            let reason = WaitReason::Time;
            Stage::Waiting(Waiting { due_at: at(0), slot_at: None, reason, begun })
        }
        TargetStatus::Publishing => {
            Stage::Publishing(Publishing { due_at: at(0), failure: None, begun })
        }
        TargetStatus::Published => {
            let (remote, failure, follow_up) = (None, None, None);
            Stage::Published(Published { published_at: at(5), remote, failure, follow_up })
        }
        TargetStatus::Failed => {
            let (code, permanent) = (FailureCode::NetworkError, true);
            Stage::Failed { failure: Failure { message: "No.".to_owned(), code, permanent }, begun }
        }
        TargetStatus::Skipped => Stage::Canceled { failure: None, begun },
    }
}

fn post(status: PostStatus, targets: Vec<Target>) -> Post {
    let (id, workspace) = (PostId(Uuid::from_u128(1)), WorkspaceId(Uuid::from_u128(2)));
    Post {
        status,
        content: "A thought".to_owned(),
        scheduled_at: Some(at(0)),
        version: 4,
        targets,
        ..Post::new(id, workspace, at(-9))
    }
}

#[test]
fn a_recorded_target_changes_its_post() {
    use PostStatus::{Canceled, Done, Draft, Publishing, Scheduled};
    use TargetStatus::{Failed, Pending, Published, Skipped};
    let going = TargetStatus::Publishing;
    for (name, of_post, before, other, now, want, is_change) in [
        ("an attempt begins", Scheduled, Pending, Pending, going, Publishing, true),
        ("a step of it", Publishing, going, Pending, going, Publishing, false),
        ("the first of two ends", Publishing, going, Pending, Published, Publishing, true),
        ("the last of two ends", Publishing, going, Failed, Published, Done, true),
        ("the last of two fails", Publishing, going, Published, Failed, Done, true),
        ("it waits for another attempt", Publishing, going, Pending, Pending, Scheduled, true),
        ("a canceled post stays canceled", Canceled, going, Skipped, Published, Canceled, true),
        ("a draft stays a draft", Draft, going, Skipped, Published, Draft, true),
    ] {
        let stored = post(of_post, vec![target(1, before), target(2, other)]);
        let after = after_target(&stored, &target(1, now), at(9));
        let (version, updated_at) = if is_change { (5, at(9)) } else { (4, at(-9)) };
        let found = (after.status, after.version, after.updated_at, after.targets[0].status());
        assert_eq!(found, (want, version, updated_at, now), "{name}");
        let first = first_reading(&stored, &target(1, now));
        let goes_live = now == Published && before != Published;
        assert_eq!(first.is_some(), goes_live, "{name}: its figures");
        assert!(first.is_none_or(|first| first > at(5)), "{name}: after it has gone live");
    }
}

#[test]
fn a_recorded_target_keeps_the_options_that_others_may_have_changed() {
    let mut stored = post(PostStatus::Publishing, vec![target(1, TargetStatus::Publishing)]);
    stored.targets[0].options.insert("language".to_owned(), "de".into());
    let after = after_target(&stored, &target(1, TargetStatus::Published), at(9));
    assert_eq!(after.targets[0].options, stored.targets[0].options);
    let of_another = after_target(&stored, &target(2, TargetStatus::Failed), at(9));
    assert_eq!(of_another, stored, "a target of another post");
}

#[test]
fn a_save_leaves_alone_what_belongs_to_the_holder_of_its_work() {
    use TargetStatus::{Failed, Pending, Published, Publishing, Skipped};
    let all = [Pending, Publishing, Published, Failed, Skipped];
    for stored in all {
        for given in all {
            for is_followed in [false, true] {
                let holds = belongs_to_holder(stored, is_followed, &target(1, given));
                let want =
                    stored == given && (given == Publishing || given == Published && is_followed);
                assert_eq!(holds, want, "{stored:?} as {given:?}, followed: {is_followed}");
            }
        }
    }
    for (status, want) in [(Publishing, "stored"), (Published, "given")] {
        let [stored, given] = ["stored", "given"].map(|language| {
            let mut one = target(1, status);
            one.options.insert("language".to_owned(), language.into());
            one
        });
        let kept = kept_target(&Target { attempts: 3, ..stored }, &given);
        let language = kept.options.get("language").and_then(|language| language.as_str());
        assert_eq!((language, kept.attempts), (Some(want), 3), "{status:?}");
    }
}

#[test]
fn only_what_waits_for_a_time_is_to_be_published() {
    use TargetStatus::{Failed, Pending, Published, Publishing, Skipped};
    let parked = Target {
        stage: Stage::Parked { failure: None, begun: Begun::default() },
        ..target(9, Pending)
    };
    let others = [Publishing, Published, Failed, Skipped].map(|status| target(8, status));
    let targets = [target(1, Pending), parked].into_iter().chain(others).collect();
    let work: Vec<NewWork> = NewWork::of_post(&post(PostStatus::Scheduled, targets)).collect();
    let want = NewWork {
        kind: WorkKind::Publish,
        subject: Uuid::from_u128(1),
        workspace_id: WorkspaceId(Uuid::from_u128(2)),
        platform: Some(Platform::Bluesky),
        lane: AccountId(Uuid::from_u128(7)).to_string(),
        due_at: at(0),
    };
    assert_eq!(work, [want]);
}

#[test]
fn deliveries_of_a_webhook_are_spread_over_its_lanes() {
    let (workspace, webhook) = (WorkspaceId(Uuid::nil()), WebhookId(Uuid::from_u128(5)));
    let lane =
        |id| NewWork::of_delivery(workspace, webhook, DeliveryId(Uuid::from_u128(id)), at(0)).lane;
    let lanes: BTreeSet<String> = (0..100).map(lane).collect();
    assert_eq!(lanes.len(), usize::from(LANES_OF_A_WEBHOOK));
    assert!(lanes.iter().all(|lane| lane.starts_with(&webhook.to_string())));
}

#[test]
fn events_go_to_those_that_subscribe_to_their_kind() {
    let [first, second, third] = [1, 2, 3].map(|id| WebhookId(Uuid::from_u128(id)));
    let kinds = [EventKind::Published, EventKind::Failed];
    let event = Event {
        id: EventId(Uuid::nil()),
        workspace_id: WorkspaceId(Uuid::nil()),
        kind: EventKind::Failed,
        created_at: at(0),
        body: String::new(),
    };
    let webhooks = [(first, &kinds[..1]), (second, &kinds[1..]), (third, &kinds[..])];
    assert_eq!(subscribers(&event, webhooks), [second, third]);
}

#[test]
fn readings_are_due_with_the_first_post_and_not_while_they_are_blocked() {
    let new = ReadingState::new(at(10));
    let blocked = ReadingState { blocked_until: Some(at(20)), ..new };
    for (state, first, want) in [
        (new, None, 10),
        (new, Some(5), 5),
        (new, Some(15), 10),
        (blocked, None, 20),
        (blocked, Some(5), 20),
    ] {
        assert_eq!(readings_due_at(&state, first.map(at)), at(want), "{state:?}, {first:?}");
    }
    let late = ReadingState { look_due_at: at(30), ..blocked };
    assert_eq!(readings_due_at(&late, None), at(30));
}

#[test]
fn a_post_moves_from_month_to_month_once() {
    for (old, new, want) in [
        (None, None, (None, None)),
        (None, Some(2), (None, Some(2))),
        (Some(1), None, (Some(1), None)),
        (Some(1), Some(2), (Some(1), Some(2))),
        (Some(1), Some(1), (None, None)),
    ] {
        assert_eq!(moved_count(old, new), want, "{old:?} to {new:?}");
    }
}

#[test]
fn a_clock_was_set_back_when_it_is_behind_by_more_than_a_second() {
    for (now, by, seen_at) in [(20, None, 20), (10, None, 10), (9, None, 10), (8, Some(2), 8)] {
        let want = (by.map(TimeDelta::seconds), at(seen_at));
        assert_eq!(set_back(at(10), at(now)), want, "{now}");
    }
}
