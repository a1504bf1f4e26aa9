//! Every command against every status and every state of approval.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, json};
use uuid::Uuid;

use super::*;
use crate::error::ErrorCode;
use crate::ids::{AccountId, MediaId, PostId, TargetId, WorkspaceId};
use crate::platform::Platform;
use crate::target::{
    Begun, Failure, FailureCode, OpenCall, Progress, Published, Publishing, Remote, VisibleCall,
    WhenUnknown,
};

type State = Option<ApprovalState>;

const PENDING: State = Some(ApprovalState::Pending);
const APPROVED: State = Some(ApprovalState::Approved);
const CHANGES: State = Some(ApprovalState::Changes);

fn now() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn later() -> DateTime<Utc> {
    now() + TimeDelta::hours(5)
}

fn target(number: u128) -> Target {
    let (id, account) = (TargetId(Uuid::from_u128(number)), AccountId(Uuid::from_u128(number)));
    Target::new(id, Platform::Bluesky, account, Map::new(), Some(later()), None)
}

/// A post whose first target has waited for its client and whose second is due later.
fn post(status: PostStatus, state: State) -> Post {
    let mut post = Post {
        status,
        content: "Hello".into(),
        scheduled_at: Some(now()),
        approval_state: state,
        updated_at: now() - TimeDelta::hours(1),
        version: 1,
        targets: vec![target(1), target(2)],
        ..Post::new(PostId(Uuid::nil()), WorkspaceId(Uuid::nil()), now())
    };
    let waiting = waiting(&mut post.targets[0]);
    waiting.reason = WaitReason::Approval(AwaitingApproval { reason: "waits".into() });
    waiting.due_at = now() + APPROVAL_LOOK;
    post
}

fn waiting(target: &mut Target) -> &mut Waiting {
    let Stage::Waiting(waiting) = &mut target.stage else { panic!("it does not wait") };
    waiting
}

fn said(post: &Post, index: usize) -> &str {
    post.targets[index].message().unwrap_or_default()
}

#[test]
fn every_command_in_every_status_and_state() {
    use PostStatus as S;
    for status in S::ALL {
        for state in [None, PENDING, APPROVED, CHANGES] {
            let post = post(status, state);
            let name = format!("{status:?} {state:?}");
            let is_before = matches!(status, S::Draft | S::Scheduled);
            let waits_again =
                matches!(status, S::Publishing | S::Done) && matches!(state, PENDING | CHANGES);
            let is_open = is_before || waits_again;
            assert_eq!(is_open_to_client(&post), is_open, "{name}");
            let code = |result: &Result<Post, Refusal>| {
                result
                    .as_ref()
                    .map_or_else(|refusal| Err(refusal.code), |post| Ok(post.approval_state))
            };
            let want =
                |state: State| if is_open { Ok(state) } else { Err(ErrorCode::AlreadyStarted) };
            let answered = |state| match post.approval_state {
                None => Err(ErrorCode::NotFound),
                Some(_) => want(state),
            };
            assert_eq!(code(&request_approval(&post, now())), want(PENDING), "{name} offer");
            assert_eq!(code(&withdraw(&post, now())), answered(None), "{name} withdraw");
            for verdict in Verdict::ALL {
                let got = record_decision(&post, verdict, now());
                assert_eq!(code(&got), answered(Some(verdict.state())), "{name} {verdict:?}");
            }
        }
    }
}

#[test]
fn what_has_waited_is_due_at_once_and_nothing_else_moves() {
    let waiting = post(PostStatus::Scheduled, PENDING);
    for (name, after, is_released) in [
        ("approved", record_decision(&waiting, Verdict::Approve, now()), true),
        ("withdrawn", withdraw(&waiting, now()), true),
        ("changes", record_decision(&waiting, Verdict::Changes, now()), false),
        ("a new link", request_approval(&waiting, now()), false),
    ] {
        let after = after.unwrap();
        assert_eq!(after.updated_at, now(), "{name}");
        assert_eq!(after.targets[1], waiting.targets[1], "{name}");
        let due_at = after.targets[0].due_at();
        if is_released {
            assert_eq!((due_at, said(&after, 0)), (Some(now()), ""), "{name}");
        } else {
            assert_eq!(due_at, Some(now() + APPROVAL_LOOK), "{name}");
            let asks = after.approval_state == CHANGES;
            assert_eq!(said(&after, 0).contains("asked for changes"), asks, "{name}");
            assert!(after.targets[0].waits_for_approval(), "{name}");
        }
    }
}

/// A change of a post, and whether its client has to see it.
struct Change(&'static str, bool, fn(&mut Post));

#[test]
fn whatever_a_client_saw_is_asked_for_again_and_nothing_else() {
    let id = MediaId(Uuid::from_u128(7));
    let changes = [
        Change("nothing", false, |_| {}),
        Change("the time", false, |post| {
            post.scheduled_at = Some(later());
            post.targets[1].reschedule(Some(now()), None);
        }),
        Change("a slot", false, |post| waiting(&mut post.targets[1]).slot_at = Some(now())),
        Change("the order of the targets", false, |post| post.targets.reverse()),
        Change("content", true, |post| post.content.push('!')),
        Change("linkUrl", true, |post| post.link_url = Some("https://example.com".into())),
        Change("mediaIds", true, |post| post.media_ids.push(MediaId(Uuid::from_u128(7)))),
        Change("altTexts", true, |post| post.alt_texts.push(Some("A".into()))),
        Change("a target less", true, |post| drop(post.targets.pop())),
        Change("another account", true, |post| {
            post.targets[1].account_id = AccountId(Uuid::from_u128(9));
        }),
        Change("options", true, |post| {
            post.targets[1].options.insert("caption".into(), json!("B"));
        }),
    ];
    for Change(name, is_asked, change) in changes {
        for state in [None, PENDING, APPROVED, CHANGES] {
            let before = post(PostStatus::Scheduled, state);
            let mut after = before.clone();
            change(&mut after);
            assert_eq!(
                content_fingerprint(&before) != content_fingerprint(&after),
                is_asked,
                "{name}"
            );
            reset_approval(&before, &mut after);
            let want = if is_asked { state.and(PENDING) } else { state };
            assert_eq!(after.approval_state, want, "{name} {state:?}");
        }
    }
    // Where one field ends and the next begins is part of it.
    let (mut one, mut other) = (post(PostStatus::Draft, None), post(PostStatus::Draft, None));
    one.content = format!("Hello{id}");
    other.media_ids = vec![id];
    assert_ne!(content_fingerprint(&one), content_fingerprint(&other));
}

#[test]
fn a_target_that_waits_says_why_until_it_has_another_time() {
    let before = post(PostStatus::Scheduled, CHANGES);
    let mut changed = before.clone();
    changed.content.push('!');
    reset_approval(&before, &mut changed);
    assert!(said(&changed, 0).contains("not approved this post yet"), "{}", said(&changed, 0));
    assert_eq!(changed.targets[0].due_at(), before.targets[0].due_at());

    for (status, want) in [
        (PostStatus::Scheduled, "change the post"),
        (PostStatus::Publishing, "cannot change any more"),
    ] {
        let held = defer_until_approved(&post(status, CHANGES), target(1), now());
        let said = held.message().unwrap();
        assert!(said.contains(want), "{status:?}: {said}");
    }

    for due_at in [Some(later()), before.targets[0].due_at(), None] {
        let mut timed = before.clone();
        timed.targets[0].reschedule(due_at, None);
        reset_approval(&before, &mut timed);
        assert_eq!(said(&timed, 0), "", "{due_at:?}");
        assert_eq!(timed.approval_state, CHANGES);
    }
}

fn failure() -> Failure {
    Failure { message: "no".into(), code: FailureCode::NetworkError, permanent: false }
}

fn stage(status: TargetStatus, begun: Begun) -> Stage {
    let (due_at, failure) = (now(), failure());
    match status {
        TargetStatus::Pending => {
            let reason = WaitReason::Retry(failure);
            Stage::Waiting(Waiting { due_at, slot_at: None, reason, begun })
        }
        TargetStatus::Publishing => {
            Stage::Publishing(Publishing { due_at, failure: Some(failure), begun })
        }
        TargetStatus::Published => Stage::Published(Published {
            published_at: now(),
            remote: begun.live_part,
            failure: None,
            follow_up: begun.progress,
        }),
        TargetStatus::Failed => Stage::Failed { failure, begun },
        TargetStatus::Skipped => Stage::Canceled { failure: Some(failure), begun },
    }
}

#[test]
fn only_what_is_not_approved_and_cannot_be_live_is_withheld() {
    let progress = |sending: bool| {
        let call = VisibleCall::new(now(), TimeDelta::minutes(1));
        let open = OpenCall { call, when_unknown: WhenUnknown::Ask };
        Some(Progress { open: sending.then_some(open), ..Progress::new(json!(1), now()) })
    };
    let remote = || Some(Remote::new("1", None));
    let tried = RetriesUsed { tries: 1, rate_limits: 0 };
    let limited = RetriesUsed { tries: 0, rate_limits: 1 };
    for (state, is_kept) in [(None, false), (PENDING, true), (APPROVED, false), (CHANGES, true)] {
        for status in TargetStatus::ALL {
            for (name, spent, progress, remote, is_under_way) in [
                ("not begun", RetriesUsed::NOTHING, None, None, false),
                ("failed before it began", tried, None, None, false),
                ("nothing can be seen of it yet", tried, progress(false), None, false),
                ("may be live", tried, progress(true), None, true),
                ("may be live, rate limited", limited, progress(true), None, true),
                ("live in part", tried, progress(false), remote(), true),
                ("retried", RetriesUsed::NOTHING, progress(false), None, false),
                ("retried in doubt", RetriesUsed::NOTHING, progress(true), None, false),
                ("retried, live in part", RetriesUsed::NOTHING, progress(false), remote(), false),
            ] {
                let post = post(PostStatus::Publishing, state);
                let stage = stage(status, Begun { progress, live_part: remote });
                let target = Target { spent, stage, ..target(1) };
                let want = is_kept && status == TargetStatus::Pending && !is_under_way;
                assert_eq!(is_withheld(&post, &target), want, "{state:?} {status:?} {name}");
            }
        }
    }
    let post = post(PostStatus::Scheduled, PENDING);
    let target = target(1);
    let held = defer_until_approved(&post, target.clone(), now());
    assert!(held.waits_for_approval());
    assert_eq!(held.due_at(), Some(now() + TimeDelta::hours(1)));
    assert_eq!((held.attempts, held.status(), held.spent), (0, target.status(), target.spent));
    let deferred = target.start().and_then(|target| target.defer(later(), failure())).unwrap();
    assert!(!deferred.waits_for_approval());
    assert_eq!(
        defer_until_approved(&post, deferred, now()).failure(),
        None,
        "it says what it waits for"
    );
}

#[test]
fn a_cancelled_target_waits_for_nobody() {
    let waiting = post(PostStatus::Scheduled, PENDING);
    let crate::post::decide::Deletion::Cancel(canceled) =
        crate::post::decide::delete(&waiting, now()).unwrap()
    else {
        panic!("a scheduled post stays as a record");
    };
    assert_eq!(said(&canceled, 0), "");
}
