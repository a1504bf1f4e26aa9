//! Every command against every status.

use serde_json::{Map, json};
use uuid::Uuid;

use super::*;
use crate::ids::{AccountId, PostId, WorkspaceId};
use crate::platform::Platform;
use crate::target::{
    Begun, FailureCode, OpenCall, Progress, Remote, RetriesUsed, Stage, VisibleCall, WhenUnknown,
};

fn now() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn account(number: u128, platform: Platform) -> Account {
    Account {
        username: Some(format!("user{number}")),
        ..Account::new(
            AccountId(Uuid::from_u128(number)),
            WorkspaceId(Uuid::nil()),
            platform,
            number.to_string(),
            now(),
        )
    }
}

fn failure(code: FailureCode) -> Failure {
    Failure { message: "no".into(), code, permanent: false }
}

/// A target of account `number`, in a state that really occurs.
fn target(number: u128, status: TargetStatus) -> Target {
    let id = TargetId(Uuid::from_u128(100 + number));
    let account = AccountId(Uuid::from_u128(number));
    let (due_at, slot_at) = (Some(now()), Some(now()));
    let waits = Target::new(id, Platform::Bluesky, account, Map::new(), due_at, slot_at);
    let moved = match status {
        TargetStatus::Pending => Ok(waits),
        TargetStatus::Publishing => waits.start(),
        TargetStatus::Published => waits
            .start()
            .and_then(|target| target.succeed(now(), Some(Remote::new("r", None)), None)),
        TargetStatus::Failed => {
            let failed =
                waits.start().and_then(|target| target.fail(failure(FailureCode::NetworkError)));
            let spent = RetriesUsed { tries: 6, rate_limits: 2 };
            failed.map(|target| Target { attempts: 6, spent, ..target })
        }
        TargetStatus::Skipped => waits.cancel(),
    };
    moved.unwrap()
}

fn post(status: PostStatus, targets: &[TargetStatus]) -> Post {
    let mut targets: Vec<Target> =
        (1..).zip(targets).map(|(number, status)| target(number, *status)).collect();
    if status == PostStatus::Draft {
        for target in &mut targets {
            target.reschedule(None, None);
        }
    }
    Post {
        status,
        content: "text".into(),
        scheduled_at: (status != PostStatus::Draft).then(now),
        version: 3,
        targets,
        ..Post::new(PostId(Uuid::from_u128(1)), WorkspaceId(Uuid::nil()), now())
    }
}

fn open() -> OpenCall {
    let call = VisibleCall::new(now(), chrono::TimeDelta::minutes(1));
    OpenCall { call, when_unknown: WhenUnknown::Ask }
}

use PostStatus as P;
use TargetStatus as T;

/// Every status of a post with every mix of targets that it can have.
const SITUATIONS: [(&str, P, &[T]); 12] = [
    ("draft", P::Draft, &[T::Pending, T::Pending]),
    ("scheduled", P::Scheduled, &[T::Pending, T::Pending]),
    ("publishing, one in flight", P::Publishing, &[T::Publishing, T::Pending]),
    ("publishing, in flight beside a failure", P::Publishing, &[T::Publishing, T::Failed]),
    ("publishing, none in flight", P::Publishing, &[T::Published, T::Pending]),
    ("publishing, a failure and a wait", P::Publishing, &[T::Failed, T::Pending]),
    ("done, all live", P::Done, &[T::Published, T::Published]),
    ("done, one failed", P::Done, &[T::Published, T::Failed]),
    ("done, all failed", P::Done, &[T::Failed, T::Failed]),
    ("done, taken down", P::Done, &[T::Skipped, T::Published]),
    ("canceled", P::Canceled, &[T::Skipped, T::Skipped]),
    ("canceled half-way", P::Canceled, &[T::Published, T::Skipped]),
];

/// Checks a column of answers against the situations, in their order.
fn table(answers: [&str; 12], act: impl Fn(&Post) -> String) {
    for ((name, status, targets), want) in SITUATIONS.into_iter().zip(answers) {
        assert_eq!(act(&post(status, targets)), want, "{name}");
    }
}

fn code(refusal: &Refusal) -> String {
    serde_json::to_value(refusal.code).unwrap().as_str().unwrap().to_owned()
}

fn statuses(post: &Post) -> String {
    let targets: Vec<&str> = post.targets.iter().map(|target| target.status().as_str()).collect();
    format!("{}: {}", post.status.as_str(), targets.join(" "))
}

#[test]
fn change() {
    table(
        [
            "ok",
            "ok",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
        ],
        |post| {
            check_changeable(post, false).map_or_else(|refusal| code(&refusal), |()| "ok".into())
        },
    );
}

#[test]
fn change_of_targets() {
    table(
        [
            "ok",
            "ok",
            "targets_locked",
            "targets_locked",
            "targets_locked",
            "targets_locked",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
            "already_started",
        ],
        |post| check_changeable(post, true).map_or_else(|refusal| code(&refusal), |()| "ok".into()),
    );
}

#[test]
fn deletion() {
    table(
        [
            "removed",
            "canceled: skipped skipped",
            "in_flight",
            "in_flight",
            "canceled: published skipped",
            "canceled: failed skipped",
            "removed",
            "removed",
            "removed",
            "removed",
            "removed",
            "removed",
        ],
        |post| match delete(post, now()) {
            Ok(Deletion::Remove) => "removed".into(),
            Ok(Deletion::Cancel(post)) => {
                let frees =
                    post.targets.iter().all(|t| t.slot_at().is_none() && t.due_at().is_none());
                assert!(frees, "a cancelled post holds no slot and no time");
                statuses(&post)
            }
            Err(refusal) => code(&refusal),
        },
    );
}

#[test]
fn retrying() {
    table(
        [
            "nothing_to_retry",
            "nothing_to_retry",
            "in_flight",
            "in_flight",
            "nothing_to_retry",
            "publishing: pending pending",
            "nothing_to_retry",
            "publishing: published pending",
            "publishing: pending pending",
            "nothing_to_retry",
            "nothing_to_retry",
            "nothing_to_retry",
        ],
        |post| match retry(post, now()) {
            Ok(post) => {
                let retried: Vec<&Target> =
                    post.targets.iter().filter(|t| t.status() == T::Pending).collect();
                assert!(retried.iter().all(|t| t.due_at() == Some(now()) && t.failure().is_none()));
                assert!(retried.iter().all(|t| t.spent == RetriesUsed::NOTHING));
                statuses(&post)
            }
            Err(refusal) => code(&refusal),
        },
    );
}

#[test]
fn a_retry_keeps_count_and_progress_and_resends_the_unknown_only_after_a_person_looked() {
    for (name, code, want) in [
        ("in doubt: the person has looked", FailureCode::InDoubt, true),
        ("another failure: the person was not asked to look", FailureCode::NetworkError, false),
    ] {
        let mut before = post(P::Done, &[T::Failed]);
        let progress = Progress::new(json!({"part": 2}), now());
        let progress = Some(Progress { open: Some(open()), ..progress });
        let begun = Begun { progress, live_part: None };
        before.targets[0].stage = Stage::Failed { failure: failure(code), begun };
        let after = retry(&before, now()).unwrap();
        let target = &after.targets[0];
        assert_eq!(target.attempts, 6, "{name}");
        let progress = target.progress().unwrap();
        assert_eq!(progress.state, json!({"part": 2}), "{name}");
        let open = progress.open.unwrap_or_else(|| panic!("{name}: the network is asked first"));
        assert_eq!(open.when_unknown == WhenUnknown::SendAgain, want, "{name}");
    }
}

#[test]
fn placing_moves_between_draft_and_scheduled_only() {
    let timed = vec![target(1, T::Pending)];
    let mut parked = timed.clone();
    parked[0].reschedule(None, None);
    for (name, from, targets, want) in [
        ("a draft is given a time", P::Draft, &timed, Some(P::Scheduled)),
        ("a draft stays parked", P::Draft, &parked, Some(P::Draft)),
        ("a scheduled post is re-timed", P::Scheduled, &timed, Some(P::Scheduled)),
        ("a scheduled post is parked", P::Scheduled, &parked, Some(P::Draft)),
    ] {
        let mut post = post(from, &[T::Pending]);
        let placed = place(&mut post, targets.clone());
        assert_eq!(placed.ok().map(|()| post.status), want, "{name}");
        assert_eq!(post.scheduled_at, targets[0].due_at(), "{name}");
    }
}

#[test]
fn what_has_gone_out_stays_whatever_account_is_named() {
    let before = post(P::Publishing, &[T::Published, T::Pending]);
    let own = Account { id: before.targets[0].account_id, ..account(9, Platform::Bluesky) };
    let taken = Account { id: before.targets[1].account_id, ..account(9, Platform::Bluesky) };
    for to in [own, taken, account(9, Platform::Mastodon)] {
        let moved = move_target(&before, before.targets[0].id, &to, now());
        assert_eq!(code(&moved.unwrap_err()), "already_started", "{to:?}");
    }
}

#[test]
fn moving_a_target_by_its_status() {
    for (status, want) in [
        (T::Pending, "ok"),
        (T::Publishing, "already_started"),
        (T::Published, "already_started"),
        (T::Failed, "ok"),
        (T::Skipped, "already_started"),
    ] {
        let before = post(P::Publishing, &[status, T::Pending]);
        let to = account(9, Platform::Bluesky);
        let moved = move_target(&before, before.targets[0].id, &to, now());
        match moved {
            Ok(after) => {
                assert_eq!(want, "ok", "{status:?}");
                let target = &after.targets[0];
                assert_eq!(target.account_id, to.id, "{status:?}");
                assert_eq!(
                    target.due_at(),
                    before.targets[0].due_at(),
                    "{status:?} keeps its time"
                );
                assert_eq!(target.slot_at(), None, "{status:?} gives up its slot");
                assert_eq!(target.revision, 1, "{status:?} begins under other names");
                assert_eq!(target.status(), status);
            }
            Err(refusal) => assert_eq!(code(&refusal), want, "{status:?}"),
        }
    }
}

#[test]
fn moving_a_target_to_other_accounts() {
    let before = post(P::Scheduled, &[T::Pending, T::Pending]);
    for (name, to, want) in [
        ("the same account", account(1, Platform::Bluesky), None),
        ("an account of another network", account(9, Platform::Mastodon), Some("accountId")),
        ("an account the post goes to already", account(2, Platform::Bluesky), Some("accountId")),
    ] {
        let moved = move_target(&before, before.targets[0].id, &to, now());
        let field = moved.err().and_then(|refusal| refusal.field);
        assert_eq!(field.as_deref(), want, "{name}");
    }
    let unknown = TargetId(Uuid::from_u128(999));
    let refusal = move_target(&before, unknown, &account(9, Platform::Bluesky), now()).unwrap_err();
    assert_eq!(code(&refusal), "not_found");
}

#[test]
fn moving_a_target_whose_publish_has_begun() {
    for (name, platform, sending, code_of_failure, want) in [
        ("bluesky, between attempts", Platform::Bluesky, false, FailureCode::NetworkError, "ok"),
        (
            "bluesky, outcome unknown",
            Platform::Bluesky,
            true,
            FailureCode::NetworkError,
            "already_started",
        ),
        ("bluesky, a person was told to look", Platform::Bluesky, true, FailureCode::InDoubt, "ok"),
        (
            "youtube holds the video",
            Platform::Youtube,
            false,
            FailureCode::NetworkError,
            "video_on_youtube",
        ),
    ] {
        let mut before = post(P::Done, &[T::Failed]);
        before.targets[0].platform = platform;
        let open = sending.then(open);
        let progress = Some(Progress { open, ..Progress::new(json!(1), now()) });
        let begun = Begun { progress, live_part: None };
        before.targets[0].stage = Stage::Failed { failure: failure(code_of_failure), begun };
        let moved = move_target(&before, before.targets[0].id, &account(9, platform), now());
        let got = moved.map_or_else(|refusal| code(&refusal), |_| "ok".into());
        assert_eq!(got, want, "{name}");
    }
}

#[test]
fn a_local_time_that_has_passed_names_account_and_zone() {
    let berlin: Zone = "Europe/Berlin".parse().unwrap();
    let local = |text| crate::timing::parse_local(text).unwrap();
    let me = account(7, Platform::Bluesky);
    let due = |text| local_due_at(local(text), &me, berlin, now());
    assert_eq!(due("2026-11-21T13:30"), Ok("2026-11-21T12:30:00Z".parse().unwrap()));
    assert_eq!(due("2026-11-21T12:59"), Ok(now()), "60 s ago is now");
    let refusal = due("2026-11-21T12:58").unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("scheduledLocal"));
    assert_eq!(
        refusal.message(),
        "2026-11-21T12:58 is in the past for bluesky @user7 in Europe/Berlin."
    );
}

#[test]
fn the_status_of_a_post_follows_from_its_targets() {
    let deferred = Target { attempts: 1, ..target(3, T::Pending) };
    for (name, targets, want) in [
        ("none started", vec![target(1, T::Pending), target(2, T::Pending)], P::Scheduled),
        ("one in flight", vec![target(1, T::Publishing), target(2, T::Pending)], P::Publishing),
        ("one waits for a retry", vec![deferred, target(2, T::Pending)], P::Publishing),
        (
            "one ended, one to come",
            vec![target(1, T::Published), target(2, T::Pending)],
            P::Publishing,
        ),
        (
            "all ended, one way or another",
            vec![target(1, T::Published), target(2, T::Failed)],
            P::Done,
        ),
        ("taken down", vec![target(1, T::Skipped)], P::Done),
    ] {
        assert_eq!(PostStatus::of_targets(&targets), want, "{name}");
    }
}

#[test]
fn the_month_that_a_post_counts_in() {
    let month = Some(super::super::Month::of(now()));
    for ((name, status, targets), want) in SITUATIONS
        .into_iter()
        .zip([None, month, month, month, month, month, month, month, month, month, None, month])
    {
        assert_eq!(post(status, targets).allowance_month(), want, "{name}");
    }
}

#[test]
fn taking_a_target_down_by_its_status() {
    table(
        [
            "not_published",
            "not_published",
            "not_published",
            "not_published",
            "publishing: skipped pending",
            "not_published",
            "done: skipped published",
            "done: skipped failed",
            "not_published",
            "not_published",
            "not_published",
            "canceled: skipped skipped",
        ],
        |post| match take_down(post, post.targets[0].id, now()) {
            Ok(taken) => {
                let (was, is) = (&post.targets[0], &taken.targets[0]);
                assert_eq!((is.remote(), is.published_at()), (was.remote(), was.published_at()));
                assert_eq!((is.due_at(), is.progress()), (None, None), "nothing follows");
                assert_eq!(taken.targets[1..], post.targets[1..]);
                assert_eq!(taken.allowance_month(), post.allowance_month(), "it went out");
                statuses(&taken)
            }
            Err(refusal) => code(&refusal),
        },
    );
    let unknown = take_down(&post(P::Done, &[T::Published]), TargetId(Uuid::nil()), now());
    assert_eq!(code(&unknown.unwrap_err()), "not_found");
}

#[test]
fn a_target_without_an_id_of_its_network_cannot_be_acted_on() {
    let mut post = post(P::Done, &[T::Published]);
    post.targets[0].stage = target(1, T::Publishing).succeed(now(), None, None).unwrap().stage;
    let id = post.targets[0].id;
    assert_eq!(code(&check_live(&post, id).unwrap_err()), "not_published");
    assert_eq!(code(&take_down(&post, id, now()).unwrap_err()), "not_published");
    let edit = RemoteEdit { content: Some("x".to_owned()), title: None };
    assert_eq!(code(&edit_live(&post, id, &edit, now()).unwrap_err()), "not_published");
}

#[test]
fn an_edit_becomes_the_text_of_its_network_alone() {
    let edit = RemoteEdit { content: Some("New".to_owned()), title: Some("Title".to_owned()) };
    for (platform, want) in [
        (Platform::Mastodon, json!({"caption": "New", "title": "Title", "kept": 1})),
        (
            Platform::Youtube,
            json!({"description": "New", "title": "Title", "kept": 1, "caption": "Old"}),
        ),
    ] {
        let mut post = post(P::Done, &[T::Published, T::Published]);
        post.targets[0].platform = platform;
        post.targets[0].options.insert("kept".to_owned(), 1.into());
        post.targets[0].options.insert("caption".to_owned(), "Old".into());
        let edited = edit_live(&post, post.targets[0].id, &edit, now()).unwrap();
        assert_eq!(serde_json::Value::from(edited.targets[0].options.clone()), want);
        assert_eq!(edited.targets[1], post.targets[1]);
        assert_eq!(edited.content, post.content, "the text of the others");
    }
}
