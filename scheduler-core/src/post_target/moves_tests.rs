//! Every move from every stage that moves lead to.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, json};
use uuid::Uuid;

use super::*;
use crate::ids::{AccountId, TargetId};
use crate::platform::Platform;
use crate::target::{
    AwaitingApproval, FailedAttempt, FailureCode, OpenCall, StageColumns, TargetStatus, VisibleCall,
};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn failure(code: FailureCode) -> Failure {
    Failure { message: "no".into(), code, permanent: false }
}

fn progress(is_open: bool) -> Progress {
    let call = VisibleCall::new(at(0), TimeDelta::minutes(1));
    let open = is_open.then_some(OpenCall { call, when_unknown: WhenUnknown::Ask });
    Progress { open, ..Progress::new(json!({"part": 2}), at(0)) }
}

fn parked() -> Target {
    let (id, account) = (TargetId(Uuid::nil()), AccountId(Uuid::nil()));
    Target::new(id, Platform::Bluesky, account, Map::new(), None, None)
}

fn awaiting(mut target: Target) -> Target {
    if let Stage::Waiting(waiting) = &mut target.stage {
        waiting.reason = WaitReason::Approval(AwaitingApproval { reason: "ask".into() });
    }
    target
}

fn with_part(mut target: Target) -> Target {
    if let Some(begun) = target.stage.begun_mut() {
        begun.live_part = Some(Remote::new("part", None));
    }
    target
}

fn after(target: &Target, event: TargetEvent) -> Result<Target, TargetRefused> {
    let target = target.clone();
    match event {
        TargetEvent::Start => target.start(),
        TargetEvent::Defer => target.defer(at(60), failure(FailureCode::NetworkError)),
        TargetEvent::Succeed => {
            target.succeed(at(9), Some(Remote::new("live", None)), Some(progress(false)))
        }
        TargetEvent::Fail => target.fail(failure(FailureCode::InDoubt)),
        TargetEvent::Retry => target.retry(at(99)),
        TargetEvent::Find => target.found("https://example.com/1".to_owned(), at(9)),
        TargetEvent::TakeDown => target.take_down(),
        TargetEvent::Cancel => target.cancel(),
    }
}

/// All that a target can become of which one attempt is made, and that changes nothing but its
/// stage.
fn reached() -> Vec<Target> {
    let mut reached = vec![parked()];
    let mut index = 0;
    while index < reached.len() {
        let target = Target { attempts: 0, ..reached[index].clone() };
        let mut next: Vec<Target> =
            TargetEvent::ALL.into_iter().filter_map(|event| after(&target, event).ok()).collect();
        for due_at in [None, Some(at(10))] {
            let mut timed = target.clone();
            timed.reschedule(due_at, due_at);
            next.push(timed);
        }
        for is_open in [false, true] {
            let mut further = target.clone();
            further.keep_progress(progress(is_open));
            next.push(further);
        }
        let mut anew = target.clone();
        anew.begin_anew();
        next.extend([anew, awaiting(target.clone()), with_part(target)]);
        for target in next {
            let target = Target { attempts: 0, ..target };
            if !reached.contains(&target) {
                reached.push(target);
            }
        }
        index += 1;
    }
    reached
}

#[test]
fn every_move_is_one_of_the_statuses() {
    for target in reached() {
        for event in TargetEvent::ALL {
            let is_parked = matches!(target.stage, Stage::Parked { .. });
            let is_nameless = target.remote().is_some_and(|remote| !remote.is_named());
            let want = match (is_parked, is_nameless, event) {
                (true, _, TargetEvent::Start) | (_, true, TargetEvent::TakeDown) => {
                    Err(target.stage.refuses(event))
                }
                _ => target.status().transition(event),
            };
            let moved = after(&target, event).map(|target| target.status());
            assert_eq!(moved, want, "{target:?} + {event:?}");
        }
    }
}

#[test]
fn every_stage_that_is_reached_is_read_from_its_columns() {
    let reached = reached();
    for target in &reached {
        let read = Stage::try_from(target.stage.columns());
        assert_eq!(read.as_ref(), Ok(&target.stage));
    }
    for status in TargetStatus::ALL {
        assert!(reached.iter().any(|target| target.status() == status), "{status:?}");
    }
}

#[test]
fn a_move_leaves_what_the_next_stage_has() {
    let begun = |target: Target| {
        let mut target = with_part(target);
        target.keep_progress(progress(true));
        target
    };
    let mut waits = parked();
    waits.reschedule(Some(at(10)), Some(at(10)));
    let (going_out, held) = (begun(waits.clone().start().unwrap()), awaiting(waits.clone()));
    let deferred = after(&going_out, TargetEvent::Defer).unwrap();
    let failed = after(&going_out, TargetEvent::Fail).unwrap();
    let live = after(&going_out, TargetEvent::Succeed).unwrap();
    let (in_doubt, error) = (failure(FailureCode::InDoubt), failure(FailureCode::NetworkError));
    let (part, name) = (Remote::new("part", None), Remote::new("live", None));
    let (open, closed) = (progress(true), progress(false));
    let mut again = open.clone();
    again.open.as_mut().unwrap().when_unknown = WhenUnknown::SendAgain;
    let none = parked().stage.clone();
    let none = StageColumns { status: TargetStatus::Pending, ..none.columns() };
    let left = StageColumns { progress: Some(&open), remote: Some(&part), ..none };
    use TargetStatus as T;
    for (name, target, want) in [
        (
            "a first attempt",
            held.start(),
            StageColumns { status: T::Publishing, due_at: Some(at(10)), ..none },
        ),
        (
            "a further attempt",
            deferred.clone().start(),
            StageColumns {
                status: T::Publishing,
                due_at: Some(at(60)),
                failure: Some(&error),
                ..left
            },
        ),
        (
            "a wait for another try",
            Ok(deferred.clone()),
            StageColumns { due_at: Some(at(60)), failure: Some(&error), ..left },
        ),
        (
            "an end",
            Ok(failed.clone()),
            StageColumns { status: T::Failed, failure: Some(&in_doubt), ..left },
        ),
        (
            "a retry",
            failed.retry(at(99)),
            StageColumns { due_at: Some(at(99)), progress: Some(&again), ..left },
        ),
        (
            "success",
            Ok(live.clone()),
            StageColumns {
                status: T::Published,
                published_at: Some(at(9)),
                remote: Some(&name),
                progress: Some(&closed),
                ..none
            },
        ),
        (
            "a take-down",
            live.take_down(),
            StageColumns {
                status: T::Skipped,
                published_at: Some(at(9)),
                remote: Some(&name),
                ..none
            },
        ),
        (
            "a cancelled wait",
            deferred.cancel(),
            StageColumns { status: T::Skipped, failure: Some(&error), ..left },
        ),
    ] {
        assert_eq!(target.unwrap().stage.columns(), want, "{name}");
    }
}

#[test]
fn a_live_target_without_a_name_is_not_taken_down() {
    let mut target = parked();
    target.reschedule(Some(at(1)), None);
    let live = target.start().and_then(|target| target.succeed(at(1), None, None)).unwrap();
    assert_eq!(live.stage.refuses(TargetEvent::TakeDown), live.clone().take_down().unwrap_err());
}

#[test]
fn what_a_network_said_is_kept_in_part() {
    let most = FailedAttempt::ERROR_MAX_CHARACTERS;
    for (length, want) in [(most, "é".repeat(most)), (most + 1, "é".repeat(most - 1) + "…")] {
        let target = parked().having_failed(FailedAttempt {
            at: at(0),
            error_code: FailureCode::NetworkError,
            error: "é".repeat(length),
            next_attempt_at: None,
        });
        assert_eq!(target.failed_attempts[0].error, want, "{length}");
    }
}

#[test]
fn only_what_is_in_doubt_is_found_live() {
    let failed = |code| {
        let mut target = parked();
        target.reschedule(Some(at(1)), None);
        let failure = Failure { message: "No answer.".to_owned(), code, permanent: false };
        target.start().and_then(|target| target.fail(failure)).unwrap()
    };
    for code in FailureCode::ALL {
        let found = failed(code).found("https://example.com/1".to_owned(), at(9));
        assert_eq!(found.is_ok(), code == FailureCode::InDoubt, "{code:?}");
        let Ok(live) = found else { continue };
        assert_eq!(live.published_at(), Some(at(9)));
        assert_eq!(live.remote().unwrap().url.as_deref(), Some("https://example.com/1"));
        assert!(live.clone().take_down().is_err(), "nobody knows its id");
        assert!(live.retry(at(10)).is_err(), "never twice");
    }
}

#[test]
fn the_latest_failed_attempts_are_kept() {
    let attempt = |number: i64| FailedAttempt {
        at: at(number),
        error_code: FailureCode::NetworkError,
        error: number.to_string(),
        next_attempt_at: None,
    };
    for (made, want) in [(0, vec![]), (1, vec!["0"]), (14, vec!["2", "13"])] {
        let target =
            (0..made).fold(parked(), |target, number| target.having_failed(attempt(number)));
        let kept: Vec<&str> =
            target.failed_attempts.iter().map(|failed| failed.error.as_str()).collect();
        assert!(kept.len() <= FailedAttempt::MOST);
        let ends: Vec<&str> = match kept[..] {
            [] | [_] => kept.clone(),
            [first, .., last] => vec![first, last],
        };
        assert_eq!(ends, want, "{made}");
    }
}
